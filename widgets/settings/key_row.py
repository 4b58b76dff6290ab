"""The API key: entered, tested, forgotten, and never shown."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from widgets.common.parts import button, column, label, restyle, row
from widgets.common.theme import Theme


class KeyRow(QWidget):
    """Signals: entered(key), forget_requested(), test_requested()."""

    entered = Signal(str)
    forget_requested = Signal()
    test_requested = Signal()

    #: What a search finds this row by.
    words = "api key token secret connection test model"

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = label(role="caption", wrap=True)
        self._key = QLineEdit()
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._key.setPlaceholderText(self.tr("Paste a key"))
        self._key.setAccessibleName(self.tr("API key"))
        self._save = button(theme, self.tr("Save key"), icon="key")
        self._forget = button(theme, self.tr("Forget"), "quiet")
        self._test = button(theme, self.tr("Test the connection"))
        self._result = label(wrap=True)
        self._result.hide()
        self._key.textChanged.connect(self._check)
        self._key.returnPressed.connect(self._tell)
        self._save.clicked.connect(self._tell)
        self._forget.clicked.connect(self.forget_requested)
        self._test.clicked.connect(self._ask_test)
        field = row(self._key, self._save, self._forget)
        field.setStretch(0, 1)
        outcome = row(self._test, self._result, None)
        outcome.setStretch(1, 8)
        title = label(self.tr("API key"))
        self.setLayout(column(title, self._state, field, outcome, margins=(0, 6, 0, 6), spacing=6))
        self._check()
        self.set_key(stored=False, source="")

    def set_key(self, *, stored: bool, source: str) -> None:
        """Say whether there is a key and where it is kept; the key itself is never known here."""
        told = self.tr("A key is kept in {source}.").format(source=source) if source else self.tr("A key is kept.")
        none = self.tr("No key yet. It goes to the key store of the system, never into a file, for this base URL only.")
        self._state.setText(told if stored else none)
        self._forget.setVisible(stored)

    def show_test(self, ok: bool, text: str) -> None:
        """What the test of the connection found."""
        self._test.setEnabled(True)
        restyle(self._result, "role", "success" if ok else "danger")
        self._result.setText(text)
        self._result.show()

    def _check(self) -> None:
        self._save.setEnabled(bool(self._key.text().strip()))

    def _tell(self) -> None:
        key = self._key.text().strip()
        self._key.clear()
        if key:
            self.entered.emit(key)

    def _ask_test(self) -> None:
        self._test.setEnabled(False)
        restyle(self._result, "role", "muted")
        self._result.setText(self.tr("Asking…"))
        self._result.show()
        self.test_requested.emit()
