"""Inbox and group side by side; in a narrow page one of the two, with a way back."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from widgets.common.parts import bar, button, column, label, row
from widgets.common.theme import Theme

#: Below this width inbox and group do not fit side by side.
_NARROW = 680


class Sides(QWidget):
    """Shows a list and a detail."""

    def __init__(self, theme: Theme, listing: QWidget, detail: QWidget) -> None:
        super().__init__()
        self._narrow = False
        self._listing = listing
        self._back = button(theme, self.tr("Inbox"), "quiet", "arrow-left")
        self._back.clicked.connect(self.show_listing)
        self._place = label(role="caption")
        self._strip = bar(row(self._back, None, self._place, margins=(8, 0, 12, 0)), "bg")
        self._strip.hide()
        side = column(self._strip, detail, spacing=0)
        side.setStretch(1, 1)
        self._detail = QWidget()
        self._detail.setLayout(side)
        split = QSplitter()
        split.addWidget(listing)
        split.addWidget(self._detail)
        split.setStretchFactor(1, 1)
        split.setSizes([250, 700])
        split.setChildrenCollapsible(False)
        self.setLayout(column(split, spacing=0))

    def set_back(self, text: str) -> None:
        """What the way back is called."""
        self._back.setText(text)

    def set_place(self, number: int, count: int) -> None:
        """Which of how many is shown."""
        self._place.setText(self.tr("{number} of {count}").format(number=number, count=count) if count else "")

    def show_detail(self) -> None:
        """In a narrow page the detail takes the place of the list."""
        if self._narrow:
            self._listing.hide()
            self._detail.show()

    def show_listing(self) -> None:
        """Back to the list."""
        if self._narrow:
            self._detail.hide()
        self._listing.show()
        self._listing.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Decide whether both fit."""
        super().resizeEvent(event)
        narrow = event.size().width() < _NARROW
        if narrow != self._narrow:
            self._narrow = narrow
            self._strip.setVisible(narrow)
            self._listing.setVisible(not narrow)
            self._detail.show()
