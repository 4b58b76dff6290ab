"""Keeps the right folders watched while the library changes, and says honestly what is watched and what is polled."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.home_lane import HomeLane
from app.bridge.lane import Job
from app.bridge.watch import Watching
from app.bridge.watch_roots import Wanted, wanted_roots
from app.bridge.watcher import Watcher
from app.cancel import CancelToken
from app.cycles.home import OpenHome
from app.errors import Failure
from app.settings import LibrarySettings
from app.skills.values import Library, Notice

POLLING_KEY = "watch.polling"
MISSING_KEY = "watch.library-missing"

#: The skills' folders, what should be watched, and what came of it; None when exactly that was watched already.
_Started = tuple[frozenset[Path], Wanted, Watching | None]


class LiveWatch(QObject):
    """Watches the roots and linked skills of the present library.

    Signals: changed(frozenset of paths) for settled or polled folders; all_changed() when everything must be looked at
    again; watch_lost() when changes may have gone unseen; watching_changed(mode, sentence) with mode `live`, `polling`
    or `off`; noticed(Notice) and settled(key) as trouble comes and goes; failed(Failure).
    """

    changed = Signal(object)
    all_changed = Signal()
    watch_lost = Signal()
    watching_changed = Signal(str, str)
    noticed = Signal(object)
    settled = Signal(str)
    failed = Signal(object)

    def __init__(self, lane: HomeLane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._watcher = Watcher(self)
        self._watcher.changed.connect(self.changed)
        self._watcher.polled.connect(self.changed)
        self._watcher.all_changed.connect(self.watch_lost)
        self._watcher.all_changed.connect(self.all_changed)
        self._watcher.root_lost.connect(self._on_lost)
        self._watcher.root_back.connect(self._on_back)
        self._job: Job | None = None
        self._wanted: Wanted | None = None
        self._anew = True
        self._watching = Watching()
        self._again: tuple[Library, LibrarySettings] | None = None

    def follow(self, library: Library, settings: LibrarySettings) -> None:
        """Watch what this library consists of, unless exactly that is watched already."""
        if self._job is not None:
            self._again = (library, settings)
            return
        before = None if self._anew else self._wanted
        self._anew = False

        def start(home: OpenHome, token: CancelToken) -> Generator[Any, None, _Started]:
            yield from ()
            folders = frozenset(skill.folder for skill in library.skills)
            wanted = wanted_roots(home.home, settings, library)
            if before is not None and wanted.live == before.live:
                return folders, wanted, None
            probe = home.home.journal if home.home.skills.is_dir() else None
            return folders, wanted, self._watcher.watch.start(wanted.live, probe, token)

        self._job = self._lane.work("watching", start)
        self._job.finished.connect(self._on_started)
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._on_cancelled)

    def try_again(self) -> None:
        """Try live watching again at the next look, where it was not possible before."""
        if self._watcher.polling:
            self._anew = True

    def stop(self) -> None:
        """End timers and the observer's threads."""
        self._watcher.stop()

    @Slot(object)
    def _on_started(self, result: _Started) -> None:
        self._job = None
        before, (folders, self._wanted, started) = self._wanted, result
        self._watcher.set_folders(folders)
        if started is not None:
            self._watching = started
        if started is not None or self._wanted != before:
            self._tell(self._wanted, self._watching)
            self._watcher.expect_roots(frozenset(self._wanted.missing), self._wanted.library)
            self._tell_missing(self._wanted)
        if started is not None and self._wanted.live != started.polled:
            self.all_changed.emit()  # what changed between the look and the watch was not seen by either
        self._next()

    def _tell(self, wanted: Wanted, watching: Watching) -> None:
        polled = (*watching.polled, *wanted.polled)
        self._watcher.poll(frozenset(root.shown for root in polled), wanted.poll_seconds)
        text = f"{watching.reason} " if watching.reason else ""
        every = f"every {wanted.poll_seconds:g} seconds"
        if watching.polled and len(watching.polled) == len(wanted.live):
            text += f"The library is looked at {every} instead."
            self.watching_changed.emit("polling", text)
            self.noticed.emit(Notice(POLLING_KEY, "Live watching is limited", text))
            return
        self.settled.emit(POLLING_KEY)
        if polled:
            names = ", ".join(str(root.shown) for root in polled[:3])
            more = f" and {len(polled) - 3} more" if len(polled) > 3 else ""
            text += f"{names}{more}: looked at {every}."
        self.watching_changed.emit("live" if wanted.live else "off", text)

    def _tell_missing(self, wanted: Wanted) -> None:
        if wanted.library in wanted.missing:
            text = (
                f"{wanted.library} is not there. It is looked for until it is back; nothing is written there meanwhile."
            )
            self.noticed.emit(Notice(MISSING_KEY, "The library's folder is missing", text))
        else:
            self.settled.emit(MISSING_KEY)

    def _next(self) -> None:
        again, self._again = self._again, None
        if again is not None:
            self.follow(*again)

    @Slot()
    def _on_lost(self) -> None:
        self._anew = True

    @Slot()
    def _on_back(self) -> None:
        self._anew = True
        self.watch_lost.emit()
        self.all_changed.emit()

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self._job = None
        self.failed.emit(failure)

    @Slot()
    def _on_cancelled(self) -> None:
        self._job = None
