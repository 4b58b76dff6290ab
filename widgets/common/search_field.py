"""A search field: icon, clear button, a short delay before it speaks, Escape clears, Down leaves it."""

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from widgets.common.theme import Theme

_DELAY_MS = 120


class SearchField(QLineEdit):
    """Emits `searched` 120 ms after the last change, or at once on Enter."""

    searched = Signal(str)
    #: The Down key: the list below should take the focus.
    left_down = Signal()

    def __init__(self, theme: Theme, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(hint)
        self.setAccessibleName(hint)
        glass = QAction(self)
        theme.bind_icon(glass, "search", "muted")
        self.addAction(glass, QLineEdit.ActionPosition.LeadingPosition)
        self._clear = QAction(self.tr("Clear"), self)
        theme.bind_icon(self._clear, "close", "muted")
        self._clear.triggered.connect(self.clear_now)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self._clear.setVisible(False)
        self._said = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_DELAY_MS)
        self._timer.timeout.connect(self._speak)
        self.textChanged.connect(self._on_changed)
        self.returnPressed.connect(self._speak)

    @Slot()
    def clear_now(self) -> None:
        """Empty the field and say so at once."""
        self.clear()
        self._speak()

    def set_text_now(self, text: str) -> None:
        """Put a text in and say so at once."""
        self.setText(text)
        self._speak()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(200, 28)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape clears (and goes on to others when empty), Down leaves the field."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear_now()
        elif event.key() == Qt.Key.Key_Down:
            self.left_down.emit()
        else:
            super().keyPressEvent(event)

    @Slot(str)
    def _on_changed(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        self._timer.start()

    @Slot()
    def _speak(self) -> None:
        self._timer.stop()
        if self.text() != self._said:
            self._said = self.text()
            self.searched.emit(self._said)
