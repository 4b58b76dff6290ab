"""A stored conversation to read, not to write in: opened at its end, at a turn, or where a search found something."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.proposals.values import Proposal
from app.sessions.values import StoredMessage
from widgets.chat.board import Board
from widgets.chat.deck import CardHost, Deck
from widgets.chat.earlier import FIRST, Earlier
from widgets.chat.items import Item, at_rest, items_of
from widgets.chat.later import Later
from widgets.chat.transcript import Transcript
from widgets.common.parts import column, set_ground
from widgets.common.theme import Theme

#: Entries shown at once above and below the one that was asked for.
_ABOVE, _BELOW = 2, 6


class ChatReader(CardHost):
    """Signals: marked(stored message, or -1) when a card was chosen; the rest as in the chat."""

    marked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        deck = Deck(theme, self)
        self._transcript = Transcript(theme)
        self._board = Board(deck, self._transcript, self)
        self._earlier = Earlier(self._transcript, deck.build, self)
        self._later = Later(self._transcript, self._board.add, self)
        self.setLayout(column(self._transcript, spacing=0))
        self.setFocusProxy(self._transcript)
        set_ground(self, "surface")
        self._transcript.marked.connect(self.marked)
        self.pass_on(deck)

    def show_messages(self, messages: Sequence[StoredMessage], message: int = -1, words: tuple[str, ...] = ()) -> None:
        """Show a conversation from its end, or at a stored message with the words found there lifted out."""
        self._transcript.clear()
        items = tuple(map(at_rest, items_of(messages)))
        place = _place_of(items, message) if message >= 0 else len(items)
        first = max(0, place - (FIRST if place == len(items) else _ABOVE))
        self._board.add(items[first : place + _BELOW])
        self._earlier.set_items(items[:first])
        self._later.set_items(items[place + _BELOW :])
        card = self._transcript.card_of(message) if message >= 0 else None
        if card is None:
            self._transcript.jump()
            return
        if words:
            card.lift_out(words)
        self._transcript.aim(card)

    def set_proposals(self, proposals: Sequence[Proposal]) -> None:
        """What is known of proposals, light."""
        self._board.set_proposals(proposals)

    def show_proposal(self, proposal: Proposal) -> None:
        """The full values of a proposal whose diff was asked for."""
        self._board.show_proposal(proposal)

    def set_undone(self, entry: str) -> None:
        """A change was taken back."""
        self._board.set_undone(entry)


def _place_of(items: tuple[Item, ...], message: int) -> int:
    """The entry that shows a stored message; the last one before it when it has none of its own."""
    for place, item in enumerate(items):
        if message in (item.message, getattr(item, "answered", -1)):
            return place
    return max((place for place, item in enumerate(items) if item.message <= message), default=0)
