"""Makes the card of an item and passes its wishes on, so that the pane connects once and not per card."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.proposals.values import Proposal
from widgets.chat.card import AnswerCard, Card, YouCard
from widgets.chat.error_card import ErrorCard
from widgets.chat.items import AnswerItem, ErrorItem, Item, NoteItem, ThinkingItem, ToolItem, YouItem
from widgets.chat.note_line import NoteLine
from widgets.chat.proposal_card import ProposalCard
from widgets.chat.thinking import ThinkingFold
from widgets.chat.tool_line import ToolLine
from widgets.common.markdown_render import Renderer
from widgets.common.theme import Theme


class Deck(QObject):
    """Signals as those of the cards: ledger entries, proposals, runs and actions by their id."""

    link_activated = Signal(str, str)
    diff_requested = Signal(str)
    undo_requested = Signal(str)
    hold_requested = Signal()
    proposal_opened = Signal(str)
    run_opened = Signal(str)
    approve_requested = Signal(str, object, object)
    reject_requested = Signal(str, object, str)
    details_requested = Signal(str)
    retry_requested = Signal()
    action_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._renderer = Renderer()

    def build(self, item: Item) -> Card:
        """The card of an item."""
        card = self._make(item)
        card.message = item.message
        card.link_activated.connect(self.link_activated)
        return card

    def proposal(self, proposal: Proposal) -> ProposalCard:
        """The card of a proposal."""
        card = ProposalCard(self._theme, proposal)
        card.approve_requested.connect(self.approve_requested)
        card.reject_requested.connect(self.reject_requested)
        card.opened.connect(self.proposal_opened)
        card.details_requested.connect(self.details_requested)
        return card

    def answer(self) -> AnswerCard:
        """An empty answer that will grow."""
        card = AnswerCard(self._theme, AnswerItem(""), self._renderer)
        card.link_activated.connect(self.link_activated)
        return card

    def thinking(self) -> ThinkingFold:
        """Empty reasoning that will grow."""
        return ThinkingFold(self._theme, ThinkingItem(""))

    def tool(self, item: ToolItem) -> ToolLine:
        """The line of a call."""
        card = ToolLine(self._theme, item)
        card.diff_requested.connect(self.diff_requested)
        card.undo_requested.connect(self.undo_requested)
        return card

    def _make(self, item: Item) -> Card:
        match item:
            case YouItem():
                return YouCard(self._theme, item)
            case AnswerItem():
                return AnswerCard(self._theme, item, self._renderer)
            case ThinkingItem():
                return ThinkingFold(self._theme, item)
            case ToolItem():
                return self.tool(item)
            case NoteItem():
                return self._note(item)
            case ErrorItem():
                return self._error(item)

    def _note(self, item: NoteItem) -> Card:
        card = NoteLine(self._theme, item)
        card.diff_requested.connect(self.diff_requested)
        card.undo_requested.connect(self.undo_requested)
        card.proposal_opened.connect(self.proposal_opened)
        card.run_opened.connect(self.run_opened)
        card.hold_requested.connect(self.hold_requested)
        return card

    def _error(self, item: ErrorItem) -> Card:
        card = ErrorCard(self._theme, item)
        card.retry_requested.connect(self.retry_requested)
        card.action_requested.connect(self.action_requested)
        return card


class CardHost(QWidget):
    """A widget with cards in it: it asks for what they ask for. Signals as those of the deck."""

    link_activated = Signal(str, str)
    diff_requested = Signal(str)
    undo_requested = Signal(str)
    hold_requested = Signal()
    proposal_opened = Signal(str)
    run_opened = Signal(str)
    approve_requested = Signal(str, object, object)
    reject_requested = Signal(str, object, str)
    details_requested = Signal(str)

    def pass_on(self, deck: Deck) -> None:
        """Say what the cards of this deck say."""
        deck.link_activated.connect(self.link_activated)
        deck.diff_requested.connect(self.diff_requested)
        deck.undo_requested.connect(self.undo_requested)
        deck.hold_requested.connect(self.hold_requested)
        deck.proposal_opened.connect(self.proposal_opened)
        deck.run_opened.connect(self.run_opened)
        deck.approve_requested.connect(self.approve_requested)
        deck.reject_requested.connect(self.reject_requested)
        deck.details_requested.connect(self.details_requested)
