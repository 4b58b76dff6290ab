"""The ground of a difference: rows laid out piece by piece, painted where they are in sight, folded and opened."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, Slot
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from app.text.values import FileDiff
from widgets.common.diff_flow import RowFlow
from widgets.common.diff_layout import Metrics
from widgets.common.diff_paint import DiffPainter, HunkLook, code_metrics
from widgets.common.diff_rows import Row, RowKind, each_row, runs_of
from widgets.common.theme import Theme

#: Seconds of laying out at once, and in each turn of the event loop until all rows have a place.
_AT_ONCE = 0.012
_PER_TURN = 0.006


class DiffSurface(QAbstractScrollArea):
    """Shows the rows of FileDiffs. What a hunk's head looks like and which lines are pale is up to a subclass."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._files: tuple[FileDiff, ...] = ()
        self._counts: list[tuple[int, int]] = []
        self._metrics = Metrics(8.0, 18, 100, 3)
        self._flow = RowFlow(iter(()), self._metrics, side_by_side=False)
        self._side_by_side = False
        self._folded: set[int] = set()
        self._opened: set[tuple[int, int]] = set()
        self._anchor: tuple[int, int] | None = None
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._go_on)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Difference"))
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().actionTriggered.connect(self._let_go)
        theme.changed.connect(self._place_anew)

    def show_files(self, files: Sequence[FileDiff]) -> None:
        """Show other files, from the top, nothing folded or opened."""
        self._files = tuple(files)
        self._counts = [(file.added, file.removed) for file in files]
        self._folded.clear()
        self._opened.clear()
        self._anchor = None
        self.verticalScrollBar().setValue(0)
        self._lay_out()

    @property
    def counts(self) -> tuple[int, int]:
        """Lines that come, and lines that go, over all files."""
        return sum(added for added, _ in self._counts), sum(removed for _, removed in self._counts)

    @property
    def complete(self) -> bool:
        """Whether every row has its place; a long difference gets them in the first moments it is shown."""
        return self._flow.done

    @Slot(bool)
    def set_side_by_side(self, on: bool) -> None:
        """Two columns, or one."""
        if on != self._side_by_side:
            self._side_by_side = on
            self._lay_out()

    @Slot(bool)
    def set_all_opened(self, on: bool) -> None:
        """Show every unchanged line, or fold them all away."""
        every = {(place, run) for place, file in enumerate(self._files) for run in runs_of(file)}
        self._opened = every if on else set()
        self._lay_out()

    @property
    def all_opened(self) -> bool:
        """Whether no unchanged line is folded away."""
        return all((place, run) in self._opened for place, file in enumerate(self._files) for run in runs_of(file))

    @property
    def side_by_side(self) -> bool:
        """Whether two columns are shown."""
        return self._side_by_side

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows in sight."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.colour("surface"))
        paint = DiffPainter(painter, self._theme, self._metrics, side_by_side=self._side_by_side)
        rows, placement = self._flow.rows, self._flow.placement
        top = self.verticalScrollBar().value()
        index = max(0, placement.row_at(top + event.rect().top()))
        while index < len(rows) and placement.tops[index] <= top + event.rect().bottom():
            self._paint_row(paint, index)
            index += 1

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap again, keeping the row at the top."""
        super().resizeEvent(event)
        self._place_anew()

    def changeEvent(self, event: QEvent) -> None:
        """A new font means new places."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._place_anew()

    def _row_at(self, place: QPoint) -> Row | None:
        index = self._flow.placement.row_at(place.y() + self.verticalScrollBar().value())
        return self._flow.rows[index] if index >= 0 else None

    @Slot()
    def _lay_out(self) -> None:
        """Make all rows anew."""
        folded, opened = frozenset(self._folded), frozenset(self._opened)
        source = each_row(self._files, side_by_side=self._side_by_side, folded=folded, opened=opened)
        self._metrics = self._measured()
        self._begin(RowFlow(source, self._metrics, side_by_side=self._side_by_side))

    @Slot()
    def _place_anew(self) -> None:
        """The same rows in another width or font."""
        self._metrics = self._measured()
        self._begin(self._flow.placed_anew(self._metrics))

    def _measured(self) -> Metrics:
        font = self._theme.code_font()
        sizes = QFontMetricsF(font)
        ends = (max(h.old_start + h.old_count, h.new_start + h.new_count) for f in self._files for h in f.hunks)
        after = max((len(f.between[-1]) for f in self._files if f.between), default=0)
        digits = len(str(max(ends, default=1) + after))
        return code_metrics(font, self.viewport().width(), digits, sizes.horizontalAdvance("0"), round(sizes.height()))

    def _begin(self, flow: RowFlow) -> None:
        bar, old = self.verticalScrollBar(), self._flow.placement
        top = old.row_at(bar.value())
        if self._anchor is None and top > 0:
            self._anchor = top, bar.value() - old.tops[top]
        self._flow = flow
        flow.advance(_AT_ONCE)
        self._after_rows()
        if not flow.done:
            self._turn.start()

    @Slot()
    def _go_on(self) -> None:
        self._flow.advance(_PER_TURN)
        self._after_rows()

    def _after_rows(self) -> None:
        """Room for the rows there are by now; the row that stood at the top goes back there once it has its place."""
        bar, placement = self.verticalScrollBar(), self._flow.placement
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(self._metrics.line)
        bar.setRange(0, max(0, placement.height - self.viewport().height()))
        if self._anchor is not None and (self._flow.done or placement.height > bar.value() + self.viewport().height()):
            row, below = self._anchor
            if row < len(self._flow.rows):
                bar.setValue(placement.tops[row] + below)
                self._anchor = None
        if self._flow.done:
            self._anchor = None
            self._turn.stop()
        self.viewport().update()

    @Slot()
    def _let_go(self) -> None:
        """The reader scrolls: nothing moves the view under their hands."""
        self._anchor = None

    def _paint_row(self, paint: DiffPainter, index: int) -> None:
        row, tops = self._flow.rows[index], self._flow.placement.tops
        top = tops[index] - self.verticalScrollBar().value()
        rect = QRect(QPoint(0, top), QPoint(self.viewport().width() - 1, top + tops[index + 1] - tops[index] - 1))
        if row.kind is RowKind.FILE:
            paint.file_head(rect, self._files[row.file], self._counts[row.file], folded=row.file in self._folded)
        elif row.kind is RowKind.NOTE:
            paint.note(rect, row.text)
        elif row.kind in (RowKind.HUNK, RowKind.FOLD):
            paint.hunk_head(rect, row.text, self._look(row))
        elif row.kind is RowKind.LINE:
            paint.line(rect, row, self._flow.placement.parts[index])
            if self._pale(row):
                paint.veil(rect)

    def _look(self, row: Row) -> HunkLook:
        """What the head of a hunk or a fold looks like."""
        mark = "" if row.fold < 0 else "chevron-down" if row.opened else "chevron-right"
        return HunkLook(checkable=False, checked=False, current=False, fold=mark)

    def _pale(self, _row: Row) -> bool:
        """Whether a line is painted pale."""
        return False

    def _show_row(self, index: int) -> None:
        top, bar = self._flow.placement.tops[index], self.verticalScrollBar()
        if not bar.value() <= top <= bar.value() + self.viewport().height() - 4 * self._metrics.line:
            bar.setValue(max(0, top - 2 * self._metrics.line))

    def _open(self, file: int, run: int) -> None:
        self._opened.symmetric_difference_update({(file, run)})
        self._lay_out()

    def _fold(self, file: int) -> None:
        self._folded.symmetric_difference_update({file})
        self._lay_out()
