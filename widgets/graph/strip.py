"""The strip above the picture that says what is lit up, with a way back."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from widgets.common.parts import ElidedLabel, button, row
from widgets.common.theme import Theme


class LitStrip(QFrame):
    """Hidden while nothing is lit. Signals: closed()."""

    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("ground", "raised")
        self.setProperty("edge", "bottom")
        self._told = ElidedLabel(theme)
        close = button(theme, self.tr("Show all"), "link", "", self.tr("Light everything up again (U)"))
        close.clicked.connect(self.closed)
        self.setLayout(row(self._told, close, margins=(12, 3, 12, 3)))
        self.hide()

    @property
    def speaks(self) -> bool:
        """Whether something is lit."""
        return bool(self._told.text)

    def tell(self, text: str) -> None:
        """Say what is lit; an empty text hides the strip."""
        self._told.set_text(text)
        self.setVisible(bool(text))
