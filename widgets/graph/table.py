"""The graph as a table: the same skills, the same selection, for keyboards and screen readers."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from app.graph.values import Node
from widgets.graph.grouping import Mark, mark_of
from widgets.graph.picture import Picture

_Index = QModelIndex | QPersistentModelIndex
#: Columns shown from this width on: category, uses, relations.
_FROM_WIDTH = {2: 480, 3: 380, 4: 420}
_SORT = Qt.ItemDataRole.UserRole


class NodeModel(QAbstractTableModel):
    """One row per shown node: name, state, category, uses, neighbours."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._nodes: Sequence[Node] = ()
        self._rows: list[tuple[str, str, str, int, int]] = []

    def set_picture(self, picture: Picture) -> None:
        """Take what the picture shows."""
        self.beginResetModel()
        self._nodes = picture.nodes
        words = self._words()
        self._rows = [
            (node.name, _state(node, words, self.tr("pinned")), node.category, node.uses, len(near))
            for node, near in zip(picture.nodes, picture.near, strict=True)
        ]
        self.endResetModel()

    def node(self, row: int) -> Node:
        """The node of a row of this model."""
        return self._nodes[row]

    def row_of(self, skill: str) -> int:
        """The row of a skill, -1 when it is not shown."""
        return next((row for row, node in enumerate(self._nodes) if node.id == skill), -1)

    def rowCount(self, parent: _Index | None = None) -> int:
        """How many nodes."""
        return 0 if parent is not None and parent.isValid() else len(self._nodes)

    def columnCount(self, parent: _Index | None = None) -> int:
        """Name, state, category, uses, relations."""
        return 0 if parent is not None and parent.isValid() else 5

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Column titles, aligned as their column."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section >= 3 else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return (self.tr("Skill"), self.tr("State"), self.tr("Category"), self.tr("Uses"), self.tr("Relations"))[section]

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts, and numbers for sorting."""
        if not index.isValid():
            return None
        column = index.column()
        if role == _SORT:
            return self._rows[index.row()][column]
        if role == Qt.ItemDataRole.DisplayRole or role == Qt.ItemDataRole.ToolTipRole:
            return str(self._rows[index.row()][column])
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= 3:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def _words(self) -> dict[Mark, str]:
        return {
            Mark.ACTIVE: self.tr("active"),
            Mark.STALE: self.tr("stale"),
            Mark.ARCHIVED: self.tr("archived"),
            Mark.BROKEN: self.tr("broken"),
            Mark.PROPOSED: self.tr("proposed"),
        }


def _state(node: Node, words: dict[Mark, str], pinned: str) -> str:
    parts = [words[mark_of(node)], *([pinned] if node.pinned else [])]
    if node.absorbed_into:
        parts.append(f"→ {node.absorbed_into}")
    return " · ".join(parts)


class NodeTable(QTableView):
    """Sortable table of nodes. `chosen` and `opened` carry skill ids, `menu_asked` also a global place."""

    chosen = Signal(str)
    opened = Signal(str)
    menu_asked = Signal(str, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._nodes = NodeModel(self)
        self._order = QSortFilterProxyModel(self)
        self._order.setSourceModel(self._nodes)
        self._order.setSortRole(_SORT)
        self._order.setSortCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setModel(self._order)
        self.setAccessibleName(self.tr("Skills of the graph"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(28)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, width in ((1, 148), (2, 92), (3, 52), (4, 76)):
            self.setColumnWidth(column, width)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._ask_menu)
        self.doubleClicked.connect(self._open)
        self.selectionModel().selectionChanged.connect(self._tell_choice)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow table keeps names and states."""
        super().resizeEvent(event)
        for column, least in _FROM_WIDTH.items():
            self.setColumnHidden(column, event.size().width() < least)

    def set_picture(self, picture: Picture) -> None:
        """Show the nodes of a picture; the selection of a skill that is still there stays."""
        kept = self.selected()
        self._nodes.set_picture(picture)
        self.select(kept)

    def selected(self) -> str | None:
        """The selected skill."""
        rows = self.selectionModel().selectedRows()
        return self._skill(rows[0]) if rows else None

    def select(self, skill: str | None) -> None:
        """Select a skill without telling anybody."""
        row = -1 if skill is None else self._nodes.row_of(skill)
        was = self.blockSignals(True)
        if row < 0:
            self.clearSelection()
        else:
            index = self._order.mapFromSource(self._nodes.index(row, 0))
            self.setCurrentIndex(index)
            self.scrollTo(index)
        self.blockSignals(was)

    def _tell_choice(self) -> None:
        skill = self.selected()
        if skill is not None:
            self.chosen.emit(skill)

    def _skill(self, index: QModelIndex) -> str:
        return self._nodes.node(self._order.mapToSource(index).row()).id

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(self._skill(index))

    def _ask_menu(self, place: QPoint) -> None:
        index = self.indexAt(place)
        if index.isValid():
            self.menu_asked.emit(self._skill(index), self.viewport().mapToGlobal(place))
