"""A skill's files as a tree that takes dropped files and folders."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal, Slot
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QIcon,
    QKeyEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import QTreeView

from widgets.common.theme import Theme

_PATH = Qt.ItemDataRole.UserRole + 1
_FOLDER = Qt.ItemDataRole.UserRole + 2


class FileTree(QTreeView):
    """Shows POSIX paths, folders first opened; SKILL.md stands at the top."""

    #: The path of the file that became current.
    file_chosen = Signal(str)
    #: Where the menu is wanted, on the screen.
    menu_requested = Signal(QPoint)
    #: Local paths (a tuple) and the folder of the skill they were dropped on ("" for the skill itself).
    dropped = Signal(object, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._files: tuple[str, ...] = ()
        self._writable = False
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setAccessibleName(self.tr("Files of the skill"))
        self.customContextMenuRequested.connect(self._on_menu)
        self.selectionModel().currentChanged.connect(self._on_current)

    def set_writable(self, *, on: bool) -> None:
        """Whether files may be dropped here."""
        self._writable = on
        self.setAcceptDrops(on)

    def set_files(self, files: Sequence[str], chosen: str) -> None:
        """Show these paths with one chosen; without it the first file is, so that the page is never empty."""
        self._files = tuple(files)
        self._model.clear()
        folders: dict[str, QStandardItem] = {"": self._model.invisibleRootItem()}
        folder_icon, file_icon = self._theme.icon("folder", "muted"), self._theme.icon("file", "muted")
        first = wanted = QModelIndex()
        for path in sorted(self._files, key=lambda item: (item.lower() != "skill.md", "/" not in item, item)):
            parent = self._folder(path.rpartition("/")[0], folders, folder_icon)
            made = QStandardItem(file_icon, path.rpartition("/")[2])
            made.setData(path, _PATH)
            parent.appendRow(made)
            first = first if first.isValid() else made.index()
            wanted = made.index() if path == chosen else wanted
        self.expandAll()
        here = wanted if wanted.isValid() else first
        if here.isValid():
            self.setCurrentIndex(here)

    @property
    def path(self) -> str:
        """The chosen file, or the folder it stands on."""
        index = self.currentIndex()
        return index.data(_PATH) or index.data(_FOLDER) or ""

    @property
    def folder(self) -> str:
        """The folder that a new file belongs into."""
        index = self.currentIndex()
        return index.data(_FOLDER) or (index.data(_PATH) or "").rpartition("/")[0]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The menu key shows the actions at the row."""
        if event.key() == Qt.Key.Key_Menu and self.currentIndex().isValid():
            place = self.visualRect(self.currentIndex()).center()
            self.menu_requested.emit(self.viewport().mapToGlobal(place))
            return
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Only files of this computer."""
        if self._writable and _local(event):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Anywhere: beside a folder means the skill itself."""
        if self._writable and _local(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Say what was dropped where."""
        paths = _local(event)
        if not (self._writable and paths):
            return
        index = self.indexAt(event.position().toPoint())
        folder = index.data(_FOLDER) or (index.data(_PATH) or "").rpartition("/")[0] if index.isValid() else ""
        event.acceptProposedAction()
        self.dropped.emit(paths, folder)

    def _folder(self, path: str, folders: dict[str, QStandardItem], icon: QIcon) -> QStandardItem:
        if path not in folders:
            above, _, name = path.rpartition("/")
            made = QStandardItem(icon, name)
            made.setData(path, _FOLDER)
            self._folder(above, folders, icon).appendRow(made)
            folders[path] = made
        return folders[path]

    @Slot(QPoint)
    def _on_menu(self, place: QPoint) -> None:
        index = self.indexAt(place)
        if index.isValid():
            self.setCurrentIndex(index)
        self.menu_requested.emit(self.viewport().mapToGlobal(place))

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.file_chosen.emit(current.data(_PATH) or "")


def _local(event: QDropEvent) -> tuple[str, ...]:
    """The paths of this computer in a drag."""
    return tuple(url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile())
