"""The tree of skills: keeps selection, open groups and the scroll place through live changes and resets."""

from collections.abc import Collection

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from app.skills.values import Skill
from widgets.common.theme import Theme
from widgets.library.skill_delegate import SkillDelegate
from widgets.library.skill_model import ENTRY_ROLE, GROUP_ROLE, SkillModel
from widgets.library.tree_rows import ARCHIVED, Entry, Key


class SkillTree(QTreeView):
    """Rows of one height; a click on a group opens or closes it."""

    #: The current skill's id, when the user or `select_id` changes it; not when rows merely move.
    current_changed = Signal(str)
    #: Skills in the selection.
    selection_count_changed = Signal(int)
    opened = Signal(str)
    menu_requested = Signal(QPoint)

    def __init__(self, theme: Theme, model: SkillModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._skills = model
        self._closed: set[str] = {ARCHIVED}
        self._opened: set[str] = set()
        self._crowded = False
        self._kept: tuple[Key | None, frozenset[Key], int] = (None, frozenset(), 0)
        self._said = ""
        self.setModel(model)
        self.setItemDelegate(SkillDelegate(theme, self))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Skills"))
        self.customContextMenuRequested.connect(self._on_menu)
        self.activated.connect(self._on_activated)
        self.expanded.connect(self._on_expanded)
        self.collapsed.connect(self._on_collapsed)
        self.selectionModel().selectionChanged.connect(self._on_selection)
        self.selectionModel().currentChanged.connect(self._on_current)
        model.modelAboutToBeReset.connect(self._keep)
        model.modelReset.connect(self._restore)
        model.rowsInserted.connect(self._on_inserted)
        theme.changed.connect(self._on_theme)

    def select_id(self, skill_id: str) -> bool:
        """Make this skill the only selected one and show it; False when no row has it."""
        index = self._skills.index_of_id(skill_id)
        if not index.isValid():
            return False
        if self._said == skill_id and self.selectionModel().isSelected(index):
            return True
        self.setExpanded(index.parent(), True)
        self._said = skill_id
        self.setCurrentIndex(index)
        self.scrollTo(index)
        return True

    def select_ids(self, ids: Collection[str]) -> None:
        """Select exactly these rows, as far as they are there; their groups open."""
        picked = QItemSelection()
        for index in map(self._skills.index_of_id, ids):
            if index.isValid():
                self.setExpanded(index.parent(), True)
                picked.select(index, index)
        self.selectionModel().select(picked, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        shown = self.selectionModel().selectedIndexes()
        if shown:
            self.scrollTo(min(shown, key=lambda index: self.visualRect(index).top()))

    def selected_entries(self) -> tuple[Entry, ...]:
        """The selected rows from top to bottom."""
        chosen = {index.data(ENTRY_ROLE).key for index in self.selectionModel().selectedIndexes()}
        if not chosen:
            return ()
        return tuple(entry for entry in self._skills.entries() if entry.key in chosen)

    def selected_skills(self) -> tuple[Skill, ...]:
        """The selected skills from top to bottom."""
        return tuple(entry.skill for entry in self.selected_entries())

    @property
    def closed_groups(self) -> frozenset[str]:
        """Keys of the groups that are closed, to be remembered."""
        return frozenset(self._closed)

    def set_closed_groups(self, keys: frozenset[str]) -> None:
        """Close exactly these groups."""
        self._closed = set(keys)
        self._open_groups()

    def set_crowded(self, crowded: bool) -> None:
        """With thousands of rows groups begin closed: nobody reads them all, and to lay them all out takes long."""
        self._crowded = crowded

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A group opens or closes on one click anywhere in its row."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index.data(GROUP_ROLE) is not None and event.button() is Qt.MouseButton.LeftButton:
            self.setExpanded(index, not self.isExpanded(index))
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens; the menu key shows the actions at the row; Space on a group opens or closes it."""
        index = self.currentIndex()
        if event.key() == Qt.Key.Key_Menu and index.isValid():
            self.menu_requested.emit(self.viewport().mapToGlobal(self.visualRect(index).center()))
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and index.isValid():
            self._on_activated(index)
        elif event.key() == Qt.Key.Key_Space and index.data(GROUP_ROLE) is not None:
            self.setExpanded(index, not self.isExpanded(index))
        else:
            super().keyPressEvent(event)

    def rowsAboutToBeRemoved(  # noqa: N802 - Qt's own name
        self, parent: QModelIndex | QPersistentModelIndex, start: int, end: int
    ) -> None:
        """A skill that goes is not replaced by its neighbour: nobody chose that one."""
        current = self.currentIndex()
        if current.parent() == parent and start <= current.row() <= end and current.data(ENTRY_ROLE) is not None:
            self._said = ""
            self.selectionModel().clearCurrentIndex()
        super().rowsAboutToBeRemoved(parent, start, end)

    @Slot(QPoint)
    def _on_menu(self, place: QPoint) -> None:
        index = self.indexAt(place)
        if index.isValid() and index.data(ENTRY_ROLE) is not None:
            if not self.selectionModel().isSelected(index):
                self.setCurrentIndex(index)
            self.menu_requested.emit(self.viewport().mapToGlobal(place))

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        entry = index.data(ENTRY_ROLE)
        if entry is not None:
            self.opened.emit(entry.skill.id)
        else:
            self.setExpanded(index, not self.isExpanded(index))

    @Slot(QModelIndex)
    def _on_expanded(self, index: QModelIndex) -> None:
        self._opened.add(index.data(GROUP_ROLE).key)
        self._closed.discard(index.data(GROUP_ROLE).key)

    @Slot(QModelIndex)
    def _on_collapsed(self, index: QModelIndex) -> None:
        self._opened.discard(index.data(GROUP_ROLE).key)
        self._closed.add(index.data(GROUP_ROLE).key)

    @Slot(QItemSelection, QItemSelection)
    def _on_selection(self, _selected: QItemSelection, _deselected: QItemSelection) -> None:
        self.selection_count_changed.emit(len(self.selectionModel().selectedIndexes()))

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        entry = current.data(ENTRY_ROLE)
        if entry is not None and entry.skill.id != self._said:
            self._said = entry.skill.id
            self.current_changed.emit(self._said)

    @Slot(QModelIndex, int, int)
    def _on_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        if parent.isValid():
            return
        for row in range(first, last + 1):
            index = self._skills.index(row, 0)
            self.setExpanded(index, self._is_open(index.data(GROUP_ROLE).key))

    @Slot()
    def _keep(self) -> None:
        current = self.currentIndex().data(ENTRY_ROLE)
        chosen = frozenset(entry.key for entry in self.selected_entries())
        self._kept = (current.key if current else None, chosen, self.verticalScrollBar().value())

    @Slot()
    def _restore(self) -> None:
        current, chosen, place = self._kept
        self._open_groups()
        picked = QItemSelection()
        for key in chosen:
            index = self._skills.index_of(key)
            if index.isValid():
                picked.select(index, index)
        self.selectionModel().select(picked, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        index = self._skills.index_of(current) if current else QModelIndex()
        if index.isValid():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.verticalScrollBar().setValue(place)

    def _open_groups(self) -> None:
        for row, key in enumerate(self._skills.group_keys()):
            self.setExpanded(self._skills.index(row, 0), self._is_open(key))

    def _is_open(self, key: str) -> bool:
        return key in self._opened if self._crowded else key not in self._closed

    @Slot()
    def _on_theme(self) -> None:
        self.scheduleDelayedItemsLayout()
