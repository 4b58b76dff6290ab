"""Row by row: what SessionStore writes, each method inside the caller's transaction."""

import contextlib
import sqlite3
import uuid
from collections.abc import Iterable, Iterator
from datetime import datetime

from app.clock import format_time
from app.database import Database
from app.errors import AppError, Kind
from app.providers.values import Message, Role, Usage
from app.sessions.blocks import dump_blocks, load_message
from app.sessions.passages import Passages
from app.sessions.values import MessageState
from app.sessions.wording import storable

_TITLE = 60
_ADD = "INSERT INTO message (session, turn, role, blocks, state, kind, data, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_BOOK = "INSERT INTO booking VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


@contextlib.contextmanager
def writing(db: Database, wait: float | None = None) -> Iterator[sqlite3.Connection]:
    """A write transaction like Database.atomic; AppError(NOT_FOUND) when the session was deleted meanwhile."""
    try:
        with db.atomic(wait) as connection:
            yield connection
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
            raise
        text = "The session was deleted meanwhile, so nothing was stored in it. Begin a new one."
        raise AppError(Kind.NOT_FOUND, "No such session", text) from error


def new_session_id(now: datetime) -> str:
    """An id that sorts by time and is short enough to type the beginning of."""
    return f"{now:%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:6]}"


class SessionWriter:
    """Writes rows and keeps what is searched in step. Opens no transaction of its own."""

    def __init__(self, db: Database, passages: Passages) -> None:
        self._db = db
        self._passages = passages

    def session(
        self, session: str, title: str, model: str, system: str | None, at: datetime, parent: str | None = None
    ) -> None:
        """Add a session."""
        stamp, title = format_time(at), storable(title)
        row = (session, title, model, None if system is None else storable(system), stamp, stamp, parent)
        self._db.connection.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        self._passages.put_title(session, title, at)

    def turn(self, session: str, turn: str, at: datetime) -> None:
        """Begin a turn unless it has begun."""
        self._db.connection.execute(
            "INSERT OR IGNORE INTO turn (session, id, number, started_at)"
            " VALUES (?, ?, (SELECT coalesce(max(number), 0) + 1 FROM turn WHERE session = ?), ?)",
            (session, turn, session, format_time(at)),
        )

    def end_turn(self, session: str, turn: str, ending: str, skills: Iterable[str], at: datetime) -> None:
        """Store how a turn ended and which skills it used."""
        self._db.connection.execute(
            "UPDATE turn SET ending = ?, ended_at = ? WHERE session = ? AND id = ?",
            (ending, format_time(at), session, turn),
        )
        for skill in skills:
            self._db.connection.execute("INSERT OR IGNORE INTO turn_skill VALUES (?, ?, ?)", (session, turn, skill))

    def message(
        self, session: str, turn: str, message: Message, state: MessageState, kind: str, data: str, at: datetime
    ) -> int:
        """Add a message at the end of a session; an untitled session takes its title from the first user's words."""
        stamp = format_time(at)
        values = (session, turn, message.role, dump_blocks(message.blocks), state, kind, data, stamp)
        number = self._db.connection.execute(_ADD, values).lastrowid
        assert number is not None
        if kind == "message":
            if state is not MessageState.STREAMING:
                self._passages.put_message(session, number, message, stamp)
            if message.role is Role.USER:
                self._title_from(session, message.text, at)
        return number

    def replace_message(self, number: int, message: Message, state: MessageState, data: str | None) -> str | None:
        """Replace one message's content and state; returns its session, None when there is no such message."""
        row = self._db.connection.execute(
            "UPDATE message SET blocks = ?, state = ?, data = coalesce(?, data) WHERE id = ?"
            " RETURNING session, kind, at",
            (dump_blocks(message.blocks), state, data, number),
        ).fetchone()
        if row is None:
            return None
        if state is not MessageState.STREAMING and row["kind"] == "message":
            self._passages.put_message(row["session"], number, message, row["at"])
        return str(row["session"])

    def interrupt(self) -> int:
        """Call every streaming message interrupted and make it findable; returns how many there were."""
        cut = self._db.connection.execute("SELECT * FROM message WHERE state = 'streaming'").fetchall()
        for row in cut:
            self.replace_message(row["id"], load_message(row["role"], row["blocks"]), MessageState.INTERRUPTED, None)
        self._db.connection.execute("UPDATE turn SET ending = 'interrupted' WHERE ending = '' AND id <> ''")
        return len(cut)

    def book(self, session: str, turn: str, task: str, usage: Usage, model: str, at: datetime) -> None:
        """Add one row of tokens and money."""
        money = (usage.input, usage.output, usage.cache_read, usage.cache_write, usage.cost)
        self._db.connection.execute(_BOOK, (session, turn, task, model, format_time(at), *money))

    def touch(self, session: str, at: datetime) -> None:
        """Say that a session was used now."""
        self._db.connection.execute("UPDATE session SET updated_at = ? WHERE id = ?", (format_time(at), session))

    def retitle(self, session: str, title: str, at: datetime) -> bool:
        """Change a title; says whether there is such a session."""
        title = storable(title)
        found = self._db.connection.execute("UPDATE session SET title = ? WHERE id = ?", (title, session)).rowcount
        if found:
            self._passages.put_title(session, title, at)
        return bool(found)

    def index_session(self, session: str) -> None:
        """Make everything of one session findable again."""
        row = self._db.connection.execute("SELECT title, started_at FROM session WHERE id = ?", (session,)).fetchone()
        self._passages.put_title(session, row["title"], datetime.fromisoformat(row["started_at"]))
        sql = "SELECT id, role, blocks, at FROM message WHERE session = ? AND kind = 'message' AND state <> 'streaming'"
        for row in self._db.connection.execute(sql, (session,)).fetchall():
            self._passages.put_message(session, row["id"], load_message(row["role"], row["blocks"]), row["at"])

    def forget_session(self, session: str) -> None:
        """Remove a session with everything in it."""
        self._passages.drop_session(session)
        self._db.connection.execute("DELETE FROM session WHERE id = ?", (session,))

    def _title_from(self, session: str, text: str, at: datetime) -> None:
        words = " ".join(text.split())
        if not words:
            return
        row = self._db.connection.execute("SELECT title FROM session WHERE id = ?", (session,)).fetchone()
        if row is not None and not row["title"]:
            self.retitle(session, words if len(words) <= _TITLE else words[: _TITLE - 1].rstrip() + "…", at)
