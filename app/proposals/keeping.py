"""Putting back what a merge would lose: dropped pieces of an absorbed skill go into the umbrella that takes it in."""

import posixpath
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from app.errors import AppError, Kind
from app.history.store import History
from app.history.values import Blob, Snapshot
from app.proposals.checks import result_trouble
from app.proposals.current import Current
from app.proposals.decisions import changes_of
from app.proposals.grouping import change_title
from app.proposals.values import Change, Proposal
from app.proposals.view import loss_of, sides, umbrella_files
from app.skills.content import changes_script, skill_file
from app.skills.front import set_field
from app.skills.parse import parse_skill
from app.skills.values import Action
from app.text.values import Fate, Unit, UnitKind

_FENCE = re.compile(r"[ \t>]*(?:[-*+]|\d+[.)])?[ \t]*(`{3,}|~{3,})[ \t]*([^`\s]*)")
_WIDE_HEADING = re.compile(r"#{1,2} ")
_RUN = re.compile(r"`{3,}")


def kept_in(
    proposal: Proposal, change_id: str, units: Collection[int], current: Current, history: History
) -> tuple[Change, bool]:
    """The umbrella's change with these units of an absorbed skill in it (numbers in its loss), and whether it is new.

    A piece of text goes below a heading of the absorbed skill's own, a support file keeps its path where that is free,
    a trigger word joins the description. Writes objects only. Raises AppError(USAGE) for a change that absorbs nothing
    and for numbers of no dropped unit, AppError(INVALID) when the result would be no valid skill.
    """
    known = changes_of(proposal)
    absorbed = known.get(change_id)
    if absorbed is None or absorbed.action is not Action.ARCHIVE or not absorbed.waiting:
        raise AppError(Kind.USAGE, "Nothing to keep here", f"{change_id} is no waiting merge. Load the proposal again.")
    umbrella = umbrella_files(absorbed, known, current, history)
    if umbrella is None:
        text = (
            f"Nothing takes {absorbed.name} in, so nothing of it can be kept elsewhere. Reject the change to keep it."
        )
        raise AppError(Kind.USAGE, "No umbrella", text)
    chosen = _chosen(absorbed, units, history, umbrella)
    before, _ = sides(absorbed, history)
    files = _with(umbrella, before, absorbed.name, chosen)
    change, new = _umbrella_change(absorbed, known, current, history)
    start = history.load(change.base) if change.base else {}
    made = replace(
        change,
        result=history.store(files),
        revision=change.revision + (0 if new else 1),
        has_script=changes_script(start, files),
    )
    if trouble := result_trouble(made, history):
        raise AppError(Kind.INVALID, "Not a valid skill", trouble)
    return made, new


def _chosen(absorbed: Change, units: Collection[int], history: History, umbrella: Snapshot) -> list[Unit]:
    fates = loss_of(absorbed, history, umbrella).units
    wanted = sorted(set(units))
    if not wanted or any(not 0 <= n < len(fates) or fates[n].fate is not Fate.DROPPED for n in wanted):
        text = "Only what would be dropped can be kept. Load the proposal again and choose from its list."
        raise AppError(Kind.USAGE, "Nothing of that is dropped", text)
    return [fates[n].unit for n in wanted]


def _umbrella_change(
    absorbed: Change, known: Mapping[str, Change], current: Current, history: History
) -> tuple[Change, bool]:
    """The proposal's own change of the umbrella, or a new one where the umbrella took the skill in as it stands."""
    for change in known.values():
        if change.skill == absorbed.into and change.result is not None and change.waiting:
            if change.conflicts:
                text = f"{change.name} was changed meanwhile in the same places. Settle the conflict first."
                raise AppError(Kind.REFUSED, "Settle the conflict first", text)
            return change, False
    into, name = absorbed.into or "", absorbed.absorbed_into or ""
    files = current.files(into) or {}
    number = 1 + max(int(change_id[1:]) for change_id in known)
    fresh = Change(
        id=f"c{number}",
        skill=into,
        action=Action.EDIT,
        group=absorbed.group,
        title=change_title(Action.EDIT, name, None),
        reason=f"Keeps parts of {absorbed.name}.",
        base=history.store(files),
        result=None,
        files=(),
        name=name,
    )
    return fresh, True


def _with(umbrella: Snapshot, absorbed: Snapshot, name: str, chosen: Sequence[Unit]) -> Snapshot:
    files = dict(umbrella)
    main = skill_file(files)
    text = files[main].data
    for unit in chosen:
        if unit.kind is UnitKind.FILE:
            files[_free_path(files, unit.text, name)] = absorbed[unit.text]
    words = [unit.text for unit in chosen if unit.kind is UnitKind.TRIGGER]
    if words:
        described = parse_skill(text, name).description.rstrip()
        text = set_field(text, "description", f"{described.rstrip('.')}. Also for {', '.join(words)}.")
    own = absorbed.get(skill_file(absorbed), Blob(b"")).data.decode("utf-8", "replace")
    pieces = [unit for unit in chosen if unit.kind not in {UnitKind.FILE, UnitKind.TRIGGER}]
    if pieces:
        text = _with_section(text, name, _markdown(pieces, own))
    files[main] = replace(files[main], data=text)
    return files


def _free_path(files: Snapshot, path: str, name: str) -> str:
    if path not in files:
        return path
    folder, file = posixpath.split(path)
    return posixpath.join(folder, f"{name}-{file}")


def _with_section(data: bytes, name: str, block: str) -> bytes:
    """The text with the block at its end, below a heading of this skill that is made when it is not the last one."""
    heading = f"## Kept from {name}"
    text = data.decode("utf-8", "surrogateescape")
    end = "\r\n" if "\r\n" in text else "\n"
    wide = [line for line in text.splitlines() if _WIDE_HEADING.match(line)]
    added = f"{block}\n" if wide and wide[-1].rstrip() == heading else f"{heading}\n\n{block}\n"
    return (text.rstrip() + end * 2 + added.replace("\n", end)).encode("utf-8", "surrogateescape")


def _markdown(units: Sequence[Unit], source: str) -> str:
    """The pieces as Markdown, in the order of the absorbed text: one block, items of one list together."""
    lines = source.splitlines()
    blocks: list[str] = []
    kinds: list[UnitKind] = []
    for unit in sorted(units, key=lambda one: one.line):
        text = _piece(unit, lines)
        if unit.kind is UnitKind.ITEM and kinds and kinds[-1] is UnitKind.ITEM:
            blocks[-1] += f"\n{text}"
        else:
            blocks.append(text)
        kinds.append(unit.kind)
    return "\n\n".join(blocks)


def _piece(unit: Unit, lines: Sequence[str]) -> str:
    if unit.kind is UnitKind.HEADING:
        return f"### {unit.text}"
    if unit.kind is UnitKind.ITEM:
        return f"- {unit.text}"
    if unit.kind is UnitKind.CODE:
        opened = _FENCE.match(lines[unit.line - 1]) if 0 < unit.line <= len(lines) else None
        longest = max((len(run) for run in _RUN.findall(unit.text)), default=2)
        fence = "`" * max(3, longest + 1)
        return f"{fence}{opened.group(2) if opened else ''}\n{unit.text}\n{fence}"
    return unit.text
