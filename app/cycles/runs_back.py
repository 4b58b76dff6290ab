"""The way back from a curator's run: its entries one by one, or all together, later and after other edits."""

from collections.abc import Collection
from dataclasses import replace

from app.cycles.home import OpenHome
from app.cycles.library import USER, undo_entry
from app.cycles.values import RunStep, RunUndo
from app.errors import AppError, Kind
from app.history.values import Entry
from app.skills.undo import would_undo

#: What a run leads to in the ledger: groups approved, labels, and archives by age where nobody is asked.
_OF_A_RUN = frozenset({"apply", "label", "archive"})


def preview_undo(open_home: OpenHome, run: str) -> RunUndo:
    """What undoing a run would do, entry by entry, newest first, with what stands in the way; nothing is written."""
    undone = _undone(open_home.history.entries())
    steps = tuple(_step(open_home, entry, undone) for entry in _entries(open_home, run))
    return RunUndo(run, steps)


def undo_run(open_home: OpenHome, run: str, entries: Collection[str] | None = None) -> RunUndo:
    """Undo what a run led to, all of it or only these entries, newest first.

    Each entry is one step that is taken back whole or not at all; what stands in the way of one is named and the
    others go on. Raises AppError(REFUSED) when nothing is left to undo, AppError(BUSY, STORAGE) when the home cannot
    be written.
    """
    planned = preview_undo(open_home, run)
    wanted = [step for step in planned.steps if not step.undone and (entries is None or step.entry in entries)]
    if not wanted:
        text = "Nothing of this run is left to undo: it changed nothing, or all of it was taken back."
        raise AppError(Kind.REFUSED, "Nothing to undo", text)
    done = []
    for step in wanted:
        try:
            result = undo_entry(open_home, step.entry)
        except AppError as error:
            if error.kind is not Kind.REFUSED:
                raise
            done.append(replace(step, conflicts=(error.text,)))
            continue
        undone = result.entry is not None
        done.append(replace(step, undone=undone, by=result.entry, conflicts=result.conflicts, kept=result.kept))
    return RunUndo(run, tuple(done))


def changed_by(open_home: OpenHome, run: str) -> frozenset[str]:
    """The ids of all skills that a run led to a change of: labels, archives by age, approved merges. A skill that
    moved is here by its old and its new id.
    """
    return frozenset(skill_id for entry in _entries(open_home, run) for skill_id in entry.record.ids)


def _entries(open_home: OpenHome, run: str) -> list[Entry]:
    return [
        entry for entry in open_home.history.entries() if entry.record.run == run and entry.record.action in _OF_A_RUN
    ]


def _undone(entries: list[Entry]) -> set[str]:
    """The entries that an undo took back, where that undo was not taken back itself."""
    back: set[str] = set()
    for entry in entries:  # newest first, so an undo of an undo is met before the undo
        target = entry.record.detail.get("undoes")
        if entry.record.action == "undo" and isinstance(target, str) and entry.id not in back:
            back.add(target)
    return back


def _step(open_home: OpenHome, entry: Entry, undone: set[str]) -> RunStep:
    title = entry.record.reason or entry.record.action
    if entry.id in undone:
        return RunStep(entry.id, entry.at, title, entry.record.ids, undone=True)
    would = would_undo(open_home.door, open_home.live, entry.id, USER)
    return RunStep(
        entry.id,
        entry.at,
        title,
        entry.record.ids,
        changes=would.changes,
        conflicts=would.conflicts,
        kept=would.kept,
    )
