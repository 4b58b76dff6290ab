"""The revising service: sends one group of a proposal back to a fork with a note, on the curator's lane."""

from collections.abc import Generator

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.chat import ProviderMaker
from app.bridge.home_lane import HomeLane
from app.bridge.lane import Job
from app.cancel import CancelToken
from app.cycles.home import OpenHome
from app.cycles.revising import revise
from app.cycles.values import CuratorProgress, Revision
from app.errors import Failure


class RevisingService(QObject):
    """One revision at a time.

    Signals: busy_changed(bool); progressed(CuratorProgress); revised(Revision); failed(Failure) with what the fork
    said when it changed nothing.
    """

    busy_changed = Signal(bool)
    progressed = Signal(object)
    revised = Signal(object)
    failed = Signal(object)

    def __init__(self, lane: HomeLane, make_provider: ProviderMaker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._make_provider = make_provider
        self._job: Job | None = None

    @property
    def busy(self) -> bool:
        """Whether a revision is under way or waits for a run to end."""
        return self._job is not None

    def revise(self, proposal: str, group: str, note: str) -> None:
        """Have this group made anew."""
        if self._job is not None:
            return
        make = self._make_provider

        def play(home: OpenHome, token: CancelToken) -> Generator[CuratorProgress, None, Revision]:
            home.reload_settings()
            return (yield from revise(home, make(home), proposal, group, note, token))

        self._job = self._lane.work("revision", play)
        self._job.produced.connect(self._on_produced)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._on_cancelled)
        self.busy_changed.emit(True)

    @Slot()
    def cancel(self) -> None:
        """Stop it; the proposal stays as it is."""
        if self._job is not None:
            self._lane.cancel(self._job)

    @Slot(object)
    def _on_produced(self, progress: object) -> None:
        self.progressed.emit(progress)

    @Slot(object)
    def _on_finished(self, revision: object) -> None:
        self._end()
        self.revised.emit(revision)

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self._end()
        self.failed.emit(failure)

    @Slot()
    def _on_cancelled(self) -> None:
        self._end()

    def _end(self) -> None:
        self._job = None
        self.busy_changed.emit(False)
