"""The only module that writes files: atomic, durable, and never through a link somebody laid in the way.

Each path part below the trusted root is opened with O_NOFOLLOW relative to the last where the platform can, so a
folder swapped for a link between check and write leads nowhere. `durable=False` leaves out the fsync, for folders that
are thrown away.
"""

import contextlib
import errno
import json
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from app.errors import AppError, Kind

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_BY_DESCRIPTOR = os.open in os.supports_dir_fd and bool(_NOFOLLOW)
_TAIL = 1 << 16
#: From here on one flush of all disks is cheaper than one for each file.
_MANY = 200


def write_atomic(path: Path, data: bytes, mode: int | None = None, *, durable: bool = True) -> None:
    """Replace one file in a trusted folder: temp file beside it, fsync, rename, fsync of the folder.

    `durable=False` spares the fsyncs, for files that may be lost (a draft's).
    An existing file's mode (and owner, where allowed) is kept unless `mode` is given; a new one gets the mode the
    user's umask leaves. Raises AppError(STORAGE) with the reason when the disk is full, the folder read-only or gone,
    AppError(INVALID) when a link or folder has the name.
    """
    with _sorted_errors(path), _folder(path.parent) as folder:
        _replace(folder, path.parent, path.name, data, mode, durable=durable)


def write_below(root: Path, relative: str, data: bytes, mode: int | None = None, *, durable: bool = True) -> None:
    """Write `relative` (POSIX) below `root`, making folders, refusing every link on the way.

    Raises AppError(INVALID) when a part is unsafe or a link, AppError(STORAGE) when the file system refuses.
    """
    parts = safe_parts(relative)
    with _sorted_errors(root / relative), _descend(root, parts[:-1], make=True, durable=durable) as folder:
        _replace(folder, root.joinpath(*parts[:-1]), parts[-1], data, mode, durable=durable)


def link_below(root: Path, relative: str, target: bytes, *, durable: bool = True) -> None:
    """Make a symbolic link with exactly this target text below `root`; the same errors as write_below."""
    parts = safe_parts(relative)
    with _sorted_errors(root / relative), _descend(root, parts[:-1], make=True, durable=durable) as folder:
        name = os.fsencode(parts[-1]) if folder is not None else os.fsencode(root.joinpath(*parts))
        os.symlink(target, name, dir_fd=folder)
        if folder is not None and durable:
            os.fsync(folder)


def remove_below(root: Path, relative: str) -> None:
    """Remove one file (or link) below `root` and folders that became empty; a missing file is not an error."""
    parts = safe_parts(relative)
    with _sorted_errors(root / relative), contextlib.suppress(FileNotFoundError):
        with _descend(root, parts[:-1], make=False) as folder:
            os.unlink(parts[-1] if folder is not None else root.joinpath(*parts), dir_fd=folder)
        for depth in range(len(parts) - 1, 0, -1):
            with _descend(root, parts[: depth - 1], make=False) as folder:
                try:
                    os.rmdir(parts[depth - 1] if folder is not None else root.joinpath(*parts[:depth]), dir_fd=folder)
                except OSError:
                    return  # not empty: it stays, and so do those above it


def remove_empty_below(root: Path, relative: str) -> bool:
    """Remove one folder below `root` if nothing is in it; False when it stays: not empty, gone, or a link on the way.

    Raises AppError(INVALID) for an unsafe path.
    """
    parts = safe_parts(relative)
    try:
        with _descend(root, parts[:-1], make=False) as folder:
            os.rmdir(parts[-1] if folder is not None else root.joinpath(*parts), dir_fd=folder)
    except OSError:
        return False
    return True


def read_plain_file(path: Path) -> bytes:
    """A file's bytes; a pipe, device or folder in its place is an OSError at once, never a wait."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a plain file", str(path))
        return stream.read()


def append_line(path: Path, line: bytes) -> None:
    """Append one JSON line and fsync it; the file is as before when that fails.

    What a crash left of a last line is taken out first and kept in `<name>.torn`, so that no half line ever stands
    between whole ones. The caller holds a lock. Raises AppError(STORAGE or INVALID) when it cannot be written.
    """
    with _sorted_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | _CLOEXEC | _NOFOLLOW | _BINARY
        with os.fdopen(os.open(path, flags, 0o600), "r+b", buffering=0) as stream:
            _mend_tail(path, stream.fileno())
            size = os.fstat(stream.fileno()).st_size
            try:
                _write_all(stream.fileno(), line.rstrip(b"\n") + b"\n")
                os.fsync(stream.fileno())
            except OSError:
                os.ftruncate(stream.fileno(), size)
                raise


def remove_leftovers(folder: Path) -> int:
    """Remove temporary files a killed write left in this folder (not below it); returns how many.

    The caller holds the home lock, so that no write is under way. A folder that cannot be listed is left as it is.
    """
    count = 0
    with _sorted_errors(folder), contextlib.suppress(FileNotFoundError, PermissionError), os.scandir(folder) as found:
        for item in found:
            if _is_temp(item.name) and item.is_file(follow_symlinks=False):
                Path(item.path).unlink()
                count += 1
    return count


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


def flushed_at_once(count: int) -> bool:
    """Whether `count` writes are made without an fsync each, and then flushed together by `flush_disks`.

    Only where the system waits until everything is on the disk; elsewhere a sync is no more than a wish.
    """
    return count >= _MANY and sys.platform == "linux"


def flush_disks() -> None:
    """Wait until everything that was written is on the disks: one flush after very many writes."""
    os.sync()


def fsync_folder(path: Path) -> None:
    """Make the names in a folder durable; platforms that cannot open folders are left alone."""
    if not _DIRECTORY:
        return
    handle = os.open(path, os.O_RDONLY | _DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def fsync_tree(folder: Path) -> None:
    """Make a folder, everything below it and its name durable; links are names alone and are not followed.

    Platforms that cannot open folders are left alone.
    """
    if not _DIRECTORY:
        return
    for here, _, names in os.walk(folder, topdown=False):
        for name in names:
            file = Path(here, name)
            if stat.S_ISREG(file.lstat().st_mode):
                handle = os.open(file, os.O_RDONLY | _NOFOLLOW | _CLOEXEC)
                try:
                    os.fsync(handle)
                finally:
                    os.close(handle)
        fsync_folder(Path(here))
    fsync_folder(folder.parent)


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
def _descend(root: Path, parts: tuple[str, ...], *, make: bool, durable: bool = True) -> Iterator[int | None]:
    if not _BY_DESCRIPTOR:
        _descend_by_name(root, parts, make=make)
        yield None
        return
    with contextlib.ExitStack() as stack:
        handle = os.open(root, os.O_RDONLY | _DIRECTORY)
        stack.callback(os.close, handle)
        for part in parts:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, 0o777, dir_fd=handle)
                    if durable:
                        os.fsync(handle)
            handle = os.open(part, os.O_RDONLY | _DIRECTORY | _NOFOLLOW, dir_fd=handle)
            stack.callback(os.close, handle)
        yield handle


def _descend_by_name(root: Path, parts: tuple[str, ...], *, make: bool) -> None:
    here = root
    for part in parts:
        here = here / part
        if here.is_symlink():
            raise NotADirectoryError(errno.ENOTDIR, "a link is in the way", str(here))
        if make:
            here.mkdir(exist_ok=True)


def _replace(folder: int | None, where: Path, name: str, data: bytes, mode: int | None, *, durable: bool) -> None:
    target = name if folder is not None else str(where / name)
    before = _status(target, folder)
    if before is not None and stat.S_ISDIR(before.st_mode):
        raise IsADirectoryError(errno.EISDIR, "a folder has this name", name)
    if before is not None and stat.S_ISLNK(before.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, "a link has this name", name)
    temp = f".{name[:40]}.{secrets.token_hex(4)}.tmp"
    temp_path = temp if folder is not None else str(where / temp)
    wanted = mode if mode is not None else (stat.S_IMODE(before.st_mode) if before else None)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _CLOEXEC | _BINARY
    handle = os.open(temp_path, flags, 0o666 if wanted is None else 0o600, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb", buffering=0) as stream:
            _take_over(stream.fileno(), wanted, before)
            _write_all(stream.fileno(), data)
            if durable:
                os.fsync(stream.fileno())
        os.replace(temp_path, target, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:  # no half file is left behind, whatever ended the writing
        with contextlib.suppress(OSError):
            os.unlink(temp_path, dir_fd=folder)
        raise
    if folder is not None and durable:
        os.fsync(folder)


def _is_temp(name: str) -> bool:
    """Whether a name has the form `_replace` gives its temporary files."""
    token = name[-12:-4]
    return name.startswith(".") and name.endswith(".tmp") and len(token) == 8 and set(token) <= set("0123456789abcdef")


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _mend_tail(path: Path, handle: int) -> None:
    size = os.fstat(handle).st_size
    start, tail = size, b""
    while start > 0 and b"\n" not in tail:
        step = min(_TAIL, start)
        start -= step
        os.lseek(handle, start, os.SEEK_SET)
        tail = os.read(handle, step) + tail
    torn = tail[tail.rfind(b"\n") + 1 :]
    if not torn:
        return
    try:
        json.loads(torn)
    except (ValueError, RecursionError):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | _CLOEXEC | _NOFOLLOW | _BINARY
        with os.fdopen(os.open(path.with_name(f"{path.name}.torn"), flags, 0o600), "wb", buffering=0) as kept:
            _write_all(kept.fileno(), torn + b"\n")
        os.ftruncate(handle, size - len(torn))
    else:
        _write_all(handle, b"\n")


def _take_over(handle: int, mode: int | None, before: os.stat_result | None) -> None:
    if before is not None and hasattr(os, "fchown") and before.st_uid != os.geteuid():
        # Giving a file away needs privileges most users lack; the content matters more than the owner.
        with contextlib.suppress(PermissionError):
            os.fchown(handle, before.st_uid, before.st_gid)
    if mode is not None and hasattr(os, "fchmod"):
        os.fchmod(handle, mode)


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
        if error.errno == errno.ELOOP:  # O_NOFOLLOW met a link
            text = f"{path} is not written: a link is in the way. Remove the link and try again."
            raise AppError(Kind.INVALID, "Something is in the way", text) from error
        text = f"{path} cannot be written: {error.strerror}. Free space or change the permissions, then try again."
        raise AppError(Kind.STORAGE, "Nothing was written", text) from error
