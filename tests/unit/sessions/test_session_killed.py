"""A process killed while it stores, searches or migrates leaves a database in which everything told as stored is."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from app.database import Database, Migration
from app.sessions.schema import MIGRATIONS
from app.sessions.search import search_sessions
from app.sessions.store import SessionStore

_STORE = """
import itertools, sys
from pathlib import Path
from app.clock import system_clock
from app.database import Database
from app.providers.values import Message, Role, Text
from app.sessions.schema import MIGRATIONS
from app.sessions.store import SessionStore
store = SessionStore(Database(Path(sys.argv[1]), MIGRATIONS), system_clock, sys.argv[3])
session = store.create(f"run {sys.argv[2]}").id
print(session, flush=True)
for count in itertools.count():
    store.add_message(session, "t", Message(Role.USER, (Text(f"word{count} in run{sys.argv[2]}"),)))
    print(count, flush=True)
    store.rename(session, f"title{count}")
"""

_MIGRATE = """
import sys
from pathlib import Path
from app.database import Database
from tests.unit.sessions.test_session_killed import LATER
print("ready", flush=True)
Database(Path(sys.argv[1]), LATER)
print("done", flush=True)
"""


def _later(connection) -> None:
    connection.execute("CREATE TABLE half_done (x TEXT)")
    for number in range(3000):
        connection.execute("INSERT INTO half_done VALUES (?)", (f"row {number}" * 20,))
    connection.execute("ALTER TABLE session ADD COLUMN colour TEXT")


LATER = (*MIGRATIONS, Migration("later", _later))


def killed_after(command: list[str], seconds: float) -> list[str]:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3])
    first = process.stdout.readline()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
    return [first.strip(), *process.communicate()[0].splitlines()]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_killed_at_many_moments_every_message_told_as_stored_is_there_and_found(tmp_path, ticking, engine):
    chance = random.Random(3)
    path = tmp_path / "melete.db"
    for run in range(30):
        command = [sys.executable, "-c", _STORE, str(path), str(run), engine]
        session, *told = killed_after(command, chance.uniform(0.0, 0.2))
        db = Database(path, MIGRATIONS)
        try:
            store = SessionStore(db, ticking, engine)
            assert db.rescue is None
            said = [stored.message.text for stored in store.messages(session)]
            assert said[: len(told)] == [f"word{count} in run{run}" for count in told]
            assert len(said) <= len(told) + 1
            found = search_sessions(db, f"run{run}", limit=1000, session=session)
            assert {hit.text for hit in found if hit.message} == set(said)
        finally:
            db.close()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_killed_while_migrating_the_step_is_done_or_not_begun(tmp_path):
    chance = random.Random(5)
    for run in range(20):
        path = tmp_path / f"{run}.db"
        Database(path, MIGRATIONS).close()
        killed_after([sys.executable, "-c", _MIGRATE, str(path)], chance.uniform(0.0, 0.06))
        raw = Database(path)
        done = {row[0] for row in raw.read("SELECT name FROM migration")}
        tables = {row[0] for row in raw.read("SELECT name FROM sqlite_master")}
        assert ("half_done" in tables) == ("later" in done)
        raw.close()
        again = Database(path, LATER)
        assert again.rescue is None
        assert again.read("SELECT count(*) FROM half_done")[0][0] == 3000
        again.close()
