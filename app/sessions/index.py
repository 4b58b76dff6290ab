"""The search index: words and three-letter grams, kept by FTS5 or, where SQLite has none, by FTS4.

Both engines are given the same text (see wording.py) and asked with the same MATCH expressions, so they find the same
messages; only how a table is made, a row is taken out and hits are ranked differs. The index holds no text of its own:
it points at `passage` through two views and can be made again from there.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from sqlite_fts4 import rank_bm25

from app.database import Database
from app.sessions.wording import WORDING, grams_text, words_text

_MARK = "search.index"
_VIEWS = tuple(
    f"CREATE VIEW passage_{kind} AS"
    f" SELECT id AS rowid, melete_{kind}(body) AS body, melete_{kind}(tool) AS tool FROM passage"
    for kind in ("words", "grams")
)
_KINDS = (("words", words_text), ("grams", grams_text))
_NAMES = tuple(f"{kind}{number}" for number in (5, 4) for kind in ("words", "grams"))


@dataclass(frozen=True, slots=True)
class Engine:
    """What differs between FTS5 and FTS4: how a table is made, and how hits are scored (smaller is better).

    `order` is how to ask for the best first: FTS5 sorts by itself only when asked for its own column by name.
    """

    name: str
    number: int
    create: str
    score: str
    order: str

    def table(self, kind: str) -> str:
        """The table's name; `kind` is "words" or "grams"."""
        return f"{kind}{self.number}"


FTS5 = Engine(
    "fts5",
    5,
    "CREATE VIRTUAL TABLE {table}"
    " USING fts5(body, tool, content='{view}', content_rowid='rowid', tokenize='unicode61')",
    "rank",
    "rank",
)
FTS4 = Engine(
    "fts4",
    4,
    "CREATE VIRTUAL TABLE {table} USING fts4(body, tool, content='{view}', tokenize=unicode61)",
    "melete_rank(matchinfo({table}, 'pcnalx'))",
    "score",
)


class SearchIndex:
    """The index of one connection. It may be missing, of the other engine or outdated: then `ready` says no."""

    def __init__(self, db: Database, engine: str = "auto") -> None:
        self._db = db
        _register(db.connection)
        self.engine = _choose(db.connection, engine)

    def ready(self) -> bool:
        """Whether the index is there, made by this engine and this version of the wording."""
        mark = self._db.read("SELECT value FROM kv WHERE key = ?", (_MARK,))
        wanted = ("passage_words", "passage_grams", self.engine.table("words"), self.engine.table("grams"))
        found = self._db.read("SELECT name FROM sqlite_master WHERE name IN (?, ?, ?, ?)", wanted)
        return bool(mark) and mark[0][0] == self._version and len(found) == len(wanted)

    def add(self, passage: int, body: str, tool: str) -> None:
        """Index one passage; inside the caller's transaction."""
        with self._settled():
            for kind, text in _KINDS:
                sql = f"INSERT INTO {self.engine.table(kind)} (rowid, body, tool) VALUES (?, ?, ?)"
                self._db.connection.execute(sql, (passage, text(body), text(tool)))

    def remove(self, passage: int, body: str, tool: str) -> None:
        """Take one passage out, given the text it was indexed with; before its row in `passage` changes."""
        with self._settled():
            for kind, text in _KINDS:
                table = self.engine.table(kind)
                if self.engine is FTS5:
                    sql = f"INSERT INTO {table} ({table}, rowid, body, tool) VALUES ('delete', ?, ?, ?)"
                    self._db.connection.execute(sql, (passage, text(body), text(tool)))
                else:
                    self._db.connection.execute(f"DELETE FROM {table} WHERE docid = ?", (passage,))

    @contextlib.contextmanager
    def _settled(self) -> Iterator[None]:
        """All or nothing, and a damaged index says so here; it would otherwise only when the caller commits."""
        self._db.connection.execute("SAVEPOINT passage")
        try:
            yield
            self._db.connection.execute("RELEASE passage")
        except sqlite3.DatabaseError:
            self._db.connection.execute("ROLLBACK TO passage")
            self._db.connection.execute("RELEASE passage")
            raise

    def rebuild(self) -> None:
        """Make the index again from the passages, in one transaction or inside the caller's.

        Raises AppError like Database.atomic.
        """
        with self._db.atomic() as connection:
            for name in _NAMES:
                _drop_table(connection, name)
            for view in ("passage_words", "passage_grams"):
                connection.execute(f"DROP VIEW IF EXISTS {view}")
            for statement in _VIEWS:
                connection.execute(statement)
            for kind in ("words", "grams"):
                table = self.engine.table(kind)
                connection.execute(self.engine.create.format(table=table, view=f"passage_{kind}"))
                connection.execute(f"INSERT INTO {table} ({table}) VALUES ('rebuild')")
            connection.execute("INSERT OR REPLACE INTO kv VALUES (?, ?)", (_MARK, self._version))

    @property
    def _version(self) -> str:
        return f"{self.engine.name}:{WORDING}"


def _register(connection: sqlite3.Connection) -> None:
    try:
        connection.execute("SELECT melete_words('')")
    except sqlite3.OperationalError:
        connection.create_function("melete_words", 1, words_text, deterministic=True)
        connection.create_function("melete_grams", 1, grams_text, deterministic=True)
        connection.create_function("melete_rank", 1, rank_bm25, deterministic=True)


def _choose(connection: sqlite3.Connection, wanted: str) -> Engine:
    return FTS5 if wanted != "fts4" and _has_fts5(connection) else FTS4


def _has_fts5(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").fetchone() is not None


def _drop_table(connection: sqlite3.Connection, name: str) -> None:
    try:
        connection.execute(f"DROP TABLE IF EXISTS {name}")
    except sqlite3.OperationalError as error:
        # Made by a SQLite with FTS5 and opened by one without: it can only lie there until the other one is back.
        if "no such module" not in str(error):
            raise


def is_index_trouble(error: sqlite3.DatabaseError) -> bool:
    """Whether making the index again may help: it is gone or damaged (or the database is; then that will fail, too)."""
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    return code == sqlite3.SQLITE_CORRUPT or "no such table" in str(error)
