"""SQLite: one connection per thread, named migrations, and a damaged file set aside and read, never replaced silently.

A start must not read a large file through: only a small one is checked whole. Damage that shows later leaves a mark
beside the file, and the next start checks everything. What is damaged is renamed, never written again; every row that
can be read is copied into a new database, which takes the old one's place in one step.
"""

import contextlib
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from app.clock import Clock, format_time, system_clock
from app.errors import AppError, Kind
from app.salvage import beside, remove, replace, salvage

_log = logging.getLogger(__name__)

#: How long a write waits for another process before it is an error, in milliseconds.
_BUSY_MS = 15_000
#: Up to this size a file is checked whole at each start (a tenth of a second at most).
_CHECKED_BYTES = 32 << 20
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_REFUSED = frozenset(
    {
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_AUTH,
    }
)


@dataclass(frozen=True, slots=True)
class Migration:
    """One named step of the schema. Names are for ever; a step runs once, in order, inside a transaction."""

    name: str
    apply: Callable[[sqlite3.Connection], None]


@dataclass(frozen=True, slots=True)
class Rescue:
    """What the user must be told about the file: where the old one lies, and the sentence to show.

    `salvaged` is how many rows could be read from a damaged file and are in the new one.
    """

    kept: Path
    text: str
    salvaged: int = 0


class Database:
    """One connection, to be used in the thread that made it. Close it there, too.

    `expected` says that the home was used before, so that a missing file is a loss to be told. `rescue` is a notice
    to show, or None; `read_only` that nothing can be written (every write raises AppError(STORAGE)).
    """

    def __init__(
        self,
        path: Path,
        migrations: Sequence[Migration] = (),
        *,
        expected: bool = False,
        clock: Clock = system_clock,
    ) -> None:
        self.path = path
        self.rescue: Rescue | None = None
        self.read_only = False
        self._migrations = tuple(migrations)
        self._clock = clock
        self.connection = self._open(expected=expected)
        self._identity = _identity(path)

    @contextlib.contextmanager
    def atomic(self, wait: float | None = None) -> Iterator[sqlite3.Connection]:
        """A write transaction: all or nothing; nested blocks join the outer one.

        `wait` is how many seconds to wait for another writer instead of the usual 15. Raises AppError(BUSY) when
        another process holds the write lock for longer, AppError(STORAGE) when the file was moved or removed under the
        open program or the disk refuses, AppError(CORRUPT) when it is damaged.
        """
        if self.connection.in_transaction:
            yield self.connection
            return
        self._check_in_place()
        with sorted_errors(self.path):
            self._begin(wait)
            try:
                yield self.connection
            except BaseException:  # whatever ends the block, an interrupt too: nothing of it stays, and it goes on up
                self.connection.rollback()
                raise
            self._commit()

    def read(self, sql: str, parameters: Sequence[object] | dict[str, object] = ()) -> list[sqlite3.Row]:
        """All rows of one query. Raises AppError like `atomic`; reading never waits for a writer."""
        with sorted_errors(self.path):
            return self.connection.execute(sql, parameters).fetchall()

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def _begin(self, wait: float | None) -> None:
        if wait is None:
            self.connection.execute("BEGIN IMMEDIATE")
            return
        self.connection.execute(f"PRAGMA busy_timeout = {int(wait * 1000)}")
        try:
            self.connection.execute("BEGIN IMMEDIATE")
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")

    def _commit(self) -> None:
        try:
            self.connection.commit()
        except sqlite3.Error:
            # A commit the disk refuses leaves the transaction open; left so, every later write would join it.
            if self.connection.in_transaction:
                self.connection.rollback()
            raise

    def _open(self, *, expected: bool) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            text = f"The folder {self.path.parent} cannot be made: {error.strerror}. Choose another home or make room."
            raise AppError(Kind.STORAGE, "The database cannot be used", text) from error
        missing = not self.path.exists()
        empty = not missing and self.path.is_file() and self.path.stat().st_size == 0
        if missing and beside(self.path, "-wal").exists():
            return self._start_over("the file itself is missing, only its write-ahead log was there")
        try:
            connection = self._connect(self.path)
        except sqlite3.DatabaseError as error:
            if _code(error) in _DAMAGED or self.path.is_dir():
                return self._rescue(str(error))
            if _code(error) in _REFUSED and self.path.is_file():
                return self._open_read_only(error)
            raise _sort(error, self.path) from error
        new = self._migrate(connection)
        if new and (empty or (missing and expected)):
            self.rescue = _lost(self.path, "was empty" if empty else "was not found")
        elif not os.access(self.path, os.W_OK):
            self._mark_read_only()
        return connection

    def _connect(self, path: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(path, timeout=_BUSY_MS / 1000, isolation_level=None)
        try:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA foreign_keys = ON")
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            if path == self.path:
                self._check(connection)
        except BaseException:  # a connection nobody gets to hold is closed, whatever went wrong
            connection.close()
            raise
        return connection

    def _check(self, connection: sqlite3.Connection) -> None:
        mark = beside(self.path, ".check")
        suspected = mark.exists()
        if not suspected and self.path.stat().st_size > _CHECKED_BYTES:
            return
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            _log.info("%s fails its check: %s", self.path, found)
            damage = sqlite3.DatabaseError("database disk image is malformed")
            damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damage
        if suspected:
            mark.unlink(missing_ok=True)

    def _migrate(self, connection: sqlite3.Connection) -> bool:
        """Run the steps not run yet; says whether the database was new."""
        with sorted_errors(self.path):
            try:
                connection.execute("CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY, at TEXT NOT NULL)")
                done = {row[0] for row in connection.execute("SELECT name FROM migration")}
                ran = [step.name for step in self._migrations if step.name not in done and self._run(connection, step)]
                if self._migrations and not done <= {step.name for step in self._migrations}:
                    self.rescue = _keep_newer(self.path, connection, done)
            except BaseException:  # as above: nobody gets to hold it
                connection.close()
                raise
        return bool(ran) and not done

    def _run(self, connection: sqlite3.Connection, step: Migration) -> bool:
        connection.execute("BEGIN IMMEDIATE")
        try:
            if connection.execute("SELECT 1 FROM migration WHERE name = ?", (step.name,)).fetchone():
                connection.rollback()
                return False
            step.apply(connection)
            connection.execute("INSERT INTO migration VALUES (?, ?)", (step.name, format_time(self._clock())))
            connection.commit()
        except BaseException:  # a migration is whole or not there, an interrupt included
            connection.rollback()
            raise
        return True

    def _rescue(self, reason: str) -> sqlite3.Connection:
        with FileLock(beside(self.path, ".rescue")):
            # Another process may have done it while this one waited for the lock.
            try:
                connection = self._connect(self.path)
            except sqlite3.DatabaseError:
                connection = self._start_over(reason)
            else:
                self._migrate(connection)
        beside(self.path, ".rescue").unlink(missing_ok=True)
        return connection

    def _start_over(self, reason: str) -> sqlite3.Connection:
        fresh = beside(self.path, ".new")
        remove(fresh)
        connection = self._connect(fresh)
        self._migrate(connection)
        saved = salvage(self.path, connection) if self.path.is_file() else 0
        connection.close()
        kept = replace(self.path, fresh, f"{self._clock():%Y%m%d-%H%M%S}")
        _log.info("damaged database set aside as %s: %s", kept, reason)
        outcome = f"{saved:,} rows could be read and were copied into a new one." if saved else "A new one was started."
        self.rescue = Rescue(kept, f"The database was damaged ({reason}). It is kept as {kept.name}. {outcome}", saved)
        return self._connect(self.path)

    def _open_read_only(self, error: sqlite3.Error) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(f"{self.path.absolute().as_uri()}?immutable=1", uri=True, isolation_level=None)
            connection.row_factory = sqlite3.Row
            connection.execute("SELECT name FROM migration").fetchall()
        except sqlite3.DatabaseError:
            raise _sort(error, self.path) from error
        self._mark_read_only()
        return connection

    def _mark_read_only(self) -> None:
        self.read_only = True
        text = f"{self.path} cannot be written. Its sessions can be read; change the permissions to go on with them."
        self.rescue = Rescue(self.path, text)

    def _check_in_place(self) -> None:
        if _identity(self.path) != self._identity:
            text = (
                f"{self.path} was moved, replaced or removed while Melete was open. Put it back or restart Melete; "
                "what you type now is kept in the window."
            )
            raise AppError(Kind.STORAGE, "The database is not where it was", text)


@contextlib.contextmanager
def sorted_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into AppError: busy, damaged, or refused by the disk. Any other is a bug and rises as it is.

    Damage leaves a mark beside the file so that the next start checks all of it.
    """
    try:
        yield
    except sqlite3.Error as error:
        if _code(error) not in _BUSY | _DAMAGED | _REFUSED:
            raise
        if _code(error) in _DAMAGED:
            with contextlib.suppress(OSError):
                beside(path, ".check").touch()
        raise _sort(error, path) from error


def _sort(error: sqlite3.Error, path: Path) -> AppError:
    message = str(error)
    if _code(error) in _BUSY:
        return AppError(Kind.BUSY, "The database is busy", "Another program is writing to it. Try again in a moment.")
    if _code(error) in _DAMAGED:
        text = f"{path} is damaged. Restart Melete: the file is set aside, what can be read is saved."
        return AppError(Kind.CORRUPT, "The database is damaged", text, detail=message)
    text = f"{path} cannot be used: {message}. Free space or change the permissions, then try again."
    return AppError(Kind.STORAGE, "The database cannot be used", text, detail=message)


def _code(error: sqlite3.Error) -> int:
    """The primary result code; the module's own errors (wrong thread, closed) have none."""
    return int(getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def _lost(path: Path, how: str) -> Rescue:
    text = f"The database {how}, so a new one was started. If you moved {path.name}, close Melete and put it back."
    return Rescue(path, text)


def _keep_newer(path: Path, connection: sqlite3.Connection, done: set[str]) -> Rescue:
    kept = beside(path, f".newer-{len(done)}")
    if not kept.exists():
        connection.execute("VACUUM INTO ?", (str(kept),))
    text = f"The database was written by a newer version. It is used as it is; a copy is kept as {kept.name}."
    return Rescue(kept, text)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
