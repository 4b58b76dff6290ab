"""A lane: one QThread that runs jobs in turn. A job is a generator; what it yields becomes signals in the main thread.

The lane is given a function that makes the generator; it runs, closes and drops it in its own thread, so whatever the
job opens (connections, repositories) belongs to that thread. Every job has exactly one ending: finished, cancelled or
failed. Events of a job that was cancelled are dropped, so a view never sees text after "stopped".
"""

import logging
import threading
from collections import deque
from collections.abc import Callable, Generator
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal, Slot

from app.cancel import Cancelled, CancelToken
from app.errors import AppError, Failure, failure_from

_log = logging.getLogger(__name__)

#: Makes a job's generator: it takes the cancel token, yields events and returns the job's result.
JobMaker = Callable[[CancelToken], Generator[Any, None, Any]]


class Job:
    """One piece of work in a lane: its number, name and token."""

    def __init__(self, number: int, name: str, make: JobMaker) -> None:
        self.number = number
        self.name = name
        self.make: JobMaker | None = make
        self.token = CancelToken()


class _Worker(QObject):
    """Lives in the lane's thread and runs one job at a time.

    Signals: produced(number, event), ended(number, ending, value): ending is finished, cancelled or failed; the value
    is the result, None or a Failure.
    """

    produced = Signal(int, object)
    ended = Signal(int, str, object)

    def __init__(self, close: Callable[[], None] | None) -> None:
        super().__init__()
        self._close = close

    @Slot(object)
    def run(self, job: Job) -> None:
        """Run one job to its single ending."""
        threading.current_thread().name = f"{self.thread().objectName()}: {job.name}"
        ending, value = self._play(job)
        self.ended.emit(job.number, ending, value)

    @Slot()
    def finish(self) -> None:
        """Close what belongs to this thread, then leave its event loop."""
        if self._close is not None:
            self._close()
        self.thread().quit()

    def _play(self, job: Job) -> tuple[str, object]:
        generator: Generator[Any, None, Any] | None = None
        try:
            job.token.check()
            if job.make is None:
                return "cancelled", None
            generator = job.make(job.token)
            return "finished", self._drain(job, generator)
        except Cancelled:
            return "cancelled", None
        except AppError as error:
            _log.info("%s: %s", job.name, error)
            return "failed", failure_from(error)
        except Exception as error:  # noqa: BLE001 - the lane's single exit: a bug becomes a Failure the view shows
            _log.error("%s failed", job.name, exc_info=error)
            return "failed", failure_from(error)
        finally:
            if generator is not None:
                generator.close()
            job.make = None

    def _drain(self, job: Job, generator: Generator[Any, None, Any]) -> object:
        while True:
            try:
                event = next(generator)
            except StopIteration as stop:
                return stop.value
            self.produced.emit(job.number, event)


class Lane(QObject):
    """Runs jobs one after another in a thread of its own.

    Signals: event(job, event) is spelled `produced`; `finished(job, result)`, `cancelled(job)`, `failed(job, Failure)`
    end a job; `busy_changed(bool)` follows the lane.
    """

    produced = Signal(int, object)
    finished = Signal(int, object)
    cancelled = Signal(int)
    failed = Signal(int, object)
    busy_changed = Signal(bool)
    _start = Signal(object)
    _finish = Signal()

    def __init__(self, name: str, parent: QObject | None = None, close: Callable[[], None] | None = None) -> None:
        super().__init__(parent)
        self._thread = QThread()
        self._thread.setObjectName(name)
        self._worker = _Worker(close)
        self._worker.moveToThread(self._thread)
        self._start.connect(self._worker.run)
        self._finish.connect(self._worker.finish)
        self._worker.produced.connect(self._on_produced)
        self._worker.ended.connect(self._on_ended)
        self._queue: deque[Job] = deque()
        self._current: Job | None = None
        self._numbers = 0
        self._closing = False
        self._thread.start()

    def submit(self, name: str, make: JobMaker) -> int:
        """Queue a job and return its number; after shutdown has begun it is ended as cancelled at once."""
        self._numbers += 1
        job = Job(self._numbers, name, make)
        if self._closing:
            self.cancelled.emit(job.number)
            return job.number
        self._queue.append(job)
        self._next()
        return job.number

    def cancel(self, number: int) -> None:
        """Ask a job to end. A queued one ends at once; the running one at its next step or blocked read."""
        if self._current is not None and self._current.number == number:
            self._current.token.cancel()
            return
        for job in list(self._queue):
            if job.number == number:
                self._queue.remove(job)
                self.cancelled.emit(number)

    def cancel_all(self) -> None:
        """Ask every job to end."""
        for job in list(self._queue):
            self.cancel(job.number)
        if self._current is not None:
            self._current.token.cancel()

    @property
    def busy(self) -> bool:
        """Whether a job runs or waits."""
        return self._current is not None or bool(self._queue)

    @property
    def current_name(self) -> str:
        """The running job's name, empty when idle."""
        return self._current.name if self._current is not None else ""

    def shut_down(self, wait_ms: int = 3000) -> bool:
        """Cancel everything, let the thread close what it owns, and join it. False when it did not end in time."""
        self._closing = True
        self.cancel_all()
        self._finish.emit()
        ended = self._thread.wait(wait_ms)
        if not ended:
            _log.error("lane %s did not end: %s", self._thread.objectName(), self.current_name)
        return bool(ended)

    def _next(self) -> None:
        if self._current is not None or not self._queue:
            return
        self._current = self._queue.popleft()
        self.busy_changed.emit(True)
        self._start.emit(self._current)

    @Slot(int, object)
    def _on_produced(self, number: int, event: object) -> None:
        job = self._current
        if job is not None and job.number == number and not job.token.cancelled:
            self.produced.emit(number, event)

    @Slot(int, str, object)
    def _on_ended(self, number: int, ending: str, value: object) -> None:
        self._current = None
        if ending == "finished":
            self.finished.emit(number, value)
        elif ending == "failed" and isinstance(value, Failure):
            self.failed.emit(number, value)
        else:
            self.cancelled.emit(number)
        self._next()
        if self._current is None:
            self.busy_changed.emit(False)
