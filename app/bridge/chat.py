"""The chat service: one turn at a time on its lane, stopped or retried at will, the next words queued meanwhile."""

from collections import deque
from collections.abc import Callable, Generator
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.agent.values import AgentEvent, Ending, TurnEnded
from app.bridge.home_lane import HomeLane
from app.bridge.lane import Job
from app.cancel import CancelToken
from app.cycles.home import OpenHome
from app.cycles.turn import run_turn
from app.cycles.values import TurnResult, TurnStarted
from app.errors import Failure
from app.providers.base import Provider
from app.providers.values import Role

#: Makes the provider the settings ask for; called in the lane, so that a new key counts at once.
ProviderMaker = Callable[[OpenHome], Provider]


class ChatService(QObject):
    """The open conversation.

    Signals: turn_started(TurnStarted); event_arrived(agent event); turn_ended(TurnResult); unsent(text) that was typed
    during a turn which was stopped or failed; session_changed(SessionInfo or None); session_loaded(SessionInfo,
    messages); failed(Failure) when a turn could not even begin: the text is in `last_text`.
    """

    turn_started = Signal(object)
    event_arrived = Signal(object)
    turn_ended = Signal(object)
    unsent = Signal(str)
    session_changed = Signal(object)
    session_loaded = Signal(object, object)
    failed = Signal(object)

    def __init__(self, lane: HomeLane, make_provider: ProviderMaker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._make_provider = make_provider
        self._job: Job | None = None
        self._session: str | None = None
        self._left = False
        self._queued: deque[str] = deque()
        self.last_text = ""

    @property
    def busy(self) -> bool:
        """Whether a turn runs."""
        return self._job is not None

    @property
    def session(self) -> str | None:
        """The open session's id; None before the first message of a new one."""
        return self._session

    def send(self, text: str) -> None:
        """Send the user's words. While a turn runs they join it after the tools, or become the next turn."""
        if self._job is not None:
            self._queued.append(text)
            return
        self._play(text, again=False)

    def stop(self) -> None:
        """Stop the running turn; what arrived so far is kept, what was typed meanwhile is given back."""
        if self._job is not None:
            self._give_back()
            self._lane.cancel(self._job)

    def retry(self) -> None:
        """Send the last words again."""
        if self._job is None and self.last_text:
            self._play(self.last_text, again=True)

    def _play(self, text: str, *, again: bool) -> None:
        self.last_text = text
        session, make = self._session, self._make_provider

        def play(home: OpenHome, token: CancelToken) -> Generator[AgentEvent | TurnStarted, None, TurnResult]:
            return (yield from run_turn(home, make(home), session, text, token, self._take_queued, again=again))

        self._job = self._lane.work("turn", play)
        self._job.produced.connect(self._on_event)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._on_cancelled)

    def new_session(self) -> None:
        """Begin a new conversation with the next message; a running turn is stopped and kept in its own."""
        self.stop()
        self._left = self._job is not None
        self._session = None
        self.session_changed.emit(None)

    def open_session(self, session: str) -> None:
        """Show a stored conversation and go on in it."""
        if self._job is not None:
            return

        def question(home: OpenHome) -> object:
            return home.sessions.get(session), home.sessions.messages(session)

        job = self._lane.ask("opening a session", question)
        job.finished.connect(self._on_loaded)
        job.failed.connect(self.failed)

    def _take_queued(self) -> tuple[str, ...]:
        # Called in the lane; a deque's popleft is atomic, so nothing is taken twice.
        taken = []
        while self._queued:
            taken.append(self._queued.popleft())
        return tuple(taken)

    @Slot(object)
    def _on_event(self, event: object) -> None:
        if self._left:  # what still arrives of a turn that was left belongs to its own conversation, not to the new one
            return
        if isinstance(event, TurnStarted):
            self._session = event.session.id
            self.turn_started.emit(event)
            self.session_changed.emit(event.session)
        elif not isinstance(event, TurnEnded):
            self.event_arrived.emit(event)

    @Slot(object)
    def _on_finished(self, result: Any) -> None:  # noqa: ANN401 - a TurnResult through a signal
        self._job, self._left = None, False
        if self._session == result.session.id:
            self.event_arrived.emit(result.ended)
            self.session_changed.emit(result.session)
        self.turn_ended.emit(result)
        if result.ended.ending is Ending.FAILED:
            self._give_back()
        self._send_queued()

    @Slot()
    def _on_cancelled(self) -> None:
        left, self._job, self._left = self._left, None, False
        if not left:
            self.event_arrived.emit(TurnEnded(Ending.STOPPED, reason="Stopped."))

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self._job, self._left = None, False
        self.failed.emit(failure)

    @Slot(object)
    def _on_loaded(self, result: tuple[Any, Any]) -> None:
        info, messages = result
        self._session = info.id
        said = (item.message.text for item in reversed(messages) if item.message.role is Role.USER)
        self.last_text = next((text for text in said if text.strip()), "")
        self.session_loaded.emit(info, messages)
        self.session_changed.emit(info)

    def _give_back(self) -> None:
        waiting = self._take_queued()
        if waiting:
            self.unsent.emit("\n\n".join(waiting))

    def _send_queued(self) -> None:
        waiting = self._take_queued()
        if waiting:
            self.send("\n\n".join(waiting))
