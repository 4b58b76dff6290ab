"""Reading a folder as bytes and writing one out: own walk, links as links, nothing followed, nothing that blocks."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from app.errors import AppError, Kind
from app.files import link_below, write_below
from app.history.values import Blob, BlobKind, Snapshot

#: Folders that programs generate; they are neither recorded nor counted as part of a skill.
GENERATED = frozenset(
    {
        ".git", ".hg", ".svn", ".bzr", "node_modules", ".venv", "venv", "__pycache__", ".mypy_cache", ".pytest_cache",
        ".ruff_cache", ".tox", ".nox", ".cache", ".melete",
    }
)  # fmt: skip
_DEEPEST = 40
_MOST_FILES = 20_000
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_OPEN_FILE = os.O_RDONLY | _NOFOLLOW | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_OPEN_FOLDER = os.O_RDONLY | _NOFOLLOW | getattr(os, "O_DIRECTORY", 0)
_BY_DESCRIPTOR = os.open in os.supports_dir_fd and os.scandir in os.supports_fd and bool(_NOFOLLOW)


@dataclass(frozen=True, slots=True)
class NotKept:
    """Something in a folder that the history does not hold, with the reason and its size in bytes (0 if unknown)."""

    path: str
    why: str
    size: int = 0


@dataclass(frozen=True, slots=True)
class FolderWalk:
    """What a folder holds: its files, what is not kept, and every folder below it (POSIX paths)."""

    files: Snapshot
    not_kept: tuple[NotKept, ...] = ()
    folders: tuple[str, ...] = ()


@dataclass(slots=True)
class _Walk:
    limit: int
    files: dict[str, Blob] = field(default_factory=dict)
    not_kept: list[NotKept] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)


def read_folder(folder: Path, *, limit: int) -> FolderWalk:
    """Read every file below `folder`, files over `limit` bytes and generated folders left out and listed.

    Pipes, devices and sockets are listed and never opened; what cannot be read is listed with the reason. Raises
    AppError(NOT_FOUND) when the folder itself is missing or a link, AppError(STORAGE) when it cannot be opened.
    """
    walk = _Walk(limit)
    try:
        with _opened(folder, None) as (where, handle):
            _read(walk, where, handle, "", 0)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise AppError(Kind.NOT_FOUND, "No such folder", f"{folder} is not there, or is no folder.") from error
    except OSError as error:
        text = f"{folder} cannot be read: {error.strerror}. Change its permissions and try again."
        raise AppError(Kind.STORAGE, "The folder cannot be read", text) from error
    return FolderWalk(walk.files, tuple(walk.not_kept), tuple(walk.folders))


def write_folder(folder: Path, files: Snapshot, *, durable: bool = True) -> None:
    """Write files into a (new) folder: execute bits kept, links made as links. Raises what app.files raises.

    `durable=False` spares the fsyncs, for folders that may be lost (a draft).
    """
    folder.mkdir(parents=True, exist_ok=True)
    for path, blob in files.items():
        if blob.kind is BlobKind.LINK:
            link_below(folder, path, blob.data, durable=durable)
        else:
            mode = 0o755 if blob.kind is BlobKind.EXECUTABLE else 0o644
            write_below(folder, path, blob.data, mode, durable=durable)


@contextmanager
def _opened(path: Path, parent: int | None) -> Iterator[tuple[Path, int | None]]:
    if not _BY_DESCRIPTOR:
        if path.is_symlink():
            raise NotADirectoryError(20, "a link", str(path))
        yield path, None
        return
    handle = os.open(path.name if parent is not None else path, _OPEN_FOLDER, dir_fd=parent)
    try:
        yield path, handle
    finally:
        os.close(handle)


def _read(walk: _Walk, folder: Path, handle: int | None, prefix: str, depth: int) -> None:
    with os.scandir(folder if handle is None else handle) as listing:
        names = sorted(item.name for item in listing)
    for name in names:
        path = prefix + name
        try:
            _read_one(walk, folder, handle, path, name, depth)
        except OSError as error:
            walk.not_kept.append(NotKept(path, f"cannot be read: {error.strerror}"))


def _read_one(walk: _Walk, folder: Path, handle: int | None, path: str, name: str, depth: int) -> None:
    target = name if handle is not None else str(folder / name)
    status = os.stat(target, dir_fd=handle, follow_symlinks=False)
    if stat.S_ISDIR(status.st_mode):
        _read_subfolder(walk, folder / name, handle, path, name, depth)
    elif stat.S_ISLNK(status.st_mode):
        walk.files[path] = Blob(os.fsencode(os.readlink(target, dir_fd=handle)), BlobKind.LINK)
    elif not stat.S_ISREG(status.st_mode):
        walk.not_kept.append(NotKept(path, "not a file"))
    elif status.st_size > walk.limit:
        walk.not_kept.append(NotKept(path, "too large", status.st_size))
    elif len(walk.files) >= _MOST_FILES:
        walk.not_kept.append(NotKept(path, "too many files", status.st_size))
    else:
        _read_file(walk, handle, target, path)


def _read_subfolder(walk: _Walk, folder: Path, handle: int | None, path: str, name: str, depth: int) -> None:
    if name in GENERATED:
        walk.not_kept.append(NotKept(path, "generated folder"))
        return
    if depth >= _DEEPEST:
        walk.not_kept.append(NotKept(path, "too deep"))
        return
    walk.folders.append(path)
    with _opened(folder, handle) as (where, below):
        _read(walk, where, below, path + "/", depth + 1)


def _read_file(walk: _Walk, handle: int | None, target: str, path: str) -> None:
    with os.fdopen(os.open(target, _OPEN_FILE, dir_fd=handle), "rb") as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            walk.not_kept.append(NotKept(path, "not a file"))
            return
        # One byte more than allowed tells whether it grew over the limit since it was measured.
        data = stream.read(walk.limit + 1)
    if len(data) > walk.limit:
        walk.not_kept.append(NotKept(path, "too large", status.st_size))
        return
    kind = BlobKind.EXECUTABLE if status.st_mode & stat.S_IXUSR else BlobKind.FILE
    walk.files[path] = Blob(data, kind)
