"""Paints a row of the conversation list: title, detail with the found words marked, and facts."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from widgets.common.reveal import reveal_spans
from widgets.common.theme import Theme
from widgets.sessions.rows import SessionRow

_Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole


class SessionDelegate(QStyledItemDelegate):
    """Three lines where there is a detail, else two."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Room for the lines the row has."""
        item: SessionRow = index.data(ROW)
        return QSize(200, (3 if item.detail else 2) * (self._theme.fonts.base + 6) + 14)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one row."""
        item: SessionRow = index.data(ROW)
        theme, box = self._theme, option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, theme.colour("selected"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, theme.colour("hover"))
        line = theme.fonts.base + 6
        place = QRect(box.left() + 16, box.top() + 7, box.width() - 28, line)
        painter.setFont(theme.fonts.ui(bold=True))
        painter.setPen(theme.colour("text"))
        self._write(painter, place, item.title)
        if item.detail:
            place.translate(0, line)
            self._write_marked(painter, place, item)
        place.translate(0, line)
        painter.setFont(theme.fonts.ui(small=True))
        painter.setPen(theme.colour("muted"))
        self._write(painter, place, item.facts)
        painter.setPen(theme.colour("line"))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        painter.restore()

    @staticmethod
    def _write(painter: QPainter, place: QRect, text: str) -> None:
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, shown)

    def _write_marked(self, painter: QPainter, place: QRect, item: SessionRow) -> None:
        """The detail with a ground under each found word."""
        text, marks = reveal_spans(item.detail, item.marks)
        font = self._theme.fonts.ui()
        metrics = QFontMetrics(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        for start, end in marks:
            if end < len(shown):
                left = place.left() + metrics.horizontalAdvance(shown[:start])
                wide = metrics.horizontalAdvance(shown[start:end])
                ground = QRect(left - 1, place.top() + 2, wide + 2, place.height() - 4)
                painter.fillRect(ground, self._theme.colour("mark"))
        painter.setFont(font)
        painter.setPen(self._theme.colour("text" if marks else "muted"))
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, shown)
