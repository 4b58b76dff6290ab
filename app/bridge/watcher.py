"""The live watcher as the window's services see it: settled batches of paths, or the honest word that it polls."""

import os
import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.bridge.settle import Settle
from app.bridge.watch import Watch

#: How often a missing root is looked for, the library's own and further ones.
OWN_ROOT_MS = 2_000
OTHER_ROOT_MS = 30_000


class Watcher(QObject):
    """Turns raw changes into settled batches in the main thread.

    Signals: changed(frozenset of paths) for settled skills; polled(frozenset of paths) when it is time to look at what
    is not watched live; all_changed() when everything must be looked at again (overflow, a lost root); root_lost() when
    a watched root has gone; root_back() when a missing root is there (again).
    """

    changed = Signal(object)
    polled = Signal(object)
    all_changed = Signal()
    root_lost = Signal()
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
        self._polled: frozenset[Path] = frozenset()
        self._absent: set[Path] = set()
        self._look = QTimer(self)
        self._look.timeout.connect(self._look_for_roots)
        self._woken.connect(self._on_woken)

    def set_folders(self, folders: frozenset[Path]) -> None:
        """Tell which folders are skills, so that a change settles per skill."""
        self._folders = folders

    def poll(self, folders: frozenset[Path], seconds: float) -> None:
        """Have these folders looked at by interval, because they cannot be watched live; none ends it."""
        self._polled = folders
        if folders:
            self._poll.start(int(seconds * 1000))
        else:
            self._poll.stop()

    @property
    def polling(self) -> bool:
        """Whether something is looked at by interval instead of live."""
        return self._poll.isActive()

    def expect_roots(self, roots: frozenset[Path], home_skills: Path) -> None:
        """Look for these missing roots until one is there (again): the home's own every two seconds, others rarely."""
        self._absent = set(roots)
        if self._absent:
            self._look.start(OWN_ROOT_MS if home_skills in self._absent else OTHER_ROOT_MS)
        else:
            self._look.stop()

    def stop(self) -> None:
        """End timers and the observer's threads."""
        for timer in (self._timer, self._poll, self._look):
            timer.stop()
        self.watch.stop()

    @Slot()
    def _on_woken(self) -> None:
        changes = self.watch.take()
        if changes.lost:
            self.root_lost.emit()
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
        if changes.lost:
            self.root_lost.emit()
        if changes.overflow or changes.lost:
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
        self.polled.emit(self._polled)

    @Slot()
    def _look_for_roots(self) -> None:
        if any(os.path.isdir(root) for root in self._absent):  # noqa: PTH112 - follows links, one call
            self._look.stop()
            self.root_back.emit()
