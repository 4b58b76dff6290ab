"""A difference of files: unified or side by side, folded context, word marks, hunks to choose by mouse or keyboard."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

from app.text.values import FileDiff
from widgets.common.diff_paint import CHECK_END, HunkLook
from widgets.common.diff_rows import Row, RowKind, as_patch, runs_of
from widgets.common.diff_surface import DiffSurface
from widgets.common.theme import Theme


class DiffView(DiffSurface):
    """Shows FileDiffs. N and P walk the hunks, Space chooses one, Enter shows the lines folded above it, Shift+Enter
    folds its file, Ctrl+C copies the hunk.
    """

    #: path, hunk id, checked
    hunk_toggled = Signal(str, str, bool)
    #: The set of chosen hunks changed in any way.
    chosen_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._checkable = False
        self._unchosen: set[tuple[int, str]] = set()
        self._current: tuple[int, str] | None = None

    @Slot(object)
    def set_files(self, files: Sequence[FileDiff]) -> None:
        """Show these files; every hunk starts chosen. The same files again keep scroll, folds and choices."""
        if tuple(files) == self._files:
            return
        self._unchosen.clear()
        self._current = None
        self.show_files(files)
        told = self.tr("{files} files, {added} lines added, {removed} removed")
        added, removed = self.counts
        self.setAccessibleDescription(told.format(files=len(files), added=added, removed=removed))

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

    @Slot()
    def toggle_current(self) -> None:
        """Take the current hunk, or leave it."""
        if self._checkable and self._current is not None:
            self._toggle(*self._current)

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
    def current_hunk(self) -> tuple[str, str] | None:
        """Path and id of the hunk that has the keyboard."""
        if self._current is None:
            return None
        return self._files[self._current[0]].path, self._current[1]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a file's head folds it, on a fold opens it, on a hunk's box chooses it."""
        row = self._row_at(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or row is None:
            super().mousePressEvent(event)
            return
        on_box = row.kind is RowKind.HUNK and self._checkable and event.position().x() < CHECK_END
        if row.hunk:
            self._set_current((row.file, row.hunk))
        if row.kind is RowKind.FILE:
            self._fold(row.file)
        elif row.fold >= 0 and not on_box:
            self._open(row.file, row.fold)
        elif row.kind is RowKind.HUNK and self._checkable:
            self._toggle(row.file, row.hunk)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The press did it all."""
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A pointing hand over what can be clicked."""
        row = self._row_at(event.position().toPoint())
        clickable = row is not None and (
            row.kind is RowKind.FILE or row.fold >= 0 or (row.kind is RowKind.HUNK and self._checkable)
        )
        shape = Qt.CursorShape.PointingHandCursor if clickable else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the hunk under the pointer (or the current one), and with all folds."""
        row = self._row_at(event.pos())
        if row is not None and row.hunk:
            self._set_current((row.file, row.hunk))
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy this change"), self.copy_hunk)
        copy.setEnabled(self._current is not None)
        if any(True for file in self._files for _ in runs_of(file)):
            whole = self.tr("Fold the unchanged lines") if self.all_opened else self.tr("Show the unchanged lines")
            menu.addAction(whole, self._toggle_all)
        menu.popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of the class description."""
        key = event.key()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_hunk()
        elif key == Qt.Key.Key_N:
            self._go(1)
        elif key == Qt.Key.Key_P:
            self._go(-1)
        elif key == Qt.Key.Key_Space and self._checkable:
            self.toggle_current()
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._current is not None:
            self._enter(file_too=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    @Slot()
    def copy_hunk(self) -> None:
        """Put the current hunk on the clipboard as a unified patch."""
        if self._current is not None:
            file, hunk = self._current
            QGuiApplication.clipboard().setText(as_patch(self._files[file], hunk))

    def _look(self, row: Row) -> HunkLook:
        plain = super()._look(row)
        if row.kind is RowKind.FOLD:
            return plain
        key = (row.file, row.hunk)
        return HunkLook(self._checkable, key not in self._unchosen, key == self._current, plain.fold)

    def _pale(self, row: Row) -> bool:
        return bool(row.hunk) and (row.file, row.hunk) in self._unchosen

    def _go(self, step: int) -> None:
        here = self._flow.head(*self._current) if self._current is not None else -1
        found = self._flow.next_head(here, step)
        if found >= 0:
            row = self._flow.rows[found]
            self._set_current((row.file, row.hunk))
            self._after_rows()
            self._show_row(found)

    def _set_current(self, key: tuple[int, str]) -> None:
        self._current = key
        at = self._flow.head(*key)
        words = [self.tr("Change {n}").format(n=self._flow.number(at)), self._flow.rows[at].text if at >= 0 else ""]
        if self._checkable:
            words.append(self.tr("left out") if key in self._unchosen else self.tr("chosen"))
        self.setAccessibleDescription(", ".join(word for word in words if word))
        self.viewport().update()

    def _toggle(self, file: int, hunk: str) -> None:
        key = (file, hunk)
        self._unchosen.symmetric_difference_update({key})
        self._set_current(key)
        self.hunk_toggled.emit(self._files[file].path, hunk, key not in self._unchosen)
        self.chosen_changed.emit()

    def _toggle_all(self) -> None:
        self.set_all_opened(not self.all_opened)

    def _enter(self, *, file_too: bool) -> None:
        """Open or close what is folded above the current hunk, or fold its whole file."""
        if self._current is None:
            return
        file, hunk = self._current
        if file_too:
            self._fold(file)
            return
        run = next((at for at, item in enumerate(self._files[file].hunks) if item.id == hunk), -1)
        if run in set(runs_of(self._files[file])):
            self._open(file, run)
