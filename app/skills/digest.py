"""What is kept of one SKILL.md between two looks: everything a row needs that depends on this file alone."""

import hashlib
import os
import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

from app.skills.checks_body import CHARS_PER_TOKEN
from app.skills.findings import Remarks
from app.skills.front_values import Front
from app.skills.mentions import words_of
from app.skills.names import folded, nfc
from app.skills.parse import parse_skill
from app.skills.places import Place, Stamp
from app.skills.plain import read_plain
from app.skills.values import Finding, Load

#: A SKILL.md larger than this is not read: the row says so.
LARGEST_SKILL_FILE = 8 << 20
#: A file changed within this time of being read may change again without a new time stamp (coarse clocks).
SETTLE_SECONDS = 2.0

_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)


@dataclass(frozen=True, slots=True)
class Digest:
    """One SKILL.md in short. `settled` says that an equal stamp means equal content; `uses_files` that a finding
    depends on which other files there are (`files_key`). `words` are folded words that may name other skills, `links`
    normalised relative paths that leave the skill, `key` is the folded name (see names).
    """

    settled: bool
    uses_files: bool
    files_key: int
    name: str
    key: str
    description: str
    findings: tuple[Finding, ...]
    load: Load
    related: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    links: tuple[str, ...] = ()
    modified_at: datetime | None = None
    size: int = 0
    body_hash: str = ""
    catalogue_tokens: int = 0
    body_tokens: int = 0


def digest_of(place: Place, now: datetime) -> Digest:
    """Read and judge the SKILL.md of a place. Troubles are findings; nothing is raised, nothing blocks."""
    folder_name = place.steps[-1]
    remarks = Remarks()
    for rule, message in place.remarks:
        remarks.add(rule, None, message)
    data = read_place(place, remarks) if place.stamp is not None else None
    if data is None:
        return Digest(False, False, 0, folder_name, folded(folder_name), "", remarks.findings, Load.SKIP)
    return digest_from(place, data, remarks, now)


def is_current(digest: Digest, old: Place, new: Place) -> bool:
    """Whether a digest still says the truth about the same skill found again."""
    same = digest.settled and old.stamp == new.stamp and old.file == new.file and old.remarks == new.remarks
    return same and (not digest.uses_files or digest.files_key == hash(new.files))


def digest_from(place: Place, data: bytes, remarks: Remarks, now: datetime) -> Digest:
    """The digest of a SKILL.md whose bytes are at hand; what was remarked about its place joins the findings."""
    parsed = parse_skill(data, place.steps[-1], frozenset(place.files))
    for one in parsed.findings:
        remarks.keep(one)
    remarks.harden(parsed.load)
    stamp = place.stamp or (0, 0, 0, 0, 0)
    targets = [target for _, target in parsed.targets]
    return Digest(
        settled=has_settled(stamp, now),
        uses_files=bool(targets) or "license" in parsed.front.fields,
        files_key=hash(place.files),
        name=nfc(parsed.name),
        key=folded(parsed.name),
        description=parsed.description,
        findings=remarks.findings,
        load=remarks.load,
        related=related_names(parsed.front),
        tags=_texts(parsed.front, ("tags",)),
        tools=split_tools(parsed.front.fields.get("allowed-tools")),
        words=words_of(parsed.body),
        links=tuple(sorted({path for target in targets if (path := outward(target))})),
        modified_at=modified_at(stamp),
        size=len(data),
        body_hash=hashlib.sha256(data).hexdigest(),
        catalogue_tokens=(len(parsed.name) + len(parsed.description)) // CHARS_PER_TOKEN,
        body_tokens=len(parsed.body) // CHARS_PER_TOKEN,
    )


def has_settled(stamp: Stamp, now: datetime) -> bool:
    """Whether a file or folder is old enough that its next change gives it another stamp, even on a coarse clock."""
    return now.timestamp() - max(stamp[0], stamp[1]) / 1e9 > SETTLE_SECONDS


def modified_at(stamp: Stamp) -> datetime | None:
    """The modification time in a stamp; None for one before 1970."""
    return datetime.fromtimestamp(stamp[0] / 1e9, UTC) if stamp[0] >= 0 else None


def read_place(place: Place, remarks: Remarks) -> bytes | None:
    """The bytes of a place's SKILL.md, None with a remark when they cannot be had. Opens nothing but a plain file."""
    path = f"{place.folder}/{place.file}"
    try:
        handle = os.open(path, _OPEN | (0 if place.file_linked else _NOFOLLOW))
        data = read_plain(handle, LARGEST_SKILL_FILE + 1)
    except OSError as error:
        remarks.add("FS.UNREADABLE", None, f"{place.file} cannot be read: {error.strerror}.", "Change its permissions.")
        return None
    if data is None:
        remarks.add("FS.SPECIAL", None, f"{place.file} is a pipe, a device or a socket; it is not read.")
        return None
    if len(data) > LARGEST_SKILL_FILE:
        limit = LARGEST_SKILL_FILE >> 20
        remarks.add("FS.SIZE", None, f"{place.file} is larger than {limit} MB.", "Move parts to other files.")
        return None
    return data


def related_names(front: Front) -> tuple[str, ...]:
    """The names in `related_skills`, at the top, below metadata or below metadata.hermes, each once."""
    return _texts(front, ("related_skills", "related"))


def split_tools(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - text, list or map, as in the file
    """The tools of `allowed-tools`, whatever its spelling; blanks and commas inside parentheses do not separate."""
    if isinstance(value, list):
        return tuple(item.strip() for item in value if isinstance(item, str) and item.strip())
    if not isinstance(value, str):
        return ()
    return tuple(re.findall(r"(?:[^\s,()]|\([^)]*\)?)+", value))


def _texts(front: Front, keys: Iterable[str]) -> tuple[str, ...]:
    hermes = front.metadata.get("hermes")
    found: dict[str, None] = {}
    for level in (front.fields, front.metadata, hermes if isinstance(hermes, dict) else {}):
        for key in keys:
            if key not in level:
                continue
            value = level[key]
            parts = re.split(r"[,\s]+", value) if isinstance(value, str) else value
            for part in parts if isinstance(parts, list) else ():
                if isinstance(part, str) and part.strip():
                    found.setdefault(nfc(part.strip()))
    return tuple(found)


def outward(target: str) -> str:
    """A link's path when it leaves the skill's folder, else an empty text."""
    if ".." not in target and "%" not in target:
        return ""
    path = posixpath.normpath(unquote(re.split("[#?]", target, maxsplit=1)[0]))
    return nfc(path) if path.startswith("../") else ""
