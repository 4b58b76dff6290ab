"""The session service: the list of conversations, searching everything, and what can be done with one."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.bridge.home_lane import HomeLane
from app.bridge.service import Service
from app.cycles import search, sessions
from app.cycles.home import OpenHome
from app.sessions.removed import RemovedSession

_PAUSE_MS = 150
#: Conversations in the list; older ones are found by the search.
_LISTED = 2_000


class SessionService(Service):
    """Conversations.

    Signals: listed(sessions); found(query, hits) in sessions; found_everywhere(query, hits); was_read(SessionInfo,
    messages, the message asked for or -1, words to lift out); exported(session, format, text); branched(session id);
    removed(session id).
    """

    listed = Signal(object)
    found = Signal(str, object)
    found_everywhere = Signal(str, object)
    was_read = Signal(object, object, int, object)
    exported = Signal(str, str, str)
    branched = Signal(str)
    removed = Signal(str)

    def __init__(self, lane: HomeLane, parent: QObject | None = None) -> None:
        super().__init__(lane, parent)
        self._removed: dict[str, RemovedSession] = {}
        self._wanted, self._tools = ("", False), True
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._search_now)

    @Slot()
    def refresh(self) -> None:
        """Read the list again."""
        self._ask("listing sessions", _list, self._on_listed)

    def search(self, text: str, tools: bool = True) -> None:
        """Search the conversations, also what tools said when `tools`; typing on replaces the search."""
        self._wanted, self._tools = (text, False), tools
        self._timer.start()

    def search_everywhere(self, text: str) -> None:
        """Search skills, memory, conversations and the archive."""
        self._wanted, self._tools = (text, True), True
        self._timer.start()

    def read(self, session: str, message: int = -1, words: tuple[str, ...] = (), turn: str = "") -> None:
        """Read a conversation, at a message or at the beginning of a turn."""

        def question(home: OpenHome) -> object:
            info = home.sessions.get(session)
            messages = home.sessions.messages(info.id)
            first = next((stored.id for stored in messages if turn and stored.turn == turn), message)
            return info, messages, first, words

        self._ask("reading a session", question, self._on_read)

    def rename(self, session: str, title: str) -> None:
        """Give a conversation another title."""
        self._ask("renaming a session", lambda home: home.sessions.rename(session, title), self._on_changed)

    def delete(self, session: str) -> None:
        """Delete a conversation; `restore` brings it back while the window is open."""
        self._ask("deleting a session", lambda home: home.sessions.delete(session), self._on_removed)

    def restore(self, session: str) -> None:
        """Bring back a conversation that was deleted."""
        removed = self._removed.pop(session, None)
        if removed is not None:
            self._ask("restoring a session", lambda home: home.sessions.restore(removed), self._on_changed)

    def branch(self, session: str, message: int) -> None:
        """A new conversation that begins like this one, up to a message (-1: all of it)."""

        def question(home: OpenHome) -> object:
            number = message if message >= 0 else home.sessions.messages(session)[-1].id
            return home.sessions.branch(session, number).id

        self._ask("branching a session", question, self._on_branched)

    def export(self, session: str, form: str) -> None:
        """A conversation as `markdown` or `sharegpt`, secrets masked."""

        def question(home: OpenHome) -> object:
            return session, form, sessions.export(home, session, form)

        self._ask("exporting a session", question, self._on_exported)

    @Slot(object)
    def _on_read(self, answer: tuple[object, object, int, tuple[str, ...]]) -> None:
        self.was_read.emit(*answer)

    @Slot()
    def _search_now(self) -> None:
        (text, everywhere), tools = self._wanted, self._tools
        kinds = None if everywhere else ("sessions",)

        def question(home: OpenHome) -> object:
            return text, everywhere, search.search_all(home, text, kinds, 50, tools=tools)

        self._ask("searching", question, self._on_found)

    @Slot(object)
    def _on_found(self, answer: tuple[str, bool, object]) -> None:
        text, everywhere, hits = answer
        if (text, everywhere) != self._wanted:
            return
        if everywhere:
            self.found_everywhere.emit(text, hits)
        else:
            self.found.emit(text, hits)

    @Slot(object)
    def _on_listed(self, sessions: object) -> None:
        self.listed.emit(sessions)

    @Slot()
    def _on_changed(self, *_: object) -> None:
        self.refresh()

    @Slot(object)
    def _on_removed(self, removed: RemovedSession) -> None:
        self._removed[removed.session] = removed
        self.removed.emit(removed.session)
        self.refresh()

    @Slot(object)
    def _on_branched(self, session: str) -> None:
        self.branched.emit(session)
        self.refresh()

    @Slot(object)
    def _on_exported(self, answer: tuple[str, str, str]) -> None:
        self.exported.emit(*answer)


def _list(home: OpenHome) -> object:
    return home.sessions.list(_LISTED)
