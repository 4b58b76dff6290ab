"""One skill of a look as a line of the scan cache, and back, checked like a stranger's input.

A line is two lists: numbers (flags, sizes, stamps, how many texts of each kind, findings by their place in the table)
and texts. Everything that follows from other things is left out and worked out again: id, keys, real paths of plain
folders. A path in a line can only name what a walk of the same root could reach.
"""

import json
import os
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

from app.skills.digest import Digest, modified_at
from app.skills.names import folded, nfc
from app.skills.places import DEEPEST, Place, Stamp, is_skipped
from app.skills.roots import Root
from app.skills.values import Finding, Load, Severity

_LOADS = {load.value: load for load in Load}
#: How many numbers come first, how many make a stamp, how many say how many texts there are of each kind.
_FIRST, _STAMP, _KINDS = 7, 5, 9
_STAMPED = _FIRST + _STAMP
_COUNTED = _STAMPED + _KINDS
_DOTS = ("", ".", "..")


def line_of(place: Place, digest: Digest, root: int, findings: dict[Finding, int]) -> str:
    """The line of one skill below the root of this number; its findings join the table."""
    below = place.folder[len(str(place.root.path)) :].lstrip(os.sep)
    remarks = [text for remark in place.remarks for text in remark]
    dirs = [folder[len(place.folder) :] for folder, _ in place.dirs]
    own = [below, place.real if place.linked else "", place.file, digest.load.value]
    own += [digest.name, digest.description, digest.body_hash]
    listed = (digest.related, digest.tags, digest.tools, sorted(digest.words), digest.links)
    kinds: Sequence[Sequence[str | None]] = (own, place.files, remarks, dirs, *listed)
    flags = map(int, (place.linked, place.file_linked, digest.uses_files))
    numbers = [root, *flags, digest.size, digest.catalogue_tokens, digest.body_tokens, *(place.stamp or ())]
    numbers += map(len, kinds)
    numbers += (number for _, stamp in place.dirs for number in stamp)
    numbers += (findings.setdefault(finding, len(findings)) for finding in digest.findings)
    return dumped([numbers, [text for kind in kinds for text in kind]])


def kept_in(line: str, roots: Sequence[Root | None], findings: Sequence[Finding]) -> tuple[Place, Digest] | None:
    """What a line keeps of a skill; None when its root is no longer one. Raises ValueError or LookupError when odd."""
    numbers, texts = json.loads(line)
    numbers, texts = numbers_in(numbers), texts_in(texts)
    root = roots[numbers[0]]
    if root is None:
        return None
    kinds = _cut(texts, numbers[_STAMPED:_COUNTED])
    if "\\u" in line:  # only an escape can spell what no file system takes
        _check_spelling(kinds)
    listed = _COUNTED + _STAMP * len(kinds[3])
    place = _place(root, kinds, numbers, numbers[_COUNTED:listed])
    return place, _digest(place, kinds, numbers, tuple(findings[number] for number in numbers[listed:]))


def finding_row(finding: Finding) -> list[str | int | None]:
    """One finding for the table."""
    return [finding.rule, finding.severity.value, finding.line, finding.message, finding.fix]


def finding_in(row: Any) -> Finding:  # noqa: ANN401 - read from a file
    """A finding of the table. Raises ValueError."""
    rule, severity, line, message, fix = row
    texts_in([rule, severity, message, fix or ""])
    if line is not None:
        numbers_in([line])
    return Finding(rule, Severity(severity), line, message, fix)


def dumped(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """A JSON value in one line of ASCII, so that names that are no text survive."""
    return json.dumps(value, separators=(",", ":"))


def texts_in(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - read from a file
    """A list of texts. Raises ValueError when it is anything else."""
    if type(value) is not list or not set(map(type, value)) <= {str}:
        raise ValueError("no list of texts")
    return tuple(value)


def numbers_in(value: Any) -> list[int]:  # noqa: ANN401 - read from a file
    """A list of whole numbers. Raises ValueError when it is anything else."""
    if type(value) is not list or not set(map(type, value)) <= {int}:
        raise ValueError("no list of numbers")
    return value


def _cut(texts: tuple[str, ...], counts: Sequence[int]) -> list[tuple[str, ...]]:
    if len(counts) != _KINDS or min(counts) < 0 or sum(counts) != len(texts):
        raise ValueError("not as many texts as there should be")
    return [texts[start:end] for start, end in pairwise(accumulate(counts, initial=0))]


def _check_spelling(kinds: Sequence[Sequence[str]]) -> None:
    """Refuse what would raise wherever it is used first: texts no file system takes, paths that hold a NUL."""
    os.fsencode("".join("".join(kind) for kind in kinds))
    if "\0" in "".join((kinds[0][0], *kinds[1], *kinds[3])):
        raise ValueError("no path")


def _place(root: Root, kinds: Sequence[tuple[str, ...]], numbers: Sequence[int], dir_stamps: Sequence[int]) -> Place:
    (below, real, file, *_), files, remarks, dirs = kinds[:4]
    archived = _is_archived(root, below)
    if file.casefold() != "skill.md" or any(".." in path and ".." in path.split("/") for path in dirs):
        raise ValueError("no skill")
    folder = f"{root.path}{os.sep}{below}" if below else str(root.path)
    linked, file_linked = bool(numbers[1]), bool(numbers[2])
    if not linked:
        real = f"{root.real}/{below}" if below else root.real
    pairs = tuple(zip(remarks[::2], remarks[1::2], strict=True))
    stamps = [_stamp(dir_stamps[at : at + _STAMP]) for at in range(0, len(dir_stamps), _STAMP)]
    times = tuple((folder + path, stamp) for path, stamp in zip(dirs, stamps, strict=True))
    stamp = _stamp(numbers[_FIRST:_STAMPED])
    skill_id = nfc(below) if below else nfc(root.path.name)
    return Place(root, skill_id, folder, real, linked, archived, file, file_linked, stamp, files, pairs, times)


def _is_archived(root: Root, below: str) -> bool:
    """Whether a path below a root is in the archive. Raises ValueError for one that no walk would come to."""
    steps = below.split("/")
    if root.in_home and steps[0] == ".archive":
        if len(steps) != 2 or steps[1] in _DOTS or _is_cut_elsewhere(below):
            raise ValueError("no place in the archive")
        return True
    whole = not below and not root.in_home  # a folder of the settings that is itself a skill
    if not whole and (len(steps) > DEEPEST or "" in steps or any(map(is_skipped, steps)) or _is_cut_elsewhere(below)):
        raise ValueError("no place for a skill")
    return False


def _is_cut_elsewhere(below: str) -> bool:
    """Whether a path has parts that `/` does not show, on systems with other separators and with drives."""
    return os.sep != "/" and (os.sep in below or ":" in below)


def _stamp(numbers: Sequence[int]) -> Stamp:
    modified, changed, size, inode, device = numbers
    return modified, changed, size, inode, device


def _digest(
    place: Place, kinds: Sequence[tuple[str, ...]], numbers: Sequence[int], findings: tuple[Finding, ...]
) -> Digest:
    _, _, _, load, name, description, body_hash = kinds[0]
    related, tags, tools, words, links = kinds[4:]
    _, _, _, uses_files, size, catalogue_tokens, body_tokens = numbers[:_FIRST]
    return Digest(
        settled=True,
        uses_files=bool(uses_files),
        files_key=hash(place.files),
        name=name,
        key=folded(name),
        description=description,
        findings=findings,
        load=_LOADS[load],
        related=related,
        tags=tags,
        tools=tools,
        words=frozenset(words),
        links=links,
        modified_at=modified_at(place.stamp) if place.stamp else None,
        size=size,
        body_hash=body_hash,
        catalogue_tokens=catalogue_tokens,
        body_tokens=body_tokens,
    )
