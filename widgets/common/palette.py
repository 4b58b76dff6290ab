"""Quick open: one field over everything, Ctrl+K. Type, walk with the arrows, Enter goes there."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from widgets.common.matching import score
from widgets.common.parts import column, label
from widgets.common.search_field import SearchField
from widgets.common.theme import Theme

_SHOWN = 60
_ROW = 34
_ITEM = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """One thing to go to or to do. `kind` and `id` are what `chosen` says; `detail` is muted, `keys` at the right."""

    kind: str
    id: str
    title: str
    detail: str = ""
    icon: str = "arrow-right"
    keys: str = ""


class Palette(QFrame):
    """A panel over the window. Items given by `set_items` are matched here; found ones can be added later."""

    #: kind and id of what was picked
    chosen = Signal(str, str)
    #: The typed text, for searches that run elsewhere; answer with `set_found`.
    query_changed = Signal(str)

    def __init__(self, theme: Theme, host: QWidget) -> None:
        super().__init__(host)
        self._host = host
        self._items: tuple[PaletteItem, ...] = ()
        self._found: tuple[PaletteItem, ...] = ()
        self._before: QWidget | None = None
        self._field = SearchField(theme, self.tr("Go to a skill, session, page or action"))
        self._field.setFixedHeight(34)
        self._model = QStandardItemModel(self)
        self._list = QListView()
        self._list.setModel(self._model)
        self._list.setItemDelegate(_Delegate(theme, self._list))
        self._list.setUniformItemSizes(True)
        self._list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setAccessibleName(self.tr("Results"))
        self._none = label(self.tr("Nothing fits. Try fewer letters."), "muted")
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setProperty("card", "true")
        self.setLayout(column(self._field, self._list, self._none, margins=(8, 8, 8, 8)))
        self.setAccessibleName(self.tr("Quick open"))
        self._field.textChanged.connect(self._on_text)
        self._field.searched.connect(self.query_changed)
        self._field.installEventFilter(self)
        self._list.clicked.connect(self._pick)
        host.installEventFilter(self)
        self.hide()

    @Slot(object)
    def set_items(self, items: Sequence[PaletteItem]) -> None:
        """Everything that can be picked without a search; in the order shown for an empty field."""
        self._items = tuple(items)
        if self.isVisible():
            self._fill()

    @Slot(str, object)
    def set_found(self, query: str, items: Sequence[PaletteItem]) -> None:
        """Results of a search elsewhere, shown below the matches; ignored when the text has changed since."""
        if query == self._field.text():
            self._found = tuple(items)
            self._fill()

    @Slot()
    def open_panel(self) -> None:
        """Show the panel, empty, with the focus in the field."""
        self._before = self.window().focusWidget()
        self._found = ()
        self._field.clear()
        self._fill()
        self._place()
        self.show()
        self.raise_()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def close_panel(self) -> None:
        """Hide it and give the focus back."""
        self.hide()
        if self._before is not None:
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
            self._before = None

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles in the list."""
        return tuple(self._model.item(index).text() for index in range(self._model.rowCount()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows and Enter act on the list while the field keeps the focus; a resized host moves the panel."""
        if not self.isVisible():
            return False
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and watched is self._field:
            return self._on_key(event.key())
        if event.type() is QEvent.Type.FocusOut and watched is self._field:
            self.close_panel()
        if event.type() is QEvent.Type.Resize and watched is self._host:
            self._place()
        return False

    def _on_key(self, key: int) -> bool:
        if key in {Qt.Key.Key_Down, Qt.Key.Key_Up}:
            count = self._model.rowCount()
            step = 1 if key == Qt.Key.Key_Down else -1
            if count:
                self._list.setCurrentIndex(self._model.index((self._list.currentIndex().row() + step) % count, 0))
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._pick(self._list.currentIndex())
        elif key == Qt.Key.Key_Escape:
            self.close_panel()
        else:
            return False
        return True

    @Slot(QModelIndex)
    def _pick(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        item: PaletteItem = index.data(_ITEM)
        self.close_panel()
        self.chosen.emit(item.kind, item.id)

    @Slot(str)
    def _on_text(self, _text: str) -> None:
        self._found = ()
        self._fill()

    def _fill(self) -> None:
        query = self._field.text().strip()
        ranked = [(score(query, item.title, item.detail), item) for item in self._items]
        fitting = [item for points, item in sorted(ranked, key=lambda pair: -pair[0]) if points > 0][:_SHOWN]
        known = {(item.kind, item.id) for item in fitting}
        self._model.clear()
        for item in (*fitting, *(found for found in self._found if (found.kind, found.id) not in known)):
            entry = QStandardItem(item.title)
            entry.setData(item, _ITEM)
            entry.setAccessibleText(f"{item.title}, {item.detail}" if item.detail else item.title)
            self._model.appendRow(entry)
        some = self._model.rowCount() > 0
        self._list.setVisible(some)
        self._none.setVisible(not some)
        self._list.setCurrentIndex(self._model.index(0, 0))
        if self.isVisible():
            self._place()

    def _place(self) -> None:
        host = self._host
        width = min(620, host.width() - 64)
        rows = min(max(self._model.rowCount(), 2), 10)
        height = min(34 + 26 + rows * _ROW, host.height() - 80)
        self.setGeometry(QRect(QPoint((host.width() - width) // 2, 56), QSize(width, height)))


class _Delegate(QStyledItemDelegate):
    """Icon, title, muted detail, keys at the right."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:
        """All rows are equal."""
        return QSize(100, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one row."""
        item: PaletteItem = index.data(_ITEM)
        rect: QRect = option.rect
        painter.save()
        state = option.state
        _ground(painter, rect, state, self._theme)
        picture = self._theme.pixmap(item.icon, "muted", 16, painter.device().devicePixelRatio())
        painter.drawPixmap(rect.left() + 10, rect.center().y() - 7, picture)
        left = rect.left() + 36
        painter.setFont(self._theme.fonts.ui(small=True))
        painter.setPen(self._theme.colour("muted"))
        wide = painter.fontMetrics().horizontalAdvance(item.keys)
        right = rect.right() - 12 - wide
        centre = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRect(right, rect.top(), wide + 2, rect.height()), centre, item.keys)
        painter.setFont(self._theme.fonts.ui())
        title = painter.fontMetrics().elidedText(item.title, Qt.TextElideMode.ElideRight, right - left - 12)
        painter.setPen(self._theme.colour("text"))
        painter.drawText(QRect(left, rect.top(), right - left, rect.height()), centre, title)
        left += painter.fontMetrics().horizontalAdvance(title) + 10
        painter.setFont(self._theme.fonts.ui(small=True))
        painter.setPen(self._theme.colour("muted"))
        if right - left > 40:
            detail = painter.fontMetrics().elidedText(item.detail, Qt.TextElideMode.ElideRight, right - left - 12)
            painter.drawText(QRect(left, rect.top(), right - left, rect.height()), centre, detail)
        painter.restore()


def _ground(painter: QPainter, rect: QRect, state: QStyle.StateFlag, theme: Theme) -> None:
    if state & QStyle.StateFlag.State_Selected:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("selected"))
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 5, 5)
