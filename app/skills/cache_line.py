"""One skill of a look as a line of the scan cache, and back, checked like a stranger's input.

Everything that follows from other things is left out and worked out again: id, keys, real paths of plain folders. A
path in a line can only name what a walk of the same root could reach.
"""

import json
import os
from collections.abc import Sequence
from typing import Any

from app.skills.digest import Digest, modified_at
from app.skills.names import folded, nfc
from app.skills.places import DEEPEST, Place, Stamp, is_skipped
from app.skills.roots import Root
from app.skills.values import Finding, Load, Severity

_LOADS = {load.value: load for load in Load}
_STAMP = 5
_NUMBERS = 6


def line_of(place: Place, digest: Digest, root: int, findings: dict[Finding, int]) -> str:
    """The line of one skill below the root of this number; its findings join the table."""
    below = place.folder[len(str(place.root.path)) :].lstrip(os.sep)
    counts = (place.linked, place.file_linked, digest.uses_files, digest.size)
    numbers = [*map(int, counts), digest.catalogue_tokens, digest.body_tokens, *(place.stamp or ())]
    texts = [below, place.real if place.linked else "", place.file]
    return dumped(
        [
            root,
            [*texts, digest.name, digest.description, digest.body_hash, digest.load.value],
            numbers,
            place.files,
            [text for remark in place.remarks for text in remark],
            [folder[len(place.folder) :] for folder, _ in place.dirs],
            [number for _, stamp in place.dirs for number in stamp],
            [findings.setdefault(finding, len(findings)) for finding in digest.findings],
            [digest.related, digest.tags, digest.tools, sorted(digest.words), digest.links],
        ]
    )


def kept_in(line: bytes, roots: Sequence[Root | None], findings: Sequence[Finding]) -> tuple[Place, Digest] | None:
    """What a line keeps of a skill; None when its root is no longer one. Raises ValueError for anything odd."""
    number, texts, numbers, files, remarks, dirs, dir_stamps, found, lists = json.loads(line)
    root = roots[number]
    if root is None:
        return None
    words = [texts_in(one) for one in (texts, files, remarks, dirs, *lists)]
    if b"\\u" in line:  # only an escape can spell what is no text
        _check_spelling(words)
    place = _place(root, words, numbers_in(numbers), numbers_in(dir_stamps))
    return place, _digest(place, words, numbers, tuple(findings[one] for one in numbers_in(found)))


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


def _check_spelling(words: Sequence[Sequence[str]]) -> None:
    """Refuse texts that no file system takes: they would raise wherever they are used first."""
    os.fsencode("".join("".join(group) for group in words))
    (below, *_), files, _, dirs = words[0], *words[1:4]
    paths = [below, *files, *dirs]
    if "\0" in "".join(paths) or (os.sep != "/" and any(":" in path or os.sep in path for path in paths)):
        raise ValueError("no path")


def _place(root: Root, words: Sequence[tuple[str, ...]], numbers: Sequence[int], dir_stamps: Sequence[int]) -> Place:
    (below, real, file, *_), files, remarks, dirs = words[0], *words[1:4]
    archived = _is_archived(root, below)
    if file.casefold() != "skill.md" or any(".." in path.split("/") for path in dirs):
        raise ValueError("no skill")
    folder = os.path.join(root.path, below) if below else str(root.path)  # noqa: PTH118 - as the walk spells it
    linked, file_linked = bool(numbers[0]), bool(numbers[1])
    if not linked:
        real = f"{root.real}/{below}" if below else root.real
    pairs = tuple(zip(remarks[::2], remarks[1::2], strict=True))
    stamps = [_stamp(dir_stamps[at : at + _STAMP]) for at in range(0, len(dir_stamps), _STAMP)]
    times = tuple((folder + path, stamp) for path, stamp in zip(dirs, stamps, strict=True))
    stamp = _stamp(numbers[_NUMBERS:])
    skill_id = nfc(below) if below else nfc(root.path.name)
    return Place(root, skill_id, folder, real, linked, archived, file, file_linked, stamp, files, pairs, times)


def _is_archived(root: Root, below: str) -> bool:
    """Whether a path below a root is in the archive. Raises ValueError for one that no walk would come to."""
    steps = below.split("/")
    if not below:
        if root.in_home:
            raise ValueError("the library is no skill")
        return False
    if any(step in {"", ".", ".."} for step in steps):
        raise ValueError("no path below the root")
    if steps[0] == ".archive" and len(steps) == 2 and root.in_home:
        return True
    if len(steps) > DEEPEST or any(map(is_skipped, steps)):
        raise ValueError("no place for a skill")
    return False


def _stamp(numbers: Sequence[int]) -> Stamp:
    modified, changed, size, inode, device = numbers
    return modified, changed, size, inode, device


def _digest(
    place: Place, words: Sequence[tuple[str, ...]], numbers: Sequence[int], findings: tuple[Finding, ...]
) -> Digest:
    _, _, _, name, description, body_hash, load = words[0]
    related, tags, tools, named, links = words[4:]
    _, _, uses_files, size, catalogue_tokens, body_tokens = numbers[:_NUMBERS]
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
        words=frozenset(named),
        links=links,
        modified_at=modified_at(place.stamp) if place.stamp else None,
        size=size,
        body_hash=body_hash,
        catalogue_tokens=catalogue_tokens,
        body_tokens=body_tokens,
    )
