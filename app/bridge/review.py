"""The review service: after a turn, a fork on its own lane; a new turn stops it, the newest snapshot waits its turn."""

from collections.abc import Generator
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.agent.values import AgentEvent
from app.bridge.chat import ProviderMaker
from app.bridge.home_lane import HomeLane
from app.bridge.lane import Job
from app.cancel import CancelToken
from app.cycles.home import OpenHome
from app.cycles.review import due, owe, owed, run_review, snapshot_of
from app.cycles.values import ReviewOutcome, ReviewSnapshot, TurnResult
from app.errors import Failure


class ReviewService(QObject):
    """Reviews finished turns.

    Signals: started(session); reviewed(ReviewOutcome) when one ended, learned or not; failed(Failure);
    idle_changed(bool).
    """

    started = Signal(str)
    reviewed = Signal(object)
    failed = Signal(object)
    idle_changed = Signal(bool)

    def __init__(self, lane: HomeLane, make_provider: ProviderMaker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._make_provider = make_provider
        self._job: Job | None = None
        self._running: ReviewSnapshot | None = None
        self._waiting: dict[str, ReviewSnapshot] = {}
        self._held = False

    @property
    def busy(self) -> bool:
        """Whether a review runs or waits."""
        return self._job is not None or bool(self._waiting)

    @Slot(object)
    def consider(self, result: TurnResult) -> None:
        """A turn ended: review it if its session's cadence says so."""
        self._held = False
        if result.snapshot is not None:
            self._check_due(result.snapshot)
        self._next()

    def start(self) -> None:
        """Take up what was due and cut off when the program ended."""
        job = self._lane.ask("reviews left over", owed)
        job.finished.connect(self._on_owed)
        job.failed.connect(self._on_cadence_failed)

    def review_session(self, session: str, focus: str = "") -> None:
        """Review a stored conversation whatever the cadence (asked for by the user)."""

        def question(home: OpenHome) -> object:
            snapshot = snapshot_of(home, session, focus)
            owe(home, session)
            return snapshot

        job = self._lane.ask("review asked for", question)
        job.finished.connect(self._on_due)
        job.failed.connect(self._on_cadence_failed)

    @Slot()
    def yield_to_turn(self) -> None:
        """A turn begins: the running review is asked to stop, keeps what it applied, and waits again."""
        self._held = True
        if self._job is not None and self._running is not None:
            self._waiting.setdefault(self._running.session, self._running)
            self._lane.cancel(self._job)

    @Slot()
    def release(self) -> None:
        """The turn that was yielded to never began: what waits may go on."""
        self._held = False
        self._next()

    def _check_due(self, snapshot: ReviewSnapshot) -> None:
        def question(home: OpenHome) -> object:
            home.reload_settings()
            return snapshot if due(home, snapshot.session) else None

        job = self._lane.ask("review cadence", question)
        job.finished.connect(self._on_due)
        job.failed.connect(self._on_cadence_failed)

    def _next(self) -> None:
        if self._job is not None or self._held or not self._waiting:
            return
        snapshot = self._waiting.pop(next(iter(self._waiting)))
        self._running = snapshot
        make = self._make_provider

        def play(home: OpenHome, token: CancelToken) -> Generator[AgentEvent, None, ReviewOutcome]:
            return (yield from run_review(home, make(home), snapshot, token))

        self._job = self._lane.work("review", play)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._on_cancelled)
        self.idle_changed.emit(False)
        self.started.emit(snapshot.session)

    @Slot(object)
    def _on_due(self, snapshot: Any) -> None:  # noqa: ANN401 - a snapshot or None through a signal
        if snapshot is not None:
            self._waiting[snapshot.session] = snapshot
            self._next()

    @Slot(object)
    def _on_owed(self, snapshots: tuple[ReviewSnapshot, ...]) -> None:
        for snapshot in snapshots:
            self._waiting.setdefault(snapshot.session, snapshot)
        self._next()

    @Slot(object)
    def _on_cadence_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)

    @Slot(object)
    def _on_finished(self, outcome: ReviewOutcome) -> None:
        self._end()
        self.reviewed.emit(outcome)
        self._next()

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self._end()
        self.failed.emit(failure)
        self._next()

    @Slot()
    def _on_cancelled(self) -> None:
        self._end()
        self._next()

    def _end(self) -> None:
        self._job = None
        self._running = None
        self.idle_changed.emit(not self._waiting)
