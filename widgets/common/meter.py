"""Bars that show how full something is, or how a whole divides."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from widgets.common.theme import Theme


class Meter(QWidget):
    """A thin bar: `set_share` for one value of 0 to 1 (amber from 80 %, red when over), `set_parts` for several."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parts: tuple[tuple[float, str], ...] = ()
        self.setFixedHeight(6)
        self.setMinimumWidth(48)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_share(self, share: float, told: str = "") -> None:
        """Show one value; `told` is the same in words, for the tooltip and screen readers."""
        token = "danger" if share > 1 else "warn" if share >= 0.8 else "accent"
        self.set_parts(((min(max(share, 0.0), 1.0), token),), told)

    def set_parts(self, parts: Sequence[tuple[float, str]], told: str = "") -> None:
        """Show (share, token) from left to right; shares are of the whole bar."""
        self._parts = tuple(parts)
        self.setToolTip(told)
        self.setAccessibleName(told)
        self.update()

    def sizeHint(self) -> QSize:
        """Thin."""
        return QSize(120, 6)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ground and the parts inside one rounded outline."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), 3, 3)
        painter.setClipPath(outline)
        painter.fillRect(self.rect(), self._theme.colour("line"))
        painter.setPen(Qt.PenStyle.NoPen)
        left = 0.0
        for share, token in self._parts:
            wide = share * self.width()
            painter.fillRect(QRectF(left, 0, wide, self.height()), self._theme.colour(token))
            left += wide
