"""The curator service: asks every few minutes whether a run is due, runs it on its own lane, and tells how it goes."""

import threading
import time
from collections.abc import Collection, Generator
from typing import Any

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot

from app.bridge.chat import ProviderMaker
from app.bridge.home_lane import HomeLane
from app.bridge.lane import Job
from app.cancel import CancelToken
from app.curator.values import Report
from app.cycles import curator, runs_back
from app.cycles.home import OpenHome
from app.cycles.values import CuratorProgress
from app.errors import Failure

_LOOK_MS = 5 * 60 * 1000
#: A gap between two looks this much longer than planned means that the machine slept: that was not idle work.
_SLEPT_S = 120
_ACTIVITY = frozenset({QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress, QEvent.Type.Drop})


class IdleClock(QObject):
    """How long nobody used the window: clicks, keys and chat turns count, file events do not."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._last = time.monotonic()

    @Slot()
    def touch(self) -> None:
        """Somebody did something."""
        self._last = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds since the last use."""
        return time.monotonic() - self._last

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: ARG002 - Qt's signature
        """See clicks and keys pass; never stops one."""
        if event.type() in _ACTIVITY:
            self.touch()
        return False


class CuratorService(QObject):
    """The curator's schedule and runs.

    Signals: status_ready(CuratorStatus); runs_ready(rows); progressed(CuratorProgress); run_ended(Report);
    report_ready(run, markdown); changed_ready(run, ids); undo_previewed(RunUndo); run_undone(RunUndo); failed(Failure).
    """

    status_ready = Signal(object)
    runs_ready = Signal(object)
    progressed = Signal(object)
    run_ended = Signal(object)
    report_ready = Signal(str, str)
    changed_ready = Signal(str, object)
    undo_previewed = Signal(object)
    run_undone = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        lane: HomeLane,
        asking: HomeLane,
        make_provider: ProviderMaker,
        idle: IdleClock,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._lane = lane
        self._asking = asking
        self._make_provider = make_provider
        self._idle = idle
        self._job: Job | None = None
        self._closing = threading.Event()
        self._looked = time.monotonic()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._job is not None

    def start(self) -> None:
        """Begin to look whether a run is due."""
        self._timer.start()
        self.refresh()

    def stop(self) -> None:
        """Stop looking; a run that is stopped from now on is stopped by the program's end, and made up for later."""
        self._closing.set()
        self._timer.stop()

    @Slot()
    def refresh(self) -> None:
        """Read status and past runs again."""
        idle, running = self._idle.seconds, self.running

        def question(home: OpenHome) -> object:
            home.reload_settings()
            return curator.status(home, idle, running=running), curator.runs(home)

        job = self._asking.ask("curator status", question)
        job.finished.connect(self._on_status)
        job.failed.connect(self._on_failed)

    def run(self, *, dry_run: bool) -> None:
        """Run now, whatever the schedule says."""
        if self._job is not None:
            return
        make, closing = self._make_provider, self._closing.is_set

        def play(home: OpenHome, token: CancelToken) -> Generator[CuratorProgress, None, Report]:
            home.reload_settings()
            return (yield from curator.run_curator(home, make(home), token, dry_run=dry_run, closing=closing))

        self._begin(play)

    def cancel(self) -> None:
        """Stop the run; what it did so far is kept as a proposal."""
        if self._job is not None:
            self._job.token.cancel()

    def pause(self, paused: bool) -> None:
        """Pause or resume the schedule."""
        job = self._asking.ask("pausing", lambda home: curator.set_paused(home, paused=paused))
        job.finished.connect(self._on_paused)
        job.failed.connect(self._on_failed)

    def preview_undo(self, run: str) -> None:
        """Work out what undoing a run would do; answered by `undo_previewed`."""
        job = self._asking.ask("looking at the way back", lambda home: runs_back.preview_undo(home, run))
        job.finished.connect(self._on_previewed)
        job.failed.connect(self._on_failed)

    def undo_run(self, run: str, entries: Collection[str] | None = None) -> None:
        """Undo a run, or these entries of it; answered by `run_undone`."""
        wanted = None if entries is None else tuple(entries)
        job = self._asking.ask("undoing a run", lambda home: runs_back.undo_run(home, run, wanted))
        job.finished.connect(self._on_undone)
        job.failed.connect(self._on_failed)

    def read_report(self, run: str) -> None:
        """Read one run's report."""
        job = self._asking.ask("reading a report", lambda home: (run, curator.report_text(home, run)))
        job.finished.connect(self._on_report)
        job.failed.connect(self._on_failed)

    @Slot(str)
    def find_changed(self, run: str) -> None:
        """Find the skills a run led to a change of."""
        job = self._asking.ask("skills of a run", lambda home: (run, runs_back.changed_by(home, run)))
        job.finished.connect(self._on_changed)
        job.failed.connect(self._on_failed)

    def _begin(self, play: Any) -> None:  # noqa: ANN401 - a HomeJob
        self._job = self._lane.work("curator run", play)
        self._job.produced.connect(self._on_produced)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_run_failed)
        self._job.cancelled.connect(self._on_cancelled)
        self.refresh()

    @Slot()
    def _look(self) -> None:
        now = time.monotonic()
        slept = now - self._looked > _LOOK_MS / 1000 + _SLEPT_S
        self._looked = now
        if slept:
            self._idle.touch()
        if self._job is not None:
            return
        idle, make, closing = self._idle.seconds, self._make_provider, self._closing.is_set

        def play(home: OpenHome, token: CancelToken) -> Generator[CuratorProgress, None, Report | None]:
            home.reload_settings()
            return (yield from curator.run_if_due(home, make(home), token, idle, closing))

        job = self._job = self._lane.work("curator look", play)
        job.produced.connect(self._on_produced)
        job.finished.connect(self._on_finished)
        job.failed.connect(self._on_run_failed)
        job.cancelled.connect(self._on_cancelled)

    @Slot(object)
    def _on_status(self, answer: tuple[object, object]) -> None:
        status, rows = answer
        self.status_ready.emit(status)
        self.runs_ready.emit(rows)

    @Slot(object)
    def _on_produced(self, progress: object) -> None:
        self.progressed.emit(progress)

    @Slot(object)
    def _on_finished(self, report: object) -> None:
        self._job = None
        if isinstance(report, Report):
            self.run_ended.emit(report)
        self.refresh()

    @Slot(object)
    def _on_run_failed(self, failure: Failure) -> None:
        self._job = None
        self.failed.emit(failure)
        self.refresh()

    @Slot()
    def _on_cancelled(self) -> None:
        self._job = None
        self.refresh()

    @Slot()
    def _on_paused(self) -> None:
        self.refresh()

    @Slot(object)
    def _on_report(self, answer: tuple[str, str]) -> None:
        self.report_ready.emit(*answer)

    @Slot(object)
    def _on_changed(self, answer: tuple[str, frozenset[str]]) -> None:
        self.changed_ready.emit(*answer)

    @Slot(object)
    def _on_previewed(self, found: object) -> None:
        self.undo_previewed.emit(found)

    @Slot(object)
    def _on_undone(self, found: object) -> None:
        self.run_undone.emit(found)
        self.refresh()

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)
