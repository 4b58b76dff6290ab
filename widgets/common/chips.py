"""Chips and badges: a fact in two words, a state with its glyph, a count, and a filter that can be switched."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from widgets.common.glyphs import paint_glyph
from widgets.common.theme import Theme

_TINTS = {
    "success": "success_tint",
    "active": "success_tint",
    "warn": "warn_tint",
    "stale": "warn_tint",
    "danger": "danger_tint",
    "info": "info_tint",
    "pinned": "pinned_tint",
    "accent": "accent_tint",
}


class Chip(QWidget):
    """A short fact on a rounded ground. `token` gives ink and tint: muted, active, stale, warn, danger, info, …"""

    def __init__(self, theme: Theme, text: str = "", token: str = "muted", glyph: str = "", tip: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._text = text
        self._token = token
        self._glyph = glyph
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setToolTip(tip)
        self.setAccessibleName(text)
        theme.changed.connect(self.updateGeometry)

    def show_fact(self, text: str, token: str = "muted", glyph: str = "", tip: str = "") -> None:
        """Show another fact; an empty text hides the chip."""
        self._text, self._token, self._glyph = text, token, glyph
        self.setToolTip(tip)
        self.setAccessibleName(text)
        self.setVisible(bool(text))
        self.updateGeometry()
        self.update()

    @property
    def text(self) -> str:
        """What it says."""
        return self._text

    def sizeHint(self) -> QSize:
        """Room for glyph and text."""
        wide = QFontMetrics(self._theme.fonts.ui(small=True)).horizontalAdvance(self._text)
        return QSize(wide + 16 + (15 if self._glyph else 0), 20)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint ground, glyph and text."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour(_TINTS.get(self._token, "raised")))
        painter.drawRoundedRect(QRectF(self.rect()), 10, 10)
        left = 8
        if self._glyph:
            paint_glyph(painter, QRectF(7, self.height() / 2 - 6, 12, 12), self._glyph, self._theme.colour(self._token))
            left += 15
        painter.setFont(self._theme.fonts.ui(small=True))
        painter.setPen(self._theme.colour(self._token))
        painter.drawText(self.rect().adjusted(left, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self._text)


class FilterChip(QPushButton):
    """A chip that is on or off, with a count; zero is shown pale but stays clickable."""

    def __init__(self, theme: Theme, name: str, text: str, icon: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.name = name
        self._label = text
        self.setProperty("kind", "chip")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(text)
        if icon:
            theme.bind_icon(self, icon, "muted")
            self.setIconSize(QSize(12, 12))

    def set_count(self, count: int) -> None:
        """Show how many there are."""
        self.setText(f"{self._label} {count:,}")
        self.setAccessibleName(f"{self._label}: {count}")
