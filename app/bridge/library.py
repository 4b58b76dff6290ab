"""The library service: owns the picture of all skills, keeps it fresh by watching, and tells what is being watched."""

from collections.abc import Collection, Generator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.home_lane import HomeLane
from app.bridge.lane import Job
from app.bridge.watch import MOST_LINKED, Root
from app.bridge.watcher import Watcher
from app.cancel import CancelToken
from app.cycles.home import OpenHome
from app.cycles.start import install_sample, start_home
from app.errors import Failure
from app.settings import LibrarySettings
from app.skills.scan import rescan, scan
from app.skills.values import Library, Notice


class LibraryService(QObject):
    """Scans once, then follows changes.

    Signals: library_changed(Library); scanning_changed(bool); watching_changed(mode, sentence) with mode `live`,
    `polling` or `off`; noticed(Notice), each trouble once; failed(Failure).
    """

    library_changed = Signal(object)
    scanning_changed = Signal(bool)
    watching_changed = Signal(str, str)
    noticed = Signal(object)
    failed = Signal(object)

    def __init__(self, lane: HomeLane, settings: LibrarySettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._settings = settings
        self._library = Library()
        self._watcher = Watcher(self)
        self._watcher.changed.connect(self._on_changed)
        self._watcher.all_changed.connect(self.rescan_all)
        self._watcher.root_back.connect(self._on_root_back)
        self._job: Job | None = None
        self._watch_job: Job | None = None
        self._due_paths: set[Path] = set()
        self._due_all = False
        self._told: set[str] = set()
        self._watched: tuple[Root, ...] = ()
        self.rescans = 0

    @property
    def library(self) -> Library:
        """The skills as last seen."""
        return self._library

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
    def install_sample(self) -> None:
        """Put the sample library into the home."""
        job = self._lane.ask("installing the sample library", install_sample)
        job.finished.connect(self.rescan_all)
        job.failed.connect(self.failed)

    def rescan(self, paths: Collection[Path]) -> None:
        """Look at these paths again."""
        self._due_paths.update(paths)
        self._next()

    def stop(self) -> None:
        """Stop watching; running scans end with the lane."""
        self._watcher.stop()

    def _first(self, home: OpenHome, token: CancelToken) -> Generator[Any, None, Library]:
        library = scan(home.home, self._settings, home.clock, token)
        yield library
        notices = start_home(home)
        yield from notices
        return scan(home.home, self._settings, home.clock, token, library)

    def _begin(self, name: str, make: Any) -> None:  # noqa: ANN401 - a HomeJob
        self._job = self._lane.work(name, make)
        self._job.produced.connect(self._on_produced)
        self._job.finished.connect(self._on_scanned)
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._on_cancelled)
        self.scanning_changed.emit(True)

    def _next(self) -> None:
        if self._job is not None or not (self._due_all or self._due_paths):
            return
        paths, everything = frozenset(self._due_paths), self._due_all
        self._due_paths.clear()
        self._due_all = False
        before, settings = self._library, self._settings

        def look(home: OpenHome, token: CancelToken) -> Generator[Any, None, Library]:
            yield from ()
            if everything:
                return scan(home.home, settings, home.clock, token, before)
            return rescan(before, home.home, settings, home.clock, paths)

        self._begin("looking at changes", look)

    @Slot(object)
    def _on_produced(self, event: object) -> None:
        if isinstance(event, Library):
            self._show(event)
        elif isinstance(event, Notice):
            self._tell(event)

    @Slot(object)
    def _on_scanned(self, library: object) -> None:
        self._job = None
        self.rescans += 1
        if isinstance(library, Library):
            self._show(library)
        self.scanning_changed.emit(False)
        self._watch()
        self._next()

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self._job = None
        self.scanning_changed.emit(False)
        self.failed.emit(failure)
        self._watch()
        self._next()

    @Slot()
    def _on_cancelled(self) -> None:
        self._job = None
        self.scanning_changed.emit(False)

    @Slot(object)
    def _on_changed(self, paths: frozenset[Path]) -> None:
        self.rescan(paths)

    @Slot()
    def _on_root_back(self) -> None:
        self._watched = ()
        self.rescan_all()

    def _show(self, library: Library) -> None:
        for notice in library.notices:
            self._tell(notice)
        self._told &= {notice.key for notice in library.notices} | {
            key for key in self._told if key.startswith("start")
        }
        if library == self._library:
            return
        self._library = library
        self._watcher.set_folders(frozenset(skill.folder for skill in library.skills))
        self.library_changed.emit(library)

    def _tell(self, notice: Notice) -> None:
        if notice.key not in self._told:
            self._told.add(notice.key)
            self.noticed.emit(notice)

    def _watch(self) -> None:
        """Watch the roots and linked skills of the present picture, unless exactly these are watched already."""

        def roots(home: OpenHome, token: CancelToken) -> Generator[Any, None, tuple[tuple[Root, ...], str]]:
            yield from ()
            wanted, missing = _roots(home.home.skills, self._settings, self._library)
            yield from missing
            if wanted == self._watched:
                return wanted, ""
            probe = home.home.journal if home.home.skills.is_dir() else None
            return wanted, self._watcher.watch.start(wanted, probe, token)

        if self._watch_job is not None:
            return
        self._watch_job = self._lane.work("watching", roots)
        self._watch_job.produced.connect(self._on_missing)
        self._watch_job.finished.connect(self._on_watching)
        self._watch_job.failed.connect(self._on_watch_failed)
        self._watch_job.cancelled.connect(self._on_watch_ended)

    @Slot(object)
    def _on_missing(self, path: Path) -> None:
        self._watcher.expect_root(path)

    @Slot(object)
    def _on_watching(self, result: tuple[tuple[Root, ...], str]) -> None:
        self._watch_job = None
        roots, reason = result
        if roots == self._watched:
            return
        self._watched = roots
        if reason:
            self._watcher.start_polling(self._settings.poll_seconds)
            text = f"{reason} The library is looked at every {self._settings.poll_seconds:g} seconds instead."
            self.watching_changed.emit("polling", text)
            self._tell(Notice("watch.polling", "Live watching is limited", text))
        else:
            self._watcher.stop_polling()
            self.watching_changed.emit("live" if roots else "off", "")

    @Slot(object)
    def _on_watch_failed(self, failure: Failure) -> None:
        self._watch_job = None
        self.failed.emit(failure)

    @Slot()
    def _on_watch_ended(self) -> None:
        self._watch_job = None


def _roots(home_skills: Path, settings: LibrarySettings, library: Library) -> tuple[tuple[Root, ...], list[Path]]:
    """Roots that can be watched, each real folder once, then linked skills' real places; and roots that are missing."""
    found: dict[Path, Root] = {}
    missing = []
    for shown in (home_skills, *(Path(folder).expanduser() for folder in settings.folders)):
        real = shown.resolve()
        if not real.is_dir():
            missing.append(shown)
        elif not any(real.is_relative_to(other) for other in found):
            found[real] = Root(shown, real)
    links = 0
    for skill in library.skills:
        if skill.real is None or links >= MOST_LINKED:
            continue
        real = skill.real if skill.real.is_dir() else skill.real.parent
        if real.is_dir() and not any(real.is_relative_to(other) for other in found):
            found[real] = Root(skill.folder, real, linked=True)
            links += 1
    return tuple(found.values()), missing
