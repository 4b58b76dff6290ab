"""The inbox: one row per group, waiting ones first, newest on top, with filters that say how many there are."""

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.history.values import Origin
from app.proposals.values import Proposal
from widgets.common.ages import age_word, now_utc
from widgets.common.chips import FilterChip
from widgets.common.glyphs import paint_glyph
from widgets.common.parts import column, row
from widgets.common.theme import Theme
from widgets.review.words import Row, decision_word, origin_word, skills_word

_Index = QModelIndex | QPersistentModelIndex
_ROW = Qt.ItemDataRole.UserRole


class Shown(StrEnum):
    """What the inbox is filtered to."""

    WAITING = "waiting"
    REVIEW = "review"
    CURATOR = "curator"
    MOVED = "moved"
    DECIDED = "decided"


def rows_of(proposals: Sequence[Proposal]) -> list[Row]:
    """All groups: waiting ones first, then by age, newest first."""
    rows = [Row(proposal, group) for proposal in proposals for group in proposal.groups]
    rows.sort(key=lambda item: item.proposal.created_at, reverse=True)
    rows.sort(key=lambda item: not item.waiting)
    return rows


def fits(item: Row, shown: Shown) -> bool:
    """Whether a row passes a filter; all but DECIDED show only what waits."""
    if shown is Shown.DECIDED:
        return not item.waiting
    origin = {Shown.REVIEW: (Origin.REVIEW, Origin.CHAT), Shown.CURATOR: (Origin.CURATOR,)}.get(shown)
    if origin is not None and item.proposal.origin not in origin:
        return False
    return item.waiting and (shown is not Shown.MOVED or item.moved_on)


class InboxModel(QAbstractListModel):
    """The rows that pass the filter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []

    def set_rows(self, rows: list[Row]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        """How many rows."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The title for screen readers and search by typing, the row itself for painting."""
        if not index.isValid():
            return None
        item = self.rows[index.row()]
        if role == _ROW:
            return item
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return item.group.title
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return meta_of(item)
        return None


def meta_of(item: Row) -> str:
    """The muted line of a row."""
    since = item.proposal.waiting_since or item.proposal.created_at
    parts = [origin_word(item.proposal.origin), skills_word(item.group), age_word(since, now_utc())]
    if not item.waiting:
        parts.append(decision_word(item.group.decision))
    return " · ".join(part for part in parts if part)


class InboxDelegate(QStyledItemDelegate):
    """Two lines: the title, and who, how much, how old; a diamond for what waits, a bang for what moved on."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:
        """Room for two lines."""
        return QSize(160, self._theme.fonts.base * 2 + 26)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one row."""
        item: Row = index.data(_ROW)
        theme, box = self._theme, option.rect
        state = option.state
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, theme.colour("selected"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, theme.colour("hover"))
        glyph, token = ("broken", "warn") if item.moved_on and item.waiting else ("waiting", "accent")
        if item.waiting:
            paint_glyph(painter, QRect(box.left() + 12, box.top() + 9, 12, 12).toRectF(), glyph, theme.colour(token))
        left, wide = box.left() + 32, box.width() - 44
        line = theme.fonts.base + 6
        painter.setFont(theme.fonts.ui(bold=item.waiting))
        painter.setPen(theme.colour("text" if item.waiting else "muted"))
        self._line(painter, QRect(left, box.top() + 6, wide, line), item.group.title)
        painter.setFont(theme.fonts.ui(small=True))
        painter.setPen(theme.colour("muted"))
        self._line(painter, QRect(left, box.top() + 6 + line, wide, line), meta_of(item))
        painter.setPen(theme.colour("line"))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        painter.restore()

    @staticmethod
    def _line(painter: QPainter, box: QRect, text: str) -> None:
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)


class Inbox(QWidget):
    """Signals: chosen(Row) when the reader goes to another row; filtered() when the list became empty by a filter."""

    chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all: list[Row] = []
        self._shown = Shown.WAITING
        self._model = InboxModel(self)
        self.view = QListView()
        self.view.setModel(self._model)
        self.view.setItemDelegate(InboxDelegate(theme, self.view))
        self.view.setMouseTracking(True)
        self.view.setUniformItemSizes(True)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setAccessibleName(self.tr("Proposals"))
        self.view.selectionModel().currentChanged.connect(self._tell)
        words = {
            Shown.WAITING: self.tr("Waiting"),
            Shown.REVIEW: self.tr("Review"),
            Shown.CURATOR: self.tr("Curator"),
            Shown.MOVED: self.tr("Moved on"),
            Shown.DECIDED: self.tr("Decided"),
        }
        self._chips = {shown: FilterChip(theme, shown.value, word) for shown, word in words.items()}
        for chip in self._chips.values():
            chip.clicked.connect(self._filter)
        first = row(*(self._chips[key] for key in (Shown.WAITING, Shown.REVIEW, Shown.CURATOR)), None, spacing=4)
        second = row(*(self._chips[key] for key in (Shown.MOVED, Shown.DECIDED)), None, spacing=4)
        self._chips[Shown.WAITING].setChecked(True)
        chips = column(first, second, margins=(10, 8, 10, 8), spacing=4)
        self.setLayout(column(chips, self.view, spacing=0))

    def set_proposals(self, proposals: Sequence[Proposal]) -> None:
        """Show these; the chosen row stays chosen when it is still there."""
        self._all = rows_of(proposals)
        for shown, chip in self._chips.items():
            chip.set_count(sum(fits(item, shown) for item in self._all))
        self._refill()

    @property
    def waiting(self) -> int:
        """How many groups wait for a decision."""
        return sum(item.waiting for item in self._all)

    @property
    def current(self) -> Row | None:
        """The chosen row."""
        index = self.view.currentIndex()
        return self._model.rows[index.row()] if index.isValid() else None

    @property
    def place(self) -> tuple[int, int]:
        """The chosen row's number, counted from 1, and how many rows there are."""
        return self.view.currentIndex().row() + 1, len(self._model.rows)

    def go_to(self, proposal: str, group: str = "") -> bool:
        """Go to a group, or to the first one of a proposal; the filter gives way when it hides it."""
        found = next(
            (item for item in self._all if item.proposal.id == proposal and group in ("", item.group.id)), None
        )
        if found is None:
            return False
        if not fits(found, self._shown):
            self._show(Shown.WAITING if found.waiting else Shown.DECIDED)
        place = next(place for place, item in enumerate(self._model.rows) if item.key == found.key)
        self.view.setCurrentIndex(self._model.index(place))
        return True

    def show_waiting(self) -> None:
        """Take the filter back to everything that waits."""
        self._show(Shown.WAITING)

    def step(self, by: int) -> None:
        """Go to the next or the previous row."""
        count = len(self._model.rows)
        if count:
            place = max(0, min(count - 1, self.view.currentIndex().row() + by))
            self.view.setCurrentIndex(self._model.index(place))

    def _filter(self) -> None:
        clicked = self.sender()
        if isinstance(clicked, FilterChip):
            self._show(Shown(clicked.name))

    def _show(self, shown: Shown) -> None:
        self._shown = shown
        for name, chip in self._chips.items():
            chip.setChecked(name is shown)
        self._refill()

    def _refill(self) -> None:
        kept, place = self.current, max(0, self.view.currentIndex().row())
        self._model.set_rows([item for item in self._all if fits(item, self._shown)])
        rows = self._model.rows
        if not rows:
            self.chosen.emit(None)
            return
        same = next((at for at, item in enumerate(rows) if kept is not None and item.key == kept.key), None)
        self.view.setCurrentIndex(self._model.index(min(place, len(rows) - 1) if same is None else same))

    def _tell(self, index: QModelIndex, _previous: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self._model.rows[index.row()])
