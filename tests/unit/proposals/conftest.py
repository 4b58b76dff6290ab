"""A home with a history and three skills, and proposals against it."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.clock import fixed_clock
from app.history.store import History
from app.history.values import Blob, Origin, Record, Snapshot
from app.history.walk import write_folder
from app.locks import HomeLock
from app.memory.manager import MemoryWriter
from app.paths import Home
from app.proposals.apply import Approval
from app.proposals.current import Current
from app.proposals.decisions import changes_of
from app.proposals.filing import About
from app.proposals.grouping import Drafted
from app.proposals.rebase import Revised, revise
from app.proposals.store import ProposalStore
from app.proposals.values import Change, Proposal
from app.proposals.view import show
from app.settings import LibrarySettings, MemorySettings, Settings
from app.skills.edit import Door
from app.skills.live import LivePlace
from app.skills.scan import scan
from app.skills.values import Action, Library

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
BASE = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"


def skill_folder(name: str, body: str = BASE, **more: str) -> Snapshot:
    """A skill's files: SKILL.md with this body, and further files by path."""
    main = f"---\nname: {name}\ndescription: Does {name} things. Use for {name}.\n---\n\n{body}"
    return {"SKILL.md": Blob(main.encode()), **{path: Blob(text.encode()) for path, text in more.items()}}


@dataclass
class Desk:
    """A home whose skills a test writes by hand, and the proposals against it."""

    home: Home
    history: History
    store: ProposalStore
    lock: HomeLock
    live: LivePlace
    door: Door
    memory: MemoryWriter
    approval: Approval
    records: dict[str, dict[str, object]] = field(default_factory=dict)

    def write(self, skill: str, files: Snapshot) -> None:
        """Put a skill's folder on disk, as another program would."""
        target = self.home.skills / skill
        if target.exists():
            shutil.rmtree(target)
        write_folder(target, files)

    def remove(self, skill: str) -> None:
        """Delete a skill's folder, as another program would."""
        shutil.rmtree(self.home.skills / skill)

    def add(self, *skills: str, age_days: float = 100, managed: bool = True, **fields: object) -> None:
        """Skills in the library and in the history, with usage records."""
        changes = {}
        for skill in skills:
            files = skill_folder(skill.rpartition("/")[2])
            self.write(skill, files)
            changes[f"skills/{skill}"] = files
            created = (NOW - timedelta(days=age_days)).isoformat()
            record = {"created_by": "agent" if managed else None, "created_at": created, **fields}
            self.records[skill.rpartition("/")[2]] = record
        self.home.usage.write_text(json.dumps(self.records))
        self.history.record(changes, Record(Origin.USER, "import", skills))

    def forward(self, **into: str) -> None:
        """Write the forwards file."""
        rows = {name: {"into": target} for name, target in into.items()}
        self.home.forwards.write_text(json.dumps({"version": 1, "forwards": rows}))

    def library(self) -> Library:
        """A fresh look at the library."""
        return scan(self.home, LibrarySettings(), fixed_clock(NOW))

    def current(self) -> Current:
        """The live library as proposals see it."""
        return Current(self.home, self.library(), self.history, 2_000_000)

    def edit(self, skill: str, body: str, **more: str) -> Drafted:
        """A drafted change of content, or a new skill."""
        name = skill.rpartition("/")[2]
        base = self.history.tree_id(f"skills/{skill}")
        action = Action.CREATE if base is None else Action.EDIT
        return Drafted(skill, name, action, base, skill_folder(name, body, **more))

    def archive(self, skill: str, into: str = "") -> Drafted:
        """A drafted archive."""
        base = self.history.tree_id(f"skills/{skill}")
        return Drafted(skill, skill, Action.ARCHIVE, base, None, absorbed_into=into, into=into or None)

    def file(self, *drafted: Drafted) -> Proposal:
        """A proposal of the curator."""
        proposal = self.store.file(drafted, About(Origin.CURATOR, self.history.tip() or "", run="20260615-120000"))
        assert proposal is not None
        return proposal

    def shown(self, proposal: Proposal) -> Proposal:
        """The full form of the proposal as stored now."""
        return show(self.store.get(proposal.id), self.current(), self.history)

    def seen(self, proposal: Proposal) -> dict[str, str]:
        """What an approval of the proposal as stored now has to carry."""
        return {change.id: change.seen for change in changes_of(self.store.get(proposal.id)).values()}

    def text(self, skill: str, file: str = "SKILL.md") -> str:
        """A file of a skill on disk, empty when it is not there."""
        path = self.home.skills / skill / file
        return path.read_text() if path.is_file() else ""

    def revise(self, proposal: Proposal) -> Revised:
        """A look at the live library; nothing is saved."""
        return revise(proposal, self.current(), self.history, NOW)

    def only(self, proposal: Proposal) -> Change:
        """The one change of a proposal after a look at the live library."""
        (change,) = changes_of(self.revise(proposal).proposal).values()
        return change

    def body(self, change: Change) -> str:
        """The body of SKILL.md as a change would leave it."""
        return self.history.load(change.result or "")["SKILL.md"].data.decode().partition("---\n\n")[2]


def open_desk(home: Home) -> Desk:
    """Everything that works on one home, in this thread."""
    clock = fixed_clock(NOW)
    history, lock = History(home.history, clock), HomeLock(home.lock)
    store = ProposalStore(history, clock, lock)
    live = LivePlace(home, history, lock, Settings(), clock)
    door = Door(live, clock)
    memory = MemoryWriter(home, history, lock, MemorySettings(), clock)
    return Desk(home, history, store, lock, live, door, memory, Approval(store, live, clock, memory))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """The skills a, b and u, 100 days old and managed."""
    home = Home(tmp_path / "home")
    home.skills.mkdir(parents=True)
    made = open_desk(home)
    made.add("a", "b", "u")
    yield made
    made.history.close()


@pytest.fixture
def folder() -> Callable[..., Snapshot]:
    """Makes a skill's files."""
    return skill_folder


@pytest.fixture
def make_desk() -> Callable[[Home], Desk]:
    """Opens everything that works on a home."""
    return open_desk
