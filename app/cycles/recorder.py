"""Stores a running turn: every message before it is shown, streamed text at least once a second."""

import time

from app.agent.values import (
    AgentEvent,
    Ending,
    MessageAdded,
    TextArrived,
    ThinkingArrived,
    TurnEnded,
    Withdrawn,
)
from app.providers.values import Message, Role, Text, Thinking
from app.sessions.store import SessionStore
from app.sessions.values import MessageState

_EVERY_S = 1.0
_STATES = {Ending.STOPPED: MessageState.STOPPED, Ending.FAILED: MessageState.FAILED}


class TurnRecorder:
    """Writes one turn's events into the session as they come. `messages` is what joined the conversation so far."""

    def __init__(self, store: SessionStore, session: str, turn: str) -> None:
        self._store = store
        self._session = session
        self._turn = turn
        self._open: int | None = None
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._written = 0.0
        self._cut: tuple[int, Message] | None = None
        self.messages: list[Message] = []

    def take(self, event: AgentEvent) -> None:
        """Store what this event means. Raises AppError when the session cannot be written."""
        if isinstance(event, TextArrived):
            self._text.append(event.text)
            self._stream()
        elif isinstance(event, ThinkingArrived):
            self._thinking.append(event.text)
        elif isinstance(event, Withdrawn):
            self._text.clear()
            self._thinking.clear()
            self._stream(now=True)
        elif isinstance(event, MessageAdded):
            self._add(event)
        elif isinstance(event, TurnEnded):
            if event.ending is Ending.FAILED and self._cut is not None:
                self._store.update_message(*self._cut, MessageState.FAILED)
            self._close(_STATES.get(event.ending, MessageState.INTERRUPTED))

    def _stream(self, *, now: bool = False) -> None:
        if self._open is None and not now:
            self._open = self._store.add_message(self._session, self._turn, self._partial(), MessageState.STREAMING)
            self._written = time.monotonic()
        elif self._open is not None and (now or time.monotonic() - self._written >= _EVERY_S):
            self._store.update_message(self._open, self._partial(), MessageState.STREAMING)
            self._written = time.monotonic()

    def _add(self, event: MessageAdded) -> None:
        state = MessageState.COMPLETE if event.complete else MessageState.STOPPED
        if self._open is not None and event.message.role is Role.ASSISTANT:
            number, self._open = self._open, None
            self._store.update_message(number, event.message, state)
        else:
            number = self._store.add_message(self._session, self._turn, event.message, state)
        self._cut = None if event.complete else (number, event.message)
        self._text.clear()
        self._thinking.clear()
        self.messages.append(event.message)

    def _close(self, state: MessageState) -> None:
        if self._open is None:
            return
        self._store.update_message(self._open, self._partial(), state)
        self._open = None

    def _partial(self) -> Message:
        blocks: list[Text | Thinking] = []
        if self._thinking:
            blocks.append(Thinking("".join(self._thinking)))
        blocks.append(Text("".join(self._text)))
        return Message(Role.ASSISTANT, tuple(blocks))
