"""The cards of the shown conversation: adds them, and keeps those that stand for something else up to date with it."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from PySide6.QtCore import QObject

from app.proposals.values import Proposal
from widgets.chat.card import Card
from widgets.chat.deck import Deck
from widgets.chat.error_card import ErrorCard
from widgets.chat.items import Item, NoteItem, ToolItem
from widgets.chat.note_line import NoteLine
from widgets.chat.proposal_card import ProposalCard
from widgets.chat.tool_line import ToolLine
from widgets.chat.transcript import Transcript

_Kind = TypeVar("_Kind", bound=Card)


class Board(QObject):
    """Owns no widget: it works on a transcript with the cards a deck makes."""

    def __init__(self, deck: Deck, transcript: Transcript, parent: QObject) -> None:
        super().__init__(parent)
        self._deck, self._transcript = deck, transcript
        self._proposals: dict[str, Proposal] = {}

    def add(self, items: Iterable[Item]) -> list[Card]:
        """Put cards at the end, and the cards of the proposals they name below them; returns the cards of the items."""
        cards: list[Card] = []
        for item in items:
            made = self._deck.build(item)
            cards.append(made)
            self._transcript.add(made)
            named: tuple[str, ...] = ()
            if isinstance(item, ToolItem) and item.proposal:
                named = (item.proposal,)
            elif isinstance(item, NoteItem):
                named = item.proposals[:1]
            for proposal in named:
                self.propose(proposal, made)
        return cards

    def propose(self, proposal: str, after: Card) -> None:
        """Show a proposal below the card that led to it, once, when it is known."""
        shown = any(card.proposal == proposal for card in self._of(ProposalCard))
        if proposal in self._proposals and not shown:
            self._transcript.add_after(self._deck.proposal(self._proposals[proposal]), after)

    def set_proposals(self, proposals: Sequence[Proposal]) -> None:
        """What is known of proposals, light: their cards follow it."""
        self._proposals = {proposal.id: proposal for proposal in proposals}
        for card in self._of(ProposalCard):
            if card.proposal in self._proposals:
                card.set_proposal(self._proposals[card.proposal])
        for line in self._of(ToolLine):
            if line.proposal:
                self.propose(line.proposal, line)

    def show_proposal(self, proposal: Proposal) -> None:
        """The full values of a proposal whose diff was asked for."""
        for card in self._of(ProposalCard):
            if card.proposal == proposal.id:
                card.set_proposal(proposal)

    def set_undone(self, entry: str) -> None:
        """A change was taken back: say so where it was told."""
        for note in self._of(NoteLine):
            note.set_undone(entry)
        for line in self._of(ToolLine):
            if line.entry == entry:
                line.set_undone()

    def set_past(self) -> None:
        """A new turn begins: older failures can no longer be tried again."""
        for card in self._of(ErrorCard):
            card.set_past()

    def _of(self, kind: type[_Kind]) -> list[_Kind]:
        return [card for card in self._transcript.cards if isinstance(card, kind)]
