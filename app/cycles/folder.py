"""The files of one skill, changed by hand: added, renamed, removed. Each act is one step of the ledger."""

from collections.abc import Sequence
from pathlib import Path

from app.cycles.home import OpenHome
from app.cycles.library import USER
from app.errors import AppError, Kind
from app.history.values import Blob, BlobKind, Snapshot
from app.history.walk import read_folder
from app.skills.content import skill_file
from app.skills.resolve import find
from app.skills.values import Action, Receipt, Request, Verdict


def add_file(open_home: OpenHome, skill_id: str, path: str, data: bytes = b"") -> Receipt:
    """Add a new file (empty by default). Raises AppError(REFUSED) when something stands there already."""
    skill = find(open_home.library(), skill_id)
    if path in (open_home.live.files(skill.id) or {}):
        raise AppError(Kind.REFUSED, "There already", f"{skill.name} has a file {path} already. Choose another name.")
    return _done(open_home, [Request(Action.WRITE_FILE, skill.id, file=path, content=data)], "write_file", path)


def copy_in(open_home: OpenHome, skill_id: str, sources: Sequence[Path], folder: str = "") -> Receipt:
    """Copy files and folders from outside into a skill, below `folder`; a file of the same name is replaced.

    Links are not followed. Raises AppError(NOT_FOUND) for a source that is gone, AppError(REFUSED) for one that the
    history could not hold.
    """
    skill = find(open_home.library(), skill_id)
    before = open_home.live.files(skill.id) or {}
    fresh: dict[str, Blob] = {}
    for source in sources:
        for path, blob in _taken(source, open_home.live.file_limit).items():
            fresh[f"{folder}/{path}" if folder else path] = blob
    if skill_file(before) in fresh:
        text = "A SKILL.md would be replaced by this. Open the editor to change it."
        raise AppError(Kind.REFUSED, "That is the skill itself", text)
    names = ", ".join(sorted(fresh)[:3]) + (f" and {len(fresh) - 3} more" if len(fresh) > 3 else "")
    request = Request(Action.PUT, skill.id, files={**before, **fresh})
    return _done(open_home, [request], "write_file", names)


def rename_file(open_home: OpenHome, skill_id: str, old: str, new: str) -> Receipt:
    """Give a file, or all files of a folder, another place in the skill.

    Raises AppError(REFUSED) for SKILL.md, for a place that is taken, and with the door's sentence.
    """
    skill = find(open_home.library(), skill_id)
    before = open_home.live.files(skill.id) or {}
    moved = {path: new + path[len(old) :] for path in before if path == old or path.startswith(f"{old}/")}
    if skill_file(before) in moved:
        text = "SKILL.md is the skill itself and keeps its name."
        raise AppError(Kind.REFUSED, "SKILL.md stays", text)
    taken = sorted(set(moved.values()) & (before.keys() - moved.keys()))
    if not moved or taken:
        text = f"{taken[0]} is there already." if taken else f"{skill.name} has no file {old}. Refresh the list."
        raise AppError(Kind.REFUSED, "Not renamed", text)
    files = {moved.get(path, path): blob for path, blob in before.items()}
    return _done(open_home, [Request(Action.PUT, skill.id, files=files)], "rename_file", f"{old} → {new}")


def remove_files(open_home: OpenHome, skill_id: str, path: str) -> Receipt:
    """Remove a file, or all files of a folder. Raises AppError(REFUSED) with the door's sentence."""
    skill = find(open_home.library(), skill_id)
    before = open_home.live.files(skill.id) or {}
    below = [one for one in sorted(before) if one.startswith(f"{path}/")] or [path]
    requests = [Request(Action.REMOVE_FILE, skill.id, file=one) for one in below]
    return _done(open_home, requests, "remove_file", path)


def _done(open_home: OpenHome, requests: Sequence[Request], action: str, reason: str) -> Receipt:
    receipts = open_home.door.do_all(requests, USER, action=action, reason=reason)
    stopped = next((one for one in reversed(receipts) if one.verdict is not Verdict.ALLOW), None)
    if stopped is not None:
        why = stopped.why.partition(" was not: ")[2] or stopped.why
        raise AppError(Kind.REFUSED, "This is not changed", why)
    return receipts[-1]


def _taken(source: Path, limit: int) -> Snapshot:
    """A dropped file or folder as files by path."""
    if source.is_dir() and not source.is_symlink():
        walk = read_folder(source, limit=limit)
        return {f"{source.name}/{path}": blob for path, blob in walk.files.items() if blob.kind is not BlobKind.LINK}
    walk_of_parent = _one(source, limit)
    return {source.name: walk_of_parent}


def _one(source: Path, limit: int) -> Blob:
    try:
        size = source.stat().st_size
        if not source.is_file() or size > limit:
            text = (
                f"{source} is no plain file, or larger than {limit // 1_000_000} MB, which the history does not hold."
            )
            raise AppError(Kind.REFUSED, "Not taken in", text)
        return Blob(source.read_bytes())
    except OSError as error:
        text = f"{source} cannot be read: {error.strerror}."
        raise AppError(Kind.NOT_FOUND, "Not taken in", text) from error
