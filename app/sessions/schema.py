"""The tables of the sessions room. A migration's name is for ever; later changes are further migrations.

`message.blocks` is what was said, exactly. `passage` is the same as plain text for searching, one row per message and
one per title; it and the index tables beside it can be made again from the rest at any time.
"""

import sqlite3

from app.database import Migration

_TABLES = (
    """
    CREATE TABLE session (
        id TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        model TEXT NOT NULL,
        system TEXT,
        started_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        parent TEXT
    )
    """,
    "CREATE INDEX session_updated ON session (updated_at)",
    """
    CREATE TABLE turn (
        session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        number INTEGER NOT NULL,
        started_at TEXT NOT NULL,
        ended_at TEXT,
        ending TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (session, id)
    )
    """,
    """
    CREATE TABLE turn_skill (
        session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
        turn TEXT NOT NULL,
        skill TEXT NOT NULL,
        PRIMARY KEY (session, turn, skill)
    )
    """,
    "CREATE INDEX turn_skill_skill ON turn_skill (skill)",
    """
    CREATE TABLE message (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
        turn TEXT NOT NULL,
        role TEXT NOT NULL,
        blocks TEXT NOT NULL,
        state TEXT NOT NULL,
        kind TEXT NOT NULL,
        data TEXT NOT NULL,
        at TEXT NOT NULL
    )
    """,
    "CREATE INDEX message_session ON message (session, kind)",
    "CREATE INDEX message_unfinished ON message (state) WHERE state = 'streaming'",
    """
    CREATE TABLE booking (
        session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
        turn TEXT NOT NULL,
        task TEXT NOT NULL,
        model TEXT NOT NULL,
        at TEXT NOT NULL,
        input INTEGER NOT NULL,
        output INTEGER NOT NULL,
        cache_read INTEGER NOT NULL,
        cache_write INTEGER NOT NULL,
        cost REAL NOT NULL
    )
    """,
    "CREATE INDEX booking_session ON booking (session, turn)",
    """
    CREATE TABLE counter (
        session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        value INTEGER NOT NULL,
        PRIMARY KEY (session, name)
    )
    """,
    "CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """
    CREATE TABLE passage (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session TEXT NOT NULL,
        message INTEGER UNIQUE,
        body TEXT NOT NULL,
        tool TEXT NOT NULL,
        at TEXT NOT NULL
    )
    """,
    "CREATE INDEX passage_session ON passage (session)",
)


def _create(connection: sqlite3.Connection) -> None:
    for statement in _TABLES:
        connection.execute(statement)


#: What Database runs when it opens `melete.db`.
MIGRATIONS = (Migration("sessions", _create),)
