"""After a rescue: rows of a damaged database made usable again, so that every message that was read back is shown."""

import json
import sqlite3
from collections.abc import Iterable

from app.clock import read_time
from app.providers.values import Message, Role, Text
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
    roles, states = _listed(Role), _listed(MessageState)
    connection.execute(f"UPDATE message SET role = ? WHERE role NOT IN ({roles})", (Role.ASSISTANT,))
    connection.execute(f"UPDATE message SET state = ? WHERE state NOT IN ({states})", (MessageState.INTERRUPTED,))
    for row in connection.execute("SELECT DISTINCT at FROM message").fetchall():
        if not read_time(row["at"]):
            connection.execute("UPDATE message SET at = ? WHERE at IS ?", (_EPOCH, row["at"]))


def read_or_mend(connection: sqlite3.Connection, row: sqlite3.Row) -> Message:
    """A row's message; one whose blocks cannot be read becomes a text that shows what is there."""
    try:
        return load_message(row["role"], row["blocks"])
    except (ValueError, TypeError, KeyError, AttributeError):
        message = Message(Role(row["role"]), (Text(_text(row["blocks"])),))
        connection.execute("UPDATE message SET blocks = ? WHERE id = ?", (dump_blocks(message.blocks), row["id"]))
        return message


def _listed(values: Iterable[str]) -> str:
    return ", ".join(f"'{value}'" for value in values)


def _text(blocks: object) -> str:
    return blocks if isinstance(blocks, str) else json.dumps(blocks, default=repr)


def _time(value: object) -> str:
    return str(value) if read_time(value) else _EPOCH
