"""Past runs as a table: when, who did it, what it cost, how many skills before and after, what came of it."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from app.curator.values import RunRow
from widgets.common.times import local_time

#: The whole row of a run.
RUN_ROLE = Qt.ItemDataRole.UserRole
#: Runs in sight before the list scrolls.
_MOST_ROWS = 5
_ROW_HEIGHT = 26
_Index = QModelIndex | QPersistentModelIndex
_NUMBERS = (2, 3, 4, 5, 6)
#: Columns that are shown from this width on: who ran it, calls, merged and archived.
_FROM_WIDTH = {1: 620, 6: 760, 3: 560, 4: 560}


class RunModel(QAbstractTableModel):
    """One row per run, newest first as given."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[RunRow, ...] = ()

    def set_rows(self, rows: Sequence[RunRow]) -> None:
        """Show these runs."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        """How many runs."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index | None = None) -> int:
        """When, by, skills, merged, archived, waiting, calls and tokens."""
        return 0 if parent is not None and parent.isValid() else 8

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Column titles."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        titles = (
            self.tr("When"),
            self.tr("By"),
            self.tr("Skills"),
            self.tr("Merged"),
            self.tr("To archive"),
            self.tr("Waiting"),
            self.tr("Calls"),
            self.tr("Result"),
        )
        return titles[section]

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts; the tooltip has what a narrow column cuts."""
        if not index.isValid():
            return None
        run = self.rows[index.row()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return run.error or run.summary or run.run
        if role == RUN_ROLE:
            return run
        return self._text(run, index.column()) if role == Qt.ItemDataRole.DisplayRole else None

    def _text(self, run: RunRow, column: int) -> str:
        if column == 0:
            return local_time(run.at, "")
        if column == 1:
            return self.tr("{model}, dry run").format(model=run.model) if run.dry_run else run.model
        if column == 2:
            return f"{run.before} → {run.after}" if run.before != run.after else str(run.before)
        if column == 6:
            tokens = f"{run.calls} · {run.tokens / 1000:.1f}k" if run.tokens else str(run.calls)
            return f"{tokens} · ${run.cost:.2f}" if run.cost else tokens
        if column == 7:
            return self.tr("failed: {why}").format(why=run.error) if run.error else run.summary
        return str((run.merged, run.archived, run.waiting)[column - 3])


class RunTable(QTableView):
    """Signals: chosen(run), menu_asked(global place)."""

    chosen = Signal(str)
    menu_asked = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = RunModel(self)
        self.setModel(self._model)
        self.setAccessibleName(self.tr("Past runs"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setMinimumSectionSize(40)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        for column, width in ((1, 132), (2, 84), (3, 68), (4, 84), (5, 66), (6, 116)):
            self.setColumnWidth(column, width)
        head.setSectionResizeMode(7, QHeaderView.ResizeMode.Stretch)
        self.selectionModel().currentRowChanged.connect(self._tell)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._ask_menu)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow table leaves out what the report says anyway."""
        super().resizeEvent(event)
        wide = event.size().width()
        for column, least in _FROM_WIDTH.items():
            self.setColumnHidden(column, wide < least)

    def set_rows(self, rows: Sequence[RunRow]) -> None:
        """Show these runs; a chosen one stays chosen."""
        kept = self.current
        self._model.set_rows(rows)
        self.select(kept)

    def height_for(self, *, low: bool) -> int:
        """The height that shows the runs, a few at most; fewer in a low page."""
        rows = max(1, min(len(self.rows), 2 if low else _MOST_ROWS))
        return self.horizontalHeader().sizeHint().height() + rows * _ROW_HEIGHT + 4

    @property
    def current(self) -> str:
        """The chosen run, empty for none."""
        row = self.currentIndex().row()
        return self._model.rows[row].run if 0 <= row < len(self._model.rows) else ""

    @property
    def rows(self) -> tuple[RunRow, ...]:
        """What is listed."""
        return self._model.rows

    def select(self, run: str) -> None:
        """Choose a run without telling anybody."""
        place = next((place for place, item in enumerate(self._model.rows) if item.run == run), -1)
        if place >= 0:
            was = self.blockSignals(True)
            self.setCurrentIndex(self._model.index(place, 0))
            self.blockSignals(was)

    def _ask_menu(self, place: QPoint) -> None:
        if self.indexAt(place).isValid():
            self.menu_asked.emit(self.viewport().mapToGlobal(place))

    def _tell(self, index: QModelIndex, _previous: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self._model.rows[index.row()].run)


def _side(column: int) -> Qt.AlignmentFlag:
    across = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
    return across | Qt.AlignmentFlag.AlignVCenter
