"""A home with skills of known ages, and curator runs over it, the model played from a script."""

import json
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.cancel import CancelToken
from app.clock import format_time
from app.curator.values import Report
from app.cycles.curator import run_curator
from app.cycles.home import OpenHome, home_key
from app.engine.builtin import BuiltinEngine
from app.providers.base import Provider
from app.providers.scripted import ScriptedProvider, Turn, calls
from app.providers.values import Usage

#: Later than any file a test writes, as a clock that runs on would be: files of the future are read again each time.
START = datetime(2100, 6, 1, 12, tzinfo=UTC)
TEXT = "---\nname: {name}\ndescription: {about}\n---\n\n# {name}\n\n{body}\n"


@dataclass
class Curated:
    """One home, its clock in the test's hands."""

    root: Path
    now: datetime = START
    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    homes: list[OpenHome] = field(default_factory=list)
    asked: int = 0
    unwritten: bool = False

    def add(self, name: str, body: str, about: str = "", *, idle_days: float = 1, age_days: float = 200) -> None:
        """A managed skill, last used `idle_days` ago."""
        folder = self.root / "skills" / name
        folder.mkdir(parents=True)
        text = TEXT.format(name=name, about=about or f"Does {name}. Use for {name}.", body=body)
        (folder / "SKILL.md").write_text(text, encoding="utf-8")
        self.records[name] = {
            "created_by": "agent",
            "created_at": format_time(self.now - timedelta(days=age_days)),
            "use_count": 3,
            "last_used_at": format_time(self.now - timedelta(days=idle_days)),
        }
        self.unwritten = True

    def open(self) -> OpenHome:
        """The home, opened anew; records of added skills are written first."""
        if self.unwritten:
            (self.root / "skills" / ".usage.json").write_text(json.dumps(self.records), encoding="utf-8")
            self.unwritten = False
        self.homes.append(OpenHome(home_key(self.root, lambda: self.now)))
        return self.homes[-1]

    def work(
        self, provider: Provider | None, token: CancelToken | None = None, *, home: OpenHome | None = None, **more: Any
    ) -> Generator[Any, None, Report]:
        """A run, to be played step by step."""
        more.setdefault("dry_run", False)
        return run_curator(home or self.open(), provider, token or CancelToken(), **more)

    def run(self, *script: Turn, provider: Provider | None = None, **more: Any) -> Report:
        """A whole run with this script (the built-in engine without one)."""
        chosen = provider or (ScriptedProvider(script) if script else BuiltinEngine())
        return drained(self.work(chosen, **more))

    @staticmethod
    def played(work: Generator[Any, None, Any], seen: list[Any] | None = None) -> Any:
        """A generator's result; what it yields goes into `seen`."""
        return drained(work, seen)

    def asks(self, *wanted: tuple[str, dict[str, Any]], usage: Usage | None = None) -> Turn:
        """An answer of the model that asks for these tools."""
        self.asked += 1
        rows = [(f"t{self.asked}-{number}", name, given) for number, (name, given) in enumerate(wanted)]
        return calls(*rows, usage=usage)

    def views(self, *names: str, usage: Usage | None = None) -> Turn:
        """An answer that reads these skills."""
        return self.asks(*(("skill_view", {"name": name}) for name in names), usage=usage)

    def manages(self, *wanted: dict[str, Any], usage: Usage | None = None) -> Turn:
        """An answer that changes skills."""
        return self.asks(*(("skill_manage", given) for given in wanted), usage=usage)

    @staticmethod
    def creates(name: str, body: str) -> dict[str, Any]:
        """The arguments that create a skill."""
        text = TEXT.format(name=name, about=f"Umbrella {name}. Use for all of it.", body=body)
        return {"action": "create", "name": name, "content": text, "reason": "one class of task"}

    @staticmethod
    def deletes(name: str, into: str | None) -> dict[str, Any]:
        """The arguments that delete a skill, with or without a declaration."""
        given = {"action": "delete", "name": name, "reason": f"{name} goes"}
        return given if into is None else {**given, "absorbed_into": into}

    def later(self, **span: float) -> None:
        """Let time pass."""
        self.now += timedelta(**span)


def drained(work: Generator[Any, None, Any], seen: list[Any] | None = None) -> Any:
    """A generator's result; what it yields goes into `seen`."""
    while True:
        try:
            event = next(work)
        except StopIteration as stop:
            return stop.value
        if seen is not None:
            seen.append(event)


@pytest.fixture
def curated(tmp_path: Path) -> Iterator[Curated]:
    found = Curated(tmp_path / "home")
    yield found
    for home in found.homes:
        home.close()
