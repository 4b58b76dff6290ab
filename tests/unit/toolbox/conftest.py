"""A whole home for the tools: library, door, history, memory and sessions as they are in the program."""

import json

import pytest

from app.cancel import CancelToken
from app.database import Database
from app.history.store import History
from app.history.values import Origin
from app.locks import HomeLock
from app.memory.manager import MemoryWriter
from app.memory.provider import MemoryReader
from app.paths import Home
from app.providers.values import ToolUse
from app.sessions.schema import MIGRATIONS
from app.sessions.search import search_sessions
from app.sessions.store import SessionStore
from app.settings import Settings
from app.skills.edit import Door
from app.skills.live import LivePlace
from app.skills.values import Writer
from app.toolbox.dispatcher import Dispatcher
from app.toolbox.values import ALL_TOOLS, Surroundings


def skill_text(name, description="Does a thing. Use in tests.", body="1. Read.\n2. Count.\n", end="\n"):
    text = f"---\nname: {name}\ndescription: {description}\n---\n\n# {name}\n\n{body}"
    return text.replace("\n", end)


class World:
    """One home and everything the tools touch, with what was proposed and viewed."""

    def __init__(self, root, clock):
        self.home = Home(root)
        self.clock = clock
        self.home.skills.mkdir(parents=True)
        self.history = History(self.home.history, clock)
        lock = HomeLock(self.home.lock)
        settings = Settings()
        self.live = LivePlace(self.home, self.history, lock, settings, clock)
        self.door = Door(self.live, clock)
        self.memory = MemoryWriter(self.home, self.history, lock, settings.memory, clock)
        self.reader = MemoryReader(self.home, settings.memory)
        self.db = Database(self.home.database, MIGRATIONS)
        self.sessions = SessionStore(self.db, clock)
        self.untrusted_sessions = set()
        self.proposed = []
        self.viewed = []
        self.words = ""
        self.numbers = iter(range(1000))

    def add(self, name, *, managed=True, category="", record=None, **more):
        folder = self.home.skills / category / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_bytes(skill_text(name, **more).encode())
        old = {"created_by": "agent", "created_at": "2026-01-01T00:00:00+00:00"} if managed else {}
        self.record(name, old | (record or {}))
        return folder

    def record(self, name, fields):
        path = self.home.usage
        records = json.loads(path.read_text()) if path.exists() else {}
        records[name] = records.get(name, {}) | fields
        path.write_text(json.dumps(records))

    def text(self, name):
        return (self.home.skills / name / "SKILL.md").read_bytes()

    def surroundings(self, **more):
        def propose(request, receipt):
            self.proposed.append((request, receipt))
            return f"p{len(self.proposed)}"

        def propose_memory(wish, why):
            self.proposed.append((wish, why))
            return f"p{len(self.proposed)}"

        return Surroundings(
            library=self.live.library,
            do=self.door.do,
            memory=self.memory,
            search=lambda text, limit: search_sessions(self.db, text, limit),
            recent=self.sessions.list,
            messages=self.sessions.messages,
            is_untrusted=self.untrusted_sessions.__contains__,
            propose=propose,
            propose_memory=propose_memory,
            viewed=self.viewed.append,
            user_words=lambda: self.words,
            **more,
        )

    def dispatcher(self, origin=Origin.CHAT, allowed=ALL_TOOLS, **more):
        draft = more.pop("draft", False)
        writer = Writer(origin, "s1", "t1", hold=more.pop("hold", False))
        return Dispatcher(self.surroundings(draft=draft), writer, allowed, **more)

    def call(self, dispatcher, tool, arguments=None, **named):
        """One call; its outcome and its result as values."""
        use = ToolUse(f"c{next(self.numbers)}", tool, named if arguments is None else arguments)
        outcome = dispatcher.call(use, CancelToken())
        return outcome, json.loads(outcome.result.content)

    def close(self):
        self.db.close()
        self.history.close()


@pytest.fixture
def world(tmp_path, clock):
    made = World(tmp_path / "home", clock)
    yield made
    made.close()
