"""The window's frame: three zones, menus and tool bar from actions, a status line. It shows; others decide."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QObject, QSettings, QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication, QShowEvent
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QTabWidget, QToolBar, QToolButton, QWidget

from widgets.common.actions import ActionSet
from widgets.common.parts import ElidedLabel, label, restyle, row, separator, tool_button
from widgets.common.theme import Theme

_SIZE = QSize(1280, 800)
_LEAST = QSize(900, 600)
_STATE_VERSION = 1
#: Pages fold their bars away when they become narrow, so their present bars must not keep them wide.
_PAGE_WIDTH = 340
#: From this width on the titles of the pages stand at their ease.
_ROOMY = 520


class DockTitle(QWidget):
    """A slim title of a side zone with a button that hides it; dragging it moves the zone."""

    def __init__(self, theme: Theme, dock: QDockWidget) -> None:
        super().__init__(dock)
        caption = label(dock.windowTitle().upper(), "caption")
        hide = tool_button(theme, "close", self.tr("Hide {}").format(dock.windowTitle()))
        hide.clicked.connect(dock.hide)
        self.setLayout(row(caption, None, hide, margins=(12, 4, 6, 2)))


class Frame(QMainWindow):
    """Library at the left, pages in the middle, chat at the right.

    Signals: closing() once, when the user wants to leave (the close waits until `leave` is called); page_changed(id).
    """

    closing = Signal()
    page_changed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._leaving = False
        self._pages: list[str] = []
        self._titles: dict[str, str] = {}
        self._status: dict[str, ElidedLabel] = {}
        self._sides: dict[QDockWidget, int] = {}
        self._placed = False
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setUsesScrollButtons(False)  # all pages stay in sight; a title is cut rather than a page hidden
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.tabs.tabBar().setProperty("pages", "wide")
        self.tabs.installEventFilter(self)
        self.tabs.setAccessibleName(self.tr("Pages"))
        self.tabs.currentChanged.connect(self._on_page)
        self.tabs.setMinimumWidth(_PAGE_WIDTH)
        self.setCentralWidget(self.tabs)
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowNestedDocks)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setWindowTitle("Melete")
        self.setMinimumSize(_LEAST)
        self.statusBar().setSizeGripEnabled(False)

    def add_page(self, page: str, title: str, widget: QWidget) -> None:
        """Add a page in the middle; `page` is its id."""
        self._pages.append(page)
        self._titles[page] = title
        self.tabs.addTab(widget, title)

    def add_side(
        self, name: str, title: str, widget: QWidget, area: Qt.DockWidgetArea, widths: tuple[int, int]
    ) -> QDockWidget:
        """Add a zone at a side, with its least and its wanted width; it can be moved, floated and hidden, and is
        remembered by its name.
        """
        widget.setMinimumWidth(widths[0])
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setWidget(widget)
        dock.setTitleBarWidget(DockTitle(self._theme, dock))
        self.addDockWidget(area, dock)
        self._sides[dock] = widths[1]
        return dock

    def build_menus(self, actions: ActionSet, menus: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Make the menu bar: titles and the ids of their actions."""
        for title, names in menus:
            self.menuBar().addMenu(actions.menu(names, title, self))

    def build_bar(self, left: Sequence[QWidget], right: Sequence[QWidget]) -> None:
        """Make the tools: in the row of the menus where these are ours, else (one menu bar for the whole screen) in a
        bar of their own, where what is right of the stretch stays at the right edge.
        """
        if not self.menuBar().isNativeMenuBar():
            holder = QWidget(self.menuBar())
            holder.setLayout(row(*left, separator(vertical=True), *right, margins=(8, 3, 8, 3), spacing=4))
            self.menuBar().setCornerWidget(holder, Qt.Corner.TopRightCorner)
            return
        bar = QToolBar(self.tr("Tools"), self)
        bar.setObjectName("tools")
        bar.setMovable(False)
        holder = QWidget()
        holder.setLayout(row(*left, None, *right, margins=(8, 4, 8, 4)))
        bar.addWidget(holder)
        self.addToolBar(bar)

    def build_status(self, names: Mapping[str, str]) -> None:
        """Make the status line: a field per name with what it is for, in this order."""
        holder = QWidget()
        parts: list[QWidget | None] = []
        for name, purpose in names.items():
            field = ElidedLabel(self._theme, "muted")
            field.set_small(small=True)
            field.setAccessibleName(purpose)
            field.setToolTip(purpose)
            self._status[name] = field
            if parts:
                parts.append(separator(vertical=True))
            parts.append(field)
        holder.setLayout(row(*parts, margins=(12, 2, 12, 2)))
        self.statusBar().addWidget(holder, 1)

    def set_status(self, name: str, text: str, tip: str = "") -> None:
        """Say something in one field of the status line."""
        field = self._status[name]
        field.set_text(text)
        if tip:
            field.setToolTip(tip)

    def set_badge(self, page: str, count: int) -> None:
        """Show a number beside a page's title; 0 hides it."""
        title = self._titles[page]
        self.tabs.setTabText(self._pages.index(page), f"{title} ({count})" if count else title)

    def show_page(self, page: str) -> None:
        """Bring a page to the front."""
        self.tabs.setCurrentIndex(self._pages.index(page))

    @property
    def page(self) -> str:
        """The id of the page in front."""
        index = self.tabs.currentIndex()
        return self._pages[index] if index >= 0 else ""

    def restore_place(self, path: Path) -> str:
        """Take size, place and zones from the last time; a screen that is gone does not hide the window.

        Returns the text that was typed into the chat and not sent.
        """
        store = QSettings(str(path), QSettings.Format.IniFormat)
        self.resize(_SIZE)
        geometry, state = store.value("geometry"), store.value("state")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if isinstance(state, QByteArray):
            self._placed = self.restoreState(state, _STATE_VERSION)
        page = store.value("page")
        if page in self._pages:
            self.show_page(str(page))
        screen = self.screen() or QGuiApplication.primaryScreen()
        if screen is not None and not screen.virtualGeometry().intersects(self.frameGeometry()):
            self.move(screen.availableGeometry().topLeft())
        return str(store.value("draft") or "")

    def save_place(self, path: Path, draft: str = "") -> None:
        """Remember size, place, zones and page, and the text that was typed into the chat and not sent."""
        store = QSettings(str(path), QSettings.Format.IniFormat)
        store.setValue("geometry", self.saveGeometry())
        store.setValue("state", self.saveState(_STATE_VERSION))
        store.setValue("page", self.page)
        store.setValue("draft", draft)
        store.sync()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In a narrow window the titles of the pages stand closer, so that none is cut."""
        if watched is self.tabs and event.type() is QEvent.Type.Resize:
            restyle(self.tabs.tabBar(), "pages", "wide" if self.tabs.width() >= _ROOMY else "tight")
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        """The first time, give each side the width it asked for, less in a narrow window."""
        super().showEvent(event)
        if not self._placed:
            self._placed = True
            share = min(1.0, self.width() / _SIZE.width())
            widths = [round(width * share) for width in self._sides.values()]
            self.resizeDocks(list(self._sides), widths, Qt.Orientation.Horizontal)

    @Slot()
    def come_to_front(self) -> None:
        """Show, raise and activate the window."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    @Slot()
    def leave(self) -> None:
        """Let the window go: everything was saved and ended."""
        self._leaving = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask those who work to end first."""
        if self._leaving:
            event.accept()
            return
        event.ignore()
        self.closing.emit()

    @Slot(int)
    def _on_page(self, index: int) -> None:
        if 0 <= index < len(self._pages):
            self.page_changed.emit(self._pages[index])


def bar_button(actions: ActionSet, name: str, text: str = "") -> QToolButton:
    """A tool button of an action, with words beside its icon when `text` is given."""
    made = actions.tool(name)
    if text:
        made.setText(text)
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        made.setMinimumWidth(0)
        made.setMaximumWidth(16_777_215)
        made.setProperty("labelled", "true")
    return made


def bar_label(text: str) -> QLabel:
    """A muted word in the tool bar."""
    return label(text, "muted")
