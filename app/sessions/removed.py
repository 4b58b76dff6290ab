"""All rows of one session as a value: to bring a deleted session back, and to copy one for a branch."""

import sqlite3
from dataclasses import dataclass
from typing import Any

#: The tables of a session's rows in the order in which they can be written.
_TABLES = ("session", "turn", "turn_skill", "message", "booking", "counter")


@dataclass(frozen=True, slots=True)
class RemovedSession:
    """A deleted session: its id, its title for the notice, and every row by table, as column values."""

    session: str
    title: str
    rows: dict[str, tuple[tuple[Any, ...], ...]]


def read_all(connection: sqlite3.Connection, session: str) -> RemovedSession:
    """Every row of a session that exists."""
    rows = {name: tuple(map(tuple, connection.execute(_select(name), (session,)))) for name in _TABLES}
    title = connection.execute("SELECT title FROM session WHERE id = ?", (session,)).fetchone()["title"]
    return RemovedSession(session, title, rows)


def write_all(connection: sqlite3.Connection, removed: RemovedSession) -> None:
    """Write every row back."""
    for name in _TABLES:
        for row in removed.rows[name]:
            marks = ", ".join("?" * len(row))
            connection.execute(f"INSERT INTO {name} VALUES ({marks})", row)


def copy_until(connection: sqlite3.Connection, source: str, target: str, message: int) -> bool:
    """Copy the messages up to `message` with their turns into `target`; False when `source` has no such message.

    What was spent and the review counters belong to the source and are not copied.
    """
    found = connection.execute("SELECT 1 FROM message WHERE session = ? AND id = ?", (source, message)).fetchone()
    if found is None:
        return False
    turns = "SELECT DISTINCT turn FROM message WHERE session = ? AND id <= ?"
    connection.execute(
        "INSERT INTO turn SELECT ?, id, number, started_at, ended_at, ending FROM turn"
        f" WHERE session = ? AND id IN ({turns})",
        (target, source, source, message),
    )
    connection.execute(
        f"INSERT INTO turn_skill SELECT ?, turn, skill FROM turn_skill WHERE session = ? AND turn IN ({turns})",
        (target, source, source, message),
    )
    connection.execute(
        "INSERT INTO message (session, turn, role, blocks, state, kind, data, at)"
        " SELECT ?, turn, role, blocks, state, kind, data, at FROM message WHERE session = ? AND id <= ? ORDER BY id",
        (target, source, message),
    )
    return True


def _select(table: str) -> str:
    column = "id" if table == "session" else "session"
    return f"SELECT * FROM {table} WHERE {column} = ?"
