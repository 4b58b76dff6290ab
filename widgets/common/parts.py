"""Small parts every page is made of: labels, buttons with a bound icon, lines, rows and columns, an elided label."""

from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from widgets.common.theme import Theme

_Box = TypeVar("_Box", QHBoxLayout, QVBoxLayout)


def label(text: str = "", role: str = "", parent: QWidget | None = None, *, wrap: bool = False) -> QLabel:
    """Plain text in one of the roles of the style sheet: title, heading, caption, muted, section, mono, danger, …"""
    made = QLabel(text, parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if role:
        made.setProperty("role", role)
    return made


def button(theme: Theme, text: str, kind: str = "", icon: str = "", tip: str = "") -> QPushButton:
    """A push button; `kind` is "", primary, danger, quiet, link or chip. The tooltip defaults to the text."""
    made = QPushButton(text)
    if kind:
        made.setProperty("kind", kind)
    if icon:
        theme.bind_icon(made, icon, {"primary": "on_accent", "danger": "danger"}.get(kind, "text"))
        made.setIconSize(QSize(16, 16))
    made.setToolTip(tip or text)
    made.setAccessibleName(text)
    made.setCursor(Qt.CursorShape.PointingHandCursor if kind == "link" else Qt.CursorShape.ArrowCursor)
    return made


def tool_button(theme: Theme, icon: str, name: str, tip: str = "", *, checkable: bool = False) -> QToolButton:
    """A flat button that shows only an icon; `name` is what screen readers and the tooltip say."""
    made = QToolButton()
    theme.bind_icon(made, icon, "muted")
    made.setIconSize(QSize(16, 16))
    made.setFixedSize(26, 26)
    made.setCheckable(checkable)
    made.setToolTip(tip or name)
    made.setAccessibleName(name)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    made.setProperty("bare", True)
    return made


def separator(*, vertical: bool = False) -> QFrame:
    """A line of one pixel."""
    line = QFrame()
    line.setProperty("line", True)
    if vertical:
        line.setFixedWidth(1)
    else:
        line.setFixedHeight(1)
    return line


def row(*items: QWidget | QLayout | None, margins: Sequence[int] = (0, 0, 0, 0), spacing: int = 8) -> QHBoxLayout:
    """Items beside each other; None is a stretch."""
    layout = QHBoxLayout()
    return _filled(layout, items, margins, spacing)


def column(*items: QWidget | QLayout | None, margins: Sequence[int] = (0, 0, 0, 0), spacing: int = 8) -> QVBoxLayout:
    """Items below each other; None is a stretch."""
    layout = QVBoxLayout()
    return _filled(layout, items, margins, spacing)


def bar(layout: QLayout, ground: str = "bg", edge: str = "bottom") -> QFrame:
    """A strip with a one-pixel line at one edge, for heads and action bars; `ground` is bg, surface or raised."""
    frame = QFrame()
    frame.setProperty("ground", ground)
    frame.setProperty("edge", edge)
    frame.setLayout(layout)
    return frame


def card(layout: QLayout, *, raised: bool = False) -> QFrame:
    """A framed block."""
    frame = QFrame()
    frame.setProperty("card", "raised" if raised else "true")
    frame.setLayout(layout)
    return frame


def set_ground(widget: QWidget, ground: str) -> None:
    """Give a widget of our own a ground of the style sheet: bg, surface or raised."""
    widget.setProperty("ground", ground)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, True)


def scroll_area(inside: QWidget, name: str) -> QScrollArea:
    """A page that scrolls as one; the ground behind it shows through."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(inside)
    area.setAccessibleName(name)
    area.viewport().setAutoFillBackground(False)
    inside.setAutoFillBackground(False)
    return area


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Set a property the style sheet looks at, and let the style look again."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


class ElidedLabel(QWidget):
    """One line of text that ends in … when it does not fit; the tooltip then has the whole text."""

    def __init__(self, theme: Theme, role: str = "text", mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__()
        self._theme = theme
        self._token = role
        self._mode = mode
        self._text = ""
        self._small = self._bold = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_text(self, text: str) -> None:
        """Show this text; line breaks become blanks."""
        self._text = " ".join(text.split())
        self.setAccessibleName(self._text)
        self._tell()
        self.updateGeometry()
        self.update()

    def set_small(self, small: bool) -> None:
        """Use the size of captions."""
        self._small = small
        self.update()

    def set_bold(self, bold: bool) -> None:
        """Use the weight of headings."""
        self._bold = bold
        self._tell()
        self.update()

    @property
    def text(self) -> str:
        """The whole text."""
        return self._text

    def sizeHint(self) -> QSize:
        """As wide as the text, one line high."""
        return QSize(QFontMetrics(self._font()).horizontalAdvance(self._text) + 4, self._theme.fonts.base + 8)

    def minimumSizeHint(self) -> QSize:
        """Never more than a few letters."""
        return QSize(24, self._theme.fonts.base + 8)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell the whole text in the tooltip only when it is cut."""
        super().resizeEvent(event)
        self._tell()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the text, cut where it must be."""
        painter = QPainter(self)
        painter.setFont(self._font())
        painter.setPen(self._theme.colour(self._token))
        shown = painter.fontMetrics().elidedText(self._text, self._mode, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)

    def _tell(self) -> None:
        cut = QFontMetrics(self._font()).horizontalAdvance(self._text) > self.width()
        self.setToolTip(self._text if cut else "")

    def _font(self) -> QFont:
        return self._theme.fonts.ui(small=self._small, bold=self._bold)


def _filled(layout: _Box, items: Sequence[QWidget | QLayout | None], margins: Sequence[int], spacing: int) -> _Box:
    left, top, right, bottom = margins
    layout.setContentsMargins(left, top, right, bottom)
    layout.setSpacing(spacing)
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, QWidget):
            layout.addWidget(item)
        else:
            layout.addLayout(item)
    return layout
