"""The History page: every step of the library with a filter, the library of a day, and what is not kept."""

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QButtonGroup, QStackedWidget, QWidget

from app.history.values import Entry, Origin
from widgets.common.chips import FilterChip
from widgets.common.flow import FlowLayout
from widgets.common.matching import folded
from widgets.common.parts import bar, button, column
from widgets.common.search_field import SearchField
from widgets.common.theme import Theme
from widgets.library import step_words
from widgets.library.history_tab import HistoryTab
from widgets.library.lost_view import LostView
from widgets.library.then_view import ThenView

VIEWS = ("steps", "then", "lost")


class HistoryPane(QWidget):
    """Shows Entries of all skills and of memory.

    Signals: entries_requested() when it is shown; lost_requested() when what is not kept is wanted.
    """

    entries_requested = Signal()
    lost_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[Entry, ...] = ()
        self.steps = HistoryTab(theme, everything=True)
        self.then = ThenView(theme)
        self.lost = LostView(theme)
        self.search = SearchField(theme, self.tr("Skill, action, reason"))
        self.chips = {origin: FilterChip(theme, origin.value, self._words(origin)) for origin in Origin}
        self._stack = QStackedWidget()
        self._modes = QButtonGroup(self)
        titles = {
            "steps": (self.tr("Steps"), "history"),
            "then": (self.tr("As it was on…"), "clock"),
            "lost": (self.tr("Not kept"), "warning"),
        }
        modes = FlowLayout(spacing=4)
        for place, (_name, (title, icon)) in enumerate(titles.items()):
            made = button(theme, title, "quiet", icon)
            made.setCheckable(True)
            self._modes.addButton(made, place)
            modes.addWidget(made)
        for view in (self._with_filter(), self.then, self.lost):
            self._stack.addWidget(view)
        head = column(modes, margins=(8, 6, 8, 4))
        self.setLayout(column(bar(head, "surface"), self._stack, spacing=0))
        self._modes.idClicked.connect(self._on_mode)
        self.search.searched.connect(self._fill)
        self.show_view("steps")

    @Slot(object)
    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Every step, newest first."""
        self._entries = tuple(entries)
        counts = Counter(entry.record.origin for entry in self._entries)
        for origin, chip in self.chips.items():
            chip.set_count(counts[origin])
            chip.setVisible(counts[origin] > 0)
        self._fill()

    def show_view(self, name: str) -> None:
        """Show `steps`, `then` or `lost`."""
        place = VIEWS.index(name)
        self._modes.button(place).setChecked(True)
        self._on_mode(place)

    def look_for(self, words: str) -> None:
        """Show the steps that hold these words."""
        self.show_view("steps")
        self.search.set_text_now(words)

    @property
    def view(self) -> str:
        """The view in front."""
        return VIEWS[self._stack.currentIndex()]

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for the steps as they are by now."""
        super().showEvent(event)
        self.entries_requested.emit()

    def _with_filter(self) -> QWidget:
        chips = FlowLayout(spacing=4)
        for chip in self.chips.values():
            chip.clicked.connect(self._fill)
            chip.hide()
            chips.addWidget(chip)
        made = QWidget()
        head = bar(column(self.search, chips, margins=(12, 6, 12, 6), spacing=6), "surface")
        made.setLayout(column(head, self.steps, spacing=0))
        return made

    @Slot(int)
    def _on_mode(self, place: int) -> None:
        self._stack.setCurrentIndex(place)
        if VIEWS[place] == "then":
            self.then.ask()
        elif VIEWS[place] == "lost":
            self.lost.show_progress(0)
            self.lost_requested.emit()

    @Slot()
    def _fill(self) -> None:
        wanted = {origin for origin, chip in self.chips.items() if chip.isChecked()}
        words = folded(self.search.text()).split()
        shown = [entry for entry in self._entries if _fits(entry, wanted, words)]
        self.steps.set_entries(shown, filtered=bool(self._entries))

    def _words(self, origin: Origin) -> str:
        return {
            Origin.USER: self.tr("you"),
            Origin.CHAT: self.tr("chat"),
            Origin.REVIEW: self.tr("review"),
            Origin.CURATOR: self.tr("curator"),
            Origin.IMPORT: self.tr("import"),
            Origin.OUTSIDE: self.tr("other programs"),
        }[origin]


def _fits(entry: Entry, origins: set[Origin], words: Sequence[str]) -> bool:
    if origins and entry.record.origin not in origins:
        return False
    if not words:
        return True
    text = folded(f"{' '.join(entry.record.ids)} {step_words.what(entry)} {entry.record.reason} {entry.id[:10]}")
    return all(word in text for word in words)
