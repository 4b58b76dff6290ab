"""Reads a zip (or .skill, which is one) without unpacking it: the whole archive is judged before any file is read.

Refused as a whole, because such an archive was made by mistake or on purpose to mislead: paths that leave the folder,
two entries of one name, encrypted entries, devices, entries that unpack to many times their size.
"""

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from app.errors import AppError, Kind
from app.exchange.limits import Limits, too_large
from app.exchange.packs import Item
from app.files import safe_parts
from app.history.values import BlobKind

_ENCRYPTED = 0x1
_UNIX = 3
#: What every entry of an archive's list begins with.
_ENTRY = b"PK\x01\x02"
#: What the library raises for archives that are damaged, or say that they need what it does not know.
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError, OverflowError)
#: An entry below this size is no bomb, whatever its ratio: a page of blanks packs well.
_SMALL = 1_000_000
_PACKED_BY = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@contextmanager
def open_zip(path: Path, limits: Limits) -> Iterator[Mapping[str, Item]]:
    """The archive's files by their POSIX path while the block runs; folders are left out.

    Raises AppError(INVALID) with the entry and the reason when it is not taken, AppError(STORAGE) when it cannot be
    read. Reading an item raises AppError(INVALID) when it is damaged or larger than it says.
    """
    with _opened(path, limits) as archive:
        yield _listed(archive, limits)


def _opened(path: Path, limits: Limits) -> zipfile.ZipFile:
    try:
        if path.stat().st_size > limits.packed:
            raise too_large(f"{path.name} has more than {limits.packed // 1_000_000} MB.")
        # Counted before the list of entries is read: a list of millions would fill the memory.
        if path.read_bytes().count(_ENTRY) > limits.files * 2:
            raise too_large(f"It holds more than {limits.files * 2:,} entries.")
        return zipfile.ZipFile(path)
    except _DAMAGED as error:
        text = f"{path} cannot be read as a zip archive ({error}). Download or make it again."
        raise AppError(Kind.INVALID, "Not a whole archive", text) from error
    except OSError as error:
        text = f"{path} cannot be read: {error.strerror}. Change its permissions and try again."
        raise AppError(Kind.STORAGE, "The archive cannot be read", text) from error


def _listed(archive: zipfile.ZipFile, limits: Limits) -> dict[str, Item]:
    entries = archive.infolist()
    if sum(info.file_size for info in entries) > limits.unpacked:
        raise too_large(f"Unpacked it has more than {limits.unpacked // 1_000_000} MB.")
    items: dict[str, Item] = {}
    seen: set[str] = set()
    for info in entries:
        name = info.orig_filename
        _judge(info, name, limits)
        if name in seen:
            raise _hostile(name, "stands in it twice")
        seen.add(name)
        if not name.endswith("/"):
            items[name] = _item(archive, info)
    return items


def _judge(info: zipfile.ZipInfo, name: str, limits: Limits) -> None:
    try:
        safe_parts(name.removesuffix("/"))
    except AppError as error:
        raise _hostile(name, "is a path that could leave the folder") from error
    if "//" in name:
        raise _hostile(name, "is no plain path")
    if info.flag_bits & _ENCRYPTED:
        raise _hostile(name, "is encrypted")
    if info.compress_type not in _PACKED_BY:
        raise _hostile(name, "is packed in a way that is not supported (only stored and deflate are)")
    if info.file_size > _SMALL and info.file_size > limits.ratio * max(info.compress_size, 1):
        raise _hostile(name, f"would unpack to more than {limits.ratio} times its size")
    kind = stat.S_IFMT(info.external_attr >> 16) if info.create_system == _UNIX else 0
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
        raise _hostile(name, "is a device, a pipe or a socket")


def _item(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Item:
    mode = info.external_attr >> 16 if info.create_system == _UNIX else 0
    kind = BlobKind.EXECUTABLE if mode & stat.S_IXUSR else BlobKind.FILE
    if stat.S_ISLNK(mode):
        kind = BlobKind.LINK
    return Item(kind, lambda: info.file_size, lambda: _read(archive, info))


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    try:
        with archive.open(info) as stream:
            data = stream.read(info.file_size + 1)
    except (*_DAMAGED, OSError) as error:
        raise _hostile(info.orig_filename, f"is damaged ({error})") from error
    if len(data) != info.file_size:
        raise _hostile(info.orig_filename, "has another size than it says")
    return data


def _hostile(name: str, why: str) -> AppError:
    text = f"The entry {name!r} {why}. Nothing of the archive is imported; ask whoever made it for a plain one."
    return AppError(Kind.INVALID, "This archive is not imported", text)
