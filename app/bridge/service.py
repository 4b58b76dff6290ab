"""What all services share: asking a lane for something, and passing trouble on in words."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.home_lane import HomeJob, HomeLane
from app.bridge.lane import Job
from app.cycles.home import OpenHome
from app.errors import Failure


class Service(QObject):
    """A service of the window.

    Signals: failed(Failure) when something it was asked for did not work.
    """

    failed = Signal(object)

    def __init__(self, lane: HomeLane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = lane

    def _ask(self, name: str, question: Callable[[OpenHome], object], done: Callable[[Any], None]) -> Job:
        """Have `question` answered in the lane; `done`, a method of this service, gets the answer."""
        job = self._lane.ask(name, question)
        job.finished.connect(done)
        job.failed.connect(self._on_failed)
        return job

    def _work(self, name: str, make: HomeJob, done: Callable[[Any], None]) -> Job:
        """Run a job with steps in the lane; `done` gets its result."""
        job = self._lane.work(name, make)
        job.finished.connect(done)
        job.failed.connect(self._on_failed)
        return job

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)
