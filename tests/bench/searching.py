"""Search over many messages, beside the bare query of the same words."""

import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from app.clock import system_clock
from app.database import Database
from app.sessions.index import SearchIndex
from app.sessions.query import read_query, words_match
from app.sessions.schema import MIGRATIONS
from app.sessions.search import search_sessions
from app.sessions.store import SessionStore
from tests.bench.made import WEIGHTS, WORDS
from tests.bench.measure import Row, ms, percentile, tell

SESSIONS = 2000
_BARE = """
SELECT rowid, rank, snippet({table}, 0, '[', ']', '…', 20) FROM {table} WHERE {table} MATCH ? ORDER BY rank LIMIT 20
"""


def _fill(db: Database, count: int) -> None:
    """Messages as the program stores them, written in bulk; the index is made by the program itself."""
    pick = random.Random(5)
    stamp = "2026-01-01T00:00:00+00:00"
    with db.atomic() as connection:
        rows = [(f"s{number:05d}", f"Talk {number}", "basic", None, stamp, stamp, None) for number in range(SESSIONS)]
        connection.executemany("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        for start in range(0, count, 20_000):
            texts = [" ".join(pick.choices(WORDS, WEIGHTS, k=12)) for _ in range(min(20_000, count - start))]
            connection.executemany(
                "INSERT INTO passage (session, message, body, tool, at) VALUES (?, ?, ?, '', ?)",
                [(f"s{(start + n) % SESSIONS:05d}", start + n + 1, text, stamp) for n, text in enumerate(texts)],
            )
    SearchIndex(db).rebuild()


def _seconds(work: object, queries: list[str]) -> list[float]:
    found = []
    for text in queries:
        began = time.perf_counter()
        work(text)
        found.append(time.perf_counter() - began)
    return found


def main() -> None:
    """Measure; `--quick` uses a fifth of the messages."""
    count = 200_000 if "--quick" in sys.argv else 1_000_000
    root = Path(tempfile.mkdtemp(prefix="melete-bench-"))
    try:
        db = Database(root / "melete.db", MIGRATIONS, expected=False, clock=system_clock)
        SessionStore(db, system_clock)
        began = time.perf_counter()
        _fill(db, count)
        filled = time.perf_counter() - began
        index = SearchIndex(db)
        pick = random.Random(9)
        queries = [" ".join(pick.sample(WORDS[40:1500], 2)) for _ in range(60)] + pick.sample(WORDS[40:1500], 40)
        sql = _BARE.format(table=index.engine.table("words"))

        def bare(text: str) -> None:
            list(db.connection.execute(sql, (words_match(read_query(text)),)))

        _seconds(bare, queries)
        own, base = [], []
        for _ in range(3):
            base.append(percentile(_seconds(bare, queries), 95))
            own.append(percentile(_seconds(lambda text: search_sessions(db, text), queries), 95))
        db.close()
    finally:
        shutil.rmtree(root, ignore_errors=True)
    ratio = min(own) / min(base)
    rows = [
        Row(
            f"search {count:,} messages ({index.engine.name})",
            f"p95 {ms(min(own))} = {ratio:.2f} x bare query",
            "<= 1.5 x",
            ratio <= 1.5,
            f"bare p95 {ms(min(base))}; stored and indexed in {filled:.0f} s",
        )
    ]
    tell(rows, own=min(own), bare=min(base))


if __name__ == "__main__":
    main()
