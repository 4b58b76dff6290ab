"""The validator: judges every skill at or below a path and answers with the lines the command line prints.

Two judgements stand side by side: `strict` (the text of the format) and `load` (what the tolerant reader does). The
reference validator's own answer is added when its package is installed.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from app.skills.digest import read_place
from app.skills.findings import Remarks, strict_passes
from app.skills.front_values import Front
from app.skills.order import collisions
from app.skills.parse import Parsed, parse_skill
from app.skills.places import Place, single_place, walk_below
from app.skills.reference import BATCH, is_installed, verdicts
from app.skills.roots import Root
from app.skills.values import Finding, Load

#: One line of the answer, as JSON.
Line = dict[str, Any]

_ANY_DEPTH = 10_000
_MOST_REFERENCE_FIELDS = 500


def validate_path(path: Path) -> Iterator[Line]:
    """One line for each skill at or below `path`, at any depth; then, for a folder of many, a line of collisions.

    `path` may be a skill's folder, its SKILL.md, or a folder that holds skills. A path that is none of these is one
    line with the finding `DIR.MISSING` or `DIR.SKILL_MD.MISSING`. Never raises for anything found on the disk.
    """
    folder = path.parent if path.name.casefold() == "skill.md" and not path.is_dir() else path
    if not folder.is_dir():
        what = "is not a folder" if os.path.lexists(folder) else "does not exist"
        yield _trouble(path, "DIR.MISSING", f"{path} {what}.")
        return
    if not _is_listable(folder):
        yield _trouble(path, "FS.UNREADABLE", f"{path} cannot be listed: permission is missing.")
        return
    single = single_place(folder)
    if single is not None:
        yield from _referred([(single, judge(single, str(path))[0])])
        return
    names: list[tuple[str, str]] = []
    for batch in _batches(_places(folder)):
        judged = [(place, *judge(place, place.folder)) for place in batch]
        names += [(place.folder, name) for place, _, name in judged]
        yield from _referred([(place, line) for place, line, _ in judged])
    if names:
        yield {"collisions": collisions(names)}
    else:
        yield _trouble(path, "DIR.SKILL_MD.MISSING", f"There is no SKILL.md in {path}, nor in a folder below it.")


def judge(place: Place, shown_path: str) -> tuple[Line, str]:
    """The line for one skill, and the name that counts for collisions."""
    remarks = Remarks()
    for rule, message in place.remarks:
        remarks.add(rule, None, message)
    folder_name = place.steps[-1]
    data = read_place(place, remarks) if place.stamp is not None else None
    parsed = parse_skill(data, folder_name, frozenset(place.files)) if data is not None else None
    for one in parsed.findings if parsed is not None else ():
        remarks.keep(one)
    remarks.harden(parsed.load if parsed is not None else Load.SKIP)
    line = _line(shown_path, remarks.findings, remarks.load, parsed)
    return line, parsed.name if parsed is not None else folder_name


def _referred(judged: Sequence[tuple[Place, Line]]) -> Iterator[Line]:
    """The lines with the reference validator's verdict, where it is installed and can read the skill's file."""
    able = is_installed()
    asked = [place.folder for place, line in judged if able and place.stamp is not None and not _is_endless(line)]
    said = dict(zip(asked, verdicts(asked), strict=True))
    for place, line in judged:
        yield line | {"reference": said.get(place.folder)}


def _is_endless(line: Line) -> bool:
    """Whether a front matter is so long that the reference validator, quadratic in it, takes many seconds for it."""
    metadata = line["parsed"]["metadata"]
    fields = len(line["parsed"]["unknown_fields"]) + (len(metadata) if isinstance(metadata, dict) else 0)
    return fields > _MOST_REFERENCE_FIELDS


def _batches(places: Sequence[Place]) -> Iterator[Sequence[Place]]:
    """All places in pieces, so that the first lines come soon; singly where nobody else is asked."""
    size = BATCH if is_installed() else 1
    return (places[start : start + size] for start in range(0, len(places), size))


def _places(folder: Path) -> list[Place]:
    root = Root(folder, False, os.path.realpath(folder))
    return sorted(walk_below(root, "", None, _ANY_DEPTH), key=lambda place: place.steps)


def _is_listable(folder: Path) -> bool:
    try:
        with os.scandir(folder):
            return True
    except OSError:
        return False


def _trouble(path: Path, rule: str, message: str) -> Line:
    remarks = Remarks()
    remarks.add(rule, None, message)
    return _line(str(path), remarks.findings, remarks.load, None)


def _line(path: str, findings: tuple[Finding, ...], load: Load, parsed: Parsed | None) -> Line:
    return {
        "path": path,
        "strict": "pass" if strict_passes(findings) else "fail",
        "load": load.value,
        "reference": None,
        "findings": [
            {"rule": one.rule, "severity": one.severity.value, "line": one.line, "message": one.message, "fix": one.fix}
            for one in findings
        ],
        "parsed": _fields(parsed),
    }


def _fields(parsed: Parsed | None) -> Line:
    front = parsed.front if parsed is not None else Front()
    return {
        "name": front.text("name"),
        "description": front.text("description"),
        "license": _value(front, "license"),
        "compatibility": _value(front, "compatibility"),
        "allowed_tools": _value(front, "allowed-tools"),
        "metadata": _value(front, "metadata"),
        "unknown_fields": list(front.unknown),
    }


def _value(front: Front, key: str) -> Any:  # noqa: ANN401 - text, list or map, as in the file
    return None if front.is_null(key) else front.text(key) or front.fields.get(key)
