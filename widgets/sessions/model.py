"""The list model of conversations or hits."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from widgets.sessions.delegate import ROW
from widgets.sessions.rows import SessionRow

_Index = QModelIndex | QPersistentModelIndex


class SessionModel(QAbstractListModel):
    """Rows as given."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[SessionRow, ...] = ()

    def set_rows(self, rows: Sequence[SessionRow]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        """How many rows."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The title for typing and screen readers, the row for painting."""
        if not index.isValid():
            return None
        item = self.rows[index.row()]
        if role == ROW:
            return item
        if role == Qt.ItemDataRole.DisplayRole:
            return item.title
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return f"{item.detail} {item.facts}"
        return item.detail if role == Qt.ItemDataRole.ToolTipRole and item.detail else None
