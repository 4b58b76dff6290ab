"""A conversation that is read: its title and facts, a way back to the list, and the reader below."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.sessions.values import SessionInfo
from widgets.common.ages import now_utc
from widgets.common.parts import ElidedLabel, bar, column, row, tool_button
from widgets.common.theme import Theme
from widgets.sessions.rows import row_of


class Reading(QWidget):
    """Signal: left() when the reader wants to go back to the list."""

    left = Signal()

    def __init__(self, theme: Theme, reader: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = self.title = ""
        self._back = tool_button(theme, "arrow-left", self.tr("Back to the list"), self.tr("Back to the list (Esc)"))
        self._close = tool_button(theme, "close", self.tr("Close"), self.tr("Close (Esc)"))
        self._back.clicked.connect(self.left)
        self._close.clicked.connect(self.left)
        self._title = ElidedLabel(theme)
        self._facts = ElidedLabel(theme, "muted")
        self._facts.set_small(True)
        words = column(self._title, self._facts, spacing=0)
        head = bar(row(self._back, words, self._close, margins=(12, 6, 8, 6), spacing=8), "surface")
        page = column(head, reader, spacing=0)
        page.setStretch(1, 1)
        self.setLayout(page)
        self.setMinimumWidth(260)

    def set_session(self, info: SessionInfo) -> None:
        """Say which conversation it is."""
        self.session, self.title = info.id, info.title
        shown = row_of(info, now_utc())
        self._title.set_text(info.title)
        self._facts.set_text(" · ".join(part for part in (shown.facts, shown.detail) if part))

    def leave(self) -> None:
        """Nothing is read any more."""
        self.session = self.title = ""

    def set_alone(self, alone: bool) -> None:
        """Whether this stands in the list's place: then the way back leads to the left."""
        self._back.setVisible(alone)
        self._close.setVisible(not alone)
