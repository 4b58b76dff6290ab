"""After a rescue: rows of a damaged database made usable again, so that every message that was read back is shown."""

import json
import sqlite3
from collections.abc import Iterator

from app.clock import read_time
from app.providers.values import Role, Text
from app.sessions.blocks import dump_blocks, load_message
from app.sessions.values import MessageState

#: The title of a session of which only messages were left.
LOST_TITLE = "Recovered session"

_EPOCH = "1970-01-01T00:00:00+00:00"


def mend_rows(connection: sqlite3.Connection) -> None:
    """Give messages without a session one, and replace what cannot be read by what can; inside a transaction."""
    orphans = "SELECT session, min(at) AS first, max(at) AS last FROM message"
    orphans += " WHERE session NOT IN (SELECT id FROM session) GROUP BY session"
    for row in connection.execute(orphans).fetchall():
        times = (_time(row["first"]), _time(row["last"]))
        connection.execute(
            "INSERT INTO session VALUES (?, ?, '', NULL, ?, ?, NULL)", (row["session"], LOST_TITLE, *times)
        )
    for table in ("turn", "turn_skill", "booking", "counter"):
        connection.execute(f"DELETE FROM {table} WHERE session NOT IN (SELECT id FROM session)")
    for row in connection.execute("SELECT id, started_at, updated_at FROM session").fetchall():
        if not read_time(row["started_at"]) or not read_time(row["updated_at"]):
            times = (_time(row["started_at"]), _time(row["updated_at"]))
            connection.execute("UPDATE session SET started_at = ?, updated_at = ? WHERE id = ?", (*times, row["id"]))
    for number, role, blocks, state, at in list(_unreadable(connection)):
        connection.execute(
            "UPDATE message SET role = ?, blocks = ?, state = ?, at = ? WHERE id = ?", (role, blocks, state, at, number)
        )


def _unreadable(connection: sqlite3.Connection) -> Iterator[tuple[int, str, str, str, str]]:
    for row in connection.execute("SELECT id, role, blocks, state, at FROM message"):
        role = row["role"] if row["role"] in list(Role) else Role.ASSISTANT
        state = row["state"] if row["state"] in list(MessageState) else MessageState.INTERRUPTED
        blocks = row["blocks"]
        try:
            load_message(role, blocks)
        except (ValueError, TypeError, KeyError, AttributeError):
            blocks = dump_blocks([Text(_text(row["blocks"]))])
        fresh = (role, blocks, state, _time(row["at"]))
        if fresh != (row["role"], row["blocks"], row["state"], row["at"]):
            yield (row["id"], *fresh)


def _text(blocks: object) -> str:
    return blocks if isinstance(blocks, str) else json.dumps(blocks, default=repr)


def _time(value: object) -> str:
    return str(value) if read_time(value) else _EPOCH
