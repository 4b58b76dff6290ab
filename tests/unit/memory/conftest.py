"""A home with memory, its history and its lock; real files and a real repository."""

import json
from pathlib import Path

import pytest

from app.clock import Clock
from app.history.store import History
from app.history.values import Origin
from app.locks import HomeLock
from app.memory.manager import MemoryWriter
from app.memory.provider import MemoryReader
from app.memory.values import MemoryBy, MemoryView, Target
from app.paths import Home
from app.settings import MemorySettings

CASES = Path(__file__).parents[2] / "cases" / "data"


class Desk:
    """One home as a test uses it."""

    def __init__(self, root: Path, clock: Clock, limits: MemorySettings | None = None) -> None:
        self.home = Home(root)
        self.limits = limits or MemorySettings()
        self.history = History(self.home.history, clock)
        self.writer = MemoryWriter(self.home, self.history, HomeLock(self.home.lock), self.limits, clock)
        self.reader = MemoryReader(self.home, self.limits)

    def view(self, target: Target = Target.MEMORY) -> MemoryView:
        return self.reader.view(target)

    def texts(self, target: Target = Target.MEMORY) -> list[str]:
        return [entry.text for entry in self.view(target).entries]

    def path(self, name: str = "MEMORY.md") -> Path:
        return self.home.memories / name

    def put(self, text: str, name: str = "MEMORY.md") -> None:
        self.home.memories.mkdir(parents=True, exist_ok=True)
        self.path(name).write_text(text, encoding="utf-8", newline="")

    def remember(self, *texts: str, origin: Origin = Origin.IMPORT) -> None:
        for text in texts:
            assert self.writer.add(Target.MEMORY, text, MemoryBy(origin)).ok

    def run(self, calls: list[dict], by: MemoryBy) -> list:
        receipts = []
        for call in calls:
            given = call["input"]
            target = Target(given["target"])
            if given["action"] == "add":
                receipts.append(self.writer.add(target, given["content"], by))
            elif given["action"] == "replace":
                receipts.append(self.writer.replace(target, given["old_text"], given["content"], by))
            else:
                receipts.append(self.writer.remove(target, given["old_text"], by))
        return receipts

    def ledger(self) -> list[tuple[str, str]]:
        return [(entry.record.origin, entry.record.reason) for entry in self.history.entries()]


@pytest.fixture
def make_desk(tmp_path: Path, clock: Clock):
    desks: list[Desk] = []

    def make(limits: MemorySettings | None = None, name: str = "h") -> Desk:
        (tmp_path / name).mkdir(exist_ok=True)
        desks.append(Desk(tmp_path / name, clock, limits))
        return desks[-1]

    yield make
    for desk in desks:
        desk.history.close()


@pytest.fixture
def desk(make_desk) -> Desk:
    return make_desk()


@pytest.fixture
def load_case():
    return lambda case, name: json.loads((CASES / case / name).read_text(encoding="utf-8"))


@pytest.fixture
def review() -> MemoryBy:
    return MemoryBy(Origin.REVIEW, "session-1", "turn-1")


@pytest.fixture
def user() -> MemoryBy:
    return MemoryBy(Origin.USER)
