"""The whole library back to how it stood after a step, as one new step: previewed first, and undone like any other.

Nothing is deleted: what came later goes to the archive. Skills in further folders and linked ones stay as they are.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from app.cycles.home import OpenHome
from app.cycles.library import USER
from app.cycles.values import RollbackPlan, RollbackStep, Undone
from app.cycles.versions import entry_on, moved_since
from app.errors import AppError, Kind
from app.history.log import moves_of
from app.history.store import History
from app.history.values import Entry, Snapshot
from app.skills.then import Past
from app.skills.values import Action, Request, Skill, State, Verdict

_WORDS = {
    Action.ARCHIVE: "archive",
    Action.RESTORE: "restore",
    Action.MOVE: "move",
    Action.PIN: "pin",
    Action.UNPIN: "unpin",
    Action.ADOPT: "adopt",
    Action.UNADOPT: "unadopt",
}
_MARKS = {Action.PIN.value, Action.UNPIN.value, Action.ADOPT.value, Action.UNADOPT.value}
Planned = tuple[Request, RollbackStep]


def preview_rollback(open_home: OpenHome, when: datetime | str) -> RollbackPlan:
    """What a rollback to a moment, or to right after an entry (its id), would do; nothing is written.

    Raises AppError(NOT_FOUND) when there is no such entry, or nothing was recorded by then.
    """
    entry, planned = _plan(open_home, when)
    receipts = open_home.door.rehearse([request for request, _ in planned], USER) if planned else ()
    stopped = tuple(receipt.why for receipt in receipts if receipt.verdict is not Verdict.ALLOW)
    return RollbackPlan(entry, tuple(step for _, step in planned), stopped)


def rollback(open_home: OpenHome, when: datetime | str) -> Undone:
    """Bring the library back, as one entry; with conflicts nothing is written.

    Raises AppError(REFUSED) when the library stands like that already, and as `preview_rollback`.
    """
    with open_home.lock.hold("rolling back"):
        open_home.live.observe_outside(None)
        entry, planned = _plan(open_home, when)
        if not planned:
            text = "The library stands exactly like that already."
            raise AppError(Kind.REFUSED, "Nothing to bring back", text)
        receipts = open_home.door.do_all(
            [request for request, _ in planned],
            USER,
            action="rollback",
            reason=f"as of {entry.at:%Y-%m-%d %H:%M} UTC",
            detail={"back_to": entry.id},
        )
    stopped = next((receipt for receipt in receipts if receipt.verdict is not Verdict.ALLOW), None)
    if stopped is not None:
        return Undone(None, (stopped.why.partition(" was not: ")[2] or stopped.why,))
    return Undone(next((receipt.entry for receipt in receipts if receipt.entry), None))


def days(open_home: OpenHome) -> tuple[tuple[date, int], ...]:
    """The days on which the ledger has entries, oldest first, with how many, in this machine's own time zone."""
    return tuple(sorted(Counter(entry.at.astimezone().date() for entry in open_home.history.entries()).items()))


@dataclass(frozen=True, slots=True)
class _Pair:
    """A skill then and now, whether its recorded content is another one, and whether it was marked otherwise since."""

    then: Skill
    now: Skill | None
    changed: bool
    marked: bool


def _plan(open_home: OpenHome, when: datetime | str) -> tuple[Entry, list[Planned]]:
    history = open_home.history
    entry = history.entry(when) if isinstance(when, str) else entry_on(history, when)
    if entry is None:
        raise AppError(Kind.NOT_FOUND, "No history of that day", "The first step was made later than that.")
    past = Past(open_home.home, open_home.settings.library, history).library(entry.id)
    now = {skill.id: skill for skill in open_home.library().skills if skill.in_home and not skill.linked}
    where = moved_since(history, entry.id)
    marked = _marked_since(history, entry)
    before, today = history.contents(entry.id), history.contents()
    pairs = []
    for then in past.skills:
        here = where.get(then.id, then.id)
        changed = before.get(f"skills/{then.id}") != today.get(f"skills/{here}")
        pairs.append(_Pair(then, now.get(here), changed, here in marked))
    kept = {pair.now.id for pair in pairs if pair.now is not None}
    came = [skill for skill in now.values() if skill.id not in kept and skill.state is not State.ARCHIVED]
    planned: list[Planned] = []
    for skill in came:
        planned += _away(skill)
    for pair in sorted(pairs, key=_rank):
        planned += _back(pair, history.snapshot(f"skills/{pair.then.id}", entry.id) if pair.changed else None)
    return entry, planned


def _rank(pair: _Pair) -> int:
    """What goes to the archive makes room for what comes back, and places are left before they are taken."""
    if pair.now is None:
        return 3
    if pair.then.state is State.ARCHIVED and pair.now.state is not State.ARCHIVED:
        return 0
    return 2 if pair.now.state is State.ARCHIVED else 1


def _away(skill: Skill) -> Iterator[Planned]:
    if skill.pinned:
        yield _step(Action.UNPIN, skill.id, skill.id, skill.name)
    yield _step(Action.ARCHIVE, skill.id, f".archive/{skill.id.rpartition('/')[2]}", skill.name)


def _back(pair: _Pair, files: Snapshot | None) -> Iterator[Planned]:
    then, now = pair.then, pair.now
    if now is None:
        if files is not None:
            step = RollbackStep("bring back", then.id, then.id, then.name)
            yield Request(Action.PUT, then.id, files=dict(files)), step
            yield from _marks(then, None, marked=pair.marked)
        return
    if then.state is State.ARCHIVED:
        if now.state is not State.ARCHIVED:
            yield from _away(now)
        return
    if now.state is State.ARCHIVED:
        yield _step(Action.RESTORE, now.id, then.id, then.name, exact=then.id)
    elif now.id != then.id:
        if now.pinned:
            yield _step(Action.UNPIN, now.id, now.id, now.name)
        yield _step(Action.MOVE, now.id, then.id, then.name, exact=then.id)
    if files is not None:
        yield Request(Action.PUT, then.id, files=dict(files)), RollbackStep("change", now.id, then.id, then.name)
    unpinned = now.pinned and now.id != then.id and now.state is not State.ARCHIVED
    yield from _marks(then, now, marked=pair.marked, unpinned=unpinned)


def _marks(then: Skill, now: Skill | None, *, marked: bool, unpinned: bool = False) -> Iterator[Planned]:
    """Pin and permission as they were then, where the ledger says that they were changed since.

    What it does not know (a record that came with a sample, or from another program) stays. `unpinned` says that a pin
    had to go for a move on the way.
    """
    want = then.pinned if marked or now is None else now.pinned
    have = now is not None and now.pinned and not unpinned
    if want != have:
        yield _step(Action.PIN if want else Action.UNPIN, then.id, then.id, then.name)
    if marked and now is not None and then.managed != now.managed:
        yield _step(Action.ADOPT if then.managed else Action.UNADOPT, then.id, then.id, then.name)


def _marked_since(history: History, entry: Entry) -> set[str]:
    """The ids, as of now, of skills that were pinned, unpinned, adopted or given up after an entry."""
    now_of: dict[str, str] = {}
    found: set[str] = set()
    for newer in history.entries():
        if newer.id == entry.id:
            break
        steps = [step for step in newer.record.detail.get("steps", ()) if isinstance(step, dict)]
        for old, new in reversed(moves_of(newer)):
            now_of[old] = now_of.pop(new, new)
        ids = {str(step.get("id")) for step in steps if step.get("action") in _MARKS}
        found |= {now_of.get(skill_id, skill_id) for skill_id in ids}
    return found


def _step(action: Action, skill: str, to: str, name: str, exact: str | None = None) -> Planned:
    return Request(action, skill, exact=exact), RollbackStep(_WORDS[action], skill, to, name)
