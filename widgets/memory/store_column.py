"""One of the two stores: its meter, its entries as cards, and a field for a new one."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.memory.values import MemoryView, Target
from widgets.common.meter import Meter
from widgets.common.parts import bar, button, column, label, row
from widgets.common.theme import Theme
from widgets.memory.entry_card import EntryCard, EntryEditor


class StoreColumn(QWidget):
    """Signals: added(text), replaced(old, new), removed(text), turn_requested(session, turn)."""

    added = Signal(str)
    replaced = Signal(str, str)
    removed = Signal(str)
    turn_requested = Signal(str, str)

    def __init__(self, theme: Theme, target: Target, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._cards: list[EntryCard] = []
        mine = target is Target.USER
        title = self.tr("About you") if mine else self.tr("Notes of the agent")
        told = (
            self.tr("USER.md: what the agent knows of you") if mine else self.tr("MEMORY.md: what it noted for itself")
        )
        self._meter = Meter(theme)
        self._used = label(role="caption")
        self._problem = label(role="danger", wrap=True)
        self._problem.hide()
        hint = (
            self.tr("Nothing yet. Say in the chat how you like to work, or add it here.")
            if mine
            else self.tr("Nothing yet. What the agent should know of your projects and tools stands here.")
        )
        self._empty = label(hint, "muted", wrap=True)
        self._add = button(theme, self.tr("Add"), icon="plus")
        self._editor = EntryEditor(theme)
        self._editor.hide()
        names = column(label(title, "heading"), label(told, "caption", wrap=True), spacing=0)
        head = row(names, self._add)
        head.setStretch(0, 1)
        meter = row(self._meter, self._used, spacing=10)
        top = column(head, meter, self._problem, self._editor, margins=(16, 12, 16, 10), spacing=8)
        self._inside = QWidget()
        self._list = QVBoxLayout(self._inside)
        self._list.setContentsMargins(16, 12, 16, 12)
        self._list.setSpacing(8)
        self._list.addWidget(self._empty)
        self._list.addStretch(1)
        area = QScrollArea()
        area.setWidget(self._inside)
        area.setWidgetResizable(True)
        area.setAccessibleName(self.tr("Entries"))
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page = column(bar(top, "surface"), area, spacing=0)
        page.setStretch(1, 1)
        self.setLayout(page)
        self._add.clicked.connect(self._begin)
        self._editor.saved.connect(self._tell_added)
        self._editor.cancelled.connect(self._editor.hide)

    def set_view(self, view: MemoryView) -> None:
        """Show the store as it is."""
        told = self.tr("{used} of {limit} characters").format(used=f"{view.used:,}", limit=f"{view.limit:,}")
        self._used.setText(told)
        self._meter.set_share(view.used / max(view.limit, 1), told)
        self._tell_problem(view.problem)
        for card in self._cards:
            self._list.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._cards = []
        for place, entry in enumerate(view.entries):
            card = EntryCard(self._theme, entry)
            card.replaced.connect(self.replaced)
            card.removed.connect(self.removed)
            card.turn_requested.connect(self.turn_requested)
            self._cards.append(card)
            self._list.insertWidget(place, card)
        self._empty.setVisible(not view.entries)
        self._add.setEnabled(not view.problem)

    def show_refused(self, sentence: str) -> None:
        """A change was not made; what was typed stays."""
        self._tell_problem(sentence)

    def _tell_problem(self, text: str) -> None:
        self._problem.setText(text)
        self._problem.setVisible(bool(text))

    def _begin(self) -> None:
        self._editor.show()
        self._editor.begin("")

    def _tell_added(self, text: str) -> None:
        self._editor.hide()
        self.added.emit(text)
