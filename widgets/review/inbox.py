"""The inbox: one row per group, waiting ones first, newest on top, with filters that say how many there are."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.proposals.values import Proposal
from widgets.common.ages import age_word, now_utc
from widgets.common.chips import FilterChip
from widgets.common.flow import FlowLayout
from widgets.common.glyphs import paint_glyph
from widgets.common.parts import column, row, tool_button
from widgets.common.theme import Theme
from widgets.review.lineage import Shown, fits, rows_of, unfolded
from widgets.review.words import Row, decision_word, origin_word, skills_word, tr

_Index = QModelIndex | QPersistentModelIndex
_ROW = Qt.ItemDataRole.UserRole


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
    elif item.moved_on:
        parts.append(tr("moved on"))
    return " · ".join(part for part in parts if part)


class InboxDelegate(QStyledItemDelegate):
    """Two lines: the title, and who, how much, how old; a diamond for what waits, a bang for what moved on. A row with
    older revisions has a mark at its right that folds them out.
    """

    older_toggled = Signal(int)

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
        left = box.left() + 32 + 16 * item.depth
        wide = box.right() - left - 12
        line = theme.fonts.base + 6
        painter.setFont(theme.fonts.ui(bold=item.waiting))
        painter.setPen(theme.colour("text" if item.waiting else "muted"))
        self._line(painter, QRect(left, box.top() + 6, wide, line), item.group.title)
        painter.setFont(theme.fonts.ui(small=True))
        painter.setPen(theme.colour("muted"))
        room = QRect(left, box.top() + 6 + line, wide, line)
        if item.older:
            told = self.tr("{n} older").format(n=len(item.older))
            mark = _older_rect(box)
            painter.drawText(mark, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, told)
            room.setRight(mark.right() - painter.fontMetrics().horizontalAdvance(told) - 8)
        self._line(painter, room, meta_of(item))
        painter.setPen(theme.colour("line"))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        painter.restore()

    def editorEvent(
        self, event: QEvent, _model: QAbstractItemModel, option: QStyleOptionViewItem, index: _Index
    ) -> bool:
        """A click on the mark folds the older revisions out or in."""
        if isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseButtonRelease:
            item: Row = index.data(_ROW)
            if item.older and _older_rect(option.rect).contains(event.position().toPoint()):
                self.older_toggled.emit(index.row())
                return True
        return False

    @staticmethod
    def _line(painter: QPainter, box: QRect, text: str) -> None:
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)


def _older_rect(box: QRect) -> QRect:
    """Where a row says how many older revisions it has."""
    return QRect(box.right() - 84, box.center().y() - 2, 72, box.height() // 2)


class InboxList(QListView):
    """The list. Signals: fold_asked(on) for the row with the keyboard, menu_asked(global place)."""

    fold_asked = Signal(bool)
    menu_asked = Signal(QPoint)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Right folds older revisions out, Left folds them in."""
        if event.key() in (Qt.Key.Key_Right, Qt.Key.Key_Left) and not event.modifiers():
            self.fold_asked.emit(event.key() == Qt.Key.Key_Right)
        else:
            super().keyPressEvent(event)


class Inbox(QWidget):
    """Signals: chosen(Row) when the reader goes to another row, None when the filter leaves none; batch_asked();
    menu_asked(global place).
    """

    chosen = Signal(object)
    batch_asked = Signal()
    menu_asked = Signal(QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all: list[Row] = []
        self._shown = Shown.WAITING
        self._opened: set[tuple[str, str]] = set()
        self._model = InboxModel(self)
        self.view = InboxList()
        self.view.setModel(self._model)
        delegate = InboxDelegate(theme, self.view)
        self.view.setItemDelegate(delegate)
        delegate.older_toggled.connect(self._toggle_older)
        self.view.fold_asked.connect(self._fold)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._ask_menu)
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
            Shown.REJECTED: self.tr("Rejected"),
            Shown.DECIDED: self.tr("Decided"),
        }
        self._chips = {shown: FilterChip(theme, shown.value, word) for shown, word in words.items()}
        for chip in self._chips.values():
            chip.clicked.connect(self._filter)
        chips = QWidget()
        flow = FlowLayout(chips, spacing=4)
        for chip in self._chips.values():
            flow.addWidget(chip)
        self._chips[Shown.WAITING].setChecked(True)
        told = self.tr("Approve several… (B)")
        self._batch = tool_button(theme, "list", self.tr("Approve several"), told)
        self._batch.clicked.connect(self.batch_asked)
        head = row(chips, self._batch, margins=(10, 8, 8, 8), spacing=4)
        head.setStretch(0, 1)
        head.setAlignment(self._batch, Qt.AlignmentFlag.AlignTop)
        page = column(head, self.view, spacing=0)
        page.setStretch(1, 1)
        self.setLayout(page)

    def set_proposals(self, proposals: Sequence[Proposal]) -> None:
        """Show these; the chosen row stays chosen when it is still there."""
        self._all = rows_of(proposals)
        for shown, chip in self._chips.items():
            chip.set_count(sum(fits(item, shown) for item in self._all))
        self._batch.setEnabled(self.waiting > 1)
        self._refill()

    @property
    def waiting(self) -> int:
        """How many groups wait for a decision."""
        return sum(item.waiting for item in self._all)

    @property
    def rows(self) -> tuple[Row, ...]:
        """Every row there is, whatever the filter shows; older revisions hang below theirs."""
        return tuple(self._all)

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
        every = [(item, item) for item in self._all] + [(old, item) for item in self._all for old in item.older]
        wanted = ((item, top) for item, top in every if item.proposal.id == proposal and group in ("", item.group.id))
        found, top = next(wanted, (None, None))
        if found is None or top is None:
            return False
        if found is not top:
            self._opened.add(top.key)
            self._refill()
        if not fits(top, self._shown):
            self._show(Shown.WAITING if top.waiting else Shown.DECIDED)
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

    def _toggle_older(self, place: int) -> None:
        self._opened.symmetric_difference_update({self._model.rows[place].key})
        self._refill()

    def _fold(self, out: bool) -> None:
        """Fold the older revisions of the current row out or in; in also from one of them."""
        item = self.current
        if item is None:
            return
        top = item if not item.depth else next((one for one in self._all if item in one.older), item)
        if top.older and (top.key in self._opened) is not out:
            self._opened.symmetric_difference_update({top.key})
            self._refill()

    def _ask_menu(self, place: QPoint) -> None:
        if self.view.indexAt(place).isValid():
            self.menu_asked.emit(self.view.viewport().mapToGlobal(place))

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
        self._model.set_rows(unfolded(self._all, self._shown, self._opened))
        rows = self._model.rows
        if not rows:
            self.chosen.emit(None)
            return
        same = next((at for at, item in enumerate(rows) if kept is not None and item.key == kept.key), None)
        self.view.setCurrentIndex(self._model.index(min(place, len(rows) - 1) if same is None else same))

    def _tell(self, index: QModelIndex, _previous: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self._model.rows[index.row()])
