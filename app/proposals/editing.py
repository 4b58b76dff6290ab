"""Editing a waiting change: the user's own content takes the place of what the fork proposed."""

from dataclasses import replace

from app.errors import AppError, Kind
from app.history.store import History
from app.history.values import Blob, Snapshot
from app.proposals.checks import result_trouble
from app.proposals.grouping import memory_change, memory_title
from app.proposals.values import Change, MemoryAction
from app.proposals.view import sides
from app.skills.content import changes_script, skill_file
from app.skills.values import Action


def edited(change: Change, files: Snapshot | None, history: History) -> Change:
    """The change with this whole folder as its result, its conflicts settled by that.

    For an archive `files` is None and means: archive the folder as it is now. Writes objects only. Raises
    AppError(INVALID) with the line and the fix when the result would be no valid skill or no change at all,
    AppError(USAGE) for a change that is decided already.
    """
    _open(change)
    if (files is None) != (change.action is Action.ARCHIVE):
        text = f"{change.title} cannot be edited into something else. Reject it and make the change yourself."
        raise AppError(Kind.INVALID, "Another kind of change", text)
    if files is None:
        return replace(change, conflicts=(), revision=change.revision + 1)
    before, _ = sides(change, history)
    result = history.store(files)
    if result == change.base:
        text = "This is exactly what the library holds. Reject the change instead of emptying it."
        raise AppError(Kind.INVALID, "Nothing would change", text)
    made = replace(
        change,
        result=result,
        conflicts=(),
        revision=change.revision + 1,
        has_script=changes_script(before, files),
    )
    trouble = result_trouble(made, history)
    if trouble:
        raise AppError(Kind.INVALID, "Not a valid skill", trouble)
    return made


def edited_text(change: Change, text: str, history: History, path: str = "") -> Change:
    """The change with this text as SKILL.md (or the file at `path`) or memory entry; raises as `edited` does."""
    _open(change)
    if change.memory is not None:
        return _edited_memory(change, text, history)
    _, after = sides(change, history)
    file = path or skill_file(after)
    data = text.encode("utf-8", "surrogateescape")
    return edited(change, {**after, file: replace(after.get(file, Blob(b"")), data=data)}, history)


def _edited_memory(change: Change, text: str, history: History) -> Change:
    step = change.memory
    if step is None or step.action is MemoryAction.REMOVE or not text.strip():
        problem = "A memory entry cannot be empty. Write its text, or reject the change."
        raise AppError(Kind.INVALID, "No text", problem)
    wish = replace(step, text=text.strip())
    files = memory_change(wish).result or {}
    return replace(
        change,
        memory=wish,
        title=memory_title(wish),
        result=history.store(files),
        revision=change.revision + 1,
    )


def _open(change: Change) -> None:
    if not change.waiting:
        text = f"{change.title} was decided already: {change.decision.value}."
        raise AppError(Kind.USAGE, "Already decided", text)
