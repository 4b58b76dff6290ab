"""A difference with its bar: counts, unified or side by side, and steps from hunk to hunk."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QWidget

from app.text.values import FileDiff, FileStatus
from widgets.common.diff_view import DiffView
from widgets.common.parts import bar, column, label, row, tool_button
from widgets.common.theme import Theme

#: Narrower than this, two columns are hard to read.
_SIDE_FROM = 760


class DiffPanel(QWidget):
    """Shows FileDiffs in a DiffView and lets the reader choose how; two columns by itself where there is room."""

    hunk_toggled = Signal(str, str, bool)
    chosen_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picked = False
        self.view = DiffView(theme)
        self._counts = label(role="caption")
        self._unified = tool_button(theme, "rows", self.tr("Unified"), self.tr("One column"), checkable=True)
        self._side = tool_button(theme, "columns", self.tr("Side by side"), self.tr("Two columns"), checkable=True)
        self._modes = QButtonGroup(self)
        self._modes.addButton(self._unified, 0)
        self._modes.addButton(self._side, 1)
        self._modes.idClicked.connect(self._on_mode)
        told = self.tr("Show every line, also the unchanged ones")
        self._whole = tool_button(theme, "list", self.tr("All lines"), told, checkable=True)
        self._whole.clicked.connect(self.view.set_all_opened)
        previous = tool_button(theme, "chevron-up", self.tr("Previous change"), self.tr("Previous change (P)"))
        following = tool_button(theme, "chevron-down", self.tr("Next change"), self.tr("Next change (N)"))
        previous.clicked.connect(self.view.previous_hunk)
        following.clicked.connect(self.view.next_hunk)
        self._head = row(
            self._counts, None, previous, following, self._whole, self._unified, self._side, margins=(12, 3, 8, 3)
        )
        self.setLayout(column(bar(self._head, "surface"), self.view, spacing=0))
        self.view.hunk_toggled.connect(self.hunk_toggled)
        self.view.chosen_changed.connect(self.chosen_changed)
        self._unified.setChecked(True)

    @Slot(object)
    def set_files(self, files: Sequence[FileDiff]) -> None:
        """Show these files."""
        self.view.set_files(files)
        added, removed = self.view.counts
        can_open = any(any(file.between) for file in files)
        self._whole.setVisible(can_open)
        self._whole.setChecked(can_open and self.view.all_opened)
        two_sides = any(file.status is FileStatus.MODIFIED and file.hunks for file in files)
        self._unified.setVisible(two_sides)
        self._side.setVisible(two_sides)
        told = self.tr("1 file") if len(files) == 1 else self.tr("{count} files").format(count=len(files))
        self._counts.setText(f"{told}   +{added}  −{removed}" if files else self.tr("No difference"))

    @Slot(bool)
    def set_checkable(self, on: bool) -> None:
        """Whether hunks can be chosen."""
        self.view.set_checkable(on)

    @Slot(bool)
    def set_side_by_side(self, on: bool) -> None:
        """Two columns, or one; from now on the width no longer decides."""
        self._picked = True
        self._show_mode(on)

    @Slot(object)
    def set_chosen(self, chosen: Mapping[str, frozenset[str]]) -> None:
        """Choose exactly these hunks, by path."""
        self.view.set_chosen(chosen)

    def chosen(self) -> dict[str, frozenset[str]]:
        """The chosen hunks, by path."""
        return self.view.chosen()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Until the reader picks a mode, the width picks it."""
        super().resizeEvent(event)
        if not self._picked:
            self._show_mode(self.width() >= _SIDE_FROM)

    @Slot(int)
    def _on_mode(self, mode: int) -> None:
        self._picked = True
        self._show_mode(mode == 1)

    def _show_mode(self, side: bool) -> None:
        (self._side if side else self._unified).setChecked(True)
        self.view.set_side_by_side(side)
