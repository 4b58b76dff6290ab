"""A running turn: its events become cards, text is gathered and drawn every 40 ms, never once per token."""

from typing import assert_never

from PySide6.QtCore import QObject, QTimer, Signal

from app.agent.values import (
    AgentEvent,
    Ending,
    MessageAdded,
    Stalled,
    TextArrived,
    ThinkingArrived,
    ToolEnded,
    ToolStarted,
    TurnEnded,
    Waiting,
    Withdrawn,
)
from app.providers.values import Message, Role
from app.sessions.values import MessageState
from widgets.chat.card import AnswerCard, Card
from widgets.chat.deck import Deck
from widgets.chat.items import ToolItem, target_of, told
from widgets.chat.thinking import ThinkingFold
from widgets.chat.tool_line import ToolLine
from widgets.chat.transcript import Transcript

_DRAW_MS = 40


class LiveTurn(QObject):
    """Feeds a transcript. Signals: status_changed(text, "" for none), ended(TurnEnded), proposed(proposal id, card)."""

    status_changed = Signal(str)
    ended = Signal(object)
    proposed = Signal(str, object)

    def __init__(self, deck: Deck, transcript: Transcript, parent: QObject) -> None:
        super().__init__(parent)
        self._deck, self._transcript = deck, transcript
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self._answer: AnswerCard | None = None
        self._cut: AnswerCard | None = None
        self._thinking: ThinkingFold | None = None
        self._tools: dict[str, ToolLine] = {}
        self._since: list[Card] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_DRAW_MS)
        self._timer.timeout.connect(self.draw)

    def reset(self) -> None:
        """Forget the turn, when another conversation is shown."""
        self._timer.stop()
        self._text, self._thoughts, self._since, self._tools = [], [], [], {}
        self._answer = self._thinking = self._cut = None

    def apply(self, event: AgentEvent) -> None:
        """Take one event of the turn."""
        match event:
            case TextArrived(text):
                self._gather(self._text, text)
            case ThinkingArrived(text):
                self._gather(self._thoughts, text)
            case ToolStarted():
                self._start_tool(event)
            case ToolEnded():
                self._end_tool(event)
            case Waiting():
                self.status_changed.emit(self._waiting(event))
            case Stalled(seconds):
                told = self.tr("No progress for {n} s. Esc stops.").format(n=round(seconds))
                self.status_changed.emit(told)
            case Withdrawn():
                self._withdraw()
            case MessageAdded(message, complete):
                self._add_message(message, complete)
            case TurnEnded():
                self._end(event)
            case _:
                assert_never(event)

    def draw(self) -> None:
        """Show what was gathered since the last time."""
        self._timer.stop()
        if self._thoughts:
            text, self._thoughts = "".join(self._thoughts), []
            if self._thinking is None:
                self._thinking = self._deck.thinking()
                self._show(self._thinking)
            self._thinking.append(text)
        if self._text:
            text, self._text = "".join(self._text), []
            if self._answer is None:
                self._answer = self._deck.answer()
                self._show(self._answer)
            self._answer.append(text)

    def _gather(self, pieces: list[str], text: str) -> None:
        pieces.append(text)
        self.status_changed.emit("")
        if not self._timer.isActive():
            self._timer.start()

    def _show(self, card: Card) -> None:
        self._since.append(card)
        self._transcript.add(card)

    def _close(self, state: MessageState = MessageState.COMPLETE) -> None:
        """The open answer and reasoning are whole, or never will be."""
        self.draw()
        if self._answer is not None:
            self._answer.finish(state)
        self._answer = self._thinking = None

    def _start_tool(self, event: ToolStarted) -> None:
        self._close()
        self.status_changed.emit("")
        target = event.target or target_of(event.call)
        line = self._deck.tool(ToolItem(event.call, target=target, running=True))
        self._tools[event.call.id] = line
        self._show(line)

    def _end_tool(self, event: ToolEnded) -> None:
        line = self._tools.get(event.call.id)
        if line is None:
            self._start_tool(ToolStarted(event.call))
            line = self._tools[event.call.id]
        proposal = event.proposal or told(event.result)[1] or None
        line.set_result(event.result, event.seconds, event.entry, proposal)
        if proposal:
            self.proposed.emit(proposal, line)

    def _withdraw(self) -> None:
        """Take back what was shown since the last whole message: it will come again."""
        self._timer.stop()
        self._text, self._thoughts = [], []
        self._answer = self._thinking = None
        for card in self._since:
            self._transcript.remove(card)
        self._since = []

    def _add_message(self, message: Message, complete: bool) -> None:
        if message.role is Role.USER:
            self._since = []
            return
        self.draw()
        shown = self._answer is not None or any(isinstance(card, AnswerCard) for card in self._since)
        if not shown and message.text.strip():
            self._gather(self._text, message.text)
        self._cut = None if complete else self._answer
        self._close(MessageState.COMPLETE if complete else MessageState.STOPPED)
        self._since = []

    def _end(self, event: TurnEnded) -> None:
        states = {Ending.STOPPED: MessageState.STOPPED, Ending.FAILED: MessageState.FAILED}
        self._close(states.get(event.ending, MessageState.COMPLETE))
        if self._cut is not None and event.ending is Ending.FAILED:
            self._cut.set_state(MessageState.FAILED)
        for line in self._tools.values():
            line.set_over()
        self._since, self._tools, self._cut = [], {}, None
        self.status_changed.emit("")
        self.ended.emit(event)

    def _waiting(self, event: Waiting) -> str:
        told = self.tr("{why} Next try in {n} s (attempt {attempt}).")
        return told.format(why=event.why, n=round(event.seconds), attempt=event.attempt)
