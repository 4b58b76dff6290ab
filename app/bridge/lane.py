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

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from app.cancel import Cancelled, CancelToken
from app.errors import AppError, failure_from

_log = logging.getLogger(__name__)

#: Makes a job's generator: it takes the cancel token, yields events and returns the job's result.
JobMaker = Callable[[CancelToken], Generator[Any, None, Any]]


class Job(QObject):
    """One piece of work in a lane, as its owner in the main thread sees it.

    Signals: produced(event) while it runs, then exactly one of finished(result), cancelled(), failed(Failure).
    """

    produced = Signal(object)
    finished = Signal(object)
    cancelled = Signal()
    failed = Signal(object)

    def __init__(self, name: str, make: JobMaker, parent: QObject) -> None:
        super().__init__(parent)
        self.name = name
        self.token = CancelToken()
        self.make: JobMaker | None = make


class _Worker(QObject):
    """Lives in the lane's thread and runs one job at a time.

    Signals: produced(job, event), ended(job, ending, value): ending is finished, cancelled or failed; the value is the
    result, None or a Failure.
    """

    produced = Signal(object, object)
    ended = Signal(object, str, object)

    def __init__(self, close: Callable[[], None] | None) -> None:
        super().__init__()
        self._close = close

    @Slot(object)
    def run(self, job: Job) -> None:
        """Run one job to its single ending."""
        threading.current_thread().name = f"{self.thread().objectName()}: {job.name}"
        ending, value = self._play(job)
        self.ended.emit(job, ending, value)

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
            self.produced.emit(job, event)


class Lane(QObject):
    """Runs jobs one after another in a thread of its own.

    Signals: busy_changed(bool) follows the lane; `_start` and `_finish` speak to the worker.
    """

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
        self._closing = False
        self._thread.start()

    def submit(self, name: str, make: JobMaker) -> Job:
        """Queue a job. It starts when control returns to the event loop, so that its signals can be connected first.

        A job submitted after shutdown has begun never starts.
        """
        job = Job(name, make, self)
        if self._closing:
            job.token.cancel()
            return job
        self._queue.append(job)
        QTimer.singleShot(0, self._next)
        return job

    def cancel(self, job: Job) -> None:
        """Ask a job to end. A queued one ends at once; the running one at its next step or blocked read."""
        job.token.cancel()
        if job in self._queue:
            self._queue.remove(job)
            self._dismiss(job, "cancelled", None)

    def cancel_all(self) -> None:
        """Ask every job to end."""
        for job in [*self._queue, *([self._current] if self._current is not None else [])]:
            self.cancel(job)

    @property
    def busy(self) -> bool:
        """Whether a job runs or waits."""
        return self._current is not None or bool(self._queue)

    @property
    def current_name(self) -> str:
        """The running job's name, empty when idle."""
        return self._current.name if self._current is not None else ""

    def begin_shut_down(self) -> None:
        """Cancel everything and let the thread close what it owns; `shut_down` joins it."""
        if not self._closing:
            self._closing = True
            self.cancel_all()
            self._finish.emit()

    def shut_down(self, wait_ms: int = 3000) -> bool:
        """End and join the thread. False when it did not end in time."""
        self.begin_shut_down()
        ended = self._thread.wait(wait_ms)
        if not ended:
            _log.error("lane %s did not end: %s", self._thread.objectName(), self.current_name)
        return bool(ended)

    @Slot()
    def _next(self) -> None:
        if self._current is not None or not self._queue:
            return
        self._current = self._queue.popleft()
        self.busy_changed.emit(True)
        self._start.emit(self._current)

    @Slot(object, object)
    def _on_produced(self, job: Job, event: object) -> None:
        if not job.token.cancelled:
            job.produced.emit(event)

    @Slot(object, str, object)
    def _on_ended(self, job: Job, ending: str, value: object) -> None:
        self._current = None
        self._dismiss(job, ending, value)
        self._next()
        if self._current is None:
            self.busy_changed.emit(False)

    def _dismiss(self, job: Job, ending: str, value: object) -> None:
        if ending == "finished":
            job.finished.emit(value)
        elif ending == "failed":
            job.failed.emit(value)
        else:
            job.cancelled.emit()
        job.deleteLater()
