"""Reads the text and the files of a skill: bounded, only inside the skill's folder, links shown and never followed.

The one link that is read is SKILL.md itself, and the skill's folder where that is a link (a linked skill).
"""

import os
from collections.abc import Callable
from pathlib import Path

from app.errors import AppError, Kind
from app.files import safe_parts
from app.skills.digest import LARGEST_SKILL_FILE
from app.skills.fences import decode
from app.skills.findings import Remarks
from app.skills.places import single_place
from app.skills.plain import read_plain
from app.skills.values import Skill

#: A support file larger than this is not read into memory.
LARGEST_FILE = 16 << 20

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
_BY_DESCRIPTOR = os.open in os.supports_dir_fd and bool(_NOFOLLOW)


def read_skill_bytes(skill: Skill) -> bytes:
    """SKILL.md's bytes. Raises AppError(NOT_FOUND) when it is gone, AppError(STORAGE) when it cannot be read."""
    path = skill.folder / skill.file
    return _read(path, skill.file, LARGEST_SKILL_FILE, lambda: os.open(path, _OPEN))


def read_skill_text(skill: Skill) -> str:
    """SKILL.md as text with its own line ends; bytes that are no UTF-8 are shown as U+FFFD. Raises as the bytes do."""
    return decode(read_skill_bytes(skill), Remarks())


def list_files(skill: Skill) -> tuple[str, ...]:
    """The POSIX paths of all files and links of a skill, sorted; generated folders are left out."""
    place = single_place(skill.folder)
    return tuple(sorted(place.files)) if place is not None else ()


def read_file(skill: Skill, file: str) -> bytes:
    """One file of a skill by its POSIX path.

    Raises AppError(INVALID) for an unsafe path or a link, AppError(NOT_FOUND) when there is no such file,
    AppError(STORAGE) when it cannot be read or is larger than 16 MB.
    """
    if file == skill.file:
        return read_skill_bytes(skill)
    parts = safe_parts(file)
    path = skill.folder.joinpath(*parts)
    return _read(path, file, LARGEST_FILE, lambda: _open_below(skill.folder, parts))


def _open_below(folder: Path, parts: tuple[str, ...]) -> int:
    """Open a file below `folder`, each step without following links."""
    if not _BY_DESCRIPTOR:
        here = folder
        for part in parts:
            here = here / part
            if here.is_symlink():
                raise NotADirectoryError(20, "a link is in the way", str(here))
        return os.open(here, _OPEN)
    handle = os.open(folder, _FOLDER)
    for number, part in enumerate(parts, start=1):
        flags = _NOFOLLOW | (_OPEN if number == len(parts) else _FOLDER)
        try:
            below = os.open(part, flags, dir_fd=handle)
        finally:
            os.close(handle)
        handle = below
    return handle


def _read(path: Path, name: str, limit: int, opened: Callable[[], int]) -> bytes:
    try:
        data = read_plain(opened(), limit + 1)
    except FileNotFoundError:
        raise AppError(Kind.NOT_FOUND, "No such file", f"{path} is not there any more. Refresh the list.") from None
    except OSError as error:
        if path.is_symlink() or isinstance(error, NotADirectoryError):
            text = f"{name} is a link, or lies behind one. Links are shown and not read."
            raise AppError(Kind.INVALID, "A link is not read", text) from error
        text = f"{path} cannot be read: {error.strerror}. Change its permissions and try again."
        raise AppError(Kind.STORAGE, "The file cannot be read", text) from error
    if data is None:
        text = f"{name} is a pipe, a device or a folder. Only plain files are read."
        raise AppError(Kind.INVALID, "Not a file", text)
    if len(data) > limit:
        text = f"{name} is larger than {limit >> 20} MB. Open it with another program."
        raise AppError(Kind.STORAGE, "The file is too large to show", text)
    return data
