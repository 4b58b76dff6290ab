"""The only module that writes files: atomic, durable, and never through a link somebody laid in the way.

Each path part below the trusted root is opened with O_NOFOLLOW relative to the last where the platform can, so a
folder swapped for a link between check and write leads nowhere.
"""

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from app.errors import AppError, Kind

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_BY_DESCRIPTOR = os.open in os.supports_dir_fd and bool(_NOFOLLOW)


def write_atomic(path: Path, data: bytes, mode: int | None = None) -> None:
    """Replace one file in a trusted folder: temp file beside it, fsync, rename, fsync of the folder.

    An existing file's mode (and owner, where allowed) is kept unless `mode` is given. Raises AppError(STORAGE) with
    the reason when the disk is full, the folder read-only or gone.
    """
    with _sorted_errors(path), _folder(path.parent) as folder:
        _replace(folder, path.parent, path.name, data, mode)


def write_below(root: Path, relative: str, data: bytes, mode: int | None = None, *, durable: bool = True) -> None:
    """Write `relative` (POSIX) below `root`, making folders, refusing every link on the way.

    `durable=False` leaves out fsync, for folders that are thrown away after a crash.

    Raises AppError(INVALID) when a part is unsafe or a link, AppError(STORAGE) when the file system refuses.
    """
    parts = safe_parts(relative)
    with _sorted_errors(root / relative), _descend(root, parts[:-1], make=True) as folder:
        _replace(folder, root.joinpath(*parts[:-1]), parts[-1], data, mode, durable=durable)


def link_below(root: Path, relative: str, target: bytes) -> None:
    """Make a symbolic link with exactly this target text below `root`; the same errors as write_below."""
    parts = safe_parts(relative)
    with _sorted_errors(root / relative), _descend(root, parts[:-1], make=True) as folder:
        name: str | bytes = parts[-1]
        if folder is None:
            name = os.fsencode(root.joinpath(*parts))
        os.symlink(target, os.fsencode(name), dir_fd=folder)


def remove_below(root: Path, relative: str) -> None:
    """Remove one file (or link) below `root` and folders that became empty; a missing file is not an error."""
    parts = safe_parts(relative)
    with _sorted_errors(root / relative), _descend(root, parts[:-1], make=False) as folder:
        name = parts[-1] if folder is not None else str(root.joinpath(*parts))
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)
    for depth in range(len(parts) - 1, 0, -1):
        try:
            root.joinpath(*parts[:depth]).rmdir()
        except OSError:
            return


def append_line(path: Path, line: bytes) -> None:
    """Append one line in a single write and fsync it, starting on a fresh line if the file's last one was cut short.

    The caller holds a lock. Raises AppError(STORAGE) when it cannot be written.
    """
    with _sorted_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n" if hasattr(os, "pread") else False
            os.write(handle, (b"\n" if torn else b"") + line.rstrip(b"\n") + b"\n")
            os.fsync(handle)
        finally:
            os.close(handle)


def safe_parts(relative: str) -> tuple[str, ...]:
    """Split a POSIX path and refuse what could leave its folder: absolute, `..`, empty, NUL, backslash, drive letters.

    Raises AppError(INVALID) with a sentence.
    """
    parts = PurePosixPath(relative).parts
    bad = (
        not parts
        or relative.startswith("/")
        or any(part in {"..", "."} for part in relative.split("/"))
        or any(char in relative for char in "\0\\")
        or (len(relative) > 1 and relative[1] == ":")
    )
    if bad:
        text = f"{relative!r} is not a path inside the folder. Use names separated by /, without .. or a leading /."
        raise AppError(Kind.INVALID, "Unsafe path", text)
    return parts


def fsync_folder(path: Path) -> None:
    """Make the names in a folder durable; platforms that cannot open folders are left alone."""
    if not _DIRECTORY:
        return
    handle = os.open(path, os.O_RDONLY | _DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def _folder(path: Path) -> Iterator[int | None]:
    path.mkdir(parents=True, exist_ok=True)
    if not _BY_DESCRIPTOR:
        yield None
        return
    handle = os.open(path, os.O_RDONLY | _DIRECTORY)
    try:
        yield handle
    finally:
        os.close(handle)


@contextlib.contextmanager
def _descend(root: Path, parts: tuple[str, ...], *, make: bool) -> Iterator[int | None]:
    if not _BY_DESCRIPTOR:
        _check_by_name(root, parts, make=make)
        yield None
        return
    with contextlib.ExitStack() as stack:
        handle = os.open(root, os.O_RDONLY | _DIRECTORY)
        stack.callback(os.close, handle)
        for part in parts:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, 0o777, dir_fd=handle)
            handle = os.open(part, os.O_RDONLY | _DIRECTORY | _NOFOLLOW, dir_fd=handle)
            stack.callback(os.close, handle)
        yield handle


def _check_by_name(root: Path, parts: tuple[str, ...], *, make: bool) -> None:
    here = root
    for part in parts:
        here = here / part
        if here.is_symlink():
            raise NotADirectoryError(20, "a link is in the way", str(here))
        if make:
            here.mkdir(exist_ok=True)


def _replace(
    folder: int | None, where: Path, name: str, data: bytes, mode: int | None, *, durable: bool = True
) -> None:
    target = name if folder is not None else str(where / name)
    before = _status(target, folder)
    if before is not None and stat.S_ISDIR(before.st_mode):
        raise IsADirectoryError(21, "a folder has this name", name)
    if before is not None and stat.S_ISLNK(before.st_mode):
        raise NotADirectoryError(20, "a link has this name", name)
    temp = f".{name[:40]}.{secrets.token_hex(4)}.tmp"
    temp_path = temp if folder is not None else str(where / temp)
    wanted = mode if mode is not None else (stat.S_IMODE(before.st_mode) if before else 0o644)
    handle = os.open(temp_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW, 0o600, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            _take_over(stream.fileno(), wanted, before)
            if durable:
                os.fsync(stream.fileno())
        os.replace(temp_path, target, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temp_path, dir_fd=folder)
        raise
    if folder is not None and durable:
        os.fsync(folder)


def _take_over(handle: int, mode: int, before: os.stat_result | None) -> None:
    if hasattr(os, "fchmod"):
        os.fchmod(handle, mode)
    if before is not None and hasattr(os, "fchown") and before.st_uid != os.geteuid():
        # Giving a file away needs privileges most users lack; the content matters more than the owner.
        with contextlib.suppress(PermissionError):
            os.fchown(handle, before.st_uid, before.st_gid)


def _status(name: str, folder: int | None) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


@contextlib.contextmanager
def _sorted_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (NotADirectoryError, IsADirectoryError) as error:
        text = f"{path} is not written: {error.strerror}. Move it away and try again."
        raise AppError(Kind.INVALID, "Something is in the way", text) from error
    except OSError as error:
        if error.errno == 40:  # ELOOP: O_NOFOLLOW met a link
            text = f"{path} is not written: a link is in the way. Remove the link and try again."
            raise AppError(Kind.INVALID, "Something is in the way", text) from error
        text = f"{path} cannot be written: {error.strerror}. Free space or change the permissions, then try again."
        raise AppError(Kind.STORAGE, "Nothing was written", text) from error
