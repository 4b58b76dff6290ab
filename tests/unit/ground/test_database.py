"""Damage, replacement and locks of the database, as a user meets them."""

import os
import sqlite3
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.clock import fixed_clock
from app.database import Database, Migration
from app.errors import AppError, Kind

NOTE = Migration("notes", lambda c: c.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"))
MOMENT = fixed_clock(datetime(2026, 6, 1, 12, 0, tzinfo=UTC))


def opened(path: Path, *migrations: Migration, **more) -> Database:
    return Database(path, migrations or (NOTE,), clock=MOMENT, **more)


def add(db: Database, *texts: str) -> None:
    with db.atomic() as connection:
        connection.executemany("INSERT INTO note (text) VALUES (?)", [(text,) for text in texts])


def texts(db: Database) -> list[str]:
    return [row["text"] for row in db.read("SELECT text FROM note ORDER BY id")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "melete.db"


@pytest.fixture
def full(path: Path) -> Path:
    """A closed database of a few hundred pages with 400 notes."""
    db = opened(path)
    add(db, *(f"note {number} " + "x" * 2000 for number in range(400)))
    db.close()
    return path


def kept_copies(path: Path) -> list[Path]:
    return sorted(path.parent.glob("melete.db.corrupt-*"))


def test_a_new_database_says_nothing(path):
    db = opened(path)
    assert (db.rescue, db.read_only) == (None, False)
    assert sorted(item.name for item in path.parent.iterdir()) == ["melete.db", "melete.db-shm", "melete.db-wal"]
    db.close()


def test_migrations_run_once_in_order_and_later_ones_are_added(path):
    opened(path).close()
    more = Migration("colour", lambda c: c.execute("ALTER TABLE note ADD COLUMN colour TEXT"))
    db = opened(path, NOTE, more)
    add(db, "a")
    assert [tuple(row) for row in db.read("SELECT name, at FROM migration")] == [
        ("notes", "2026-06-01T12:00:00+00:00"),
        ("colour", "2026-06-01T12:00:00+00:00"),
    ]
    db.close()


def test_a_migration_that_fails_leaves_nothing_half_done(path):
    def broken(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (x)")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        opened(path, NOTE, Migration("broken", broken))
    db = opened(path)
    assert {row[0] for row in db.read("SELECT name FROM sqlite_master WHERE type = 'table'")} == {"migration", "note"}
    db.close()


def test_a_write_is_all_or_nothing_and_inner_blocks_join_it(path):
    db = opened(path)

    def write_and_fail() -> None:
        with db.atomic():
            add(db, "gone")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_fail()
    assert texts(db) == []
    add(db, "kept")
    assert texts(db) == ["kept"]
    db.close()


@pytest.mark.parametrize("damage", ["half", "header", "middle", "text"])
def test_a_damaged_file_is_kept_told_and_read(full, damage):
    data = full.read_bytes()
    half = len(data) // 2 // 4096 * 4096
    broken = {
        "half": data[:half],
        "header": bytes(100) + data[100:],
        "middle": data[:half] + b"\xa5" * 4096 + data[half + 4096 :],
        "text": b"this is not a database\n" * 50,
    }[damage]
    full.write_bytes(broken)
    db = opened(full)
    (kept,) = kept_copies(full)
    assert kept.read_bytes() == broken
    assert db.rescue is not None
    assert db.rescue.kept == kept
    assert kept.name == "melete.db.corrupt-20260601-120000"
    assert kept.name in db.rescue.text
    saved = texts(db)
    assert {"half": 150 < len(saved) < 400, "header": len(saved) == 400, "middle": 390 < len(saved) < 400}.get(
        damage, saved == []
    )
    assert all(text.startswith("note ") and text.endswith("x" * 2000) for text in saved)
    add(db, "goes on")
    db.close()
    again = opened(full)
    assert again.rescue is None
    again.close()


def test_a_second_damage_in_the_same_second_keeps_both_files(full):
    for content in (b"one" * 400, b"two" * 400):
        full.write_bytes(content)
        opened(full).close()
    assert [kept.read_bytes() for kept in kept_copies(full)] == [b"one" * 400, b"two" * 400]


def test_a_folder_in_the_databases_place_is_set_aside(path):
    (path / "inside").mkdir(parents=True)
    db = opened(path)
    assert db.rescue is not None
    assert (db.rescue.kept / "inside").is_dir()
    add(db, "works")
    db.close()


def test_an_empty_file_is_told(path):
    path.parent.mkdir()
    path.touch()
    db = opened(path)
    assert "was empty" in db.rescue.text
    db.close()


def test_a_missing_file_is_told_only_where_one_is_expected(path):
    db = opened(path, expected=True)
    assert "was not found" in db.rescue.text
    db.close()
    again = opened(path, expected=True)
    assert again.rescue is None
    again.close()


def test_a_left_over_log_without_its_database_is_set_aside(full):
    log = full.with_name("melete.db-wal")
    full.unlink()
    log.write_bytes(b"frames")
    db = opened(full)
    assert db.rescue.kept.with_name(db.rescue.kept.name + "-wal").read_bytes() == b"frames"
    db.close()


def test_what_stands_only_in_the_log_is_salvaged_too(path):
    db = opened(path)
    add(db, *(f"old {number}" for number in range(50)))
    db.close()
    script = (
        "import sqlite3, sys, os; c = sqlite3.connect(sys.argv[1]);"
        "c.execute(\"INSERT INTO note (text) VALUES ('only in the log')\"); c.commit(); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)
    data = path.read_bytes()
    path.write_bytes(bytes(100) + data[100:])
    again = opened(path)
    assert texts(again)[-1] == "only in the log"
    assert len(texts(again)) == 51
    again.close()


def test_damage_met_while_running_makes_the_next_start_check_everything(full, monkeypatch):
    monkeypatch.setattr("app.database._CHECKED_BYTES", 0)
    data = full.read_bytes()
    half = len(data) // 2 // 4096 * 4096
    full.write_bytes(data[:half] + b"\xa5" * 4096 + data[half + 4096 :])
    db = opened(full)
    assert db.rescue is None
    with pytest.raises(AppError) as caught:
        texts(db)
    assert caught.value.kind is Kind.CORRUPT
    db.close()
    again = opened(full)
    assert again.rescue is not None
    assert len(texts(again)) > 390
    again.close()
    assert not full.with_name("melete.db.check").exists()


def test_a_whole_file_that_was_suspected_is_kept_as_it_is(full):
    mark = full.with_name("melete.db.check")
    mark.touch()
    db = opened(full)
    assert (db.rescue, mark.exists(), len(texts(db))) == (None, False, 400)
    db.close()


def test_two_that_find_the_damage_at_once_rescue_it_once(full):
    full.write_bytes(bytes(100) + full.read_bytes()[100:])
    start = threading.Barrier(2)
    found: list[tuple[int, bool]] = []

    def open_it() -> None:
        start.wait()
        db = opened(full)
        found.append((len(texts(db)), db.rescue is not None))
        db.close()

    threads = [threading.Thread(target=open_it) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kept_copies(full)) == 1
    assert sorted(found) == [(400, False), (400, True)]


def test_a_newer_database_is_used_copied_and_told(path):
    newer = Migration("from the future", lambda c: c.execute("CREATE TABLE future (x)"))
    opened(path, NOTE, newer).close()
    for _ in range(2):
        db = opened(path)
        add(db, "a")
        assert "newer" in db.rescue.text
        db.close()
    copy = sqlite3.connect(path.with_name("melete.db.newer-2"))
    assert copy.execute("SELECT count(*) FROM note").fetchone() == (0,)
    copy.close()


@pytest.mark.parametrize("how", ["away", "copy", "folder"])
def test_a_database_moved_under_the_open_program_is_told_and_nothing_is_written(full, how):
    db = opened(full)
    if how == "away":
        full.rename(full.with_name("moved.db"))
    elif how == "copy":
        copy = full.with_name("copy.db")
        copy.write_bytes(full.read_bytes())
        copy.rename(full)
    else:
        full.parent.rename(full.parent.with_name("moved"))
    with pytest.raises(AppError) as caught:
        add(db, "lost?")
    assert caught.value.kind is Kind.STORAGE
    assert "moved, replaced or removed" in caught.value.text
    assert len(texts(db)) == 400
    db.close()


def test_a_database_put_back_is_used_again(full):
    db = opened(full)
    full.rename(full.with_name("moved.db"))
    full.with_name("moved.db").rename(full)
    add(db, "again")
    assert texts(db)[-1] == "again"
    db.close()


def test_while_another_process_writes_reading_goes_on_and_writing_waits(full):
    hold = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "c.execute('BEGIN EXCLUSIVE'); print('locked', flush=True); sys.stdin.read(); c.execute('ROLLBACK')"
    )
    db = opened(full)
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(full)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout.readline() == "locked\n"
        assert len(texts(db)) == 400
        with pytest.raises(AppError) as caught, db.atomic(wait=0.05):
            pass
        assert caught.value.kind is Kind.BUSY
        late = opened(full)
        assert len(texts(late)) == 400
        late.close()
        threading.Timer(0.2, holder.stdin.close).start()
        add(db, "waited")
    assert texts(db)[-1] == "waited"
    db.close()


def test_a_mistake_in_a_query_is_a_bug_and_not_a_sentence(path):
    db = opened(path)
    with pytest.raises(sqlite3.OperationalError):
        db.read("SELECT nothing FROM nowhere")
    db.close()
    with pytest.raises(sqlite3.ProgrammingError):
        db.read("SELECT 1")


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(AppError) as caught:
        opened(tmp_path / "file" / "melete.db")
    assert caught.value.kind is Kind.STORAGE


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the administrator may write everything")
def test_a_read_only_file_is_read_and_told(full):
    full.chmod(0o444)
    db = opened(full)
    assert db.read_only
    assert "cannot be written" in db.rescue.text
    assert len(texts(db)) == 400
    with pytest.raises(AppError) as caught:
        add(db, "no")
    assert caught.value.kind is Kind.STORAGE
    db.close()
