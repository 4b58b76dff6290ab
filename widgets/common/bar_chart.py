"""A small chart of counts per day."""

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from widgets.common.theme import Theme


class BarChart(QWidget):
    """One bar per day, oldest at the left; the tooltip says the day and its count."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._days: tuple[tuple[date, int], ...] = ()
        self.setFixedHeight(84)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Uses per day"))
        theme.changed.connect(self.update)

    def set_days(self, days: Sequence[tuple[date, int]]) -> None:
        """Show these days."""
        self._days = tuple(days)
        total = sum(count for _day, count in days)
        told = self.tr("{total} uses in {days} days").format(total=total, days=len(days))
        self.setAccessibleDescription(told)
        self.update()

    def sizeHint(self) -> QSize:
        """Wide and low."""
        return QSize(400, 84)

    def event(self, event: QEvent) -> bool:
        """Say the bar under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.told_at(event.pos()), self)
            return True
        return super().event(event)

    def told_at(self, place: QPoint) -> str:
        """The words for the bar at a place."""
        if not self._days:
            return ""
        day, count = self._days[min(max(place.x(), 0) * len(self._days) // max(self.width(), 1), len(self._days) - 1)]
        return f"{day.isoformat()}: {count}"

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the base line, the bars, and the first and last day."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        base = self.height() - 20
        painter.fillRect(QRectF(0, base, self.width(), 1), self._theme.colour("line"))
        painter.setFont(self._theme.fonts.ui(small=True))
        painter.setPen(self._theme.colour("muted"))
        if not self._days:
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.tr("No uses recorded"))
            return
        below = self.rect().adjusted(0, base + 2, 0, 0)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, self._days[0][0].isoformat())
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, self._days[-1][0].isoformat())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("accent"))
        highest = max(1, *(count for _day, count in self._days), 1)
        step = self.width() / len(self._days)
        wide = min(max(1.0, step * 0.7), 18.0)
        for place, (_day, count) in enumerate(self._days):
            high = (base - 4) * count / highest
            if count:
                painter.drawRoundedRect(QRectF(place * step + (step - wide) / 2, base - high, wide, high), 2, 2)
