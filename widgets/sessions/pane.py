"""The conversations: a list, a search through all of them, one of them to read, and what can be done with it."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QSplitter, QWidget

from app.errors import Failure
from app.sessions.values import Hit, SessionInfo
from widgets.common.ages import now_utc
from widgets.common.chips import FilterChip
from widgets.common.empty_state import StatePages
from widgets.common.parts import bar, column, row
from widgets.common.search_field import SearchField
from widgets.common.theme import Theme
from widgets.sessions.delegate import SessionDelegate
from widgets.sessions.model import SessionModel
from widgets.sessions.reading import Reading
from widgets.sessions.rows import SessionRow, row_of, row_of_hit, session_hits
from widgets.sessions.strip import ActionStrip

#: Pixels from which on the list and what is read stand beside each other.
_ROOM_FOR_BOTH = 600


class SessionsPane(QWidget):
    """Where there is room, what is read stands beside the list, else in its place.

    Signals: search_requested(text, tools' words too), opened(session, message or -1, words found) to read it,
    continue_requested(session), branch_requested(session, message or -1), export_requested(session, "markdown" or
    "sharegpt"), delete_requested(session), rename_requested(session, title), refresh_requested().
    """

    search_requested = Signal(str, bool)
    opened = Signal(str, int, object)
    continue_requested = Signal(str)
    branch_requested = Signal(str, int)
    export_requested = Signal(str, str)
    delete_requested = Signal(str)
    rename_requested = Signal(str, str)
    refresh_requested = Signal()

    def __init__(self, theme: Theme, reader: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._message = -1
        self._moved = False
        self._sessions: tuple[SessionInfo, ...] = ()
        self._query = ""
        self._search = SearchField(theme, self.tr("Search all conversations"))
        self._model = SessionModel(self)
        self._view = QListView()
        self._build_view()
        self._pages = StatePages(theme, self._view)
        self._unfinished = FilterChip(theme, "unfinished", self.tr("not finished"))
        self._tools = FilterChip(theme, "tools", self.tr("words of tools"))
        self._tools.setChecked(True)
        chips = row(self._unfinished, self._tools, None, spacing=4)
        head = bar(column(self._search, chips, margins=(12, 8, 12, 8), spacing=6), "surface")
        self._strip = ActionStrip(theme)
        self._reading = Reading(theme, reader)
        self._reading.hide()
        self._pages.setMinimumWidth(200)  # what it says when it is empty may be wider; the list need not be
        self._halves = QSplitter()
        self._halves.setChildrenCollapsible(False)
        self._halves.addWidget(self._pages)
        self._halves.addWidget(self._reading)
        self._halves.setStretchFactor(1, 1)
        page = column(head, self._halves, self._strip, spacing=0)
        page.setStretch(1, 1)
        self.setLayout(page)
        self._connect()
        self._pages.show_loading(self.tr("Reading the conversations…"))
        self._update()

    def set_sessions(self, sessions: Sequence[SessionInfo]) -> None:
        """Show all conversations, as ordered."""
        self._sessions = tuple(sessions)
        shown = next((info for info in self._sessions if info.id == self._reading.session), None)
        if shown is not None:
            self._reading.set_session(shown)
        if not self._query:
            self._show_all()

    def set_hits(self, query: str, hits: tuple[Hit, ...]) -> None:
        """Show what a search found; an answer to an older question is not shown."""
        if query != self._query or not query:
            return
        now = now_utc()
        self._model.set_rows([row_of_hit(hit, now) for hit in session_hits(hits)])
        if self._model.rows:
            self._pages.show_content()
        else:
            told = self.tr("No conversation has “{query}”").format(query=query)
            self._pages.show_filtered(told, "", ("clear", self.tr("Show all")))
        self._update()

    def set_current(self, session: str | None) -> None:
        """Choose the conversation that is open in the chat."""
        place = next((place for place, item in enumerate(self._model.rows) if item.session == session), -1)
        if place >= 0:
            self._view.setCurrentIndex(self._model.index(place))

    def show_reading(self, info: SessionInfo) -> None:
        """The reader holds this conversation now."""
        self._reading.set_session(info)
        self._reading.show()
        self.set_current(info.id)
        self._share_room()
        self._update()

    def stop_reading(self, session: str = "") -> None:
        """Back to the list; with a session only when that one is read."""
        if session in ("", self._reading.session):
            self._reading.leave()
            self._reading.hide()
            self._share_room()
            self._view.setFocus()
            self._update()

    def set_place(self, message: int) -> None:
        """Which message of the conversation that is read was chosen; -1 for none."""
        self._message = message
        self._update()

    def show_failure(self, failure: Failure) -> None:
        """Reading or searching failed."""
        self._pages.show_failure(failure)

    @property
    def current(self) -> SessionRow | None:
        """The chosen row."""
        place = self._view.currentIndex().row()
        return self._model.rows[place] if 0 <= place < len(self._model.rows) else None

    @property
    def _target(self) -> tuple[str, str, int] | None:
        """What is acted on: session, title, and the message a branch begins at (-1: its end).

        The chosen row; without one, or where the list is out of sight, what is read.
        """
        item, read = self.current, self._reading
        if item is None or not self._pages.isVisibleTo(self):
            return (read.session, read.title, self._message) if read.session else None
        return item.session, item.title, self._message if item.session == read.session else item.message

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Beside each other, or one at a time."""
        super().resizeEvent(event)
        self._share_room()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leads back to the list."""
        if Qt.Key(event.key()) is Qt.Key.Key_Escape and self._reading.isVisible():
            self.stop_reading()
        else:
            super().keyPressEvent(event)

    def _keep_halves(self) -> None:
        """The reader shared the room out; it stays so."""
        self._moved = True

    def _share_room(self) -> None:
        narrow = self.width() < _ROOM_FOR_BOTH
        reads = bool(self._reading.session)
        self._pages.setVisible(not (narrow and reads))
        self._reading.set_alone(narrow)
        if reads and not narrow and not self._moved:
            self._halves.setSizes([self.width() * 2 // 5, self.width() * 3 // 5])

    def _build_view(self) -> None:
        self._view.setModel(self._model)
        self._view.setItemDelegate(SessionDelegate(self._theme, self._view))
        self._view.setFrameShape(QFrame.Shape.NoFrame)
        self._view.setMouseTracking(True)
        self._view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._view.setAccessibleName(self.tr("Conversations"))

    def _connect(self) -> None:
        self._search.searched.connect(self._seek)
        self._halves.splitterMoved.connect(self._keep_halves)
        self._unfinished.toggled.connect(self._show_all)
        self._tools.toggled.connect(self._ask_search)
        self._view.clicked.connect(self._open)
        self._view.activated.connect(self._open)
        self._view.selectionModel().currentChanged.connect(self._update)
        self._view.customContextMenuRequested.connect(self._menu)
        self._strip.continued.connect(self._go_on)
        self._strip.branched.connect(self._ask_branch)
        self._strip.exported.connect(self._export_as)
        self._strip.deleted.connect(self._delete)
        self._strip.renamed.connect(self._rename)
        self._pages.action_requested.connect(self._act)
        self._reading.left.connect(self.stop_reading)

    def _seek(self, text: str) -> None:
        self._query = text.strip()
        if self._query != "" and not self._pages.isVisibleTo(self):
            self.stop_reading()
            self._search.setFocus()
        if self._query:
            self._ask_search()
        else:
            self._show_all()

    def _ask_search(self) -> None:
        self._tools.show()
        self._unfinished.hide()
        self.search_requested.emit(self._query, self._tools.isChecked())

    def _show_all(self) -> None:
        kept, now = self.current, now_utc()
        cut = [info for info in self._sessions if info.outcome not in ("", "done")]
        self._tools.hide()
        self._unfinished.setVisible(bool(cut))
        self._unfinished.set_count(len(cut))
        shown = cut if cut and self._unfinished.isChecked() else self._sessions
        self._model.set_rows([row_of(info, now) for info in shown])
        if kept is not None:
            self.set_current(kept.session)
        if self._sessions:
            self._pages.show_content()
        else:
            text = self.tr("What you write in the chat is kept here and can be searched.")
            self._pages.show_empty("sessions", self.tr("No conversation yet"), text)
        self._update()

    def _update(self) -> None:
        target = self._target if self._pages.kind == "content" or self._reading.session else None
        self._strip.set_target(target[1] if target else None)
        self._strip.set_place(marked=target is not None and target[2] >= 0)

    def _open(self, index: QModelIndex) -> None:
        item = self._model.rows[index.row()]
        self.opened.emit(item.session, item.message, item.words)

    def _go_on(self) -> None:
        if self._target is not None:
            self.continue_requested.emit(self._target[0])

    def _ask_branch(self) -> None:
        if self._target is not None:
            self.branch_requested.emit(self._target[0], self._target[2])

    def _export_as(self, form: str) -> None:
        if self._target is not None:
            self.export_requested.emit(self._target[0], form)

    def _delete(self) -> None:
        if self._target is not None:
            self.delete_requested.emit(self._target[0])

    def _rename(self, title: str) -> None:
        if self._target is not None:
            self.rename_requested.emit(self._target[0], title)

    def _menu(self, place: QPoint) -> None:
        if self.current is not None:
            self._strip.open_menu(self._view.viewport().mapToGlobal(place))

    def _act(self, action: str) -> None:
        if action == "clear":
            self._search.clear_now()
        else:
            self.refresh_requested.emit()
