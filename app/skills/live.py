"""The live library as a place for the door: writes through the journal, knows what other programs did meanwhile."""

from collections.abc import Collection
from contextlib import AbstractContextManager
from pathlib import Path

from app.clock import Clock
from app.errors import AppError, Kind
from app.history.log import moves_of
from app.history.store import History
from app.history.values import Entry, Snapshot
from app.locks import HomeLock
from app.paths import Home
from app.settings import Settings
from app.skills.carry import folders_of
from app.skills.content import read_content
from app.skills.journal import Journal
from app.skills.last_look import LastLook
from app.skills.outside import Observer
from app.skills.plan import Plan
from app.skills.scan import rescan, scan
from app.skills.values import Library, Skill


class LivePlace:
    """One home's library. One object per thread, like its history; the lock is the home's only one.

    With a `last` look that threads share, each begins where another one ended instead of reading everything again.
    """

    def __init__(
        self,
        home: Home,
        history: History,
        lock: HomeLock,
        settings: Settings,
        clock: Clock,
        last: LastLook | None = None,
    ) -> None:
        self._home = home
        self._history = history
        self._lock = lock
        self._settings = settings
        self._clock = clock
        self._journal = Journal(home, history, lock)
        self._library: Library | None = None
        self._looked = False
        self._last = last or LastLook()

    @property
    def home(self) -> Home:
        """The home whose skills these are."""
        return self._home

    @property
    def history(self) -> History:
        """The ledger everything is recorded in."""
        return self._history

    @property
    def journal(self) -> Journal:
        """The journal, for questions about an interrupted action."""
        return self._journal

    @property
    def is_draft(self) -> bool:
        """This is the real thing."""
        return False

    @property
    def min_age_days(self) -> float:
        """From the settings; nothing below zero."""
        return max(self._settings.curator.min_age_days, 0.0)

    @property
    def file_limit(self) -> int:
        """From the settings, in bytes."""
        return int(self._settings.library.file_limit_mb * 1_000_000)

    def use_settings(self, settings: Settings) -> None:
        """Take over changed settings."""
        self._settings = settings
        self._library = None

    def hold(self, purpose: str) -> AbstractContextManager[None]:
        """The home's lock."""
        return self._lock.hold(purpose)

    def library(self) -> Library:
        """The skills as they stand on disk now; unchanged ones are not read again.

        Right after `observe` and `commit` the look they took is handed out: it is as new as one could be.
        """
        if self._looked and self._library is not None:
            self._looked = False
            return self._library
        before = self._last.before(self._home, self._settings.library) or self._library
        return self._keep(scan(self._home, self._settings.library, self._clock, previous=before))

    def changed(self, folders: Collection[Path]) -> Library:
        """The library with only these folders looked at again."""
        if self._library is None:
            return self.library()
        return self._keep(rescan(self._library, self._home, self._settings.library, self._clock, folders))

    def files(self, skill_id: str) -> Snapshot | None:
        """What a skill of the home holds on disk now, None when there is none. Raises AppError(STORAGE)."""
        skill = self._row(self._library, skill_id) or self._row(self.library(), skill_id)
        try:
            return None if skill is None else read_content(skill, self.file_limit).files
        except AppError as error:
            if error.kind is Kind.NOT_FOUND:
                return None
            raise

    def _keep(self, library: Library) -> Library:
        self._library = self._last.library = library
        return library

    @staticmethod
    def _row(library: Library | None, skill_id: str) -> Skill | None:
        rows = library.skills if library is not None else ()
        return next((one for one in rows if one.in_home and one.id == skill_id), None)

    def observe(self, ids: Collection[str]) -> None:
        """Record what other programs changed in these skills."""
        self.observe_outside(ids)
        self._looked = True

    def observe_outside(self, ids: Collection[str] | None = None) -> list[Entry]:
        """Record what other programs changed, in these skills or in all (at start, after a lost watch).

        Returns the new entry, or nothing when the folders are as the history knows them.
        """
        with self.hold("recording outside changes"):
            observer = Observer(self._home, self._history, self.file_limit, self._clock())
            self._looked = False
            entry = observer.record(self.library(), ids)
            if entry is not None:
                self.changed([])  # moved folders took their records along
            return [] if entry is None else [entry]

    def came_from(self, archived_id: str) -> str | None:
        """Where an archived skill was before, as the ledger knows it."""
        for entry in self._history.entries(skill=archived_id):
            for old, new in moves_of(entry):
                if new == archived_id:
                    return old
        return None

    def commit(self, plan: Plan) -> str:
        """Carry a plan out through the journal; returns the entry's id."""
        entry = self._journal.run(plan)
        self.changed(folders_of(self._home, plan))
        self._looked = True
        return entry.id
