"""Approving a part: the result of chosen hunks, and which absorbed skills it no longer covers."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from app.errors import AppError, Kind
from app.history.store import History
from app.history.values import Blob, Snapshot
from app.proposals.decisions import changes_of
from app.proposals.values import Change, Proposal
from app.proposals.view import differences, loss_of, sides
from app.skills.content import changes_script
from app.skills.values import Action
from app.text.diff import apply_hunks
from app.text.values import Fate, FileDiff, FileStatus

#: Chosen hunk ids by file; a file that is not named is taken whole, one with no hunks chosen is left as it was.
Hunks = Mapping[str, Collection[str]]


def with_hunks(change: Change, hunks: Hunks, history: History) -> Change:
    """The change with only the chosen hunks: another result, and so another hash to be displayed and approved.

    Writes objects only. Raises AppError(INVALID) for an archive, an unknown file or hunk, or when nothing is left.
    """
    if change.result is None or change.memory is not None:
        raise AppError(Kind.INVALID, "No parts to choose", f"{change.title} has no parts. Decide about it as a whole.")
    before, after = sides(change, history)
    diffs = {diff.path: diff for diff in differences(before, after)}
    for path in hunks:
        if path not in diffs:
            text = f"{path} is not changed by this proposal. Load the difference again."
            raise AppError(Kind.INVALID, "File not found", text)
    chosen = {path: _file(diff, before, after, hunks) for path, diff in diffs.items()}
    files = {path: blob for path, blob in {**before, **chosen}.items() if blob is not None}
    result = history.store(files)
    if result == change.base or not files:
        text = "Nothing of this change was chosen. Choose a part, or reject the change."
        raise AppError(Kind.INVALID, "Nothing chosen", text)
    if result == change.result:
        return change
    return replace(change, result=result, revision=change.revision + 1, has_script=changes_script(before, files))


def uncovered(chosen: Change, proposal: Proposal, history: History) -> tuple[str, ...]:
    """Ids of waiting archives whose text a chosen part of the umbrella no longer holds, though the whole does."""
    known = changes_of(proposal)
    whole = known[chosen.id]
    if whole.result is None or chosen.result is None or whole.result == chosen.result:
        return ()
    full, part = history.load(whole.result), history.load(chosen.result)
    absorbed = [c for c in known.values() if c.waiting and c.action is Action.ARCHIVE and c.into == chosen.skill]
    return tuple(change.id for change in absorbed if _dropped(change, history, part) > _dropped(change, history, full))


def _dropped(change: Change, history: History, umbrella: Snapshot) -> int:
    return loss_of(change, history, umbrella).count(Fate.DROPPED)


def _file(diff: FileDiff, before: Snapshot, after: Snapshot, hunks: Hunks) -> Blob | None:
    if diff.path not in hunks:
        return after.get(diff.path)
    chosen = hunks[diff.path]
    if len(chosen) == len(diff.hunks) and diff.hunks:
        return after.get(diff.path)
    if not chosen:
        return before.get(diff.path)
    if diff.status is not FileStatus.MODIFIED:
        text = f"{diff.path} is added or removed as a whole. Take it or leave it."
        raise AppError(Kind.INVALID, "No parts to choose", text)
    old = before[diff.path]
    return replace(old, data=apply_hunks(old.data, diff, chosen), kind=after[diff.path].kind)
