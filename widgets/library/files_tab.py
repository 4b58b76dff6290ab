"""The Files tab: the skill's files as a tree, and a preview of the chosen one."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QIcon, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QPlainTextEdit, QTreeView, QWidget

from widgets.common.code_colours import language_of
from widgets.common.code_editor import CodeEditor
from widgets.common.empty_state import StatePages
from widgets.common.highlighters import FileHighlighter
from widgets.common.parts import bar, button, column, label, row
from widgets.common.reveal import revealed
from widgets.common.split import Split
from widgets.common.theme import Theme
from widgets.common.times import file_size

_PATH = Qt.ItemDataRole.UserRole + 1
_SHOWN = 300_000
_LINE = 5_000


class FilesTab(QWidget):
    """Shows paths and one file's text. Never opens anything by itself."""

    file_requested = Signal(str)
    #: Open this path below the skill in another program.
    external_requested = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._files: tuple[str, ...] = ()
        self._current = ""
        self._model = QStandardItemModel(self)
        self._tree = QTreeView()
        self._tree.setModel(self._model)
        self._tree.setHeaderHidden(True)
        self._tree.setUniformRowHeights(True)
        self._tree.setIndentation(16)
        self._tree.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self._tree.setAccessibleName(self.tr("Files of the skill"))
        self._text = CodeEditor(theme, self.tr("File"))
        self._text.setReadOnly(True)
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._colours = FileHighlighter(self._text.document(), theme)
        self._name = label(role="caption")
        self._open = button(theme, self.tr("Open in another program"), "quiet", "external")
        self._pages = StatePages(theme, self._text)
        self._build()
        self._tree.selectionModel().currentChanged.connect(self._on_current)
        self._open.clicked.connect(self._on_open)
        theme.changed.connect(self._refill)
        self._nothing()

    @Slot(object)
    def set_files(self, files: Sequence[str]) -> None:
        """Show these POSIX paths; the chosen file stays chosen while it exists."""
        if tuple(files) == self._files:
            return
        self._files = tuple(files)
        self._refill()

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
        self._name.setText(f"{path}   {file_size(len(data))}" + ("" if shown == text else self.tr("   shortened")))
        self._pages.show_content()

    def say_missing(self, path: str) -> None:
        """The chosen file is not there any more."""
        if path == self._current:
            self._show_note(self.tr("This file is gone"), path)

    def clear(self) -> None:
        """Another skill: nothing is chosen."""
        self._files, self._current = (), ""
        self._model.clear()
        self._nothing()

    @property
    def current(self) -> str:
        """The chosen file."""
        return self._current

    def _build(self) -> None:
        head = bar(row(self._name, None, self._open, margins=(12, 2, 4, 2)), "surface")
        right = QWidget()
        right.setLayout(column(head, self._pages, spacing=0))
        self.setLayout(column(Split(self._tree, right, 210, 92), spacing=0))

    @Slot()
    def _refill(self) -> None:
        self._model.clear()
        folders: dict[str, QStandardItem] = {"": self._model.invisibleRootItem()}
        folder_icon, file_icon = self._theme.icon("folder", "muted"), self._theme.icon("file", "muted")
        for path in sorted(self._files, key=lambda item: (item.lower() != "skill.md", "/" not in item, item)):
            parent = self._folder(path.rpartition("/")[0], folders, folder_icon)
            made = QStandardItem(file_icon, path.rpartition("/")[2])
            made.setData(path, _PATH)
            parent.appendRow(made)
            if path == self._current:
                self._tree.setCurrentIndex(made.index())
        self._tree.expandAll()
        if self._current not in self._files:
            self._current = ""
            self._nothing()
            self._choose_first()

    def _choose_first(self) -> None:
        """The page is never opened empty: SKILL.md stands first, else whatever file there is."""
        first = self._model.index(0, 0)
        while first.isValid() and first.data(_PATH) is None:
            first = self._model.index(0, 0, first)
        if first.isValid():
            self._tree.setCurrentIndex(first)

    def _folder(self, path: str, folders: dict[str, QStandardItem], icon: QIcon) -> QStandardItem:
        if path not in folders:
            above, _, name = path.rpartition("/")
            made = QStandardItem(icon, name)
            made.setSelectable(False)
            self._folder(above, folders, icon).appendRow(made)
            folders[path] = made
        return folders[path]

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        path = current.data(_PATH)
        if path and path != self._current:
            self._current = path
            self._open.setEnabled(True)
            self._pages.show_loading(self.tr("Reading…"))
            self.file_requested.emit(path)

    @Slot()
    def _on_open(self) -> None:
        if self._current:
            self.external_requested.emit(self._current)

    def _nothing(self) -> None:
        self._name.clear()
        self._open.setEnabled(False)
        self._pages.show_empty("file", self.tr("Choose a file"), self.tr("Its text is shown here; nothing is run."))

    def _show_note(self, title: str, text: str) -> None:
        self._name.setText(self._current)
        self._pages.show_empty("file", title, text)


def _shortened(text: str) -> str:
    lines = [line if len(line) <= _LINE else f"{line[:_LINE]}…" for line in text[:_SHOWN].split("\n")]
    return "\n".join(lines) + ("\n…" if len(text) > _SHOWN else "")
