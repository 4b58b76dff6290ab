"""All services and lanes of one window, built in one place and ended in one place."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from app.bridge.chat import ChatService, ProviderMaker
from app.bridge.curator import CuratorService, IdleClock
from app.bridge.exchange import ExchangeService
from app.bridge.graph import GraphService
from app.bridge.home_lane import HomeLane
from app.bridge.lane import Job
from app.bridge.library import LibraryService
from app.bridge.memory import MemoryService
from app.bridge.model import ModelMaker, ModelService
from app.bridge.preferences import Preferences
from app.bridge.proposals import ProposalService
from app.bridge.review import ReviewService
from app.bridge.revising import RevisingService
from app.bridge.rollback import RollbackService
from app.bridge.sessions import SessionService
from app.bridge.shelf import ShelfService
from app.bridge.skills import SkillService
from app.cycles.home import HomeKey, OpenHome
from app.log import RecentLines
from app.providers.base import Provider
from app.providers.keys import KeyStore

#: All lanes together have this long to end.
_PATIENCE_S = 3.0


class Services(QObject):
    """The lanes of a window and what runs on them.

    `library` reads and watches, `desk` answers and writes, `shelf` answers what takes long, `chat`, `review` and
    `curator` run forks; each lane has its
    own connection and repository, the home's lock keeps their writes apart.
    """

    def __init__(
        self,
        key: HomeKey,
        keys: KeyStore,
        log: RecentLines,
        make_model: ModelMaker,
        parent: QObject | None = None,
        make_provider: ProviderMaker | None = None,
    ) -> None:
        super().__init__(parent)
        self._log = log
        self._make_model = make_model
        provide = make_provider or self._provider
        self.key = key
        self.keys = keys
        self.preferences = Preferences(key.home, self)
        self._lanes = {
            name: HomeLane(name, self._open, self)
            for name in ("library", "desk", "shelf", "chat", "review", "curator", "exchange")
        }
        desk = self._lanes["desk"]
        settings = self.preferences.settings
        self.library = LibraryService(self._lanes["library"], settings.library, self)
        self.skills = SkillService(desk, self)
        self.shelf = ShelfService(desk, self._lanes["shelf"], self)
        self.graph = GraphService(self._open, self)
        self.chat = ChatService(self._lanes["chat"], provide, self)
        self.review = ReviewService(self._lanes["review"], provide, self)
        self.idle = IdleClock(self)
        self.curator = CuratorService(self._lanes["curator"], desk, provide, self.idle, self)
        self.proposals = ProposalService(desk, self)
        self.revising = RevisingService(self._lanes["curator"], provide, self)
        self.rollback = RollbackService(desk, self)
        self.sessions = SessionService(desk, self)
        self.memory = MemoryService(desk, self)
        self.exchange = ExchangeService(self._lanes["exchange"], self)
        self.model = ModelService(keys, make_model, self)
        self.preferences.changed.connect(self._on_settings)

    def recent_log(self) -> str:
        """The last lines of the log, secrets masked, for a report."""
        return "\n".join(self._log.lines)

    def ask(self, name: str, question: Callable[[OpenHome], object]) -> Job:
        """Have something small answered on the desk lane; returns the job, whose signals say how it went."""
        return self._lanes["desk"].ask(name, question)

    def shut_down(self) -> bool:
        """Stop watching, cancel and join every lane. False when one did not end in time."""
        self.curator.stop()
        self.library.stop()
        lanes = (*self._lanes.values(), self.graph.lane, self.model.lane)
        for lane in lanes:
            lane.begin_shut_down()
        until = time.monotonic() + _PATIENCE_S
        ended = [lane.shut_down(max(1, int((until - time.monotonic()) * 1000))) for lane in lanes]
        return all(ended)

    @Slot(object, str)
    def _on_settings(self, _settings: object, _section: str) -> None:
        # The other lanes read the settings at the start of their jobs.
        self.ask("reading the settings", OpenHome.reload_settings)

    def _open(self) -> OpenHome:
        return OpenHome(self.key)

    def _provider(self, home: OpenHome) -> Provider:
        # Called in a lane: the settings are read again, so that a change counts from the next turn on.
        home.reload_settings()
        return self._make_model(home.settings, self.keys)
