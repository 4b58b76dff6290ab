"""The ledger as rows, newest first."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.history.values import Entry, Origin
from widgets.common.theme import Theme
from widgets.common.times import local_time
from widgets.library import step_words

Index = QModelIndex | QPersistentModelIndex
ENTRY_ROLE = Qt.ItemDataRole.UserRole + 1
ICONS = {
    Origin.USER: "user",
    Origin.CHAT: "chat",
    Origin.REVIEW: "curator",
    Origin.CURATOR: "merge",
    Origin.IMPORT: "download",
    Origin.OUTSIDE: "external",
}


class HistoryModel(QAbstractListModel):
    """Entries; new ones are inserted at the top so that the chosen one stays chosen. `named` tells the skills, too."""

    def __init__(self, parent: QObject | None = None, *, named: bool = False) -> None:
        super().__init__(parent)
        self._entries: list[Entry] = []
        self._named = named

    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Show these entries."""
        fresh = list(entries)
        grown = len(fresh) - len(self._entries)
        if grown >= 0 and fresh[grown:] == self._entries:
            if grown:
                self.beginInsertRows(QModelIndex(), 0, grown - 1)
                self._entries = fresh
                self.endInsertRows()
            return
        self.beginResetModel()
        self._entries = fresh
        self.endResetModel()

    def row_of(self, entry_id: str) -> int:
        """The row of a step, -1 when it is not among these."""
        return next((row for row, entry in enumerate(self._entries) if entry.id == entry_id), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """How many steps there are."""
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        """What happened, in words, and the entry itself."""
        if not index.isValid():
            return None
        entry = self._entries[index.row()]
        if role == ENTRY_ROLE:
            return entry
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return self.words(entry)
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = (self.words(entry), entry.record.reason, f"{local_time(entry.at)}  ·  {entry.id[:10]}")
            return "\n".join(line for line in lines if line)
        return None

    def words(self, entry: Entry) -> str:
        """`Rewritten by you`, with the skills behind it where the list is about all of them."""
        return step_words.headline(entry) if self._named else step_words.what(entry)


class HistoryDelegate(QStyledItemDelegate):
    """Two lines: what happened, then when and why."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equal."""
        return QSize(120, 46)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one step."""
        entry: Entry = index.data(ENTRY_ROLE)
        rect: QRect = option.rect
        painter.save()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            active = bool(option.state & QStyle.StateFlag.State_Active)
            painter.fillRect(rect, self._theme.colour("selected" if active else "selected_idle"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, self._theme.colour("hover"))
        picture = self._theme.pixmap(ICONS[entry.record.origin], "muted", 16, painter.device().devicePixelRatio())
        painter.drawPixmap(rect.left() + 12, rect.top() + 7, picture)
        self._line(painter, rect, 4, str(index.data()), small=False)
        when = local_time(entry.at)
        self._line(painter, rect, 23, f"{when}  ·  {entry.record.reason}" if entry.record.reason else when, small=True)
        painter.restore()

    def _line(self, painter: QPainter, rect: QRect, top: int, text: str, *, small: bool) -> None:
        painter.setFont(self._theme.fonts.ui(small=small))
        painter.setPen(self._theme.colour("muted" if small else "text"))
        box = QRect(rect.left() + 38, rect.top() + top, rect.width() - 48, 20)
        line = " ".join(text.split())
        shown = painter.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)
