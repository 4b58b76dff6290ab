"""The scan cache: what the last look kept of each skill, in one disposable file, so that the next program need not
read every skill again.

It is a beginning for a look and never an answer: the look compares every stamp with the disk, under the rules by which
it takes over what it saw itself a moment ago. Only what those rules can judge is kept, so nothing that changed within
two seconds of being read. A file that is missing, damaged, from another version or from somebody else counts as none.

Lines of JSON: a head (format, program, count, hash of the rest), the roots, the table of findings, a line per skill.
"""

import hashlib
import json
import logging
import os
import stat
import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import yaml

import app
from app.errors import AppError
from app.files import write_below
from app.paths import Home
from app.settings import LibrarySettings
from app.skills.cache_line import dumped, finding_in, finding_row, kept_in, line_of, texts_in
from app.skills.digest import Digest
from app.skills.places import Place
from app.skills.plain import read_plain
from app.skills.roots import Root, find_roots
from app.skills.scan import Seen
from app.skills.values import Finding, Library

#: What is kept of each skill, by its folder.
Kept = Mapping[str, tuple[Place, Digest]]

_log = logging.getLogger(__name__)
_FORMAT = "melete scan cache 1"
_LARGEST = 512 << 20
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_ODD = (ValueError, TypeError, LookupError, OverflowError, RecursionError)
#: Where the code lies that a digest depends on, below the package.
_READING = ("", "skills", "text", "history")


def load_cache(home: Home, settings: LibrarySettings) -> Library | None:
    """A library without rows for `scan` to begin from; None when there is no cache or it cannot be trusted."""
    try:
        data = _bytes_of(home)
        seen = None if data is None else _seen(data, find_roots(home, settings)[0])
    except FileNotFoundError:
        return None
    except (OSError, *_ODD) as error:
        _log.info("the scan cache %s is not used, everything is read: %r", home.scan_cache, error)
        return None
    return Library(seen=seen) if seen is not None else None


def store_cache(home: Home, roots: tuple[Root, ...], kept: Kept) -> None:
    """Replace the cache. That it cannot be written is logged and nothing else: it only saves time."""
    numbers = {root: number for number, root in enumerate(roots)}
    table: dict[Finding, int] = {}
    lines = [line_of(place, digest, numbers[place.root], table) for place, digest in kept.values()]
    spelled = [dumped(["" if root.in_home else str(root.path), root.real]) for root in roots]
    findings = [dumped(finding_row(finding)) for finding in table]
    body = "\n".join([f"[{','.join(spelled)}]", f"[{','.join(findings)}]", *lines]).encode("ascii")
    try:
        write_below(home.root, home.scan_cache.name, _head(body) + body, 0o600, durable=False)
    except AppError as error:
        _log.info("the scan cache is not written: %s", error.text)


def kept_of(library: Library) -> Kept:
    """What of a look may be kept: skills whose stamps can be told from those after their next change."""
    seen = library.seen
    if not isinstance(seen, Seen):
        return {}
    usable = seen.digests.items()
    return {at: one for at, one in usable if one[1].settled and one[0].stamp and at not in seen.restless}


def _bytes_of(home: Home) -> bytes | None:
    """The file's bytes, None when somebody else may have written them. Raises OSError."""
    owner = home.root.stat().st_uid
    handle = os.open(home.scan_cache, _OPEN)
    status = os.fstat(handle)
    data = read_plain(handle, _LARGEST)
    if data is not None and _is_ours(status, owner):
        return data
    _log.info("the scan cache %s may be somebody else's; everything is read", home.scan_cache)
    return None


def _is_ours(status: os.stat_result, owner: int) -> bool:
    """Whether only this user or the home's owner can have written a file (where files have owners)."""
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid in {os.geteuid(), owner} and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _seen(data: bytes, roots: tuple[Root, ...]) -> Seen | None:
    """What the file keeps, told of today's roots; None when another program wrote it. Raises one of _ODD."""
    head, _, body = data.partition(b"\n")
    if head + b"\n" != _head(body):
        _log.info("the scan cache is of another version or damaged; everything is read")
        return None
    root_line, finding_line, *lines = body.decode("ascii").split("\n")
    ways = [texts_in(one) for one in json.loads(root_line)]
    now = {("" if root.in_home else str(root.path)): root for root in roots}
    then = [now.get(path) for path, _ in ways]
    findings = [finding_in(row) for row in json.loads(finding_line)]
    found = [one for line in lines if (one := kept_in(line, then, findings)) is not None]
    same = then == list(roots) and [real for _, real in ways] == [root.real for root in roots]
    digests = {place.folder: (place, digest) for place, digest in found}
    places = tuple(place for place, _ in digests.values())
    return Seen(roots if same else (), places, digests, {}, None, frozenset())


def _head(body: bytes) -> bytes:
    """The first line of a file with this body, as this very program writes it."""
    return f"{dumped([_FORMAT, _program(), hashlib.sha256(body).hexdigest()])}\n".encode("ascii")


def _program() -> str:
    """What tells this program from other versions of itself, as far as reading skills goes; a checkout's edits too."""
    whole = [app.__version__, sys.version, unicodedata.unidata_version, yaml.__version__]
    package = Path(app.__file__).parent
    for name in _READING:
        try:
            with os.scandir(package / name) as entries:
                files = sorted((entry for entry in entries if entry.name.endswith(".py")), key=lambda one: one.name)
                for entry in files:
                    status = entry.stat()
                    whole.append(f"{entry.name} {status.st_size} {status.st_mtime_ns}")
        except OSError:
            continue  # packed into one file: then the version says it all
    return hashlib.sha256("\n".join(whole).encode()).hexdigest()
