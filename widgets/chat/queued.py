"""What was typed while a turn runs: shown at once, and told apart from what begins a turn of its own."""

from app.providers.values import Message, Text
from widgets.chat.board import Board
from widgets.chat.card import Card
from widgets.chat.items import YouItem
from widgets.chat.transcript import Transcript


class Queued:
    """The texts that wait, oldest first, each with its card."""

    def __init__(self, board: Board, transcript: Transcript) -> None:
        self._board, self._transcript = board, transcript
        self._waiting: list[tuple[str, Card]] = []

    def add(self, text: str) -> None:
        """Show a text that waits."""
        (card,) = self._board.add((YouItem(text),))
        self._waiting.append((text, card))

    def join(self, message: Message) -> None:
        """These words of the user joined the running turn after its tools."""
        said = [block.text for block in message.blocks if isinstance(block, Text)]
        self._waiting = [(text, card) for text, card in self._waiting if text not in said]

    def begins(self, text: str) -> bool:
        """Whether a turn that begins with this text is made of what waited; then nothing waits any more."""
        found = bool(self._waiting) and text == "\n\n".join(waiting for waiting, _ in self._waiting)
        if found:
            self._waiting = []
        return found

    def take_back(self) -> None:
        """None of it was sent: its cards go."""
        for _text, card in self._waiting:
            self._transcript.remove(card)
        self._waiting = []

    def clear(self) -> None:
        """Another conversation is shown."""
        self._waiting = []
