"""A home with a live library, its door and its history, for tests of what writes skills."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.history.store import History
from app.history.values import Blob, Origin
from app.locks import HomeLock
from app.paths import Home
from app.settings import Settings
from app.skills.edit import Door
from app.skills.live import LivePlace
from app.skills.undo import UndoResult, undo
from app.skills.usage import UsageFile
from app.skills.values import Action, Receipt, Request, Writer

USER = Writer(Origin.USER)


class Bed:
    """One home under test, with short ways to ask the door and to look at the disk."""

    def __init__(self, root: Path) -> None:
        self.now = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
        self.home = Home(root)
        self.home.skills.mkdir(parents=True, exist_ok=True)
        self.open()

    def open(self) -> None:
        """Open (again), as a new process would."""
        clock = lambda: self.now  # noqa: E731 - a clock that the test moves
        self.history = History(self.home.history, clock)
        self.live = LivePlace(self.home, self.history, HomeLock(self.home.lock), Settings(), clock)
        self.door = Door(self.live, clock)

    def pass_days(self, days: float) -> None:
        self.now += timedelta(days=days)

    @staticmethod
    def text(name: str, body: str = "1. Step one.\n") -> str:
        return f"---\nname: {name}\ndescription: Does {name}. Use in tests.\n---\n\n# {name}\n\n{body}"

    def put_on_disk(self, skill_id: str, body: str = "1. Step one.\n", **files: bytes) -> Path:
        """Write a skill as another program would."""
        folder = self.home.skills / skill_id
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(self.text(folder.name, body))
        for name, data in files.items():
            (folder / name).write_bytes(data)
        return folder

    def do(self, action: Action, skill: str, writer: Writer = USER, **more: object) -> Receipt:
        return self.door.do(Request(action, skill, **more), writer)  # type: ignore[arg-type]

    def create(self, name: str, writer: Writer = USER, category: str | None = None, body: str = "Body.\n") -> str:
        receipt = self.do(Action.CREATE, name, writer, content=self.text(name, body), category=category)
        assert receipt.ok, receipt.why
        return receipt.skill

    def undo(self, entry: str | None) -> UndoResult:
        assert entry is not None
        return undo(self.door, self.live, entry, USER)

    def record(self, key: str) -> dict[str, object]:
        return UsageFile(self.home.usage).read().get(key, {})

    def ids(self) -> list[str]:
        return sorted(skill.id for skill in self.live.library().skills)

    def body(self, skill_id: str) -> str:
        return (self.home.skills / skill_id / "SKILL.md").read_text()

    def tree(self) -> dict[str, tuple[object, ...]]:
        """Everything on disk below skills/, sidecars and `.melete` left out: kind, mode, content, whole-second time."""
        found: dict[str, tuple[object, ...]] = {}
        for path in sorted(self.home.skills.rglob("*")):
            name = path.relative_to(self.home.skills).as_posix()
            if name.startswith((".melete", ".usage", ".forwards", ".bundled")):
                continue
            status = path.lstat()
            if path.is_symlink():
                found[name] = ("link", str(path.readlink()))
            elif path.is_dir():
                found[name] = ("folder", status.st_mode)
            else:
                data = path.read_bytes() if path.is_file() else b""
                found[name] = ("file", status.st_mode, data, int(status.st_mtime))
        return found

    def recorded_is_on_disk(self) -> bool:
        """Whether the history holds exactly what stands on disk."""
        known = {prefix.removeprefix("skills/"): tree for prefix, tree in self.history.contents().items()}
        rows = [skill.id for skill in self.live.library().skills if skill.in_home]
        return known == {skill_id: self.history.hash_files(self.live.files(skill_id) or {}) for skill_id in rows}


@pytest.fixture(autouse=True)
def no_power_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests kill programs, they do not cut the power: waiting for the disk proves nothing here."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[Bed]:
    """An empty home with its door."""
    made = Bed(tmp_path / "home")
    yield made
    made.history.close()


@pytest.fixture
def hostile() -> dict[str, Blob]:
    """A skill's files that break tools which treat a skill as a checkout."""
    return {
        "SKILL.md": Blob(Bed.text("hostile").encode()),
        ".gitignore": Blob(b"*\n"),
        ".gitattributes": Blob(b"* text=auto eol=crlf merge=union\n"),
        "git~1": Blob(b"short name\n"),
        "crlf.txt": Blob(b"a\r\nb\n"),
    }
