"""The scrolling column of cards. It follows new text only while the reader is at the end."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from widgets.chat.card import Card
from widgets.chat.marker import Marker
from widgets.common.parts import button
from widgets.common.theme import Theme

#: Pixels from the end that still count as being there.
_NEAR = 24
_WIDEST = 820


class Transcript(QScrollArea):
    """Holds cards, of which one may be marked: J and K walk, C copies it, a click chooses it.

    Signals: earlier_requested() asks for older ones to be put on top; marked(stored message of the marked card, or -1).
    """

    earlier_requested = Signal()
    marked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._follows = True
        self._cards: list[Card] = []
        self._inside = QWidget()
        self._inside.setProperty("ground", "surface")
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(16, 12, 16, 12)
        self._column.setSpacing(8)
        self._earlier = button(theme, "", "link")
        self._earlier.clicked.connect(self.earlier_requested)
        self._earlier.hide()
        self._column.addWidget(self._earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        self._column.addStretch(1)
        self.setWidget(self._inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Conversation"))
        self._jump = button(theme, self.tr("Jump to latest"), icon="arrow-down")
        self._jump.setParent(self)
        self._jump.hide()
        self._jump.clicked.connect(self.jump)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._grown)
        bar.valueChanged.connect(self._scrolled)
        self._anchor: tuple[Card, int] | None = None
        self._moving = False
        self._aimed: Card | None = None
        self._marker = Marker(theme, self._inside)
        theme.changed.connect(self._restyle)
        self._inside.installEventFilter(self)

    @property
    def cards(self) -> Sequence[Card]:
        """All cards, oldest first."""
        return tuple(self._cards)

    def add(self, card: Card) -> None:
        """Put a card at the end."""
        self._cards.append(card)
        self._column.addWidget(card)

    def add_after(self, card: Card, before: Card) -> None:
        """Put a card right after another one."""
        place = self._cards.index(before) + 1
        self._cards.insert(place, card)
        self._column.insertWidget(self._column.indexOf(before) + 1, card)

    def add_on_top(self, cards: Sequence[Card]) -> None:
        """Put older cards above the others; what the reader sees stays where it is."""
        first = self._column.indexOf(self._cards[0]) if self._cards else 2
        for place, card in enumerate(cards):
            self._column.insertWidget(first + place, card)
        self._cards[:0] = cards

    def remove(self, card: Card) -> None:
        """Take a card away."""
        if card is self._marker.card:
            self.mark(None)
        if card is self._aimed:
            self._aimed = None
        self._cards.remove(card)
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()

    def clear(self) -> None:
        """Take all cards away and follow again."""
        for card in tuple(self._cards):
            self.remove(card)
        self._follows = True
        self._jump.hide()

    def card_of(self, message: int) -> Card | None:
        """The card of a stored message, or the last one before it: a message may have no card of its own."""
        before = [card for card in self._cards if 0 <= card.message <= message]
        return next((card for card in self._cards if card.stands_for(message)), before[-1] if before else None)

    def mark(self, card: Card | None) -> None:
        """Say which card is meant."""
        self._marker.follow(card)
        self.marked.emit(card.message if card is not None else -1)

    def aim(self, card: Card) -> None:
        """Mark a card and bring it into sight, its first lifted word too, until the reader scrolls."""
        self.mark(card)
        self._follows, self._aimed = False, card
        self._take_aim()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """J and K walk through the cards, C copies the marked one."""
        key = Qt.Key(event.key())
        if event.modifiers() or key not in (Qt.Key.Key_J, Qt.Key.Key_K, Qt.Key.Key_C):
            super().keyPressEvent(event)
        elif key is Qt.Key.Key_C:
            if self._marker.card is not None:
                self._marker.card.copy()
        elif self._cards:
            self.aim(self._cards[self._neighbour(1 if key is Qt.Key.Key_J else -1)])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The card under the pointer is meant."""
        place = self._inside.mapFrom(self.viewport(), event.position().toPoint())
        self.mark(next((card for card in self._cards if card.geometry().contains(place)), None))
        super().mousePressEvent(event)

    def _neighbour(self, step: int) -> int:
        marked = self._marker.card
        if marked is None:
            return len(self._cards) - 1 if step < 0 else 0
        return min(max(self._cards.index(marked) + step, 0), len(self._cards) - 1)

    def _take_aim(self) -> None:
        if self._aimed is None:
            return
        deep = max(0, self._aimed.lifted_at() - self.viewport().height() // 3)
        self._go(self._aimed.y() + deep - _NEAR)
        self._anchor = None
        self._offer_jump()

    def set_earlier(self, count: int) -> None:
        """Say how many older entries there are."""
        self._earlier.setText(self.tr("Show earlier ({count})").format(count=f"{count:,}"))
        self._earlier.setVisible(count > 0)

    def jump(self) -> None:
        """Go to the end and follow from now on."""
        self._follows, self._aimed = True, None
        self._to_end()
        self._jump.hide()

    @property
    def follows(self) -> bool:
        """Whether new text moves the view."""
        return self._follows

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines stay readable in a wide pane."""
        spare = max(0, event.size().width() - _WIDEST) // 2
        self._column.setContentsMargins(16 + spare, 12, 16 + spare, 12)
        super().resizeEvent(event)
        self._place_jump()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A column that needs less room has no range change to tell of."""
        if watched is self._inside and event.type() is QEvent.Type.Resize:
            if self._follows:
                self._to_end()
            elif self._aimed is not None:
                self._take_aim()
        return super().eventFilter(watched, event)

    def _grown(self, _low: int, _high: int) -> None:
        """More or less room: stay at the end, or keep the card at the top of the view where it is."""
        if self._follows:
            self._to_end()
            return
        if self._aimed is not None:
            self._take_aim()
        elif self._anchor is not None and self._anchor[0] in self._cards:
            card, offset = self._anchor
            self._go(card.y() - offset)
        self._offer_jump()

    def _scrolled(self, value: int) -> None:
        if self._moving:
            return
        self._aimed = None
        self._follows = value >= self.verticalScrollBar().maximum() - _NEAR
        top = next((card for card in self._cards if card.y() + card.height() > value), None)
        self._anchor = None if top is None else (top, top.y() - value)
        self._offer_jump()

    def _to_end(self) -> None:
        self._go(self.verticalScrollBar().maximum())

    def _go(self, value: int) -> None:
        self._moving = True
        self.verticalScrollBar().setValue(value)
        self._moving = False

    def _offer_jump(self) -> None:
        self._jump.setVisible(not self._follows)
        if not self._follows:
            self._place_jump()

    def _place_jump(self) -> None:
        self._jump.adjustSize()
        self._jump.move((self.width() - self._jump.width()) // 2, self.height() - self._jump.height() - 10)
        self._jump.raise_()

    def _restyle(self) -> None:
        for card in self._cards:
            card.restyle()
