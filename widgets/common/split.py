"""Two parts of a page beside each other, or one above the other where the page is too narrow for both."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

#: Narrower than this, a list and a text are not readable beside each other.
NARROW = 560


class Split(QSplitter):
    """A list and what it is about. `beside` is the list's width, `above` its height when it stands on top."""

    def __init__(self, first: QWidget, second: QWidget, beside: int, above: int, narrow: int = NARROW) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._sides = {Qt.Orientation.Horizontal: beside, Qt.Orientation.Vertical: above}
        self._narrow = narrow
        self.addWidget(first)
        self.addWidget(second)
        self.setStretchFactor(0, 0)
        self.setStretchFactor(1, 1)
        self.setChildrenCollapsible(False)
        self.setSizes([beside, 3 * beside])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Turn with the width; a turned split starts with the list's own size again."""
        narrow = event.size().width() < self._narrow
        wanted = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        if wanted is not self.orientation():
            self.setOrientation(wanted)
            first = self._sides[wanted]
            whole = event.size().height() if narrow else event.size().width()
            self.setSizes([first, max(first, whole - first)])
        super().resizeEvent(event)
