"""Reading a skill's whole content, wherever it really lies."""

import os
import stat
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from app.errors import AppError, Kind
from app.history.values import Blob, BlobKind, Snapshot
from app.history.walk import NotKept, read_folder
from app.skills.values import Skill
from app.text.invisible import hidden


@dataclass(frozen=True, slots=True)
class Content:
    """A skill's files. `folder` is where they really lie, `redirected` the real file of a linked SKILL.md or None."""

    files: Snapshot
    folder: Path
    redirected: Path | None = None
    not_kept: tuple[NotKept, ...] = ()


def read_content(skill: Skill, limit: int) -> Content:
    """Read a skill from disk; files over `limit` bytes are left out.

    A linked skill is read at its real place, a linked SKILL.md as the file it leads to. Raises AppError(NOT_FOUND)
    when the folder is gone, AppError(STORAGE) when it cannot be read.
    """
    folder = skill.folder.resolve() if skill.linked else skill.folder
    walk = read_folder(folder, limit=limit)
    real = skill.real
    if real is None or not real.is_file():
        return Content(walk.files, folder, None, walk.not_kept)
    files = {**walk.files, skill.file: Blob(_read_file(real, limit), BlobKind.FILE)}
    return Content(files, folder, real, walk.not_kept)


def skill_file(files: Snapshot) -> str:
    """The name of the skill's own file among its files: SKILL.md, or another spelling of it that stands there."""
    if "SKILL.md" in files:
        return "SKILL.md"
    return next((path for path in files if path.lower() == "skill.md"), "SKILL.md")


def is_script(path: str, blob: Blob | None) -> bool:
    """Whether a file can be run: it lies below `scripts/`, has the execute bit, or begins with `#!`."""
    if blob is not None and (blob.kind is BlobKind.EXECUTABLE or blob.data.startswith(b"#!")):
        return True
    return path.startswith("scripts/")


def changes_script(before: Snapshot, after: Snapshot) -> bool:
    """Whether any file that can be run differs between two contents of a skill."""
    return any(
        is_script(path, before.get(path)) or is_script(path, after.get(path))
        for path in before.keys() | after.keys()
        if before.get(path) != after.get(path)
    )


def hides_more(before: Snapshot, after: Snapshot) -> str:
    """The name of a character nobody sees that a change brings into a text or a file's name; empty when it brings none.

    One more of a kind that is there already counts, too.
    """
    for path, blob in after.items():
        old = before.get(path)
        if blob == old:
            continue
        try:
            text = blob.data.decode("utf-8")
        except UnicodeDecodeError:
            text = ""  # no text
        known = _hidden_in(old.data.decode("utf-8", "replace")) if old is not None else Counter()
        fresh = _hidden_in(text) - known + (_hidden_in(path) if old is None else Counter())
        if fresh:
            return next(iter(fresh))
    return ""


def _hidden_in(text: str) -> Counter[str]:
    return Counter(name for _, _, name in hidden(text))


def _read_file(path: Path, limit: int) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise AppError(Kind.INVALID, "Not a file", f"{path} is no regular file and is not read.")
            return stream.read(limit)
    except OSError as error:
        text = f"{path} cannot be read: {error.strerror}. Change its permissions and try again."
        raise AppError(Kind.STORAGE, "The file cannot be read", text) from error
