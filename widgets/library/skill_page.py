"""A skill's page: head and the tabs Read, Files, Edit, History, Use, Findings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QStackedWidget, QTabBar, QWidget

from app.errors import Failure
from app.skills.values import Finding, Skill
from widgets.common.actions import ActionSet
from widgets.common.empty_state import StatePages
from widgets.common.parts import bar, column, row
from widgets.common.theme import Theme
from widgets.library.editor import EditTab
from widgets.library.files_tab import FilesTab
from widgets.library.findings_tab import FindingsTab
from widgets.library.history_tab import HistoryTab
from widgets.library.page_values import Checked
from widgets.library.reading import ReadTab
from widgets.library.skill_actions import SKILL_ACTIONS, fitting
from widgets.library.skill_header import SkillHeader
from widgets.library.use_tab import UseTab

#: Lower than this, bars give room to the content.
_LOW = 560
#: The next step on the page of a skill that is gone.
_PAST = "past"
TABS = ("read", "files", "edit", "history", "use", "findings")


class SkillPage(QWidget):
    """Shows one skill. Each tab says what it needs when it is first seen; values for another skill are ignored."""

    #: Action id and the ids it is for (a tuple), as in the library pane.
    action_requested = Signal(str, object)
    #: skill id, path below the skill: answer with `set_file` or `set_file_missing`.
    file_requested = Signal(str, str)
    #: skill id, path: open it in another program.
    external_requested = Signal(str, str)
    #: kind (`web`, `library`, `skill`, `session`, `run`) and target.
    link_activated = Signal(str, str)
    #: skill id: answer with `files.set_files`, `history.set_entries`, `use.set_use`.
    files_requested = Signal(str)
    history_requested = Signal(str)
    use_requested = Signal(str)
    #: skill id and what is wanted of its files: a path; old and new path; a path; local paths and a folder.
    file_add_requested = Signal(str, str)
    file_rename_requested = Signal(str, str, str)
    file_remove_requested = Signal(str, str)
    file_drop_requested = Signal(str, object, str)
    #: skill id and the Finding whose fix is wanted.
    fix_requested = Signal(str, object)
    #: skill id: apply every safe fix.
    fix_all_requested = Signal(str)
    #: The next step where no skill is shown, as in the library pane: `new`, `open_folder`.
    state_action_requested = Signal(str)
    #: The id of a skill that is gone: what happened to it?
    past_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._skill: Skill | None = None
        self._gone = ""
        self._asked: set[str] = set()
        self.header = SkillHeader(theme)
        self.read = ReadTab(theme)
        self.files = FilesTab(theme)
        self.edit = EditTab(theme)
        self.history = HistoryTab(theme)
        self.use = UseTab(theme)
        self.findings = FindingsTab(theme)
        self._actions = ActionSet(theme, [replace(spec, keys="") for spec in SKILL_ACTIONS], self)
        # A bar and a stack instead of a QTabWidget: that one still signals while it is being taken down.
        self._tabs = QTabBar()
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._stack = QStackedWidget()
        content = QWidget()
        content.setProperty("ground", "surface")
        head = bar(row(self._tabs, margins=(8, 0, 8, 0)), "surface")
        content.setLayout(column(self.header, head, self._stack, spacing=0))
        self._pages = StatePages(theme, content)
        self._build()
        self._connect()
        self.set_nothing()

    def set_nothing(self, *, empty: bool = False) -> None:
        """No skill is chosen, or, with `empty`, the library has none that could be."""
        self._skill = None
        if not empty:
            told = self.tr("Choose one in the library at the left, or in the graph.")
            self._pages.show_empty("skill", self.tr("No skill chosen"), told)
            return
        self._pages.show_empty(
            "skill",
            self.tr("No skills yet"),
            self.tr("Write the first one, or bring in a folder of skills. Then this page shows the one you choose."),
            ("new", self.tr("New skill")),
            ("open_folder", self.tr("Open a folder")),
        )

    @Slot(object)
    def set_skill(self, skill: Skill) -> None:
        """Show this skill; the same one again updates it and leaves tab, scroll and text alone."""
        other = self._skill is None or (self._skill.id, self._skill.root) != (skill.id, skill.root)
        changed = other or self._skill is None or self._skill.body_hash != skill.body_hash
        self._skill = skill
        self.header.set_skill(skill)
        self.read.set_skill(skill)
        self.use.set_skill(skill)
        self.set_findings(skill.findings)
        editable = "skill.edit" in fitting((skill,))
        self._tabs.setTabEnabled(TABS.index("edit"), editable)
        self.files.set_writable(on=editable and skill.in_home)
        if other:
            self.files.clear()
            self.history.clear()
        if changed:
            self._asked.clear()
        self._pages.show_content()
        self._ask()

    def set_text(self, skill_id: str, text: str, text_hash: str) -> None:
        """SKILL.md as read from disk, first and after every change of the file."""
        if self._is_current(skill_id):
            self.read.set_text(text)
            self.edit.set_text(skill_id, text, text_hash)

    def set_gone(self, skill_id: str) -> None:
        """The skill is no longer on disk."""
        self.edit.set_gone(skill_id)
        if self._is_current(skill_id) and skill_id not in self.edit.unsaved:
            self._skill = None
            told = self.tr("It was deleted or moved on disk. What stood in it can be brought back from its steps.")
            self._gone = skill_id
            self._pages.show_empty("skill", self.tr("This skill is gone"), told, (_PAST, self.tr("Show its steps")))

    def set_file(self, skill_id: str, path: str, data: bytes) -> None:
        """The content of a file that was asked for."""
        if self._is_current(skill_id):
            self.files.set_file(path, data)
            self.read.set_file(path, data.decode("utf-8", "replace"))

    def set_file_missing(self, skill_id: str, path: str) -> None:
        """A file that was asked for is not there."""
        if self._is_current(skill_id):
            self.files.say_missing(path)
            self.read.say_missing(path)

    def set_findings(self, findings: Sequence[Finding]) -> None:
        """Findings of the skill on disk."""
        self.findings.set_findings(findings)
        title = self.tr("Findings ({count})").format(count=len(findings)) if findings else self.tr("Findings")
        self._tabs.setTabText(TABS.index("findings"), title)

    def set_checked(self, skill_id: str, checked: Checked) -> None:
        """What reading the edited text said."""
        if self._is_current(skill_id):
            self.edit.set_checked(checked)

    @Slot(object)
    def show_failure(self, failure: Failure) -> None:
        """The skill cannot be read."""
        self._pages.show_failure(failure)

    @Slot(str)
    def show_tab(self, name: str) -> None:
        """Show a tab by name: read, files, edit, history, use, findings."""
        self._tabs.setCurrentIndex(TABS.index(name))

    @property
    def skill(self) -> Skill | None:
        """The skill shown."""
        return self._skill

    @property
    def tab(self) -> str:
        """The name of the tab in front."""
        return TABS[self._tabs.currentIndex()]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low window heads are shorter."""
        super().resizeEvent(event)
        low = event.size().height() < _LOW
        self.header.set_compact(compact=low)
        self.edit.form.set_compact(compact=low)

    def _build(self) -> None:
        titles: Mapping[str, tuple[QWidget, str]] = {
            "read": (self.read, self.tr("Read")),
            "files": (self.files, self.tr("Files")),
            "edit": (self.edit, self.tr("Edit")),
            "history": (self.history, self.tr("History")),
            "use": (self.use, self.tr("Use")),
            "findings": (self.findings, self.tr("Findings")),
        }
        for name in TABS:
            self._stack.addWidget(titles[name][0])
            self._tabs.addTab(titles[name][1])
        self._tabs.setAccessibleName(self.tr("Parts of the skill"))
        self.setLayout(column(self._pages, spacing=0))

    @Slot(str)
    def _on_state(self, action: str) -> None:
        if action == _PAST:
            self.past_requested.emit(self._gone)
        else:
            self.state_action_requested.emit(action)

    def _connect(self) -> None:
        self._pages.action_requested.connect(self._on_state)
        self._tabs.currentChanged.connect(self._on_tab)
        self.header.action_requested.connect(self._on_action)
        self.header.umbrella_requested.connect(self._on_umbrella)
        self.header.menu_button.clicked.connect(self._on_menu)
        self._actions.triggered.connect(self._on_action)
        self.read.file_requested.connect(self._on_file)
        self.files.file_requested.connect(self._on_file)
        self.read.link_activated.connect(self.link_activated)
        self.read.external_requested.connect(self._on_external)
        self.files.external_requested.connect(self._on_external)
        self.files.add_requested.connect(self._on_add)
        self.files.rename_requested.connect(self._on_rename)
        self.files.remove_requested.connect(self._on_remove)
        self.files.drop_requested.connect(self._on_drop)
        self.edit.external_requested.connect(self._on_edit_external)
        self.edit.link_activated.connect(self.link_activated)
        self.history.origin_requested.connect(self.link_activated)
        self.use.session_requested.connect(self._on_session)
        self.findings.line_requested.connect(self._on_line)
        self.findings.fix_requested.connect(self._on_fix)
        self.findings.all_requested.connect(self._on_fix_all)

    def _is_current(self, skill_id: str) -> bool:
        return self._skill is not None and self._skill.id == skill_id

    @Slot(int)
    def _on_tab(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self._ask()

    def _ask(self) -> None:
        if self._skill is None or self.tab in self._asked:
            return
        self._asked.add(self.tab)
        wanted = {"files": self.files_requested, "history": self.history_requested, "use": self.use_requested}
        if self.tab in wanted:
            wanted[self.tab].emit(self._skill.id)

    @Slot(str)
    def _on_action(self, action: str) -> None:
        if self._skill is None:
            return
        if action == "skill.edit":
            self.show_tab("edit")
        elif action == "skill.open":
            self.show_tab("read")
        else:
            self.action_requested.emit(action, (self._skill.id,))

    @Slot()
    def _on_menu(self) -> None:
        if self._skill is None:
            return
        fits = fitting((self._skill,))
        menu: QMenu = self._actions.menu([spec.id for spec in SKILL_ACTIONS if spec.id in fits], self.tr("Skill"), self)
        menu.aboutToHide.connect(menu.deleteLater)
        button = self.header.menu_button
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    @Slot(str)
    def _on_umbrella(self, name: str) -> None:
        self.link_activated.emit("skill", name)

    @Slot(str)
    def _on_file(self, path: str) -> None:
        if self._skill is not None:
            self.file_requested.emit(self._skill.id, path)

    @Slot(str)
    def _on_external(self, path: str) -> None:
        if self._skill is not None:
            self.external_requested.emit(self._skill.id, path)

    @Slot(str)
    def _on_add(self, path: str) -> None:
        if self._skill is not None:
            self.file_add_requested.emit(self._skill.id, path)

    @Slot(str, str)
    def _on_rename(self, old: str, new: str) -> None:
        if self._skill is not None:
            self.file_rename_requested.emit(self._skill.id, old, new)

    @Slot(str)
    def _on_remove(self, path: str) -> None:
        if self._skill is not None:
            self.file_remove_requested.emit(self._skill.id, path)

    @Slot(object, str)
    def _on_drop(self, paths: Sequence[str], folder: str) -> None:
        if self._skill is not None:
            self.file_drop_requested.emit(self._skill.id, paths, folder)

    @Slot(str)
    def _on_edit_external(self, skill_id: str) -> None:
        self.external_requested.emit(skill_id, "SKILL.md")

    @Slot(str)
    def _on_session(self, session: str) -> None:
        self.link_activated.emit("session", session)

    @Slot(int)
    def _on_line(self, line: int) -> None:
        self.show_tab("edit")
        self.edit.editor.go_to_line(line)
        self.edit.editor.setFocus()

    @Slot(object)
    def _on_fix(self, finding: Finding) -> None:
        if self._skill is not None:
            self.fix_requested.emit(self._skill.id, finding)

    @Slot()
    def _on_fix_all(self) -> None:
        if self._skill is not None:
            self.fix_all_requested.emit(self._skill.id)
