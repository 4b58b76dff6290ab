"""The History tab: every step of a skill, the difference it made, and a way back from it."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtWidgets import QListView, QWidget

from app.errors import Failure
from app.history.values import Entry
from app.text.values import FileDiff
from widgets.common.diff_panel import DiffPanel
from widgets.common.empty_state import StatePages
from widgets.common.parts import ElidedLabel, bar, button, column, row
from widgets.common.split import Split
from widgets.common.theme import Theme
from widgets.library.history_model import ENTRY_ROLE, HistoryDelegate, HistoryModel


class HistoryTab(QWidget):
    """Left the steps, right what the chosen one changed."""

    #: An entry's id: answer with `set_difference`.
    difference_requested = Signal(str)
    undo_requested = Signal(str)
    #: The session or run an entry came from: kind (`session`, `run`) and id.
    origin_requested = Signal(str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._current = ""
        self._model = HistoryModel(self)
        self._list = QListView()
        self._list.setModel(self._model)
        self._list.setItemDelegate(HistoryDelegate(theme, self._list))
        self._list.setUniformItemSizes(True)
        self._list.setAccessibleName(self.tr("Steps of this skill"))
        self._diff = DiffPanel(theme)
        self._why = ElidedLabel(theme, "muted")
        self._jump = button(theme, self.tr("Show where it came from"), "quiet", "arrow-right")
        self._undo = button(theme, self.tr("Undo this step"), "", "undo", self.tr("Add a step that takes it back"))
        self._right = StatePages(theme, self._diff)
        self._pages = StatePages(theme, self._build())
        self.setLayout(column(self._pages, spacing=0))
        self._list.selectionModel().currentChanged.connect(self._on_current)
        self._undo.clicked.connect(self._on_undo)
        self._jump.clicked.connect(self._on_jump)
        self._refresh()
        self._pages.show_loading(self.tr("Reading the history…"))

    @Slot(object)
    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Show the steps, newest first; the chosen one stays chosen."""
        self._model.set_entries(entries)
        if not entries:
            self._pages.show_empty("history", self.tr("No history yet"), self.tr("The next change is its first step."))
            return
        self._pages.show_content()
        if not self._list.currentIndex().isValid():
            self._list.setCurrentIndex(self._model.index(0, 0))

    @Slot(object)
    def set_failure(self, failure: Failure) -> None:
        """The history cannot be read."""
        self._pages.show_failure(failure)

    def set_difference(self, entry_id: str, files: Sequence[FileDiff]) -> None:
        """What a step changed; ignored when another is chosen by now."""
        if entry_id != self._current:
            return
        if files:
            self._diff.set_files(files)
            self._right.show_content()
        else:
            self._right.show_empty("history", self.tr("No text changed"), self.tr("It changed a fact, not a file."))

    def clear(self) -> None:
        """Another skill."""
        self._current = ""
        self._model.set_entries(())
        self._pages.show_loading(self.tr("Reading the history…"))

    @property
    def current(self) -> str:
        """The chosen entry's id."""
        return self._current

    def _build(self) -> QWidget:
        right = QWidget()
        buttons = row(self._why, self._jump, self._undo, margins=(12, 6, 12, 6), spacing=6)
        right.setLayout(column(self._right, bar(buttons, "bg", "top"), spacing=0))
        return Split(self._list, right, 260, 96)

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        entry: Entry | None = current.data(ENTRY_ROLE)
        if entry is None or entry.id == self._current:
            return
        self._current = entry.id
        self._refresh()
        self._right.show_loading(self.tr("Comparing…"))
        self.difference_requested.emit(entry.id)

    def _refresh(self) -> None:
        entry: Entry | None = self._list.currentIndex().data(ENTRY_ROLE)
        self._undo.setEnabled(entry is not None)
        self._why.set_text(entry.record.reason if entry else "")
        self._jump.setVisible(entry is not None and bool(entry.record.session or entry.record.run))

    @Slot()
    def _on_undo(self) -> None:
        if self._current:
            self.undo_requested.emit(self._current)

    @Slot()
    def _on_jump(self) -> None:
        entry: Entry | None = self._list.currentIndex().data(ENTRY_ROLE)
        if entry is not None and entry.record.session:
            self.origin_requested.emit("session", entry.record.session)
        elif entry is not None and entry.record.run:
            self.origin_requested.emit("run", entry.record.run)
