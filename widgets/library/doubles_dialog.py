"""Near-duplicates: pairs of skills that say much the same, why they are a pair, and how their texts differ."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QWidget

from app.cycles.values import Lookalike
from app.text.values import FileDiff
from widgets.common.diff_panel import DiffPanel
from widgets.common.empty_state import StatePages
from widgets.common.parts import bar, button, column, label, row
from widgets.common.split import Split
from widgets.common.theme import Theme

_PAIR = Qt.ItemDataRole.UserRole + 1


class DoublesDialog(QDialog):
    """Left the pairs, most alike first; right what differs. Nothing is merged here: the curator proposes that.

    Signals: compare_requested(one, other): answer with `set_difference`; open_requested(id); cancelled() while looking.
    """

    compare_requested = Signal(str, str)
    open_requested = Signal(str)
    cancelled = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: Mapping[str, str] = {}
        self._pair: Lookalike | None = None
        self.setWindowTitle(self.tr("Near-duplicates"))
        self.resize(860, 540)
        self._list = QListWidget()
        self._list.setWordWrap(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setSpacing(2)
        self._list.setAccessibleName(self.tr("Pairs of skills"))
        self._list.currentItemChanged.connect(self._on_current)
        self._diff = DiffPanel(theme)
        self._right = StatePages(theme, self._diff)
        self._why = label(role="muted", wrap=True)
        self._one = button(theme, "", "", "skill")
        self._other = button(theme, "", "", "skill")
        self._one.clicked.connect(self._on_one)
        self._other.clicked.connect(self._on_other)
        right = QWidget()
        foot = bar(row(self._one, self._other, None, margins=(12, 6, 12, 6), spacing=6), "bg", "top")
        head = bar(row(self._why, margins=(12, 8, 12, 8)), "surface")
        right.setLayout(column(head, self._right, foot, spacing=0))
        self._pages = StatePages(theme, Split(self._list, right, 280, 150))
        self._pages.action_requested.connect(self.reject)
        self.rejected.connect(self.cancelled)
        self.setLayout(column(self._pages, spacing=0))
        self.show_progress(0)

    @Slot(int)
    def show_progress(self, count: int) -> None:
        """So many skills were looked at."""
        told = self.tr("{} skills so far").format(f"{count:,}") if count else ""
        self._pages.show_loading(self.tr("Comparing all skills…"), told)

    def set_pairs(self, pairs: Sequence[Lookalike], names: Mapping[str, str]) -> None:
        """Show these pairs; `names` by id."""
        self._names = names
        self._list.clear()
        for pair in pairs:
            item = QListWidgetItem(f"{self._name(pair.one)}  ↔  {self._name(pair.other)}\n{self.reason(pair)}")
            item.setData(_PAIR, pair)
            item.setSizeHint(QSize(0, 3 * self.fontMetrics().lineSpacing() + 12))
            item.setToolTip(self.reason(pair))
            self._list.addItem(item)
        if pairs:
            self._pages.show_content()
            self._list.setCurrentRow(0)
        else:
            told = self.tr("No two skills are so much alike that one of them would do.")
            self._pages.show_empty("success", self.tr("No near-duplicates"), told, ("close", self.tr("Close")))

    def set_difference(self, one: str, other: str, files: Sequence[FileDiff]) -> None:
        """How the two texts differ; ignored when another pair is chosen by now."""
        if self._pair is not None and (self._pair.one, self._pair.other) == (one, other):
            self._diff.set_files(files)
            self._right.show_content()

    def reason(self, pair: Lookalike) -> str:
        """Why two skills are a pair, in words."""
        parts = [self.tr("{}% alike").format(round(pair.score * 100))]
        if pair.equal_lines:
            parts.append(self.tr("{} of {} lines are the same").format(pair.equal_lines, pair.lines))
        if pair.shared:
            parts.append(self.tr("both about {}").format(", ".join(pair.shared[:5])))
        return " · ".join(parts)

    @property
    def pairs(self) -> QListWidget:
        """The list."""
        return self._list

    def _name(self, skill_id: str) -> str:
        return self._names.get(skill_id, skill_id)

    @Slot()
    def _on_current(self) -> None:
        item = self._list.currentItem()
        self._pair = item.data(_PAIR) if item is not None else None
        if self._pair is None:
            return
        self._why.setText(self.reason(self._pair))
        for made, skill in ((self._one, self._pair.one), (self._other, self._pair.other)):
            made.setText(self.tr("Open {}").format(self._name(skill)))
        self._right.show_loading(self.tr("Comparing…"))
        self.compare_requested.emit(self._pair.one, self._pair.other)

    @Slot()
    def _on_one(self) -> None:
        if self._pair is not None:
            self.open_requested.emit(self._pair.one)

    @Slot()
    def _on_other(self) -> None:
        if self._pair is not None:
            self.open_requested.emit(self._pair.other)
