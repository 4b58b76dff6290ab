"""A store on a fresh database, in both index engines, and the handed conversations."""

import itertools
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.clock import Clock
from app.database import Database
from app.sessions.schema import MIGRATIONS
from app.sessions.store import SessionStore

CASES = Path(__file__).parents[2] / "cases" / "data"


def case_json(case: str, name: str):
    return json.loads((CASES / case / name).read_text(encoding="utf-8"))


def case_lines(case: str, name: str):
    return [json.loads(line) for line in (CASES / case / name).read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def ticking() -> Clock:
    """A clock that is a second later each time it is asked."""
    count = itertools.count()
    return lambda: datetime(2026, 6, 1, 12, 0, tzinfo=UTC) + timedelta(seconds=next(count))


@pytest.fixture
def open_db(tmp_path: Path) -> Iterator[Callable[..., Database]]:
    """Opens databases that are closed at the end; the same name is the same file."""
    opened: list[Database] = []

    def _open(name: str = "melete.db", **more) -> Database:
        opened.append(Database(tmp_path / name, MIGRATIONS, **more))
        return opened[-1]

    yield _open
    for db in opened:
        db.close()


@pytest.fixture
def db(open_db) -> Database:
    return open_db()


@pytest.fixture
def store(db: Database, ticking: Clock) -> SessionStore:
    return SessionStore(db, ticking)


@pytest.fixture(params=["fts5", "fts4"])
def engine(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def load_case():
    """Reads a case's file: JSON, or one JSON value a line."""
    return lambda case, name: case_lines(case, name) if name.endswith(".jsonl") else case_json(case, name)
