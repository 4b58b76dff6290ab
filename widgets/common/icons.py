"""The program's own icons: stroke SVGs on a 20 px grid, drawn in any colour and sharp at any scale."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

#: Scales an icon is drawn for at once; what lies between is drawn from the next larger one.
_SCALES = (1, 2)


class IconSet:
    """Reads icons from a folder once and keeps them by name, colour and size."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sources: dict[str, str] = {}
        self._icons: dict[tuple[str, str, str, int], QIcon] = {}
        self._pixmaps: dict[tuple[str, str, int], QPixmap] = {}

    def names(self) -> tuple[str, ...]:
        """Every icon there is."""
        return tuple(sorted(path.stem for path in self._folder.glob("*.svg")))

    def icon(self, name: str, colour: str, disabled: str, size: int = 16) -> QIcon:
        """An icon in a colour, with a paler picture for the disabled state. Raises OSError for an unknown name."""
        key = (name, colour, disabled, size)
        if key not in self._icons:
            icon = QIcon()
            for pixels in (size * scale for scale in _SCALES):
                icon.addPixmap(self._drawn(name, colour, pixels), QIcon.Mode.Normal)
                icon.addPixmap(self._drawn(name, disabled, pixels), QIcon.Mode.Disabled)
            self._icons[key] = icon
        return self._icons[key]

    def pixmap(self, name: str, colour: str, size: int, ratio: float = 1.0) -> QPixmap:
        """One picture of `size` logical pixels for a device pixel ratio."""
        picture = QPixmap(self._drawn(name, colour, round(size * ratio)))
        picture.setDevicePixelRatio(ratio)
        return picture

    def _drawn(self, name: str, colour: str, pixels: int) -> QPixmap:
        key = (name, colour, pixels)
        if key not in self._pixmaps:
            renderer = QSvgRenderer(QByteArray(self._source(name).replace("currentColor", colour).encode()))
            picture = QPixmap(pixels, pixels)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            renderer.render(painter, QRectF(0, 0, pixels, pixels))
            painter.end()
            self._pixmaps[key] = picture
        return self._pixmaps[key]

    def _source(self, name: str) -> str:
        if name not in self._sources:
            self._sources[name] = (self._folder / f"{name}.svg").read_text(encoding="utf-8")
        return self._sources[name]
