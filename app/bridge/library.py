"""The library service: owns the picture of all skills, keeps it fresh by watching, and tells what is being watched."""

import logging
import threading
from collections.abc import Collection, Generator, Iterable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.home_lane import HomeLane
from app.bridge.lane import Job
from app.bridge.live_watch import LiveWatch
from app.bridge.outside import OutsideRecorder
from app.cancel import CancelToken
from app.cycles.home import OpenHome
from app.cycles.start import first_records, install_sample, start_home
from app.cycles.values import Recorded
from app.errors import AppError, Failure
from app.settings import LibrarySettings
from app.skills.names import nfc
from app.skills.scan import rescan, scan
from app.skills.values import Library, Notice, Skill

_log = logging.getLogger(__name__)
_BROKEN_KEY = "library.broken"
_NAMED = 5
#: So long the first look waits for its list to be shown before it goes on, in seconds.
_FILL_S = 1.0


class LibraryService(QObject):
    """Scans once, then follows changes.

    Signals: library_changed(Library); scanning_changed(bool); watching_changed(mode, sentence) with mode `live`,
    `polling` or `off`; recorded(entries) when what others changed was written into the ledger;
    recording_changed(done, total) while a large library is recorded for the first time; noticed(Notice), each
    trouble once; amended(Notice) when a told trouble became smaller, settled(key) when it is over; failed(Failure).
    """

    library_changed = Signal(object)
    scanning_changed = Signal(bool)
    watching_changed = Signal(str, str)
    recorded = Signal(object)
    recording_changed = Signal(int, int)
    noticed = Signal(object)
    amended = Signal(object)
    settled = Signal(str)
    failed = Signal(object)

    def __init__(self, lane: HomeLane, settings: LibrarySettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._settings = settings
        self._library = Library()
        self._watch = LiveWatch(lane, self)
        self._watch.changed.connect(self._on_changed)
        self._watch.all_changed.connect(self.rescan_all)
        self._watch.watching_changed.connect(self.watching_changed)
        self._watch.noticed.connect(self._tell)
        self._watch.settled.connect(self._settle)
        self._watch.failed.connect(self.failed)
        self._outside = OutsideRecorder(lane, self)
        self._watch.watch_lost.connect(self._outside.note_all)
        self._outside.recorded.connect(self._on_recorded)
        self._outside.failed.connect(self.failed)
        self._job: Job | None = None
        self._due_paths: set[Path] = set()
        self._due = self._due_all = False
        self._told: dict[str, Notice] = {}
        self._of_library: frozenset[str] = frozenset()
        self._broken: frozenset[str] = frozenset()
        self._looked_at: frozenset[Path] = frozenset()
        self._before = Library()
        self._shown = False
        self._filled = threading.Event()
        self.rescans = 0

    @property
    def library(self) -> Library:
        """The skills as last seen."""
        return self._library

    @property
    def known(self) -> bool:
        """Whether the library has been seen once."""
        return self._shown

    @property
    def scanning(self) -> bool:
        """Whether the library is being looked at."""
        return self._job is not None

    def start(self) -> None:
        """Make the home ready and scan it for the first time."""
        self._begin("opening the library", self._first)

    def set_settings(self, settings: LibrarySettings) -> None:
        """Use other folders, limits or intervals from now on."""
        self._settings = settings
        self.rescan_all()

    @Slot()
    def rescan_all(self) -> None:
        """Look at everything again (unchanged files are not read again)."""
        self._due_all = True
        self._next()

    @Slot()
    def refresh(self) -> None:
        """The user asks for a fresh look: at everything, and whether live watching is possible by now."""
        self._watch.try_again()
        self.rescan_all()

    @Slot()
    def install_sample(self) -> None:
        """Put the sample library into the home."""
        job = self._lane.ask("installing the sample library", install_sample)
        job.finished.connect(self.rescan_all)
        job.failed.connect(self.failed)

    def rescan(self, paths: Collection[Path]) -> None:
        """Look at these paths and at all sidecars again."""
        self._due_paths.update(paths)
        self._due = True
        self._next()

    def stop(self) -> None:
        """Stop watching; running scans end with the lane."""
        self._watch.stop()
        self._outside.stop()

    def _first(self, home: OpenHome, token: CancelToken) -> Generator[Any, None, Library]:
        before = home.key.last.before(home.home, self._settings)
        library = scan(home.home, self._settings, home.clock, token, before)
        home.key.last.library = library
        yield library
        # While the list is filled, a second thread at work would take half of the time the window has.
        token.on_cancel(self._filled.set)
        self._filled.wait(_FILL_S)
        try:
            yield from first_records(home, token)
        except AppError as error:  # the start's own look records, or says why not
            _log.info("the first recording stopped: %s", error)
        notices = start_home(home)
        yield from notices
        library = home.key.last.library = scan(home.home, self._settings, home.clock, token, library)
        home.keep_look()
        return library

    def _begin(self, name: str, make: Any) -> None:  # noqa: ANN401 - a HomeJob
        self._job = self._lane.work(name, make)
        self._job.produced.connect(self._on_produced)
        self._job.finished.connect(self._on_scanned)
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._on_cancelled)
        self.scanning_changed.emit(True)

    def _next(self) -> None:
        if self._job is not None or not (self._due_all or self._due):
            return
        paths, everything = frozenset(self._due_paths), self._due_all
        self._due_paths.clear()
        self._due = self._due_all = False
        before, settings = self._library, self._settings
        self._before, self._looked_at = before, paths

        def look(home: OpenHome, token: CancelToken) -> Generator[Any, None, Library]:
            yield from ()
            if everything:
                found = scan(home.home, settings, home.clock, token, before)
            else:
                found = rescan(before, home.home, settings, home.clock, paths)
            home.key.last.library = found
            return found

        self._begin("looking at changes", look)

    @Slot(object)
    def _on_produced(self, event: object) -> None:
        if isinstance(event, Library):
            self._show(event)
            self._filled.set()
        elif isinstance(event, Notice):
            self._tell(event)
        elif isinstance(event, Recorded):
            self.recording_changed.emit(event.done, event.total)

    @Slot(object)
    def _on_scanned(self, library: object) -> None:
        self._job = None
        self.rescans += 1
        if isinstance(library, Library):
            self._show(library)
            if self.rescans > 1:  # the first look compared everything itself
                self._note_outside(self._before, library)
        self.scanning_changed.emit(False)
        self._watch.follow(self._library, self._settings)
        self._next()

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self._job = None
        self.scanning_changed.emit(False)
        self.failed.emit(failure)
        self._watch.follow(self._library, self._settings)
        self._next()

    @Slot()
    def _on_cancelled(self) -> None:
        self._job = None
        self.scanning_changed.emit(False)

    @Slot(object)
    def _on_changed(self, paths: frozenset[Path]) -> None:
        self.rescan(paths)

    @Slot(object)
    def _on_recorded(self, entries: object) -> None:
        self.recorded.emit(entries)
        self.rescan(())

    def _show(self, library: Library) -> None:
        self._tell_all(library.notices)
        self._tell_broken(library.skills)
        if library == self._library and self._shown:
            return
        self._shown = True
        self._library = library
        self.library_changed.emit(library)

    def _note_outside(self, before: Library, after: Library) -> None:
        """Have the ledger told about the skills whose files changed, came or went."""
        paths, self._looked_at = self._looked_at, frozenset()
        old = {skill.id: skill for skill in before.skills}
        new = [skill for skill in after.skills if old.get(skill.id) is not skill]
        differing = {skill.id for skill in new if _content(skill) != _content(before.get(skill.id))}
        gone = {skill_id for skill_id in old if after.get(skill_id) is None}
        root = next((skill.root for skill in after.skills if skill.in_home), None)
        inside = [path for path in paths if root is not None and path.is_relative_to(root)]
        parts = {nfc(parent.as_posix()) for path in inside for parent in _below(root, path)}
        touched = {part for part in parts if after.get(part) is not None or part in old}
        self._outside.note(touched | differing | gone, gone=bool(gone))

    def _tell_all(self, notices: Iterable[Notice]) -> None:
        now = {notice.key: notice for notice in notices}
        for key in [key for key in self._told if key in self._of_library and key not in now]:
            self._settle(key)
        self._of_library = frozenset(now)
        for notice in now.values():
            self._tell(notice)

    def _tell_broken(self, skills: Iterable[Skill]) -> None:
        """All broken skills are one notice; only a newly broken one brings it back."""
        broken = sorted(skill.id for skill in skills if skill.broken)
        before, self._broken = self._broken, frozenset(broken)
        if self._broken == before:
            return
        if not broken:
            self._settle(_BROKEN_KEY)
            return
        names = ", ".join(broken[:_NAMED]) + (f" and {len(broken) - _NAMED} more" if len(broken) > _NAMED else "")
        title = f"{len(broken)} skills cannot be used" if len(broken) > 1 else "One skill cannot be used"
        notice = Notice(_BROKEN_KEY, title, f"{names}. Open one to see the line and the reason.")
        if self._broken - before:
            self._told.pop(_BROKEN_KEY, None)
            self._tell(notice)
        else:
            self._told[_BROKEN_KEY] = notice
            self.amended.emit(notice)

    @Slot(object)
    def _tell(self, notice: Notice) -> None:
        if self._told.get(notice.key) != notice:
            self._told[notice.key] = notice
            self.noticed.emit(notice)

    @Slot(str)
    def _settle(self, key: str) -> None:
        if self._told.pop(key, None) is not None:
            self.settled.emit(key)


def _below(root: Path | None, path: Path) -> tuple[Path, ...]:
    """A path below the root and the folders it lies in, down from the root."""
    relative = path.relative_to(root) if root is not None else path
    return (relative, *relative.parents)


def _content(skill: Skill | None) -> tuple[object, ...]:
    """What tells from a row that a skill's files differ."""
    return () if skill is None else (skill.body_hash, skill.modified_at, skill.size, skill.file_count, skill.folder)
