"""A small dialog that asks for one line: a new name, a category, or a file's path."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit, QPushButton, QWidget

from widgets.common.parts import button, column, label, row
from widgets.common.theme import Theme


class NameDialog(QDialog):
    """Asks with one field; `problem` says at once why a text does not fit, the library has the last word.

    Signals: chosen(text) when it was confirmed.
    """

    chosen = Signal(str)

    def __init__(
        self,
        theme: Theme,
        title: str,
        words: str,
        text: str,
        parent: QWidget,
        offers: Sequence[str] = (),
        problem: Callable[[str], str] = lambda _: "",
    ) -> None:
        super().__init__(parent)
        self._first = text
        self._check_text = problem
        self.setWindowTitle(title)
        self.setMinimumWidth(400)
        self._box = QComboBox()
        self._box.setEditable(True)
        self._box.addItems(list(offers))
        self._line = QLineEdit(text)
        if offers:
            self._box.setCurrentText(text)
            self._box.setLineEdit(self._line)
        field: QWidget = self._box if offers else self._line
        field.setAccessibleName(words)
        self._line.setText(text)
        self._line.selectAll()
        self._problem = label("", "danger", wrap=True)
        self._ok = button(theme, title.rstrip("…"), "primary")
        self._ok.setDefault(True)
        cancel = button(theme, self.tr("Cancel"))
        self._ok.clicked.connect(self._on_ok)
        cancel.clicked.connect(self.reject)
        self._line.textChanged.connect(self._check)
        parts = (label(words, wrap=True), field, self._problem, row(None, cancel, self._ok))
        self.setLayout(column(*parts, margins=(16, 16, 16, 16), spacing=10))
        self._line.setFocus()
        self._check()

    @property
    def line(self) -> QLineEdit:
        """The field."""
        return self._line

    @property
    def ok(self) -> QPushButton:
        """The button that confirms."""
        return self._ok

    @Slot()
    def _check(self) -> None:
        text = self._line.text().strip()
        why = self._check_text(text)
        self._problem.setText(why if text != self._first else "")
        self._ok.setEnabled(not why and text != self._first)

    @Slot()
    def _on_ok(self) -> None:
        self.chosen.emit(self._line.text().strip())
        self.accept()
