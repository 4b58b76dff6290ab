"""The conversations: a list, a search through all of them, and what can be done with the chosen one."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QListView,
    QMenu,
    QToolButton,
    QWidget,
)

from app.errors import Failure
from app.sessions.values import Hit, SessionInfo
from widgets.common.ages import now_utc
from widgets.common.empty_state import StatePages
from widgets.common.parts import bar, button, column, label, restyle, row, tool_button
from widgets.common.search_field import SearchField
from widgets.common.theme import Theme
from widgets.sessions.delegate import SessionDelegate
from widgets.sessions.model import SessionModel
from widgets.sessions.rows import SessionRow, row_of, row_of_hit, session_hits


class SessionsPane(QWidget):
    """Signals: search_requested(text), opened(session, message or -1), continue_requested(session),
    branch_requested(session, message or -1), export_requested(session, "markdown" or "sharegpt"),
    delete_requested(session), rename_requested(session, title), refresh_requested().
    """

    search_requested = Signal(str)
    opened = Signal(str, int)
    continue_requested = Signal(str)
    branch_requested = Signal(str, int)
    export_requested = Signal(str, str)
    delete_requested = Signal(str)
    rename_requested = Signal(str, str)
    refresh_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sessions: tuple[SessionInfo, ...] = ()
        self._query = ""
        self._search = SearchField(theme, self.tr("Search all conversations"))
        self._model = SessionModel(self)
        self._view = QListView()
        self._build_view()
        self._pages = StatePages(theme, self._view)
        head = bar(row(self._search, margins=(12, 8, 12, 8)), "surface")
        self._form = self._build_form()
        page = column(head, self._pages, self._form, self._build_actions(), spacing=0)
        page.setStretch(1, 1)
        self.setLayout(page)
        self._connect()
        self._pages.show_loading(self.tr("Reading the conversations…"))
        self._update()

    def set_sessions(self, sessions: Sequence[SessionInfo]) -> None:
        """Show all conversations, as ordered."""
        self._sessions = tuple(sessions)
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

    def show_failure(self, failure: Failure) -> None:
        """Reading or searching failed."""
        self._pages.show_failure(failure)

    @property
    def current(self) -> SessionRow | None:
        """The chosen row."""
        place = self._view.currentIndex().row()
        return self._model.rows[place] if 0 <= place < len(self._model.rows) else None

    def _build_view(self) -> None:
        self._view.setModel(self._model)
        self._view.setItemDelegate(SessionDelegate(self._theme, self._view))
        self._view.setFrameShape(QFrame.Shape.NoFrame)
        self._view.setMouseTracking(True)
        self._view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._view.setAccessibleName(self.tr("Conversations"))

    def _build_form(self) -> QFrame:
        """One strip for what needs a word more: the new title, or whether to delete for good."""
        self._ask = label(wrap=True)
        self._name = QLineEdit()
        self._name.setAccessibleName(self.tr("Title"))
        self._yes = button(self._theme, "", "danger")
        self._no = button(self._theme, self.tr("Cancel"), "quiet")
        line = row(self._ask, self._name, self._yes, self._no, margins=(16, 8, 12, 8))
        line.setStretch(0, 1)
        line.setStretch(1, 2)
        form = bar(line, "raised", "top")
        form.hide()
        return form

    def _build_actions(self) -> QFrame:
        theme = self._theme
        self._continue = button(theme, self.tr("Continue"), "primary", "chat", self.tr("Open it in the chat and go on"))
        self._branch = button(theme, self.tr("Branch"), "", "branch", self.tr("Go on from here in a new conversation"))
        self._export = button(theme, self.tr("Export"), "", "download")
        menu = QMenu(self._export)
        menu.addAction(self.tr("As Markdown")).triggered.connect(self._export_markdown)
        menu.addAction(self.tr("As ShareGPT line")).triggered.connect(self._export_sharegpt)
        self._export.setMenu(menu)
        self._more = tool_button(theme, "more", self.tr("More"))
        others = QMenu(self._more)
        rename, delete = others.addAction(self.tr("Rename")), others.addAction(self.tr("Delete…"))
        theme.bind_icon(rename, "edit")
        theme.bind_icon(delete, "trash")
        rename.triggered.connect(self._ask_name)
        delete.triggered.connect(self._ask_delete)
        self._more.setMenu(others)
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._others = others
        self._buttons: tuple[QAbstractButton, ...] = (self._continue, self._branch, self._export, self._more)
        return bar(row(*self._buttons, None, margins=(12, 8, 12, 8), spacing=6), "surface", "top")

    def _connect(self) -> None:
        self._search.searched.connect(self._seek)
        self._view.doubleClicked.connect(self._open)
        self._view.activated.connect(self._open)
        self._view.selectionModel().currentChanged.connect(self._update)
        self._view.customContextMenuRequested.connect(self._menu)
        self._continue.clicked.connect(self._go_on)
        self._branch.clicked.connect(self._ask_branch)
        self._yes.clicked.connect(self._confirm)
        self._no.clicked.connect(self._form.hide)
        self._name.returnPressed.connect(self._confirm)
        self._pages.action_requested.connect(self._act)

    def _seek(self, text: str) -> None:
        self._query = text.strip()
        if self._query:
            self.search_requested.emit(self._query)
        else:
            self._show_all()

    def _show_all(self) -> None:
        kept, now = self.current, now_utc()
        self._model.set_rows([row_of(info, now) for info in self._sessions])
        if kept is not None:
            self.set_current(kept.session)
        if self._sessions:
            self._pages.show_content()
        else:
            text = self.tr("What you write in the chat is kept here and can be searched.")
            self._pages.show_empty("sessions", self.tr("No conversation yet"), text)
        self._update()

    def _update(self) -> None:
        chosen = self.current is not None and self._pages.kind == "content"
        for made in self._buttons:
            made.setEnabled(chosen)
        self._form.hide()

    def _open(self, index: QModelIndex) -> None:
        item = self._model.rows[index.row()]
        self.opened.emit(item.session, item.message)

    def _go_on(self) -> None:
        if self.current is not None:
            self.continue_requested.emit(self.current.session)

    def _ask_branch(self) -> None:
        if self.current is not None:
            self.branch_requested.emit(self.current.session, self.current.message)

    def _export_markdown(self) -> None:
        self._export_as("markdown")

    def _export_sharegpt(self) -> None:
        self._export_as("sharegpt")

    def _export_as(self, form: str) -> None:
        if self.current is not None:
            self.export_requested.emit(self.current.session, form)

    def _ask_name(self) -> None:
        if self.current is not None:
            self._show_form(self.tr("New title"), self.tr("Rename"), self.current.title)

    def _ask_delete(self) -> None:
        if self.current is not None:
            told = self.tr("Delete “{title}” for good? Its messages leave the search too.")
            self._show_form(told.format(title=self.current.title), self.tr("Delete it"), None)

    def _show_form(self, told: str, yes: str, name: str | None) -> None:
        self._ask.setText(told)
        self._yes.setText(yes)
        restyle(self._yes, "kind", "danger" if name is None else "primary")
        self._name.setVisible(name is not None)
        self._name.setText(name or "")
        self._form.show()
        (self._name if name is not None else self._no).setFocus()

    def _confirm(self) -> None:
        item, title = self.current, self._name.text().strip()
        named = self._name.isVisibleTo(self._form)
        self._form.hide()
        if item is None:
            return
        if not named:
            self.delete_requested.emit(item.session)
        elif title:
            self.rename_requested.emit(item.session, title)

    def _menu(self, place: QPoint) -> None:
        if self.current is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self._continue.icon(), self._continue.text()).triggered.connect(self._go_on)
        menu.addAction(self._branch.icon(), self._branch.text()).triggered.connect(self._ask_branch)
        menu.addActions(self._others.actions())
        menu.popup(self._view.viewport().mapToGlobal(place))

    def _act(self, action: str) -> None:
        if action == "clear":
            self._search.clear_now()
        else:
            self.refresh_requested.emit()
