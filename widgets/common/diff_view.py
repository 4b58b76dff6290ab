"""A difference of files, painted: side by side or unified, words marked, hunks that can be chosen one by one."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from app.text.values import FileDiff
from widgets.common.diff_layout import Metrics, Placement, place_rows
from widgets.common.diff_paint import DiffPainter, HunkLook, code_metrics
from widgets.common.diff_rows import Row, RowKind, as_patch, rows_of
from widgets.common.theme import Theme


class DiffView(QAbstractScrollArea):
    """Shows FileDiffs. N and P walk the hunks, Space chooses one, Enter folds its file, Ctrl+C copies the hunk."""

    #: path, hunk id, checked
    hunk_toggled = Signal(str, str, bool)
    #: The set of chosen hunks changed in any way.
    chosen_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._files: tuple[FileDiff, ...] = ()
        self._rows: list[Row] = []
        self._placement = Placement()
        self._metrics = Metrics(8.0, 18, 100, 3)
        self._side_by_side = False
        self._checkable = False
        self._unchosen: set[tuple[int, str]] = set()
        self._folded: set[int] = set()
        self._current = -1
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Difference"))
        self.viewport().setMouseTracking(True)
        theme.changed.connect(self._lay_out)

    @Slot(object)
    def set_files(self, files: Sequence[FileDiff]) -> None:
        """Show these files; every hunk starts chosen. The same files again keep scroll, folds and choices."""
        if tuple(files) == self._files:
            return
        self._files = tuple(files)
        self._unchosen.clear()
        self._folded.clear()
        self._current = -1
        self.verticalScrollBar().setValue(0)
        self._lay_out()
        added, removed = sum(file.added for file in files), sum(file.removed for file in files)
        told = self.tr("{files} files, {added} lines added, {removed} removed")
        self.setAccessibleDescription(told.format(files=len(files), added=added, removed=removed))

    @Slot(bool)
    def set_side_by_side(self, on: bool) -> None:
        """Two columns, or one."""
        if on != self._side_by_side:
            self._side_by_side = on
            self._lay_out()

    @Slot(bool)
    def set_checkable(self, on: bool) -> None:
        """Whether hunks carry check boxes."""
        self._checkable = on
        self.viewport().update()

    @Slot(object)
    def set_chosen(self, chosen: Mapping[str, frozenset[str]]) -> None:
        """Choose exactly these hunks, by path."""
        self._unchosen = {
            (index, hunk.id)
            for index, file in enumerate(self._files)
            for hunk in file.hunks
            if hunk.id not in chosen.get(file.path, frozenset())
        }
        self.viewport().update()
        self.chosen_changed.emit()

    @Slot()
    def next_hunk(self) -> None:
        """Go to the next run of changes."""
        self._go(1)

    @Slot()
    def previous_hunk(self) -> None:
        """Go to the run of changes before."""
        self._go(-1)

    def chosen(self) -> dict[str, frozenset[str]]:
        """The chosen hunks of every file, by path."""
        return {
            file.path: frozenset(hunk.id for hunk in file.hunks if (index, hunk.id) not in self._unchosen)
            for index, file in enumerate(self._files)
        }

    @property
    def all_chosen(self) -> bool:
        """Whether no hunk was taken out."""
        return not self._unchosen

    @property
    def side_by_side(self) -> bool:
        """Whether two columns are shown."""
        return self._side_by_side

    @property
    def current_hunk(self) -> tuple[str, str] | None:
        """Path and id of the hunk that has the keyboard."""
        if self._current < 0:
            return None
        row = self._rows[self._current]
        return self._files[row.file].path, row.hunk

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows in sight."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.colour("surface"))
        paint = DiffPainter(painter, self._theme, self._metrics, side_by_side=self._side_by_side)
        top = self.verticalScrollBar().value()
        index = max(0, self._placement.row_at(top + event.rect().top()))
        while index < len(self._rows) and self._placement.tops[index] <= top + event.rect().bottom():
            self._paint_row(paint, index)
            index += 1

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap again, keeping the row at the top."""
        super().resizeEvent(event)
        self._lay_out()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a file's head folds it, on a hunk's head chooses it."""
        index = self._placement.row_at(event.position().toPoint().y() + self.verticalScrollBar().value())
        if event.button() is not Qt.MouseButton.LeftButton or index < 0:
            super().mousePressEvent(event)
            return
        row = self._rows[index]
        if row.kind is RowKind.FILE:
            self._fold(row.file)
        elif row.hunk:
            self._current = self._head_of(index)
            if row.kind is RowKind.HUNK and self._checkable:
                self._toggle(self._current)
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The press did it all."""
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A pointing hand over what can be clicked."""
        index = self._placement.row_at(event.position().toPoint().y() + self.verticalScrollBar().value())
        kind = self._rows[index].kind if index >= 0 else RowKind.GAP
        clickable = kind is RowKind.FILE or (kind is RowKind.HUNK and self._checkable)
        shape = Qt.CursorShape.PointingHandCursor if clickable else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of the class description."""
        key = event.key()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_hunk()
        elif key == Qt.Key.Key_N:
            self._go(1)
        elif key == Qt.Key.Key_P:
            self._go(-1)
        elif key == Qt.Key.Key_Space and self._checkable and self._current >= 0:
            self._toggle(self._current)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._current >= 0:
            self._fold(self._rows[self._current].file)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """A new font means new places."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._lay_out()

    @Slot()
    def copy_hunk(self) -> None:
        """Put the current hunk on the clipboard as a unified patch."""
        if self._current >= 0:
            row = self._rows[self._current]
            QGuiApplication.clipboard().setText(as_patch(self._files[row.file], row.hunk))

    @Slot()
    def _lay_out(self) -> None:
        bar = self.verticalScrollBar()
        font = self._theme.code_font()
        sizes = QFontMetricsF(font)
        highest = max(
            (max(h.old_start + h.old_count, h.new_start + h.new_count) for f in self._files for h in f.hunks), default=1
        )
        self._metrics = code_metrics(
            font, self.viewport().width(), len(str(highest)), sizes.horizontalAdvance("0"), round(sizes.height())
        )
        self._rows = rows_of(self._files, side_by_side=self._side_by_side, folded=frozenset(self._folded))
        self._placement = place_rows(self._rows, self._metrics, side_by_side=self._side_by_side)
        if self._current >= len(self._rows) or (
            self._current >= 0 and self._rows[self._current].kind is not RowKind.HUNK
        ):
            self._current = -1
        bar.setRange(0, max(0, self._placement.height - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(self._metrics.line)
        self.viewport().update()

    def _paint_row(self, paint: DiffPainter, index: int) -> None:
        row, tops = self._rows[index], self._placement.tops
        top = tops[index] - self.verticalScrollBar().value()
        rect = QRect(QPoint(0, top), QPoint(self.viewport().width() - 1, top + tops[index + 1] - tops[index] - 1))
        if row.kind is RowKind.FILE:
            paint.file_head(rect, self._files[row.file], folded=row.file in self._folded, focused=False)
        elif row.kind is RowKind.NOTE:
            paint.note(rect, row.text)
        elif row.kind is RowKind.HUNK:
            checked = (row.file, row.hunk) not in self._unchosen
            paint.hunk_head(rect, row.text, HunkLook(self._checkable, checked, index == self._current))
        elif row.kind is RowKind.LINE:
            paint.line(rect, row, self._placement.parts[index])

    def _go(self, step: int) -> None:
        heads = [index for index, row in enumerate(self._rows) if row.kind is RowKind.HUNK]
        if not heads:
            return
        ahead = [index for index in heads if (index > self._current if step > 0 else index < self._current)]
        if not ahead:
            return
        self._current = ahead[0] if step > 0 else ahead[-1]
        self._show_row(self._current)
        self.viewport().update()

    def _show_row(self, index: int) -> None:
        top, bar = self._placement.tops[index], self.verticalScrollBar()
        if not bar.value() <= top <= bar.value() + self.viewport().height() - 4 * self._metrics.line:
            bar.setValue(max(0, top - 2 * self._metrics.line))

    def _head_of(self, index: int) -> int:
        while index > 0 and self._rows[index].kind is not RowKind.HUNK:
            index -= 1
        return index

    def _toggle(self, index: int) -> None:
        row = self._rows[index]
        key = (row.file, row.hunk)
        self._unchosen.symmetric_difference_update({key})
        self.viewport().update()
        self.hunk_toggled.emit(self._files[row.file].path, row.hunk, key not in self._unchosen)
        self.chosen_changed.emit()

    def _fold(self, file: int) -> None:
        self._folded.symmetric_difference_update({file})
        self._current = -1
        self._lay_out()
