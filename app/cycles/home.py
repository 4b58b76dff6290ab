"""Opens a home for one thread: everything a door, a lane or a command needs, built once and handed down."""

import logging
import os
import tomllib
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from app.agent.prompt import build_system, catalogue
from app.agent.values import Catalogue
from app.clock import Clock, system_clock
from app.cycles.running import any_turn_running
from app.database import Database
from app.errors import AppError, Kind
from app.history.store import History
from app.locks import HomeLock
from app.memory.manager import MemoryWriter
from app.memory.provider import MemoryReader
from app.paths import Home, resources_dir
from app.proposals.recovery import settle_all
from app.proposals.store import ProposalStore
from app.sessions.counters import Counters
from app.sessions.schema import MIGRATIONS
from app.sessions.store import SessionStore
from app.settings import Settings, load_settings, settings_from
from app.skills.edit import Door
from app.skills.file_mentions import FileMentions
from app.skills.last_look import LastLook
from app.skills.live import LivePlace
from app.skills.scan import scan
from app.skills.values import Library

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HomeKey:
    """What all threads of one process share: the home's place, its lock, the clock and the last look at the library.

    `rescues` are sentences about a damaged database, from whichever thread opened it first.
    """

    home: Home
    lock: HomeLock
    clock: Clock
    last: LastLook = field(default_factory=LastLook)
    rescues: list[str] = field(default_factory=list)


def home_key(root: Path, clock: Clock) -> HomeKey:
    """The shared part of a home at `root`; the folder is made when it is missing. Raises AppError(STORAGE)."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        # It has to be read and gone through; else one of its files would be blamed. (A Path would drop the dot.)
        os.scandir(f"{root}{os.sep}{os.curdir}").close()
    except OSError as error:
        text = f"{root} cannot be a home: {error.strerror}. Change its permissions, or name another folder with --home."
        raise AppError(Kind.STORAGE, "No home there", text) from error
    home = Home(root)
    return HomeKey(home, HomeLock(home.lock), clock)


class OpenHome:
    """A home opened in one thread. Connection and repository are made at first use and closed by `close`."""

    def __init__(self, key: HomeKey, settings: Settings | None = None) -> None:
        self.key = key
        self.home = key.home
        self.clock = key.clock
        self.lock = key.lock
        self.settings = settings or read_settings(key.home)

    @cached_property
    def history(self) -> History:
        """The ledger and everything it keeps."""
        return History(self.home.history, self.clock)

    @cached_property
    def database(self) -> Database:
        """Sessions and search."""
        used = self.home.trajectories.is_dir()  # the first turn makes it, so conversations were stored here before
        database = Database(self.home.database, MIGRATIONS, expected=used, clock=self.clock)
        if database.rescue is not None:
            self.key.rescues.append(database.rescue.text)
        self._mark_interrupted(database)
        return database

    def _mark_interrupted(self, database: Database) -> None:
        """Say of answers that a killed program left streaming that they were interrupted."""
        store = SessionStore(database, self.clock, self.settings.search.engine)
        if database.read_only or not store.unfinished() or any_turn_running(self.home):
            return
        with suppress(AppError):  # another process writes just now: the next one that looks does it
            store.mark_interrupted()

    @property
    def rescued(self) -> str:
        """What was wrong with the database when it was opened, in a sentence; empty when it was well or not opened."""
        rescue = self.database.rescue if "database" in self.__dict__ else None
        return rescue.text if rescue is not None else ""

    @cached_property
    def sessions(self) -> SessionStore:
        """The conversations."""
        return SessionStore(self.database, self.clock, self.settings.search.engine)

    @cached_property
    def counters(self) -> Counters:
        """Small numbers per session."""
        return Counters(self.database)

    @cached_property
    def live(self) -> LivePlace:
        """The library as the door writes it."""
        return LivePlace(self.home, self.history, self.lock, self.settings, self.clock, self.key.last)

    @cached_property
    def file_mentions(self) -> FileMentions:
        """What the further Markdown files of skills name; what was read is remembered."""
        return FileMentions()

    @cached_property
    def door(self) -> Door:
        """The one door for changes to skills."""
        return Door(self.live, self.clock)

    @cached_property
    def memory(self) -> MemoryReader:
        """What is remembered."""
        return MemoryReader(self.home, self.settings.memory)

    @cached_property
    def memory_writer(self) -> MemoryWriter:
        """How memory changes."""
        return MemoryWriter(self.home, self.history, self.lock, self.settings.memory, self.clock)

    @cached_property
    def proposals(self) -> ProposalStore:
        """What waits for a decision."""
        return ProposalStore(self.history, self.clock, self.lock)

    def library(self) -> Library:
        """The skills as they stand now, also beside a history that cannot be opened."""
        try:
            live = self.live
        except AppError as error:  # told at the start; looking needs no history
            _log.info("looking without a history: %s", error)
            before = self.key.last.before(self.home, self.settings.library)
            library = self.key.last.library = scan(self.home, self.settings.library, self.clock, previous=before)
            return library
        return live.library()

    def opened_library(self) -> Library:
        """The skills as opening the home for a command has just seen them; a look where it did not need one."""
        return self.key.last.library or self.library()

    def keep_look(self) -> None:
        """Keep what was read of the skills for the next process, in the scan cache; never on the main thread.

        With a clock that is played nothing is kept: it cannot tell which files are too young to be trusted.
        """
        if self.clock is system_clock:
            self.key.last.keep(self.home)

    def settle_proposals(self) -> tuple[str, ...]:
        """Mark as applied what a crash left between applying and marking."""
        return settle_all(self.proposals)

    def reload_settings(self) -> None:
        """Read the settings again, after another thread changed them; what was built with the old ones is rebuilt."""
        self.settings = read_settings(self.home)
        for name in ("live", "door", "memory", "memory_writer"):
            self.__dict__.pop(name, None)

    def catalogue(self, task_text: str = "", budget: int | None = None) -> Catalogue:
        """The skills a model is told about: live, enabled, un-shadowed; shortened by relevance beyond the budget."""
        offered = [
            (skill.name, skill.description)
            for skill in self.library().skills
            if skill.live and skill.enabled and skill.shadowed_by is None
        ]
        return catalogue(offered, budget or self.settings.library.catalogue_chars, task_text)

    def system_prompt(self, task_text: str = "") -> str:
        """The system prompt a new session freezes: identity, memory, catalogue."""
        identity = (resources_dir() / "prompts" / "identity.md").read_text(encoding="utf-8")
        return build_system(identity, self.memory.snapshot_text(), self.catalogue(task_text).text)

    def close(self) -> None:
        """Close what was opened, and keep what was read of the skills."""
        self.keep_look()
        if "database" in self.__dict__:
            self.database.close()
        if "history" in self.__dict__:
            self.history.close()


def read_settings(home: Home) -> Settings:
    """The home's settings. A Hermes home's own thresholds and disabled skills count where `melete.toml` is silent."""
    settings = load_settings(home.settings)
    if not home.is_hermes:
        return settings
    values = _hermes_values(home.hermes_config)
    for section, given in _written(home.settings).items():
        values[section] = {**values.get(section, {}), **given} if isinstance(given, dict) else given
    return replace(settings_from(values), problems=settings.problems)


def _written(path: Path) -> dict[str, Any]:
    """What `melete.toml` says; nothing when it is missing or cannot be read (load_settings tells why)."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}


def _hermes_values(path: Path) -> dict[str, Any]:
    """Thresholds from a Hermes agent's `config.yaml`; the schedule stays off until the user switches it on."""
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        data = None
    given = data.get("curator") if isinstance(data, dict) else None
    known = ("interval_hours", "min_idle_hours", "stale_after_days", "archive_after_days")
    curator = {key: given[key] for key in known if key in given} if isinstance(given, dict) else {}
    skills = data.get("skills") if isinstance(data, dict) else None
    disabled = skills.get("disabled") if isinstance(skills, dict) else None
    library = {"disabled": disabled} if isinstance(disabled, list) else {}
    return {"curator": curator | {"enabled": False}, "library": library}
