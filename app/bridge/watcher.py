"""The live watcher as the window's services see it: settled batches of paths, or the honest word that it polls."""

import os
import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.bridge.settle import Settle
from app.bridge.watch import Watch


class Watcher(QObject):
    """Turns raw changes into settled batches in the main thread.

    Signals: changed(frozenset of paths) for settled skills; all_changed() when everything must be looked at again
    (overflow, a lost root, polling); root_lost(path) when a watched root vanished; root_back() when it can be watched
    again.
    """

    changed = Signal(object)
    all_changed = Signal()
    root_lost = Signal(str)
    root_back = Signal()
    _woken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.watch = Watch(self._woken.emit)
        self._settle = Settle()
        self._folders: frozenset[Path] = frozenset()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._flush)
        self._poll = QTimer(self)
        self._poll.timeout.connect(self._on_poll)
        self._absent: dict[Path, tuple[int, int] | None] = {}
        self._look = QTimer(self)
        self._look.setInterval(2000)
        self._look.timeout.connect(self._look_for_roots)
        self._woken.connect(self._on_woken)

    def set_folders(self, folders: frozenset[Path]) -> None:
        """Tell which folders are skills, so that a change settles per skill."""
        self._folders = folders

    def start_polling(self, seconds: float) -> None:
        """Look at everything at this interval, because live watching is not possible."""
        self._poll.start(int(seconds * 1000))

    def stop_polling(self) -> None:
        """Live watching works (again)."""
        self._poll.stop()

    @property
    def polling(self) -> bool:
        """Whether the library is looked at by interval instead of live."""
        return self._poll.isActive()

    def expect_root(self, root: Path) -> None:
        """Look for a missing root until it is there (again)."""
        self._absent[root] = None
        self._look.start()

    def stop(self) -> None:
        """End timers and the observer's threads."""
        for timer in (self._timer, self._poll, self._look):
            timer.stop()
        self.watch.stop()

    @Slot()
    def _on_woken(self) -> None:
        changes = self.watch.take()
        for root in changes.lost:
            self.expect_root(root)
            self.root_lost.emit(str(root))
        if changes.overflow or changes.lost:
            self._settle.clear()
            self.all_changed.emit()
            return
        self._settle.add(changes.paths, self._folders, time.monotonic())
        self._arm()

    @Slot()
    def _flush(self) -> None:
        # What arrived since the last look belongs to this batch or the next, never to nobody.
        changes = self.watch.take()
        self._settle.add(changes.paths, self._folders, time.monotonic())
        if changes.overflow:
            self._settle.clear()
            self.all_changed.emit()
            return
        ready = self._settle.take(time.monotonic())
        if ready:
            self.changed.emit(ready)
        self._arm()

    def _arm(self) -> None:
        due = self._settle.next_due(time.monotonic())
        if due is not None:
            self._timer.start(int(due * 1000) + 1)

    @Slot()
    def _on_poll(self) -> None:
        self.all_changed.emit()

    @Slot()
    def _look_for_roots(self) -> None:
        back = [root for root in self._absent if os.path.isdir(root)]  # noqa: PTH112 - follows links, one call
        for root in back:
            del self._absent[root]
        if not self._absent:
            self._look.stop()
        if back:
            self.root_back.emit()
