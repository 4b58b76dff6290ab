"""The bar beside the card that is meant: found by a search, or chosen to copy it or to branch from it."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from widgets.chat.card import Card
from widgets.common.theme import Theme

_WIDE, _GAP = 3, 8


class Marker(QWidget):
    """Lies left of one card and moves along with it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.card: Card | None = None
        self.hide()

    def follow(self, card: Card | None) -> None:
        """Mark this card, or none."""
        if self.card is not None:
            self.card.removeEventFilter(self)
            self.card.set_marked(False)
        self.card = card
        if card is not None:
            card.installEventFilter(self)
            card.set_marked(True)
            self._place()
        self.setVisible(card is not None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The card moved or grew."""
        if watched is self.card and event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self._place()
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:
        """One bar in the accent colour."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colour("accent"))

    def _place(self) -> None:
        if self.card is not None:
            self.setGeometry(self.card.x() - _GAP, self.card.y(), _WIDE, self.card.height())
