"""The window's own actions: menus, tool bar, shortcuts, the palette and the status line."""

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from app.bridge.services import Services
from app.history.values import Entry
from app.providers.values import Usage
from app.sessions.values import Hit, HitKind, SessionInfo
from app.skills.values import Library, Skill, State
from app.wiring.library import LibraryWires
from app.wiring.panes import Panes
from app.wiring.steering import Steering
from widgets.common.actions import ActionSet, ActionSpec
from widgets.common.frame import bar_button
from widgets.common.palette import PaletteItem
from widgets.library.new_skill import NewSkillDialog

PAGES = (
    ("graph", "Graph", "graph"),
    ("skill", "Skill", "skill"),
    ("review", "Review", "review"),
    ("curator", "Curator", "curator"),
    ("sessions", "Sessions", "sessions"),
    ("memory", "Memory", "memory"),
)
WINDOW_ACTIONS = (
    ActionSpec("skill.new", "New skill…", "plus", "Ctrl+N", "Write a skill yourself", "file"),
    ActionSpec("folder.add", "Add a folder of skills…", "folder-open", "", "List skills of another folder", "file"),
    ActionSpec("settings.open", "Settings…", "settings", "Ctrl+,", "Everything that can be chosen", "more"),
    ActionSpec("home.open", "Open the data folder", "folder", "", "Where everything is kept", "more"),
    ActionSpec("window.quit", "Quit", "close", "Ctrl+Q", "Save, end what runs, and leave", "quit"),
    ActionSpec("edit.undo", "Undo", "undo", "Ctrl+Alt+Z", "Take the last change of the library back", "edit"),
    ActionSpec("palette.open", "Go to…", "search", "Ctrl+K", "Skills, conversations, pages and actions", "find"),
    ActionSpec("library.search", "Filter the library", "filter", "Ctrl+F", "Type into the filter", "find"),
    *(
        ActionSpec(f"page.{page}", title, icon, f"Ctrl+{number}", f"Show {title}", "pages")
        for number, (page, title, icon) in enumerate(PAGES, 1)
    ),
    ActionSpec("side.library", "Library", "library", "Ctrl+Shift+L", "Show or hide the library", "sides"),
    ActionSpec("side.chat", "Chat", "chat", "Ctrl+Shift+C", "Show or hide the chat", "sides"),
    ActionSpec("view.refresh", "Refresh", "refresh", "F5", "Look at the library again", "view"),
    ActionSpec("view.bigger", "Larger text", "plus", "Ctrl++", "", "zoom"),
    ActionSpec("view.smaller", "Smaller text", "minus", "Ctrl+-", "", "zoom"),
    ActionSpec("view.theme", "Light or dark", "sun", "Ctrl+Shift+D", "Switch between light and dark", "zoom"),
    ActionSpec("chat.new", "New conversation", "plus", "Ctrl+Shift+N", "Begin anew", "chat"),
    ActionSpec("chat.review", "Review this conversation", "thinking", "Ctrl+Shift+R", "Learn from it now", "chat"),
    ActionSpec("curator.run", "Run the curator", "play", "", "Ageing and merging; everything waits for you", "curator"),
    ActionSpec("curator.dry", "Dry run", "eye", "", "Only the report", "curator"),
    ActionSpec("log.open", "Open the log", "file", "", "What the program wrote down", "help"),
)
_MENUS = (
    ("&File", ("skill.new", "folder.add", "settings.open", "home.open", "window.quit")),
    ("&Edit", ("edit.undo", "palette.open", "library.search")),
    (
        "&View",
        (
            *(f"page.{page}" for page, _, _ in PAGES),
            "side.library",
            "side.chat",
            "view.refresh",
            "view.bigger",
            "view.smaller",
            "view.theme",
        ),
    ),
    ("&Chat", ("chat.new", "chat.review")),
    ("C&urator", ("curator.run", "curator.dry")),
    ("&Help", ("log.open",)),
)
_ZOOM_STEP = 10


class MenuWires(QObject):
    """Carries out the window's actions, wherever they were picked."""

    def __init__(self, services: Services, panes: Panes, steering: Steering, library: LibraryWires) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        self._library = library
        self._zoom = 100
        self._last: Entry | None = None
        self._found: dict[str, tuple[int, tuple[str, ...]]] = {}
        frame = panes.frame
        self.actions = ActionSet(panes.theme, WINDOW_ACTIONS, frame)
        self.actions.triggered.connect(self.carry_out)
        frame.build_menus(self.actions, _MENUS)
        frame.build_bar(
            [bar_button(self.actions, "palette.open", self.tr("Go to…")), bar_button(self.actions, "skill.new")],
            [bar_button(self.actions, name) for name in ("side.library", "side.chat", "view.theme", "settings.open")],
        )
        frame.build_status(
            {
                "watching": self.tr("Whether changes on disk are seen at once"),
                "skills": self.tr("Skills in the library"),
                "waiting": self.tr("Changes that wait for a decision"),
                "review": self.tr("What a review is doing"),
                "curator": self.tr("The next curator run"),
                "cost": self.tr("What this program's model calls cost so far"),
            }
        )
        self._join()

    def _join(self) -> None:
        services, panes = self._services, self._panes
        panes.palette.chosen.connect(self._on_chosen)
        panes.palette.query_changed.connect(services.sessions.search_everywhere)
        services.sessions.found_everywhere.connect(self._on_found)
        services.library.library_changed.connect(self._on_library)
        services.library.watching_changed.connect(self._on_watching)
        services.library.scanning_changed.connect(self._on_scanning)
        services.review.idle_changed.connect(self._on_review)
        services.sessions.listed.connect(self._on_sessions)
        services.skills.history_ready.connect(self._on_history)
        services.skills.changed.connect(self._ask_history)
        services.skills.created.connect(self._on_created)
        services.proposals.changed.connect(self._ask_history)
        services.library.recorded.connect(self._ask_history)
        panes.library.state_action_requested.connect(self._on_state_action)
        for name, text in (("watching", self.tr("starting")), ("review", self.tr("review idle")), ("cost", "$0.00")):
            panes.frame.set_status(name, text)
        self._ask_history()

    @Slot(str)
    def carry_out(self, action: str) -> None:
        """Do what an action says."""
        kind, _, rest = action.partition(".")
        if kind == "page":
            self._panes.frame.show_page(rest)
        elif kind == "side":
            dock = self._panes.frame.findChild(QObject, rest)
            if dock is not None:
                dock.setVisible(not dock.isVisible())  # type: ignore[attr-defined]
        else:
            plain = {
                "skill.new": self._new_skill,
                "folder.add": self._add_folder,
                "settings.open": self._open_settings,
                "home.open": self._open_home,
                "window.quit": self._panes.frame.close,
                "edit.undo": self._undo,
                "palette.open": self._open_palette,
                "library.search": self._panes.library.focus_search,
                "view.refresh": self._services.library.refresh,
                "view.bigger": self._bigger,
                "view.smaller": self._smaller,
                "view.theme": self._switch_theme,
                "chat.new": self._services.chat.new_session,
                "chat.review": self._panes.chat.review_requested.emit,
                "curator.run": self._run_curator,
                "curator.dry": self._dry_run,
                "log.open": self._open_log,
            }
            plain[action]()

    def _new_skill(self) -> None:
        dialog = NewSkillDialog(self._panes.theme, self._panes.frame)
        categories = sorted({skill.category for skill in self._services.library.library.skills if skill.category})
        dialog.set_categories(categories)
        dialog.create_requested.connect(self._services.skills.create)
        self._services.skills.created.connect(dialog.set_created)
        dialog.open()

    @Slot(object)
    def _on_created(self, receipt: object) -> None:
        self._steering.inform(self.tr("Created {}.").format(getattr(receipt, "name", "")))

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

    def _run_curator(self) -> None:
        self._panes.frame.show_page("curator")
        self._services.curator.run(dry_run=False)

    def _dry_run(self) -> None:
        self._panes.frame.show_page("curator")
        self._services.curator.run(dry_run=True)

    @Slot()
    def _ask_history(self) -> None:
        self._services.skills.history("")

    @Slot(str, object)
    def _on_history(self, skill_id: str, entries: tuple[Entry, ...]) -> None:
        if skill_id:
            return
        self._last = entries[0] if entries else None
        action = self.actions.action("edit.undo")
        action.setEnabled(self._last is not None)
        if self._last is not None:
            names = ", ".join(item.rpartition("/")[2] for item in self._last.record.ids[:2])
            action.setText(self.tr("Undo: {} {}").format(self._last.record.action, names))

    @Slot(object)
    def _on_library(self, library: Library) -> None:
        counts = library.counts
        live = counts.active + counts.stale
        text = self.tr("{} skills").format(live)
        if counts.broken:
            text += self.tr(", {} broken").format(counts.broken)
        self._panes.frame.set_status("skills", text)
        if self._panes.palette.isVisible():
            self._fill_palette()

    def _fill_palette(self) -> None:
        items = [
            *(
                PaletteItem("action", spec.id, spec.text.rstrip("…"), spec.tip, spec.icon, spec.keys)
                for spec in WINDOW_ACTIONS
            ),
            *(_skill_item(skill) for skill in self._services.library.library.skills if skill.shadowed_by is None),
        ]
        self._panes.palette.set_items(items)

    def _open_palette(self) -> None:
        self._fill_palette()
        self._panes.palette.open_panel()

    @Slot(str, str)
    def _on_watching(self, mode: str, text: str) -> None:
        words = {"live": self.tr("watching"), "polling": self.tr("polling"), "off": self.tr("not watching")}
        self._panes.frame.set_status("watching", words[mode], text)

    @Slot(bool)
    def _on_scanning(self, scanning: bool) -> None:
        if scanning and not self._services.library.known:
            self._panes.library.show_loading()

    @Slot(bool)
    def _on_review(self, idle: bool) -> None:
        self._panes.frame.set_status("review", self.tr("review idle") if idle else self.tr("reviewing"))

    @Slot(object)
    def _on_sessions(self, sessions: tuple[SessionInfo, ...]) -> None:
        total = sum((info.usage for info in sessions), Usage())
        tokens = total.input + total.output + total.cache_read + total.cache_write
        text = f"${total.cost:.2f}" if total.cost else self.tr("{} tokens").format(f"{tokens:,}")
        self._panes.frame.set_status("cost", text)

    @Slot(str, object)
    def _on_found(self, query: str, hits: tuple[Hit, ...]) -> None:
        icons = {HitKind.SKILL: "skill", HitKind.ARCHIVE: "archive", HitKind.MEMORY: "memory", HitKind.SESSION: "chat"}
        found = [PaletteItem(str(hit.kind), hit.id, hit.title, hit.snippet, icons[hit.kind]) for hit in hits]
        talks = [hit for hit in hits if hit.kind is HitKind.SESSION]
        self._found = {hit.id: (-1 if hit.message is None else hit.message, hit.words) for hit in talks}
        self._panes.palette.set_found(query, found)

    @Slot(str, str)
    def _on_chosen(self, kind: str, item: str) -> None:
        if kind == "action":
            self.carry_out(item)
        elif kind in {"skill", "archive"}:
            self._steering.open_skill(item)
        elif kind == "memory":
            self._panes.frame.show_page("memory")
        elif kind == "session":
            self._services.sessions.read(item, *self._found.get(item, (-1, ())))

    @Slot(str)
    def _on_state_action(self, action: str) -> None:
        if action == "new":
            self._new_skill()
        elif action == "open_folder":
            self._add_folder()
        elif action == "sample":
            self._services.library.install_sample()
        else:
            self._services.library.refresh()


def _skill_item(skill: Skill) -> PaletteItem:
    """A skill of the palette; kind and id are those of the search's own hits, so that both are one row."""
    kind = "archive" if skill.state is State.ARCHIVED else "skill"
    return PaletteItem(kind, skill.id, skill.name, skill.description, kind)
