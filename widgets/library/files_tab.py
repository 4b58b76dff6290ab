"""The Files tab: the skill's files as a tree with what can be done to them, and a preview of the chosen one."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Signal, Slot
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from widgets.common.actions import ActionSet, ActionSpec
from widgets.common.code_colours import language_of
from widgets.common.code_editor import CodeEditor
from widgets.common.empty_state import StatePages
from widgets.common.highlighters import FileHighlighter
from widgets.common.parts import ElidedLabel, bar, column, row
from widgets.common.reveal import revealed
from widgets.common.split import Split
from widgets.common.theme import Theme
from widgets.common.times import file_size
from widgets.library.file_tree import FileTree
from widgets.library.name_dialog import NameDialog

FILE_ACTIONS = (
    ActionSpec(
        "file.add", "New file…", "plus", "Ctrl+Alt+N", "Add a file to the skill; drop files to copy them", "new"
    ),
    ActionSpec("file.rename", "Rename file…", "edit", "F2", "Another name or folder", "change", scope="widget"),
    ActionSpec(
        "file.remove", "Remove file", "trash", "Del", "It can be brought back by Undo", "change", scope="widget"
    ),
    ActionSpec(
        "file.external",
        "Open in another program",
        "external",
        "Ctrl+Return",
        "Nothing is run here",
        "open",
        scope="widget",
    ),
)
_SHOWN = 300_000
_LINE = 5_000


class FilesTab(QWidget):
    """Shows paths and one file's text. Never opens anything by itself, changes nothing itself."""

    file_requested = Signal(str)
    #: Open this path below the skill in another program.
    external_requested = Signal(str)
    #: The path of the new file.
    add_requested = Signal(str)
    #: Old path, new path; either may be a folder's.
    rename_requested = Signal(str, str)
    remove_requested = Signal(str)
    #: Local paths (a tuple) and the folder of the skill they go to.
    drop_requested = Signal(object, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._files: tuple[str, ...] = ()
        self._current = ""
        self._wanted = ""
        self._writable = False
        self.actions_set = ActionSet(theme, FILE_ACTIONS, self)
        self.tree = FileTree(theme)
        self._text = CodeEditor(theme, self.tr("File"))
        self._text.setReadOnly(True)
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._colours = FileHighlighter(self._text.document(), theme)
        self._name = ElidedLabel(theme, "muted")
        self._name.set_small(True)
        self._pages = StatePages(theme, self._text)
        self._build()
        self.tree.file_chosen.connect(self._on_chosen)
        self.tree.menu_requested.connect(self._on_menu)
        self.tree.dropped.connect(self.drop_requested)
        self.actions_set.triggered.connect(self._on_action)
        theme.changed.connect(self._refill)
        self._nothing()

    @Slot(object)
    def set_files(self, files: Sequence[str]) -> None:
        """Show these POSIX paths; the chosen file stays chosen while it exists."""
        if tuple(files) == self._files:
            return
        self._files = tuple(files)
        self._refill()

    def set_writable(self, *, on: bool) -> None:
        """Whether this skill's files may be changed by hand."""
        self._writable = on
        self.tree.set_writable(on=on)
        self._refresh()

    def set_file(self, path: str, data: bytes) -> None:
        """Show the content of the chosen file."""
        if path != self._current:
            return
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            self._show_note(self.tr("This file is not text"), file_size(len(data)))
            return
        if "\x00" in text:
            self._show_note(self.tr("This file is not text"), file_size(len(data)))
            return
        shown = _shortened(revealed(text))
        self._colours.set_language(shown, language_of(path))
        self._text.setPlainText(shown)
        self._name.set_text(f"{path}   {file_size(len(data))}" + ("" if shown == text else self.tr("   shortened")))
        self._pages.show_content()

    def say_missing(self, path: str) -> None:
        """The chosen file is not there any more."""
        if path == self._current:
            self._show_note(self.tr("This file is gone"), path)

    def choose(self, path: str) -> None:
        """Choose this file as soon as it is among the files."""
        self._wanted = path
        if path in self._files:
            self._refill()

    def clear(self) -> None:
        """Another skill: nothing is chosen."""
        self._files, self._current, self._wanted = (), "", ""
        self.tree.set_files((), "")
        self._nothing()

    @property
    def current(self) -> str:
        """The chosen file."""
        return self._current

    def _build(self) -> None:
        tools = row(*(self.actions_set.tool(spec.id) for spec in FILE_ACTIONS), spacing=0)
        head = bar(row(self._name, tools, margins=(12, 2, 4, 2)), "surface")
        right = QWidget()
        right.setLayout(column(head, self._pages, spacing=0))
        self.setLayout(column(Split(self.tree, right, 210, 92), spacing=0))

    @Slot()
    def _refill(self) -> None:
        if self._wanted in self._files:
            wanted, self._current, self._wanted = self._wanted, "", ""
            self.tree.set_files(self._files, wanted)
        else:
            kept = self._current
            self._current = kept if kept in self._files else ""
            self.tree.set_files(self._files, kept)
        if not self._files:
            self._nothing()

    @Slot(str)
    def _on_chosen(self, path: str) -> None:
        self._refresh()
        if path and path != self._current:
            self._current = path
            self._pages.show_loading(self.tr("Reading…"))
            self.file_requested.emit(path)

    @Slot(QPoint)
    def _on_menu(self, place: QPoint) -> None:
        menu = self.actions_set.menu([spec.id for spec in FILE_ACTIONS], self.tr("File"), self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    @Slot(str)
    def _on_action(self, action: str) -> None:
        path = self.tree.path
        if action == "file.add":
            folder = self.tree.folder
            self._ask(self.tr("New file"), f"{folder}/" if folder else "references/", self._on_add)
        elif action == "file.rename":
            self._ask(self.tr("Rename"), path, self._on_rename)
        elif action == "file.remove":
            self.remove_requested.emit(path)
        elif self._current:
            self.external_requested.emit(self._current)

    def _ask(self, title: str, text: str, done: object) -> None:
        words = self.tr("The path below the skill, folders separated by /.")
        dialog = NameDialog(self._theme, title, words, text, self, problem=self._problem)
        dialog.chosen.connect(done)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _problem(self, text: str) -> str:
        if not text or text.startswith("/") or text.endswith("/") or "//" in text or "\\" in text or ".." in text:
            return self.tr("Write a path such as references/notes.md.")
        return self.tr("There is such a file already.") if text in self._files else ""

    @Slot(str)
    def _on_add(self, path: str) -> None:
        self.choose(path)
        self.add_requested.emit(path)

    @Slot(str)
    def _on_rename(self, path: str) -> None:
        self.choose(path)
        self.rename_requested.emit(self.tree.path, path)

    def _refresh(self) -> None:
        path = self.tree.path
        support = bool(path) and path.lower() != "skill.md"
        self.actions_set.enable(("file.add",), on=self._writable)
        self.actions_set.enable(("file.rename", "file.remove"), on=self._writable and support)
        self.actions_set.enable(("file.external",), on=path in self._files)

    def _nothing(self) -> None:
        self._current = ""
        self._name.set_text("")
        self._refresh()
        self._pages.show_empty("file", self.tr("No file"), self.tr("Its text is shown here; nothing is run."))

    def _show_note(self, title: str, text: str) -> None:
        self._name.set_text(self._current)
        self._pages.show_empty("file", title, text)


def _shortened(text: str) -> str:
    lines = [line if len(line) <= _LINE else f"{line[:_LINE]}…" for line in text[:_SHOWN].split("\n")]
    return "\n".join(lines) + ("\n…" if len(text) > _SHOWN else "")
