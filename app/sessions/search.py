"""Searching everything that was said: one function over both index engines.

Hits come in this order: texts with exactly what was typed, marks included (only asked when there are telling marks);
texts with all the words, best first; texts where the last word is only begun; pieces of identifiers and paths.
"""

import sqlite3
from collections.abc import Iterator

from app.clock import read_time
from app.database import Database, sorted_errors
from app.sessions.index import FTS5, SearchIndex, is_index_trouble
from app.sessions.passages import Passages
from app.sessions.query import Term, grams_match, read_query, words_match
from app.sessions.snippet import find_marks, make_snippet
from app.sessions.values import Hit, HitKind
from app.sessions.wording import fold

#: How many ranked rows are looked at for one page of hits before the rest is given up.
_EXAMINED = 2000

_PASSAGE = """
SELECT p.id, p.session, p.message, p.body, p.tool, p.at, s.title, ? AS score
FROM passage AS p JOIN session AS s ON s.id = p.session WHERE p.id = ?
"""


def search_sessions(
    db: Database, text: str, limit: int = 20, tools: bool = True, session: str | None = None
) -> tuple[Hit, ...]:
    """Find messages and titles that hold all the words of `text`; one hit per session, or every hit of one `session`.

    `tools` off leaves out what stands only in tool calls and their results. Raises AppError like Database.read.
    """
    terms = read_query(text)
    if not terms or limit <= 0:
        return ()
    index = Passages(db, _engine_of(db)).index
    search = _Search(db, index, terms, limit, tools=tools, session=session)
    with sorted_errors(db.path):
        try:
            return search.run()
        except sqlite3.DatabaseError as error:
            if not is_index_trouble(error):
                raise
            index.rebuild()
            return search.run()


def _engine_of(db: Database) -> str:
    mark = db.read("SELECT value FROM kv WHERE key = 'search.index'")
    return str(mark[0][0]).partition(":")[0] if mark else "auto"


class _Search:
    """One search under way: the rows it has taken and the hits made of them."""

    def __init__(
        self, db: Database, index: SearchIndex, terms: tuple[Term, ...], limit: int, *, tools: bool, session: str | None
    ) -> None:
        self._connection = db.connection
        self._engine = index.engine
        self._terms = terms
        self._limit = limit
        self._tools = tools
        self._session = session
        self._hits: dict[object, Hit] = {}

    def run(self) -> tuple[Hit, ...]:
        """All arms in order until the page is full."""
        self._hits.clear()
        for arm in (self._exactly, self._words, self._begun, self._pieces):
            for row in arm():
                self._take(row)
                if len(self._hits) == self._limit:
                    return tuple(self._hits.values())
        return tuple(self._hits.values())

    def _take(self, row: sqlite3.Row) -> None:
        key = row["id"] if self._session else row["session"]
        if key not in self._hits:
            self._hits[key] = _hit(row, self._terms)

    def _exactly(self) -> Iterator[sqlite3.Row]:
        telling = tuple(term.outer for term in self._terms if term.outer != term.core or not term.words)
        match = grams_match(telling)
        if not match or any(len(literal) < 3 for literal in telling):
            return iter(())
        rest = tuple(term for term in self._terms if term.outer == term.core and term.words)
        rows = self._newest("grams", match, rest)
        return (row for row in rows if all(literal in self._text(row) for literal in telling))

    def _words(self) -> Iterator[sqlite3.Row]:
        worded = tuple(term for term in self._terms if term.words)
        return filter(self._holds, self._ranked(words_match(worded))) if worded else iter(())

    def _begun(self) -> Iterator[sqlite3.Row]:
        last = self._terms[-1]
        if not last.words or len(last.words[-1]) < 3 or not all(map(self._known, self._terms[:-1])):
            return iter(())
        star = f"{last.phrase} *" if self._engine is FTS5 else f'{last.phrase[:-1]}*"'
        match = f"{words_match(self._terms[:-1])} {star}".strip()
        return filter(self._holds, self._newest("words", match, ()))

    def _pieces(self) -> Iterator[sqlite3.Row]:
        parts = tuple(t for t in self._terms if len(t.core) >= 3 and (len(self._terms) == 1 or not self._known(t)))
        match = grams_match(tuple(term.core for term in parts))
        if not match:
            return iter(())
        rest = tuple(term for term in self._terms if term not in parts and term.words)
        return filter(self._holds, self._newest("grams", match, rest))

    def _known(self, term: Term) -> bool:
        if not term.words:
            return True
        words = self._engine.table("words")
        return (
            self._connection.execute(f"SELECT 1 FROM {words} WHERE {words} MATCH ? LIMIT 1", (term.phrase,)).fetchone()
            is not None
        )

    def _ranked(self, match: str) -> Iterator[sqlite3.Row]:
        table = self._engine.table("words")
        score = self._engine.score.format(table=table)
        sql = f"SELECT rowid, {score} AS score FROM {table} WHERE {self._left(table)} MATCH ?"
        return self._rows(sql, [match], self._engine.order)

    def _newest(self, kind: str, match: str, rest: tuple[Term, ...]) -> Iterator[sqlite3.Row]:
        table, words = self._engine.table(kind), self._engine.table("words")
        sql = f"SELECT rowid, 0.0 AS score FROM {table} WHERE {self._left(table)} MATCH ?"
        values = [match]
        if rest:
            sql += f" AND +rowid IN (SELECT rowid FROM {words} WHERE {self._left(words)} MATCH ?)"
            values.append(words_match(rest))
        return self._rows(sql, values, "rowid DESC")

    def _rows(self, sql: str, values: list[str], order: str) -> Iterator[sqlite3.Row]:
        if self._session:
            sql += " AND +rowid IN (SELECT id FROM passage WHERE session = ?)"
            values = [*values, self._session]
        for passage, score in self._connection.execute(f"{sql} ORDER BY {order} LIMIT {_EXAMINED}", values):
            row = self._connection.execute(_PASSAGE, (score, passage)).fetchone()
            if row is not None:
                yield row

    def _left(self, table: str) -> str:
        # A column on the left of MATCH looks into that column alone; in both engines.
        return table if self._tools else f"{table}.body"

    def _holds(self, row: sqlite3.Row) -> bool:
        exact = [term.core for term in self._terms if term.exact]
        return not exact or all(core in self._text(row) for core in exact)

    def _text(self, row: sqlite3.Row) -> str:
        return fold(f"{row['body']}\n{row['tool']}" if self._tools else row["body"])


def _hit(row: sqlite3.Row, terms: tuple[Term, ...]) -> Hit:
    body, tool = str(row["body"]), str(row["tool"])
    folded = fold(body)
    in_body = all(term.core in folded for term in terms)
    text = body if in_body or not tool else tool
    marks = find_marks(text, terms)
    snippet, inside = make_snippet(text, marks)
    return Hit(
        kind=HitKind.SESSION,
        id=row["session"],
        title=row["title"],
        snippet=snippet,
        marks=inside,
        text=text[:300],
        score=-float(row["score"]),
        at=read_time(row["at"]),
        message=row["message"],
        tool=not in_body and bool(tool),
    )
