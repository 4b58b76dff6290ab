"""Records what other programs did to the library soon after it was seen, as entries of the ledger.

A program that keeps writing must not fill the ledger, so the record waits until a skill has rested.
"""

import time
from collections.abc import Collection

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.bridge.home_lane import HomeLane
from app.bridge.lane import Job
from app.cycles.home import OpenHome
from app.cycles.start import record_outside
from app.errors import Failure

_REST_MS = 1_500
_SOON_MS = 200
_LONGEST_S = 20.0


class OutsideRecorder(QObject):
    """Collects ids of skills that changed on disk.

    Signals: recorded(Entry) when the ledger has a new entry; failed(Failure).
    """

    recorded = Signal(object)
    failed = Signal(object)

    def __init__(self, lane: HomeLane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._job: Job | None = None
        self._ids: set[str] = set()
        self._all = False
        self._soon = False
        self._first: float | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._record)

    def note(self, ids: Collection[str], *, gone: bool = False) -> None:
        """These skills changed on disk, or came, or went.

        With `gone` it is recorded almost at once: a renamed folder is only known again while its content is the same.
        """
        self._ids.update(ids)
        if ids:
            self._arm(_SOON_MS if gone else _REST_MS)

    @Slot()
    def note_all(self) -> None:
        """Changes may have gone unseen: compare everything."""
        self._all = True
        self._arm(_REST_MS)

    def stop(self) -> None:
        """Record nothing more; the next start compares everything."""
        self._timer.stop()

    def _arm(self, rest: int) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = now
        left = int((self._first + _LONGEST_S - now) * 1000)
        self._soon = self._soon or rest == _SOON_MS
        self._timer.start(max(0, min(_SOON_MS if self._soon else rest, left)))

    @Slot()
    def _record(self) -> None:
        if self._job is not None:
            self._timer.start(_REST_MS)
            return
        ids = None if self._all else frozenset(self._ids)
        self._ids.clear()
        self._all, self._soon, self._first = False, False, None

        def question(home: OpenHome) -> object:
            return ids, record_outside(home, ids)

        self._job = self._lane.ask("recording outside changes", question)
        self._job.finished.connect(self._on_recorded)
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._on_cancelled)

    @Slot(object)
    def _on_recorded(self, answer: tuple[frozenset[str] | None, object]) -> None:
        self._job = None
        ids, found = answer
        if found is None:  # somebody else writes just now
            self._all = self._all or ids is None
            self._ids.update(ids or ())
            self._arm(_REST_MS)
        elif found:
            self.recorded.emit(found)

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self._job = None
        self.failed.emit(failure)

    @Slot()
    def _on_cancelled(self) -> None:
        self._job = None
