"""What of a session is searched: plain text of messages and titles, and keeping index and text in step."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from datetime import datetime

from app.clock import format_time
from app.database import Database
from app.providers.values import Message, Text, ToolResult, ToolUse
from app.sessions.index import SearchIndex, is_index_trouble
from app.sessions.mending import mend_rows, read_or_mend
from app.sessions.wording import clean


def searched_text(message: Message) -> tuple[str, str]:
    """What people said or read in a message, and what tools were asked and answered, field names left out."""
    said = "\n".join(block.text for block in message.blocks if isinstance(block, Text))
    tool = "\n".join(part for block in message.blocks for part in _tool_text(block))
    return clean(said), clean(tool)


class Passages:
    """The searched texts of one connection. Opening it makes a missing index again from the messages.

    Every method writes inside the caller's transaction. An index that turns out damaged is made again on the way:
    what was said is never held up by what only helps to find it.
    """

    def __init__(self, db: Database, engine: str = "auto") -> None:
        self._db = db
        self.index = SearchIndex(db, engine)
        if not self.index.ready():
            self.remake()

    def put_message(self, session: str, number: int, message: Message, at: str) -> None:
        """Make message `number` findable, in place of what was known of it; nothing is written when nothing changed."""
        body, tool = searched_text(message)
        old = self._db.connection.execute("SELECT id, body, tool FROM passage WHERE message = ?", (number,)).fetchone()
        if old is not None:
            if (old["body"], old["tool"]) == (body, tool):
                return
            self._remove([old])
        if body or tool:
            self._add(session, number, body, tool, at)

    def put_title(self, session: str, title: str, at: datetime) -> None:
        """Make a session findable by its title, in place of the old one."""
        sql = "SELECT id, body, tool FROM passage WHERE session = ? AND message IS NULL"
        old = self._db.connection.execute(sql, (session,)).fetchall()
        if [row["body"] for row in old] == [clean(title)]:
            return
        self._remove(old)
        if title.strip():
            self._add(session, None, clean(title), "", format_time(at))

    def drop_session(self, session: str) -> None:
        """Forget everything of one session."""
        self._remove(self._db.connection.execute("SELECT id, body, tool FROM passage WHERE session = ?", (session,)))

    def remake(self) -> None:
        """Make all passages and the index again from the messages, in one transaction."""
        with self._db.atomic() as connection:
            if self.index.ready():
                return
            mend_rows(connection)
            connection.execute("DELETE FROM passage")
            for row in connection.execute("SELECT id, title, started_at FROM session"):
                if row["title"].strip():
                    self._write(row["id"], None, clean(row["title"]), "", row["started_at"])
            done = "kind = 'message' AND state <> 'streaming'"
            for row in connection.execute(f"SELECT id, session, role, blocks, at FROM message WHERE {done}"):
                message = read_or_mend(connection, row)
                body, tool = searched_text(message)
                if body or tool:
                    self._write(row["session"], row["id"], body, tool, row["at"])
            self.index.rebuild()

    def _add(self, session: str, message: int | None, body: str, tool: str, at: str) -> None:
        passage = self._write(session, message, body, tool, at)
        try:
            self.index.add(passage, body, tool)
        except sqlite3.DatabaseError as error:
            self._rebuild(error)

    def _write(self, session: str, message: int | None, body: str, tool: str, at: str) -> int:
        sql = "INSERT INTO passage (session, message, body, tool, at) VALUES (?, ?, ?, ?, ?)"
        row = self._db.connection.execute(sql, (session, message, body, tool, at)).lastrowid
        assert row is not None
        return row

    def _remove(self, rows: Iterable[sqlite3.Row]) -> None:
        for row in list(rows):
            trouble: sqlite3.DatabaseError | None = None
            try:
                self.index.remove(row["id"], row["body"], row["tool"])
            except sqlite3.DatabaseError as error:
                trouble = error
            self._db.connection.execute("DELETE FROM passage WHERE id = ?", (row["id"],))
            if trouble is not None:
                self._rebuild(trouble)

    def _rebuild(self, error: sqlite3.DatabaseError) -> None:
        if not is_index_trouble(error):
            raise error
        self.index.rebuild()


def _tool_text(block: object) -> Iterator[str]:
    if isinstance(block, ToolUse):
        yield block.name
        yield from _leaves(block.input) if block.input is not None else [block.raw]
    elif isinstance(block, ToolResult):
        yield from _leaves(_parsed(block.content))


def _parsed(content: str) -> object:
    if content.lstrip()[:1] not in ("{", "["):
        return content
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return content


def _leaves(value: object) -> Iterator[str]:
    """The texts and numbers inside a JSON value, without the names of its fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
