"""Conversations in SQLite: stored before they are shown, in their exact order, findable at once.

One object per thread, on that thread's Database. Whoever streams an answer stores it as `streaming` and updates it at
least once a second; after a crash `mark_interrupted` says what was cut off. Calls without an answer stay as they are:
making a history that a service accepts is the agent's work, not the store's.
"""

import uuid
from collections.abc import Iterable
from datetime import date

from app.clock import Clock
from app.database import Database
from app.errors import AppError, Kind
from app.providers.values import Message, Usage
from app.sessions.counters import Counters
from app.sessions.importing import read_session
from app.sessions.passages import Passages
from app.sessions.removed import RemovedSession, copy_until, read_all, write_all
from app.sessions.rows import SUMMARY, info_from, message_from
from app.sessions.values import MessageState, SessionInfo, SkillUse, StoredMessage
from app.sessions.wording import storable
from app.sessions.writer import SessionWriter, new_session_id, writing

#: Seconds an update of a streaming message waits for another program's lock before it is left to the next update.
_STREAM_WAIT = 0.05


class SessionStore:
    """All sessions of one home. Every write raises AppError(BUSY, STORAGE or CORRUPT) and then has changed nothing."""

    def __init__(self, db: Database, clock: Clock, engine: str = "auto") -> None:
        self._db = db
        self._clock = clock
        self._passages = Passages(db, engine)
        self._write = SessionWriter(db, self._passages)
        self.counters = Counters(db)

    def create(self, title: str = "", model: str = "", system: str | None = None) -> SessionInfo:
        """Begin a session. `system` is its frozen system prompt, when it is known already."""
        now = self._clock()
        session = new_session_id(now)
        with writing(self._db):
            self._write.session(session, title, model, system, now)
        return self.get(session)

    def get(self, session: str) -> SessionInfo:
        """One session by its id or a unique beginning of it. Raises AppError(NOT_FOUND) with a sentence."""
        rows = self._db.read(f"{SUMMARY} WHERE s.id = ?", (session,))
        if not rows and len(session) >= 4:
            rows = self._db.read(f"{SUMMARY} WHERE substr(s.id, 1, ?) = ? LIMIT 2", (len(session), session))
        if len(rows) != 1:
            text = f"There is no session {session!r}. The list of sessions shows their ids."
            raise AppError(Kind.NOT_FOUND, "No such session", text)
        return info_from(rows[0])

    def list(self, limit: int = 200) -> tuple[SessionInfo, ...]:
        """The sessions last used, newest first."""
        sql = f"{SUMMARY} ORDER BY s.updated_at DESC, s.id DESC LIMIT ?"
        return tuple(map(info_from, self._db.read(sql, (limit,))))

    def use_of(self, skill: str, limit: int = 20) -> SkillUse:
        """How the turns that used a skill (id) ended, and the `limit` sessions that used it last."""
        join = "FROM turn_skill AS k JOIN turn AS t ON t.session = k.session AND t.id = k.turn WHERE k.skill = ?"
        well = f"SELECT sum(t.ending = 'done') AS well, sum(t.ending <> '') AS ended {join}"
        days = f"SELECT substr(t.started_at, 1, 10) AS day, count(*) AS turns {join} GROUP BY day ORDER BY day"
        used = f"{SUMMARY} WHERE s.id IN (SELECT session FROM turn_skill WHERE skill = ?)"
        (row,) = self._db.read(well, (skill,))
        return SkillUse(
            ended_well=row["well"] or 0,
            ended_badly=(row["ended"] or 0) - (row["well"] or 0),
            by_day=tuple((date.fromisoformat(day), turns) for day, turns in self._db.read(days, (skill,))),
            sessions=tuple(map(info_from, self._db.read(f"{used} ORDER BY s.updated_at DESC LIMIT ?", (skill, limit)))),
        )

    def messages(self, session: str) -> tuple[StoredMessage, ...]:
        """Everything in one session in the order it was said."""
        return tuple(
            map(message_from, self._db.read("SELECT * FROM message WHERE session = ? ORDER BY id", (session,)))
        )

    def rename(self, session: str, title: str) -> None:
        """Give a session another title. Raises AppError(NOT_FOUND)."""
        with writing(self._db):
            self._write.retitle(self.get(session).id, title, self._clock())

    def delete(self, session: str) -> RemovedSession:
        """Delete a session with everything in it; what is returned brings it back (`restore`) until it is let go."""
        with writing(self._db) as connection:
            removed = read_all(connection, self.get(session).id)
            self._write.forget_session(removed.session)
        return removed

    def restore(self, removed: RemovedSession) -> SessionInfo:
        """Bring a deleted session back as it was, with the same ids."""
        with writing(self._db) as connection:
            write_all(connection, removed)
            self._write.index_session(removed.session)
        return self.get(removed.session)

    def branch(self, session: str, message: int) -> SessionInfo:
        """A new session with everything up to and including one message; what it cost stays booked to the first.

        Raises AppError(NOT_FOUND) when the session has no such message.
        """
        now = self._clock()
        with writing(self._db) as connection:
            source = self.get(session)
            branch = new_session_id(now)
            self._write.session(branch, source.title, source.model, self.system(source.id), now, source.id)
            if not copy_until(connection, source.id, branch, message):
                text = f"Session {source.id!r} has no message {message}. Open it again and choose a message."
                raise AppError(Kind.NOT_FOUND, "No such message", text)
            self._write.index_session(branch)
        return self.get(branch)

    def import_session(self, data: object) -> SessionInfo:
        """Store a conversation from elsewhere: `{"session_id", "title", "started_at", "messages"}`, or the list alone.

        Raises AppError(INVALID) with the place of what cannot be read, AppError(REFUSED) when the id is taken.
        """
        given = read_session(data, self._clock())
        session = given.id or new_session_id(given.at)
        with writing(self._db):
            if self._db.read("SELECT 1 FROM session WHERE id = ?", (session,)):
                text = f"There is a session {session!r} already. Delete it first, or give the file another session_id."
                raise AppError(Kind.REFUSED, "Session not imported", text)
            self._write.session(session, given.title, given.model, given.system, given.at)
            for turn in given.turns:
                self._write.turn(session, turn.id, given.at)
                for message in turn.messages:
                    self._write.message(session, turn.id, message, MessageState.COMPLETE, "message", "", given.at)
                self._write.end_turn(session, turn.id, turn.ending, (), given.at)
        return self.get(session)

    def freeze_system(self, session: str, system: str) -> str:
        """Store the session's system prompt if it has none yet; returns the one that holds from now on."""
        with writing(self._db) as connection:
            connection.execute(
                "UPDATE session SET system = ? WHERE id = ? AND system IS NULL", (storable(system), session)
            )
        return self.system(session) or system

    def system(self, session: str) -> str | None:
        """The frozen system prompt, None as long as none was stored."""
        rows = self._db.read("SELECT system FROM session WHERE id = ?", (session,))
        return rows[0]["system"] if rows else None

    def start_turn(self, session: str) -> str:
        """Begin a turn; returns its id, unique within the session."""
        turn = uuid.uuid4().hex[:12]
        with writing(self._db):
            self._write.turn(session, turn, self._clock())
        return turn

    def add_message(
        self,
        session: str,
        turn: str,
        message: Message,
        state: MessageState = MessageState.COMPLETE,
        kind: str = "message",
        data: str = "",
    ) -> int:
        """Store one message at the end of the session and return its number. A turn not begun yet begins here; a line
        of a background job that belongs to no turn (`turn` is "") begins none.

        Waits for another program's lock; when that lasts too long AppError(BUSY) is raised and nothing was stored, so
        nothing may be shown as sent.
        """
        now = self._clock()
        with writing(self._db):
            if turn:
                self._write.turn(session, turn, now)
            number = self._write.message(session, turn, message, state, kind, data, now)
            self._write.touch(session, now)
        return number

    def update_message(self, number: int, message: Message, state: MessageState, data: str | None = None) -> bool:
        """Replace what is stored of one message, keeping its place; says whether it was stored.

        While `state` is streaming and another program holds the database, the update is left out: the next one brings
        the whole text again. Every other state waits its turn. A message whose session was deleted meanwhile is gone.
        """
        streaming = state is MessageState.STREAMING
        try:
            with writing(self._db, _STREAM_WAIT if streaming else None):
                session = self._write.replace_message(number, message, state, data)
                if session is not None and not streaming:
                    self._write.touch(session, self._clock())
        except AppError as error:
            if streaming and error.kind is Kind.BUSY:
                return False
            raise
        return session is not None

    def end_turn(
        self, session: str, turn: str, ending: str, usage: Usage, skills: Iterable[str] = (), model: str = ""
    ) -> None:
        """Say how a turn ended, its cost and the skills (ids) it used; said again, it replaces ending and cost."""
        now = self._clock()
        with writing(self._db) as connection:
            self._write.turn(session, turn, now)
            self._write.end_turn(session, turn, ending, skills, now)
            connection.execute("DELETE FROM booking WHERE session = ? AND turn = ? AND task = 'chat'", (session, turn))
            self._write.book(session, turn, "chat", usage, model, now)
            if model:
                connection.execute("UPDATE session SET model = ? WHERE id = ?", (model, session))
            self._write.touch(session, now)

    def book(self, session: str, turn: str, task: str, usage: Usage, model: str = "") -> None:
        """Add tokens and money that something beside the answer spent on a turn; `task` is "review" or the like."""
        with writing(self._db):
            self._write.book(session, turn, task, usage, model, self._clock())

    def unfinished(self) -> bool:
        """Whether an answer is still streaming, or a turn has no ending: one runs, or its program was killed."""
        streams = "SELECT 1 FROM message WHERE state = 'streaming'"
        runs = "SELECT 1 FROM turn WHERE ending = '' AND id <> ''"
        return bool(self._db.read(f"{streams} UNION ALL {runs} LIMIT 1"))

    def mark_interrupted(self) -> int:
        """At start: what was still streaming when the program ended is interrupted. Returns how many messages were."""
        with writing(self._db):
            return self._write.interrupt()
