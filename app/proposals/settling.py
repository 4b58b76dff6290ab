"""Settling what both the user and a proposal changed: one side's words where they meet, or files given by hand."""

from collections.abc import Mapping
from dataclasses import replace

from app.errors import AppError, Kind
from app.history.store import History
from app.history.values import Blob, Side, Snapshot
from app.proposals.editing import edited
from app.proposals.values import Change
from app.skills.values import Action


def settled(change: Change, history: History, take: Side | None, given: Mapping[str, bytes]) -> Change:
    """The change with its conflicts settled: OURS keeps what the library holds wherever both sides meet, THEIRS what
    the proposal wants; `given` holds whole files (path to bytes) that replace either.

    An archive is settled with THEIRS: the folder goes as it is now. Writes objects only. Raises AppError(USAGE) when
    there is no conflict or nothing says how to settle it, AppError(INVALID) when the result is no skill or no change.
    """
    if not change.conflicts or not change.waiting:
        text = f"{change.title} has no conflict to settle. Show the proposal, then approve it or edit it."
        raise AppError(Kind.USAGE, "No conflict", text)
    if change.action is Action.ARCHIVE:
        if take is not Side.THEIRS or given:
            text = f"{change.name} was edited since. Take the proposal's side to archive it as it is now, or reject it."
            raise AppError(Kind.USAGE, "Archive it, or keep it", text)
        return edited(change, None, history)
    files = _merged(change, history, take)
    unknown = [path for path in given if path not in files and path not in {item.path for item in change.conflicts}]
    if unknown:
        text = f"{change.name} has no file {', '.join(unknown)}. Name one of its files."
        raise AppError(Kind.USAGE, "No such file", text)
    for path, data in given.items():
        files[path] = replace(files[path], data=data) if path in files else Blob(data)
    left = [item.path for item in change.conflicts if take is None and item.path not in given]
    if left:
        text = f"Both sides changed {', '.join(left)}. Say which side to take, or hand in the settled file."
        raise AppError(Kind.USAGE, "Not all is settled", text)
    return edited(change, files, history)


def _merged(change: Change, history: History, take: Side | None) -> dict[str, Blob]:
    if take is None:
        return dict(_load(history, change.result))
    ancestor, ours, theirs = (_load(history, tree) for tree in (change.ancestor, change.base, change.theirs))
    merge = history.merge(ancestor, ours, theirs, take)
    if merge.conflicts:
        names = ", ".join(item.path for item in merge.conflicts)
        text = f"{names} is a file on one side and a folder on the other. Edit the change by hand."
        raise AppError(Kind.INVALID, "Two things with one name", text)
    return dict(merge.files)


def _load(history: History, tree: str | None) -> Snapshot:
    return history.load(tree) if tree else {}
