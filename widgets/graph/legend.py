"""The legend: what the shapes and hues mean, how many there are, and a filter by clicking a row."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QScrollArea, QStyle, QStyleOptionFocusRect, QVBoxLayout, QWidget

from widgets.graph.glyphs import draw_pin, draw_shape
from widgets.graph.grouping import GroupBy, Mark, Tally
from widgets.graph.inks import Inks, faint
from widgets.graph.picture import Filter

_ROW_HEIGHT = 24


class LegendRow(QAbstractButton):
    """A sign, a word and a count. Checked: shown in the picture; without mark and group: show only the pinned."""

    def __init__(self, inks: Inks, mark: Mark | None, group: str | None) -> None:
        super().__init__()
        self.mark, self.group_name = mark, group
        self._only = mark is None and group is None
        self._count, self._inks = 0, inks
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_count(self, word: str, count: int, inks: Inks) -> None:
        """Show a word, a count, and the colours of the present theme."""
        self._count, self._inks = count, inks
        self.setText(word)
        self.setAccessibleName(f"{word}, {count}")
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as its words; the count is right-aligned."""
        wide = self.fontMetrics().horizontalAdvance(f"{self.text()}  {self._count}") + 44
        return QSize(min(wide, 200), _ROW_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Long group names are elided."""
        return QSize(90, _ROW_HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Sign, word, count; pale while filtered out."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(faint(self._inks.line, 0.6))
            painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        off = not self.isChecked() and not self._only
        if self._only and self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(faint(self._inks.accent, 0.18))
            painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        painter.setOpacity(0.5 if off else 1.0)
        self._paint_sign(painter)
        font = painter.font()
        font.setStrikeOut(off)
        painter.setFont(font)
        count = str(self._count)
        room = self.rect().adjusted(28, 0, -8, 0)
        painter.setPen(self._inks.muted)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, count)
        room.setRight(room.right() - self.fontMetrics().horizontalAdvance(count) - 8)
        painter.setPen(self._inks.text)
        word = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, word)
        painter.setOpacity(1.0)
        if self.hasFocus():
            option = QStyleOptionFocusRect()
            option.initFrom(self)
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_FrameFocusRect, option, painter, self)

    def _paint_sign(self, painter: QPainter) -> None:
        x, y = 14.0, self.height() / 2
        if self.group_name is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._inks.groups[self.group_name])
            painter.drawRoundedRect(QRectF(x - 5, y - 5, 10, 10), 2, 2)
        elif self.mark is None:
            draw_shape(painter, Mark.ACTIVE, x, y, 3.2, self._inks.muted, self._inks.ground)
            draw_pin(painter, x, y, 3.2, self._inks.pinned, self._inks.ground)
        else:
            special = self.mark in (Mark.ARCHIVED, Mark.BROKEN, Mark.PROPOSED)
            ink = self._inks.node(self.mark, "") if special else self._inks.muted
            draw_shape(painter, self.mark, x, y, 5, ink, self._inks.ground)


class Legend(QFrame):
    """Rows for marks, pins and groups. `filtered` tells that a row was clicked; read the choice with `hidden`."""

    filtered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("ground", "surface")
        self.setAccessibleName(self.tr("Legend and filter"))
        self._rows: list[LegendRow] = []
        self._wanted_width = 120
        self._inside = QWidget()
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(4, 4, 4, 4)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName(self.tr("Legend"))
        area.setWidget(self._inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        outer.addWidget(area)

    def set_tally(self, tally: Tally, by: GroupBy, inks: Inks, hidden: Filter) -> None:
        """Show the numbers. Marks nobody has are left out; what is filtered out stays listed, pale. Rows that are
        there already keep the keyboard.
        """
        wanted: dict[tuple[Mark | None, str | None], tuple[str, int, bool]] = {}
        for mark, count in tally.marks.items():
            if count:
                wanted[mark, None] = (self._mark_word(mark), count, mark not in hidden.marks)
        if tally.pinned:
            wanted[None, None] = (self.tr("Pinned only"), tally.pinned, hidden.pinned_only)
        for group, count in tally.groups if by is not GroupBy.STATE else ():
            wanted[None, group] = (group or self.no_group(by), count, group not in hidden.groups)
        if [(row.mark, row.group_name) for row in self._rows] != list(wanted):
            self._rebuild(list(wanted), inks)
        for row, (word, count, shown) in zip(self._rows, wanted.values(), strict=True):
            row.show_count(word, count, inks)
            row.setChecked(shown)
        self._wanted_width = max((row.sizeHint().width() for row in self._rows), default=120) + 22

    def hidden(self, kinds: Filter) -> Filter:
        """The filter the rows stand for; kinds of edges are taken from `kinds`."""
        return Filter(
            marks=frozenset(row.mark for row in self._rows if row.mark is not None and not row.isChecked()),
            groups=frozenset(
                row.group_name for row in self._rows if row.group_name is not None and not row.isChecked()
            ),
            kinds=kinds.kinds,
            pinned_only=any(row.mark is None and row.group_name is None and row.isChecked() for row in self._rows),
        )

    @property
    def wanted_width(self) -> int:
        """The width that shows every word."""
        return self._wanted_width

    @property
    def wanted_height(self) -> int:
        """The height that shows every row."""
        return len(self._rows) * _ROW_HEIGHT + 12

    def no_group(self, by: GroupBy) -> str:
        """The word for skills that belong to no group."""
        return self.tr("No category") if by is GroupBy.CATEGORY else self.tr("Unknown author")

    def _rebuild(self, keys: list[tuple[Mark | None, str | None]], inks: Inks) -> None:
        for row in self._rows:
            self._column.removeWidget(row)
            row.setParent(None)
            row.deleteLater()
        self._rows = [LegendRow(inks, mark, group) for mark, group in keys]
        for row in self._rows:
            row.clicked.connect(self._tell)
            self._column.insertWidget(self._column.count() - 1, row)

    def _tell(self, _checked: bool) -> None:
        self.filtered.emit()

    def _mark_word(self, mark: Mark) -> str:
        return {
            Mark.ACTIVE: self.tr("Active"),
            Mark.STALE: self.tr("Stale"),
            Mark.ARCHIVED: self.tr("Archived"),
            Mark.BROKEN: self.tr("Broken"),
            Mark.PROPOSED: self.tr("Proposed"),
        }[mark]
