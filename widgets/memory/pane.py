"""The memory page: the agent's notes and what it knows of the user, side by side, each with its limit."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from app.errors import Failure
from app.memory.values import MemoryView, Target
from widgets.common.empty_state import StatePages
from widgets.common.parts import bar, button, column, label, row
from widgets.common.theme import Theme
from widgets.memory.store_column import StoreColumn

_NARROW = 560


class MemoryPane(QWidget):
    """Signals: add_requested(Target, text), replace_requested(Target, old, new), remove_requested(Target, text),
    turn_requested(session, turn), review_opened() for what waits, refresh_requested().
    """

    add_requested = Signal(object, str)
    replace_requested = Signal(object, str, str)
    remove_requested = Signal(object, str)
    turn_requested = Signal(str, str)
    review_opened = Signal()
    refresh_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns = {target: StoreColumn(theme, target) for target in (Target.USER, Target.MEMORY)}
        self._split = QSplitter()
        self._split.setChildrenCollapsible(False)
        for shown in self._columns.values():
            self._split.addWidget(shown)
        self._waiting = label()
        look = button(theme, self.tr("Look at it"), "link")
        look.clicked.connect(self.review_opened)
        self._strip = bar(row(self._waiting, look, None, margins=(16, 6, 16, 6)), "raised")
        self._strip.hide()
        content = QWidget()
        page = column(self._strip, self._split, spacing=0)
        page.setStretch(1, 1)
        content.setLayout(page)
        self._pages = StatePages(theme, content)
        self._pages.action_requested.connect(self._act)
        self.setLayout(column(self._pages, spacing=0))
        self._connect()
        self._pages.show_loading(self.tr("Reading memory…"))

    def set_view(self, view: MemoryView) -> None:
        """Show one of the two stores."""
        self._columns[view.target].set_view(view)
        self._pages.show_content()

    def show_refused(self, target: Target, sentence: str) -> None:
        """A change was not made: say why, where it was asked for."""
        self._columns[target].show_refused(sentence)

    def set_waiting(self, count: int) -> None:
        """How many changes of memory wait for the user."""
        one = self.tr("1 change of memory waits for you.")
        self._waiting.setText(one if count == 1 else self.tr("{n} changes of memory wait for you.").format(n=count))
        self._strip.setVisible(count > 0)

    def show_failure(self, failure: Failure) -> None:
        """Memory could not be read."""
        self._pages.show_failure(failure)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow page the stores lie one above the other."""
        super().resizeEvent(event)
        narrow = self.width() < _NARROW
        self._split.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)

    def _connect(self) -> None:
        user, notes = self._columns[Target.USER], self._columns[Target.MEMORY]
        user.added.connect(self._add_user)
        notes.added.connect(self._add_note)
        user.replaced.connect(self._replace_user)
        notes.replaced.connect(self._replace_note)
        user.removed.connect(self._remove_user)
        notes.removed.connect(self._remove_note)
        for shown in (user, notes):
            shown.turn_requested.connect(self.turn_requested)

    def _add_user(self, text: str) -> None:
        self.add_requested.emit(Target.USER, text)

    def _add_note(self, text: str) -> None:
        self.add_requested.emit(Target.MEMORY, text)

    def _replace_user(self, old: str, new: str) -> None:
        self.replace_requested.emit(Target.USER, old, new)

    def _replace_note(self, old: str, new: str) -> None:
        self.replace_requested.emit(Target.MEMORY, old, new)

    def _remove_user(self, text: str) -> None:
        self.remove_requested.emit(Target.USER, text)

    def _remove_note(self, text: str) -> None:
        self.remove_requested.emit(Target.MEMORY, text)

    def _act(self, _action: str) -> None:
        self.refresh_requested.emit()
