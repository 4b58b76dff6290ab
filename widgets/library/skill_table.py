"""The columns view of the library; it says the same things as the tree."""

from collections.abc import Collection

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from app.skills.values import Skill
from widgets.common.theme import Theme
from widgets.library.skill_model import ENTRY_ROLE
from widgets.library.table_model import COLUMNS, SkillTableModel


class SkillTable(QTableView):
    """Rows of one height, sorted by a click on a head; widths can be remembered by the header's state."""

    current_changed = Signal(str)
    selection_count_changed = Signal(int)
    opened = Signal(str)
    menu_requested = Signal(QPoint)

    def __init__(self, theme: Theme, model: SkillTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._skills = model
        self._said = ""
        self.setModel(model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setTabKeyNavigation(False)
        self.setAccessibleName(self.tr("Skills as columns"))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(max(28, theme.fonts.base * 2 + 2))
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for place, column in enumerate(COLUMNS):
            self.setColumnWidth(place, column.width)
        self.customContextMenuRequested.connect(self._on_menu)
        self.activated.connect(self._on_activated)
        self.selectionModel().selectionChanged.connect(self._on_selection)
        self.selectionModel().currentRowChanged.connect(self._on_current)

    def select_id(self, skill_id: str) -> bool:
        """Make this skill the only selected one and show it; False when no row has it."""
        row = self._skills.row_of_id(skill_id)
        if row < 0:
            return False
        index = self._skills.index(row, 0)
        if self._said != skill_id or not self.selectionModel().isSelected(index):
            self._said = skill_id
            self.selectRow(row)
            self.scrollTo(index)
        return True

    def select_ids(self, ids: Collection[str]) -> None:
        """Select exactly these rows, as far as they are there."""
        picked = QItemSelection()
        last = self._skills.columnCount() - 1
        for row in map(self._skills.row_of_id, ids):
            if row >= 0:
                picked.select(self._skills.index(row, 0), self._skills.index(row, last))
        self.selectionModel().select(picked, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def selected_skills(self) -> tuple[Skill, ...]:
        """The selected skills from top to bottom."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return tuple(self._skills.index(row, 0).data(ENTRY_ROLE).skill for row in rows)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens; the menu key shows the actions at the row."""
        index = self.currentIndex()
        if event.key() == Qt.Key.Key_Menu and index.isValid():
            self.menu_requested.emit(self.viewport().mapToGlobal(self.visualRect(index).center()))
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and index.isValid():
            self._on_activated(index)
        else:
            super().keyPressEvent(event)

    @Slot(QPoint)
    def _on_menu(self, place: QPoint) -> None:
        index = self.indexAt(place)
        if index.isValid():
            if not self.selectionModel().isSelected(index):
                self.selectRow(index.row())
            self.menu_requested.emit(self.viewport().mapToGlobal(place))

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        self.opened.emit(index.data(ENTRY_ROLE).skill.id)

    @Slot(QItemSelection, QItemSelection)
    def _on_selection(self, _selected: QItemSelection, _deselected: QItemSelection) -> None:
        self.selection_count_changed.emit(len(self.selectionModel().selectedRows()))

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        entry = current.data(ENTRY_ROLE)
        if entry is not None and entry.skill.id != self._said:
            self._said = entry.skill.id
            self.current_changed.emit(self._said)
