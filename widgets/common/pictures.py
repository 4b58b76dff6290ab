"""Pictures of a skill: read from inside its folder only, never through a link, never from anywhere else."""

import os
import stat
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

_LIMIT_BYTES = 20_000_000
_LIMIT_SIDE = 1_200
_LIMIT_PIXELS = 60_000_000
#: Vector formats can name other files, so only pixels are drawn.
_FORMATS = frozenset({"png", "jpeg", "jpg", "gif", "webp", "bmp"})


def load_picture(folder: Path, path: str) -> QImage:
    """The picture at a POSIX path below the folder, scaled down to at most 1,200 pixels; a null image when refused."""
    data = _read_inside(folder, path)
    if data is None:
        return QImage()
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setDecideFormatFromContent(True)
    if bytes(reader.format().data()).decode("ascii", "replace").lower() not in _FORMATS:
        return QImage()
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > _LIMIT_PIXELS:
        return QImage()
    if max(size.width(), size.height()) > _LIMIT_SIDE:
        reader.setScaledSize(size.scaled(QSize(_LIMIT_SIDE, _LIMIT_SIDE), Qt.AspectRatioMode.KeepAspectRatio))
    reader.setAutoTransform(True)
    return reader.read()


def _read_inside(folder: Path, path: str) -> bytes | None:
    parts = path.split("/")
    if any(part in {"", ".", ".."} or "\\" in part or "\x00" in part for part in parts):
        return None
    place = folder
    try:
        for part in parts:
            place = place / part
            mode = place.lstat().st_mode
            if stat.S_ISLNK(mode):
                return None
        if not stat.S_ISREG(mode):
            return None
        handle = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            data = file.read(_LIMIT_BYTES + 1)
    except OSError:
        return None
    return data if len(data) <= _LIMIT_BYTES else None
