"""Moving whole folders: one rename where the disk can, a verified copy where it cannot, never a half folder.

A move keeps everything git cannot hold: mode bits, times, empty folders, generated files. Between two file systems the
copy is made beside the target, compared byte for byte, flushed to the disk, renamed, and only then is the source
removed.
"""

import contextlib
import errno
import filecmp
import os
import shutil
import stat
from pathlib import Path

import send2trash

from app.errors import AppError, Kind
from app.files import fsync_folder, fsync_tree

_COPY = ".melete-copy-"
_LEFT = ".melete-left-"


def move_folder(source: Path, target: Path, *, durable: bool = True) -> None:
    """Move a folder; the target's parent is made. Done already (source gone, target there) is fine.

    `durable=False` spares the fsyncs, for a caller who flushes after many moves.
    Raises AppError(REFUSED) when something else stands at the target or the source is no real folder,
    AppError(STORAGE) when the disk refuses.
    """
    there = os.path.lexists(target)
    left = source.with_name(_LEFT + source.name)
    if not os.path.lexists(source) and there:
        shutil.rmtree(left, ignore_errors=True)
        return
    _real_folder(source)
    if there and not _is_copy(source, target):
        text = f"{target} is already there. Move one of the two away and try again."
        raise AppError(Kind.REFUSED, "Something is in the way", text)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not there:
            _rename_or_copy(source, target)
        if os.path.lexists(source):
            source.rename(left)  # gone at once for every reader; a half removed folder is never seen
            shutil.rmtree(left)
        if durable:
            _sync(source.parent, target.parent)
    except OSError as error:
        text = f"{source} cannot be moved to {target}: {error.strerror}. Change the permissions or free space."
        raise AppError(Kind.STORAGE, "The folder was not moved", text) from error


def remove_folder(folder: Path, *, for_good: bool) -> None:
    """Put a folder into the system's trash, or delete it for good; a missing one is done already.

    Raises AppError(STORAGE) when there is no trash for this disk, or the disk refuses.
    """
    if not os.path.lexists(folder):
        return
    _real_folder(folder)
    try:
        if for_good:
            shutil.rmtree(folder)
        else:
            send2trash.send2trash(folder)
    except (OSError, send2trash.TrashPermissionError) as error:
        hint = "Close programs that use it and try again." if for_good else "Delete it for good instead."
        text = f"{folder} cannot be removed: {error}. {hint}"
        raise AppError(Kind.STORAGE, "The skill was not removed", text) from error


def same_folder(one: Path, other: Path) -> bool:
    """Whether two folders hold the same names, files, links and mode bits, generated files included."""
    left, right = os.lstat(one), os.lstat(other)
    if stat.S_IFMT(left.st_mode) != stat.S_IFMT(right.st_mode):
        return False
    if stat.S_ISLNK(left.st_mode):
        return one.readlink() == other.readlink()
    if stat.S_IMODE(left.st_mode) != stat.S_IMODE(right.st_mode):
        return False
    if not stat.S_ISDIR(left.st_mode):
        return not stat.S_ISREG(left.st_mode) or filecmp.cmp(one, other, shallow=False)
    names = sorted(os.listdir(one))  # noqa: PTH208 - names alone
    return names == sorted(os.listdir(other)) and all(same_folder(one / name, other / name) for name in names)  # noqa: PTH208


def link_above(root: Path, relative: str) -> Path | None:
    """The first link among the folders between `root` and the last part of a POSIX path; None when there is none."""
    here = root
    for part in relative.split("/")[:-1]:
        here = here / part
        if here.is_symlink():
            return here
    return None


def _rename_or_copy(source: Path, target: Path) -> None:
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        copy = target.with_name(_COPY + target.name)
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(source, copy, symlinks=True)
        if not same_folder(source, copy):
            raise OSError(errno.EIO, "the copy differs from the original") from error
        fsync_tree(copy)
        copy.rename(target)
        fsync_folder(target.parent)  # whether many are moved or one: the source goes next


def _is_copy(source: Path, target: Path) -> bool:
    """A move between file systems that was cut short after the copy was complete leaves two equal folders."""
    with contextlib.suppress(OSError):
        return source.lstat().st_dev != target.lstat().st_dev and same_folder(source, target)
    return False


def _real_folder(folder: Path) -> None:
    if folder.is_symlink() or not folder.is_dir():
        text = f"{folder} is no folder, or a link. It is left alone; remove or move it yourself."
        raise AppError(Kind.REFUSED, "Not a folder", text)


def _sync(*folders: Path) -> None:
    for folder in set(folders):
        fsync_folder(folder)
