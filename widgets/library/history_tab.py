"""Steps of one skill or of all: who, what and why, the difference each made, and the ways back from it."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QListView, QWidget

from app.cycles.values import LostFile
from app.errors import Failure
from app.history.values import Entry
from app.text.values import FileDiff
from widgets.common.diff_panel import DiffPanel
from widgets.common.empty_state import StatePages
from widgets.common.flow import FlowLayout
from widgets.common.parts import bar, button, column, label
from widgets.common.split import Split
from widgets.common.theme import Theme
from widgets.library import step_words
from widgets.library.history_model import ENTRY_ROLE, HistoryDelegate, HistoryModel

#: What changed without a text is listed below a picture and a title of so many pixels, so many lines at least.
_FACTS_BESIDE, _FEWEST_FACTS = 150, 3


class HistoryTab(QWidget):
    """A list of steps, and what the chosen one changed. `everything` is for the ledger of all skills."""

    #: An entry's id: answer with `set_difference`.
    difference_requested = Signal(str)
    #: An entry's id: what would bringing this version back change? Answer with `set_difference`.
    comparison_requested = Signal(str)
    #: An entry's id: bring the skill back as it was right after it.
    version_requested = Signal(str)
    undo_requested = Signal(str)
    #: What an entry came from: kind (`proposal`, `run`, `session`) and id.
    origin_requested = Signal(str, str)
    #: The id of the (first) skill of a step.
    skill_requested = Signal(str)

    def __init__(self, theme: Theme, *, everything: bool = False) -> None:
        super().__init__()
        self._everything = everything
        self._current = ""
        self._before = ""
        #: The step of which facts are told instead of a difference.
        self._told_facts = ""
        self._model = HistoryModel(self, named=everything)
        self._list = QListView()
        self._list.setModel(self._model)
        self._list.setItemDelegate(HistoryDelegate(theme, self._list))
        self._list.setUniformItemSizes(True)
        self._list.setAccessibleName(self.tr("Steps of the library") if everything else self.tr("Steps of this skill"))
        self._diff = DiffPanel(theme)
        self._why = label(role="muted", wrap=True)
        self._told = label(role="warn", wrap=True)
        self._lost = label(role="caption", wrap=True)
        self._jump = button(theme, self.tr("Show where it came from"), "quiet", "arrow-right")
        self._skill = button(theme, self.tr("Show the skill"), "quiet", "skill")
        self._against = button(theme, self.tr("Against now"), "quiet", "diff", self.tr("What bringing it back changes"))
        self._against.setCheckable(True)
        tip = self.tr("Make the skill as it was right after this step; that is a new step")
        self._bring = button(theme, self.tr("Bring it back"), "", "restore", tip)
        self._undo = button(theme, self.tr("Undo this step"), "", "undo", self.tr("Add a step that takes it back"))
        self._before_it = button(theme, self.tr("Bring back what was before it"), "primary", "restore")
        self._right = StatePages(theme, self._diff)
        self._pages = StatePages(theme, self._build())
        self.setLayout(column(self._pages, spacing=0))
        self._connect()
        self._refresh()
        self._pages.show_loading(self.tr("Reading the history…"))

    @Slot(object)
    def set_entries(self, entries: Sequence[Entry], *, filtered: bool = False) -> None:
        """Show the steps, newest first; the chosen one stays chosen. `filtered`: there are others."""
        kept = self._current
        self._model.set_entries(entries)
        if not entries and filtered:
            self._pages.show_empty("history", self.tr("Nothing fits"), self.tr("Try fewer words or other origins."))
            return
        if not entries:
            self._pages.show_empty("history", self.tr("No history yet"), self.tr("The next change is its first step."))
            return
        self._pages.show_content()
        if not self._list.currentIndex().isValid():
            self._list.setCurrentIndex(self._model.index(max(0, self._model.row_of(kept)), 0))

    @Slot(object)
    def set_failure(self, failure: Failure) -> None:
        """The history cannot be read."""
        self._pages.show_failure(failure)

    def set_difference(self, entry_id: str, files: Sequence[FileDiff], more: int = 0) -> None:
        """What a step changed (or what bringing it back would); ignored when another is chosen by now. `more` skills
        are not shown.
        """
        if entry_id != self._current:
            return
        if more:
            told = self.tr("{count} more skills are not shown here.").format(count=f"{more:,}")
            self._lost.setText(told)
        self._lost.setVisible(bool(more) or (self._lost.isVisibleTo(self) and not self._everything))
        if files:
            self._told_facts = ""
            self._diff.set_files(files)
            self._right.show_content()
        elif self._against.isChecked():
            self._told_facts = ""
            self._right.show_empty("success", self.tr("As it stands now"), self.tr("Nothing changed since."))
        else:
            self._show_facts()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """With more room, more of what a step changed is told."""
        super().resizeEvent(event)
        if self._told_facts == self._current != "":
            self._show_facts()

    def _show_facts(self) -> None:
        """A step that changed no text: what it did change, as much as there is room for."""
        self._told_facts = self._current
        entry = self._list.currentIndex().data(ENTRY_ROLE)
        room = (self._right.height() - _FACTS_BESIDE) // self.fontMetrics().lineSpacing() - 1
        facts = step_words.facts(entry, max(_FEWEST_FACTS, room)) if isinstance(entry, Entry) else []
        told = "\n".join(facts) or self.tr("It changed a fact or a place, not a file.")
        self._right.show_empty("history", self.tr("No text changed"), told)

    def show_conflict(self, entry_id: str, sentences: Sequence[str], files: Sequence[FileDiff]) -> None:
        """An undo found later changes in the way: say so, and show what stands there and what stood before the step."""
        if entry_id != self._current:
            return
        told = " ".join(sentences)
        if files:
            told += " " + self.tr("Red is what stands there now, green what stood there before this step.")
            self._diff.set_files(files)
            self._right.show_content()
        self._told.setText(told)
        self._told.show()
        for made in (self._why, self._against, self._bring, self._undo):
            made.hide()
        self._before_it.setVisible(bool(files) and bool(self._before) and not self._everything)

    def set_lost(self, lost: Sequence[LostFile]) -> None:
        """Files of this skill that no step keeps."""
        names = ", ".join(f"{one.path} ({one.why})" for one in lost[:4]) + (" …" if len(lost) > 4 else "")
        self._lost.setText(self.tr("Not kept in the history: {}").format(names))
        self._lost.setVisible(bool(lost))

    def choose(self, entry_id: str) -> None:
        """Choose a step, if it is among those shown."""
        row = self._model.row_of(entry_id)
        if row >= 0:
            self._list.setCurrentIndex(self._model.index(row, 0))

    def clear(self) -> None:
        """Another skill."""
        self._current = ""
        self._lost.hide()
        self._model.set_entries(())
        self._pages.show_loading(self.tr("Reading the history…"))

    @property
    def current(self) -> str:
        """The chosen entry's id."""
        return self._current

    @property
    def told(self) -> str:
        """What stands in the way of an undo; empty when nothing does."""
        return self._told.text() if self._told.isVisibleTo(self) else ""

    @property
    def count(self) -> int:
        """How many steps are shown."""
        return self._model.rowCount()

    def _build(self) -> QWidget:
        left, right, actions = QWidget(), QWidget(), FlowLayout(spacing=4)
        left.setLayout(column(self._list, self._lost, spacing=0))
        self._lost.setContentsMargins(12, 4, 12, 4)
        self._lost.hide()
        single = (self._against, self._bring)
        for made in (self._before_it, self._undo, *(() if self._everything else single), self._skill, self._jump):
            actions.addWidget(made)
        foot = column(self._told, self._why, actions, margins=(12, 6, 12, 6), spacing=6)
        right.setLayout(column(self._right, bar(foot, "bg", "top"), spacing=0))
        return Split(left, right, 300 if self._everything else 260, 112)

    def _connect(self) -> None:
        self._list.selectionModel().currentChanged.connect(self._on_current)
        self._undo.clicked.connect(self._on_undo)
        self._jump.clicked.connect(self._on_jump)
        self._skill.clicked.connect(self._on_skill)
        self._against.toggled.connect(self._ask)
        self._bring.clicked.connect(self._on_bring)
        self._before_it.clicked.connect(self._on_before)

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        entry: Entry | None = current.data(ENTRY_ROLE)
        if entry is None or entry.id == self._current:
            return
        self._current, self._before, self._told_facts = entry.id, entry.parent or "", ""
        self._refresh()
        self._ask()

    @Slot()
    def _ask(self) -> None:
        if self._current:
            self._right.show_loading(self.tr("Comparing…"))
            wanted = self.comparison_requested if self._against.isChecked() else self.difference_requested
            wanted.emit(self._current)

    def _refresh(self) -> None:
        entry: Entry | None = self._list.currentIndex().data(ENTRY_ROLE)
        for made in (self._undo, self._bring, self._against):
            made.setEnabled(entry is not None)
        self._told.hide()
        self._before_it.hide()
        self._why.show()
        self._undo.show()
        for made in (self._bring, self._against):
            made.setVisible(not self._everything)
        self._why.setText(step_words.why(entry) if entry else "")
        self._jump.setVisible(entry is not None and bool(_source(entry)[1]))
        self._skill.setVisible(self._everything and entry is not None and entry.record.action != "memory")

    @Slot()
    def _on_undo(self) -> None:
        if self._current:
            self.undo_requested.emit(self._current)

    @Slot()
    def _on_bring(self) -> None:
        if self._current:
            self.version_requested.emit(self._current)

    @Slot()
    def _on_before(self) -> None:
        self.version_requested.emit(self._before)

    @Slot()
    def _on_skill(self) -> None:
        entry: Entry | None = self._list.currentIndex().data(ENTRY_ROLE)
        if entry is not None and entry.record.ids:
            self.skill_requested.emit(entry.record.ids[-1])

    @Slot()
    def _on_jump(self) -> None:
        entry: Entry | None = self._list.currentIndex().data(ENTRY_ROLE)
        if entry is not None and _source(entry)[1]:
            self.origin_requested.emit(*_source(entry))


def _source(entry: Entry) -> tuple[str, str]:
    """What a step came from: a proposal, a curator run or a conversation; its kind and id."""
    record = entry.record
    proposal = str(record.detail.get("proposal") or "")
    if proposal:
        return "proposal", proposal
    return ("run", record.run) if record.run else ("session", record.session or "")
