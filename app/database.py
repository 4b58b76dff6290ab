"""SQLite: one connection per thread, named migrations, and a damaged file set aside, never replaced silently."""

import contextlib
import logging
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from app.errors import AppError, Kind

_log = logging.getLogger(__name__)

#: How long a write waits for another process before it is an error, in milliseconds.
_BUSY_MS = 15_000


@dataclass(frozen=True, slots=True)
class Migration:
    """One named step of the schema. Names are for ever; a step runs once, in order, inside a transaction."""

    name: str
    apply: Callable[[sqlite3.Connection], None]


@dataclass(frozen=True, slots=True)
class Rescue:
    """What was done to a damaged database: where the damaged file lies now, and the sentence to show."""

    kept: Path
    text: str


class Database:
    """One connection, to be used in the thread that made it. Close it there, too."""

    def __init__(self, path: Path, migrations: Sequence[Migration] = ()) -> None:
        self.path = path
        self.rescue: Rescue | None = None
        self.connection = self._open(migrations)
        self._identity = _identity(path)

    @contextlib.contextmanager
    def atomic(self, wait: float | None = None) -> Iterator[sqlite3.Connection]:
        """A write transaction: all or nothing; nested blocks join the outer one.

        `wait` is how many seconds to wait for another writer instead of the usual 15. Raises AppError(BUSY) when
        another process holds the write lock for longer, AppError(STORAGE) when the file was moved or removed under the
        open program or the disk refuses.
        """
        if self.connection.in_transaction:
            yield self.connection
            return
        self._check_in_place()
        with sorted_errors(self.path):
            self._begin(wait)
            try:
                yield self.connection
            except BaseException:
                self.connection.rollback()
                raise
            self.connection.commit()

    def _begin(self, wait: float | None) -> None:
        if wait is None:
            self.connection.execute("BEGIN IMMEDIATE")
            return
        self.connection.execute(f"PRAGMA busy_timeout = {int(wait * 1000)}")
        try:
            self.connection.execute("BEGIN IMMEDIATE")
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")

    def read(self, sql: str, parameters: Sequence[object] | dict[str, object] = ()) -> list[sqlite3.Row]:
        """All rows of one query."""
        with sorted_errors(self.path):
            return self.connection.execute(sql, parameters).fetchall()

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def _open(self, migrations: Sequence[Migration]) -> sqlite3.Connection:
        try:
            return _connect(self.path, migrations)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and "malformed" not in str(error):
                raise _sort(error, self.path) from error
            self.rescue = _set_aside(self.path, error)
            return _connect(self.path, migrations)

    def _check_in_place(self) -> None:
        if _identity(self.path) != self._identity:
            text = (
                f"{self.path} was moved, replaced or removed while Melete was open. Put it back or restart Melete; "
                "what you type now is kept in the window."
            )
            raise AppError(Kind.STORAGE, "The database is not where it was", text)


@contextlib.contextmanager
def sorted_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into AppError: busy, damaged, or refused by the disk."""
    try:
        yield
    except sqlite3.Error as error:
        raise _sort(error, path) from error


def _sort(error: sqlite3.Error, path: Path) -> AppError:
    message = str(error)
    if "locked" in message or "busy" in message:
        return AppError(Kind.BUSY, "The database is busy", "Another program is writing to it. Try again in a moment.")
    if "malformed" in message or "not a database" in message:
        text = f"{path} is damaged. Restart Melete: the file is set aside, what can be read is saved."
        return AppError(Kind.CORRUPT, "The database is damaged", text, detail=message)
    text = f"{path} cannot be used: {message}. Free space or change the permissions, then try again."
    return AppError(Kind.STORAGE, "The database cannot be used", text, detail=message)


def _connect(path: Path, migrations: Sequence[Migration]) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=_BUSY_MS / 1000, isolation_level=None)
    try:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("database disk image is malformed")
        _migrate(connection, migrations)
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    connection.execute("CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY, at TEXT NOT NULL)")
    done = {row[0] for row in connection.execute("SELECT name FROM migration")}
    for step in migrations:
        if step.name in done:
            continue
        connection.execute("BEGIN IMMEDIATE")
        try:
            known = connection.execute("SELECT 1 FROM migration WHERE name = ?", (step.name,)).fetchone()
            if known is None:
                step.apply(connection)
                stamp = datetime.now(UTC).isoformat()
                connection.execute("INSERT INTO migration VALUES (?, ?)", (step.name, stamp))
            connection.commit()
        except BaseException:
            connection.rollback()
            raise


def _set_aside(path: Path, error: sqlite3.Error) -> Rescue:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    kept = path.with_name(f"{path.name}.corrupt-{stamp}")
    number = 1
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.name}.corrupt-{stamp}-{number}")
    shutil.copy2(path, kept)
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    _log.info("damaged database set aside as %s: %s", kept, error)
    text = f"The database was damaged ({error}). It is kept as {kept.name}; Melete started a new one."
    return Rescue(kept, text)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
