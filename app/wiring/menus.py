"""The window's own actions: menus, tool bar, shortcuts, the palette and the status line."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDockWidget, QFileDialog

from app.bridge.services import Services
from app.history.values import Entry
from app.wiring.exchange import ExchangeWires
from app.wiring.history import HistoryWires
from app.wiring.library import LibraryWires
from app.wiring.page_menus import PageMenus
from app.wiring.palette import PaletteWires
from app.wiring.panes import Panes
from app.wiring.status import StatusWires
from app.wiring.steering import Steering
from app.wiring.window_actions import MENUS, WINDOW_ACTIONS
from widgets.common.actions import ActionSet
from widgets.common.frame import bar_button
from widgets.library.files_tab import FILE_ACTIONS
from widgets.library.skill_actions import SKILL_ACTIONS

_ZOOM_STEP = 10


class MenuWires(QObject):
    """Carries out the window's actions, wherever they were picked."""

    def __init__(self, services: Services, panes: Panes, steering: Steering, library: LibraryWires) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        self._library = library
        self._dialogs = library.acts.dialogs
        self._zoom = 100
        self._last: Entry | None = None
        frame = panes.frame
        self.actions = ActionSet(panes.theme, WINDOW_ACTIONS, frame)
        self.actions.triggered.connect(self.carry_out)
        frame.build_menus(self.actions, MENUS)
        skill_menu = panes.library.actions_set.menu([spec.id for spec in SKILL_ACTIONS], self.tr("&Skill"), frame)
        files = panes.skill.files.actions_set.menu([spec.id for spec in FILE_ACTIONS], self.tr("Files"), frame)
        skill_menu.addSeparator()
        skill_menu.addMenu(files)
        frame.menuBar().insertMenu(frame.menuBar().actions()[2], skill_menu)
        frame.build_bar(
            [bar_button(self.actions, "palette.open", self.tr("Go to…")), bar_button(self.actions, "skill.new")],
            [bar_button(self.actions, name) for name in ("side.library", "side.chat", "view.theme", "settings.open")],
        )
        self._pages = PageMenus(panes, self)
        self._palette = PaletteWires(services, panes, steering, self._pages)
        self._palette.action_chosen.connect(self.carry_out)
        self._status = StatusWires(services, panes, steering)
        self._history = HistoryWires(services, panes, steering)
        self.exchange = ExchangeWires(services, panes, steering)
        library.acts.exchange_requested.connect(self.exchange.act)
        self._join()

    def _join(self) -> None:
        services, panes = self._services, self._panes
        services.skills.history_ready.connect(self._on_history)
        services.skills.changed.connect(self._ask_history)
        services.proposals.changed.connect(self._ask_history)
        services.library.library_changed.connect(self._on_library)
        services.memory.written.connect(self._ask_history)
        services.library.recorded.connect(self._ask_history)
        panes.library.state_action_requested.connect(self._on_state_action)
        panes.skill.state_action_requested.connect(self._on_state_action)
        self._ask_history()

    @Slot(str)
    def carry_out(self, action: str) -> None:
        """Do what an action says."""
        kind, _, rest = action.partition(".")
        if kind == "page":
            self._panes.frame.show_page(rest)
        elif kind == "exchange":
            self.exchange.carry_out(rest)
        elif kind == "side":
            dock = self._panes.frame.findChild(QObject, rest)
            if dock is not None:
                dock.setVisible(not dock.isVisible())  # type: ignore[attr-defined]
        else:
            plain = {
                "skill.new": self._dialogs.new_skill,
                "history.then": self._show_then,
                "history.not_kept": self._show_lost,
                "library.doubles": self._dialogs.find_doubles,
                "library.heal": self._services.shelf.heal,
                "library.stale": self._find_stale,
                "library.archive": self._search_archive,
                "folder.add": self._add_folder,
                "settings.open": self._open_settings,
                "home.open": self._open_home,
                "window.quit": self._panes.frame.close,
                "edit.undo": self._undo,
                "palette.open": self._palette.open,
                "library.search": self._panes.library.focus_search,
                "view.refresh": self._services.library.refresh,
                "view.bigger": self._bigger,
                "view.smaller": self._smaller,
                "view.theme": self._switch_theme,
                "chat.new": self._services.chat.new_session,
                "chat.review": self._panes.chat.review_requested.emit,
                "log.open": self._open_log,
            }
            plain[action]()

    def _show_then(self) -> None:
        self._history.show_view("then")

    def _show_lost(self) -> None:
        self._history.show_view("lost")

    def _find_stale(self) -> None:
        """Live skills nobody used for a month; those without data are never among them."""
        days = max(1, round(self._services.preferences.settings.curator.stale_after_days))
        self._panes.library.set_filter(f"idle:>={days} -state:archived -pinned:yes")
        self._show_library()

    def _search_archive(self) -> None:
        self._panes.library.set_filter("state:archived ")
        self._show_library()

    def _show_library(self) -> None:
        dock = self._panes.frame.findChild(QDockWidget, "library")
        if dock is not None:
            dock.show()
        self._panes.library.focus_search(at_end=True)

    def _add_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self._panes.frame, self.tr("A folder of skills"))
        if folder:
            folders = self._services.preferences.settings.library.folders
            if folder not in folders:
                self._services.preferences.set_value("library", "folders", (*folders, folder))

    def _open_settings(self) -> None:
        self._panes.settings.open_section("model")

    def _open_home(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._services.key.home.root)))

    def _open_log(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._services.key.home.logs / "melete.log")))

    def _undo(self) -> None:
        if self._last is not None:
            self._services.skills.undo(self._last.id)

    def _bigger(self) -> None:
        self._zoom = min(200, self._zoom + _ZOOM_STEP)
        self._panes.theme.set_zoom(self._zoom)

    def _smaller(self) -> None:
        self._zoom = max(80, self._zoom - _ZOOM_STEP)
        self._panes.theme.set_zoom(self._zoom)

    def _switch_theme(self) -> None:
        choice = "light" if self._panes.theme.tokens.dark else "dark"
        self._services.preferences.set_value("appearance", "theme", choice)

    @Slot()
    def _ask_history(self) -> None:
        self._services.skills.history("")

    @Slot()
    def _on_library(self) -> None:
        """Another program may have taken a step, too; a history that could not be read is not asked each time."""
        if self._last is not None:
            self._ask_history()

    @Slot(str, object)
    def _on_history(self, skill_id: str, entries: tuple[Entry, ...]) -> None:
        if skill_id:
            return
        self._last = entries[0] if entries else None
        self._panes.notices.withdraw_undo(_taken_back(entries))
        action = self.actions.action("edit.undo")
        action.setEnabled(self._last is not None)
        if self._last is not None:
            names = ", ".join(item.rpartition("/")[2] for item in self._last.record.ids[:2])
            action.setText(self.tr("Undo: {} {}").format(self._last.record.action, names))

    @Slot(str)
    def _on_state_action(self, action: str) -> None:
        if action == "new":
            self._dialogs.new_skill()
        elif action == "open_folder":
            self._add_folder()
        elif action == "sample":
            self._services.library.install_sample()
        else:
            self._services.library.refresh()


def _taken_back(entries: Sequence[Entry]) -> set[str]:
    """Which of these steps, newest first, a later one took back; a rollback took back whatever stood before it."""
    found: set[str] = set()
    for place, entry in enumerate(entries):
        found.update(str(entry.record.detail[key]) for key in ("undoes", "undone") if entry.record.detail.get(key))
        if entry.record.action == "rollback":
            found.update(older.id for older in entries[place + 1 :])
            break
    return found
