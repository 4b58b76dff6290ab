"""Fixes that are safe by a click: what a finding is about is mended, everything else stays byte for byte."""

import codecs
import re
from collections.abc import Callable, Mapping

from app.errors import AppError
from app.history.values import Snapshot
from app.skills.checks_name import plain_name
from app.skills.content import skill_file
from app.skills.digest import split_tools
from app.skills.front import set_field
from app.skills.front_moves import into_metadata, with_quotes
from app.skills.front_values import Front
from app.skills.parse import parse_skill
from app.skills.rules import without_hidden
from app.skills.values import Action, Finding, Request, Skill

#: SKILL.md's bytes, its fields, the folder's name and the finding → the mended bytes, None when it cannot be done.
_Fix = Callable[[bytes, Front, str, Finding], bytes | None]
_MOST_ROUNDS = 40


def fix_request(skill: Skill, files: Snapshot, finding: Finding) -> Request | None:
    """What to ask the door for to mend one finding; None when it has no safe fix here."""
    if not finding.one_click:
        return None
    file = skill_file(files)
    if finding.rule == "DIR.SKILL_MD.CASE":
        moved = {("SKILL.md" if path == file else path): blob for path, blob in files.items()}
        return Request(Action.PUT, skill.id, files=dict(moved), reason=finding.rule) if file != "SKILL.md" else None
    if finding.rule.startswith("NAME."):
        return _name_request(skill, files[file].data, finding)
    data = fixed(files[file].data, skill.id.rpartition("/")[2], finding)
    return None if data is None else Request(Action.EDIT, skill.id, content=data, reason=finding.rule)


def fixed(data: bytes, folder: str, finding: Finding) -> bytes | None:
    """SKILL.md's bytes with one finding mended; None when nothing can be done or nothing would change."""
    make = _FIXES.get(finding.rule)
    if make is None:
        return None
    try:
        made = make(data, parse_skill(data, folder).front, folder, finding)
    except AppError:
        return None  # the field cannot be changed without touching others
    return made if made != data else None


def all_fixed(data: bytes, folder: str) -> tuple[bytes, tuple[str, ...]]:
    """SKILL.md's bytes with everything mended that can be within the file, and the rules that were."""
    done: list[str] = []
    for _ in range(_MOST_ROUNDS):
        findings = [one for one in parse_skill(data, folder).findings if one.one_click]
        made = next(((one.rule, new) for one in findings if (new := fixed(data, folder, one)) is not None), None)
        if made is None:
            break
        done.append(made[0])
        data = made[1]
    return data, tuple(done)


def _name_request(skill: Skill, data: bytes, finding: Finding) -> Request | None:
    """A name is mended by the folder where that is valid, by a rename of both where neither is."""
    folder = skill.id.rpartition("/")[2]
    said = parse_skill(data, folder).front.text("name") or ""
    if finding.rule == "NAME.DIR" and said == plain_name(said):
        to = f"{skill.category}/{said}" if skill.category else said
        return Request(Action.MOVE, skill.id, exact=to, reason=finding.rule)
    made = fixed(data, folder, finding)
    if made is not None:
        return Request(Action.EDIT, skill.id, content=made, reason=finding.rule)
    wanted = plain_name(said or folder)
    return Request(Action.RENAME, skill.id, to=wanted, reason=finding.rule) if wanted else None


def _by_folder(data: bytes, front: Front, folder: str, finding: Finding) -> bytes | None:
    """The folder's name where it is one and the written one is the same but for its spelling, or is none at all."""
    said = front.text("name")
    if finding.rule == "NAME.TYPE" and said:
        return set_field(data, "name", said, again=True)
    fits = not said or finding.rule == "NAME.DIR" or plain_name(said) == folder
    return set_field(data, "name", folder) if folder == plain_name(folder) and fits else None


def _quoted_description(data: bytes, front: Front, _folder: str, _finding: Finding) -> bytes | None:
    said = front.fields.get("description")
    return set_field(data, "description", said, again=True) if isinstance(said, str) else None


def _tools(data: bytes, front: Front, _folder: str, _finding: Finding) -> bytes | None:
    tools = split_tools(front.fields.get("allowed-tools"))
    return set_field(data, "allowed-tools", " ".join(tools)) if tools else None


def _without_hidden(data: bytes, front: Front, _folder: str, _finding: Finding) -> bytes | None:
    for key, value in front.fields.items():
        if isinstance(value, str) and without_hidden(value) != value:
            data = set_field(data, key, without_hidden(value))
    return data


def _unknown(data: bytes, front: Front, _folder: str, finding: Finding) -> bytes | None:
    key = next((key for key in front.unknown if front.line(key) == finding.line), None)
    return into_metadata(data, key) if key is not None else None


_FIXES: Mapping[str, _Fix] = {
    "ENC.BOM": lambda data, *_: data.removeprefix(codecs.BOM_UTF8),
    "ENC.EOL": lambda data, *_: re.sub(rb"\r(?!\n)", b"\n", data),
    "FM.YAML": lambda data, *_: with_quotes(data),
    "DESC.TYPE": _quoted_description,
    "COMPAT.EMPTY": lambda data, *_: set_field(data, "compatibility", None),
    "TOOLS.COMMA": _tools,
    "TOOLS.TYPE": _tools,
    "TXT.BIDI": _without_hidden,
    "TXT.CONTROL": _without_hidden,
    "FIELD.UNKNOWN": _unknown,
    "NAME.REQUIRED": _by_folder,
    "NAME.EMPTY": _by_folder,
    "NAME.TYPE": _by_folder,
    "NAME.DIR": _by_folder,
    "NAME.CASE": _by_folder,
    "NAME.CHARSET": _by_folder,
    "NAME.HYPHEN_EDGE": _by_folder,
    "NAME.HYPHEN_DOUBLE": _by_folder,
}
