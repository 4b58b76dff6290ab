"""Undo: the opposite of one entry as a new entry, in any order, with what cannot be undone said instead of done.

Content is taken back by a three-way merge (base: what the entry wrote, ours: what stands there now, theirs: what stood
there before), so later edits survive. Moves go back as moves, because only the folder itself holds mode bits, times and
empty folders. An undo is an entry like any other and can be undone.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.errors import AppError, Kind
from app.history.log import moves_of
from app.history.store import History
from app.history.values import Conflict, Entry, Snapshot
from app.skills.edit import Door
from app.skills.live import LivePlace
from app.skills.values import Action, Request, Verdict, Writer

_SKILLS = "skills/"
_ARCHIVE = ".archive/"
_OPPOSITE = {
    Action.PIN: Action.UNPIN,
    Action.UNPIN: Action.PIN,
    Action.ADOPT: Action.UNADOPT,
    Action.UNADOPT: Action.ADOPT,
}


@dataclass(frozen=True, slots=True)
class UndoConflict:
    """Why one skill's part cannot be taken back: a sentence, and the files that conflict (if it is about files)."""

    skill: str
    why: str
    files: tuple[Conflict, ...] = ()


@dataclass(frozen=True, slots=True)
class UndoResult:
    """What an undo led to: the new entry, or the conflicts and nothing written. `kept` are sentences about what the
    entry made and what stays because somebody worked on it since.
    """

    entry: str | None
    conflicts: tuple[UndoConflict, ...] = ()
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WouldUndo:
    """What undoing an entry would do: (action, skill id) pairs, what would stay, and what stands in its way."""

    changes: tuple[tuple[str, str], ...] = ()
    kept: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Stays:
    """An umbrella that was worked on since its merge: it is left where it is, and this says so."""

    why: str


@dataclass(frozen=True, slots=True)
class _Merges:
    """Names that an entry absorbed others into, and what it restored with the umbrella each goes into `again`: counters
    and forward go along.
    """

    umbrellas: frozenset[str]
    again: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Part:
    """What an entry did to one skill: id and tree id before and after; None where it was not there."""

    old: str | None
    before: str | None
    new: str | None
    after: str | None
    step: Mapping[str, Any]


def undo(door: Door, live: LivePlace, entry_id: str, writer: Writer, reason: str = "") -> UndoResult:
    """Undo one entry about skills.

    Raises AppError(NOT_FOUND) for an unknown entry, AppError(REFUSED) when nothing of it is left to undo, when it is
    about memories alone, or when the policy says no (a pinned skill).
    """
    with live.hold("undo"):
        entry = live.history.entry(entry_id)
        later = _later(live.history, entry)
        live.observe({_follow(skill_id, later) for skill_id in entry.record.ids})
        requests, conflicts, kept = _opposite(live, entry)
        if conflicts:
            return UndoResult(None, tuple(conflicts))
        if not requests:
            text = "Nothing of this entry is left to undo: later changes took it back already."
            raise AppError(Kind.REFUSED, "Nothing to undo", text)
        receipts = door.do_all(requests, writer, action="undo", reason=reason, detail={"undoes": entry.id})
    stopped = next((one for one in receipts if one.verdict is not Verdict.ALLOW), None)
    if stopped is not None:
        raise AppError(Kind.REFUSED, "Not undone", receipts_why(stopped.why))
    done = next((one.entry for one in receipts if one.entry is not None), None)
    if done is None:
        raise AppError(Kind.REFUSED, "Nothing to undo", "Everything is as it was before this entry already.")
    return UndoResult(done, kept=tuple(kept))


def would_undo(door: Door, live: LivePlace, entry_id: str, writer: Writer) -> WouldUndo:
    """What undoing an entry would do, the policy asked; nothing is written.

    Raises AppError(NOT_FOUND) for an unknown entry.
    """
    requests, conflicts, kept = _opposite(live, live.history.entry(entry_id))
    changes = tuple((one.action.value, one.exact or one.skill) for one in requests)
    whys = [one.why for one in conflicts]
    if not whys:
        refused = (one for one in door.rehearse(requests, writer) if one.verdict is not Verdict.ALLOW)
        whys = [receipts_why(one.why) for one in refused][:1]
    return WouldUndo(changes, tuple(kept), tuple(whys))


def receipts_why(why: str) -> str:
    """The sentence of a refused part without the frame that a batch puts around it."""
    return why.partition(" was not: ")[2] or why


def concerns_skills(history: History, entry: Entry) -> bool:
    """Whether an entry is about skills (the rest of the ledger is about memories, which undo their own)."""
    if entry.record.detail.get("steps") or moves_of(entry):
        return True
    return any(prefix.startswith(_SKILLS) for prefix in history.changes_of(entry.id))


def _opposite(live: LivePlace, entry: Entry) -> tuple[list[Request], list[UndoConflict], list[str]]:
    later = _later(live.history, entry)
    requests: list[Request] = []
    conflicts: list[UndoConflict] = []
    kept: list[str] = []
    parts = list(_parts(live.history, entry))
    merges = _merges(live, entry, parts)
    for part in reversed(parts):
        here = part.new if part.new is None else _follow(part.new, later)
        made = _take_back(live, part, here, merges)
        if isinstance(made, UndoConflict):
            conflicts.append(made)
        elif isinstance(made, _Stays):
            kept.append(made.why)
        else:
            requests.extend(made)
    for step in reversed(entry.record.detail.get("steps", [])):
        requests.extend(_unmark(step, later))
    return requests, [*conflicts, *_taken(live, requests)], kept


def _taken(live: LivePlace, requests: list[Request]) -> Iterator[UndoConflict]:
    """Places that skills go back to and where something else stands by now, unless the same undo makes room there."""
    left: set[str] = set()
    for request in requests:
        to = request.exact
        if to is not None and to not in left and os.path.lexists(live.home.skills / to):
            why = f"Something else stands at {to} again. Rename or archive that first, then undo this step."
            yield UndoConflict(to, why)
        if request.action in {Action.ARCHIVE, Action.MOVE, Action.RENAME}:
            left.add(request.skill)


def _merges(live: LivePlace, entry: Entry, parts: Sequence[_Part]) -> _Merges:
    steps = (step for step in entry.record.detail.get("steps", []) if isinstance(step, dict))
    umbrellas = frozenset(str(step["absorbed_into"]) for step in steps if step.get("absorbed_into"))
    restored = {str(part.step.get("name")) for part in parts if (part.old or "").startswith(_ARCHIVE)}
    if not restored:
        return _Merges(umbrellas, {})
    library = live.library()
    # An umbrella that this entry archived comes back before its parts go into it.
    standing = {str(part.step.get("name")) for part in parts if (part.new or "").startswith(_ARCHIVE)}
    standing |= {skill.name for skill in library.skills if skill.live and skill.in_home}
    forwards = ((name, library.forwards[name].into) for name in restored if name in library.forwards)
    return _Merges(umbrellas, {name: into for name, into in forwards if into in standing})


def _parts(history: History, entry: Entry) -> Iterator[_Part]:
    """The entry's changes of content, with both ends of a move joined, in the order of its steps."""
    changes = {
        prefix.removeprefix(_SKILLS): trees
        for prefix, trees in history.changes_of(entry.id).items()
        if prefix.startswith(_SKILLS)
    }
    steps = {str(step.get("id")): step for step in entry.record.detail.get("steps", []) if isinstance(step, dict)}
    order = {skill_id: number for number, skill_id in enumerate(entry.record.ids)}
    parts = []
    for old, new in moves_of(entry):
        before, after = changes.pop(old, (None, None))[0], changes.pop(new, (None, None))[1]
        if before is not None and after is not None:
            parts.append(_Part(old, before, new, after, steps.get(old, {})))
    for skill_id, (before, after) in changes.items():
        parts.append(
            _Part(skill_id if before else None, before, skill_id if after else None, after, steps.get(skill_id, {}))
        )
    yield from sorted(parts, key=lambda part: order.get(part.old or part.new or "", 0))


def _later(history: History, entry: Entry) -> list[tuple[str, str]]:
    """Every move after the entry, oldest first."""
    moves: list[tuple[str, str]] = []
    for newer in history.entries():
        if newer.id == entry.id:
            break
        moves[:0] = moves_of(newer)
    return moves


def _follow(skill_id: str, moves: list[tuple[str, str]]) -> str:
    for old, new in moves:
        if old == skill_id:
            skill_id = new
    return skill_id


def _take_back(
    live: LivePlace, part: _Part, here: str | None, merges: _Merges
) -> list[Request] | UndoConflict | _Stays:
    now = None if here is None else live.files(here)
    if part.new is None:
        return _bring_back(live, part)
    if here is None or now is None:
        if part.old is None:
            return []  # what the entry made is gone already
        return UndoConflict(part.new, f"{part.new} is no longer there.")
    base = live.history.load(part.after or "")
    if part.old is None:
        return _take_away(part, here, merges.umbrellas, unchanged=now == base)
    if part.old != part.new:
        return _move_back(live, part, here, now, base, merges)
    return _merge_back(live, part, here, now, base)


def _bring_back(live: LivePlace, part: _Part) -> list[Request] | UndoConflict:
    """Something was deleted: what the history holds of it comes back."""
    old, files = part.old or "", live.history.load(part.before or "")
    there = live.files(old)
    if there == files:
        return []
    if there is not None:
        return UndoConflict(old, f"Something else stands at {old} by now. Archive or rename that first.")
    return [Request(Action.PUT, old, files=dict(files), record=part.step.get("record"))]


def _take_away(
    part: _Part, here: str, umbrellas: frozenset[str], *, unchanged: bool
) -> list[Request] | UndoConflict | _Stays:
    """Something was made: it goes to the archive, whole, unless it was changed since. An umbrella that was changed
    stays, so that what it absorbed can come back without taking anybody's work away.
    """
    if here.startswith(_ARCHIVE):
        return []
    if unchanged:
        return [Request(Action.ARCHIVE, here)]
    made = part.new or here
    if {made, part.step.get("name"), made.rpartition("/")[2]} & umbrellas:
        return _Stays(f"{here} was changed since the merge, so it stays. Archive it when you need it no longer.")
    return UndoConflict(made, f"{here} was changed since it came. Undo those changes first, or archive it.")


def _move_back(
    live: LivePlace, part: _Part, here: str, now: Snapshot, base: Snapshot, merges: _Merges
) -> list[Request] | UndoConflict:
    old, new = part.old or "", part.new or ""
    if here == old:
        return _merge_back(live, part, here, now, base)
    if here != new:
        return UndoConflict(new, f"{new} was moved to {here} since. Undo that first.")
    if new.startswith(_ARCHIVE) and not old.startswith(_ARCHIVE):
        return [Request(Action.RESTORE, new, exact=old)]
    if old.startswith(_ARCHIVE):
        # Content that came with the restore goes back first; what stands in the archive is not changed there.
        changed = _merge_back(live, part, here, now, base) if part.before != part.after else []
        again = Request(Action.ARCHIVE, new, absorbed_into=merges.again.get(str(part.step.get("name"))))
        return changed if isinstance(changed, UndoConflict) else [*changed, again]
    if part.step.get("action") == Action.RENAME.value and old.rpartition("/")[2] == part.step.get("name"):
        return [Request(Action.RENAME, new, to=str(part.step["name"]))]
    content = _merge_back(live, part, here, now, base)
    return content if isinstance(content, UndoConflict) else [*content, Request(Action.MOVE, new, exact=old)]


def _merge_back(live: LivePlace, part: _Part, here: str, now: Snapshot, base: Snapshot) -> list[Request] | UndoConflict:
    before = live.history.load(part.before or "")
    merged = live.history.merge(base, now, before)
    if not merged.clean:
        names = ", ".join(conflict.path for conflict in merged.conflicts)
        return UndoConflict(here, f"{here} was changed in the same places since: {names}.", merged.conflicts)
    if merged.files == now:
        return []
    if here.startswith(_ARCHIVE):
        return UndoConflict(here, f"{here} is archived. Restore it first.")
    return [Request(Action.PUT, here, files=dict(merged.files), record=part.step.get("record"))]


def _unmark(step: Mapping[str, Any], later: list[tuple[str, str]]) -> list[Request]:
    """The opposite of a step that changed no content."""
    try:
        action = Action(step["action"])
    except (KeyError, ValueError):
        return []
    here = _follow(str(step.get("id")), later)
    if action in _OPPOSITE:
        return [] if step.get("before") is step.get("after") else [Request(_OPPOSITE[action], here)]
    if action is Action.LABEL and step.get("before") != step.get("after"):
        return [Request(Action.LABEL, here, to=str(step.get("before")))]
    return []
