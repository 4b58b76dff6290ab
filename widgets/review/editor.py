"""Edit, then approve: the proposed SKILL.md as text, saved as a new revision that has to be looked at again."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.proposals.values import Change
from widgets.common.parts import bar, button, column, label, row
from widgets.common.theme import Theme
from widgets.review.words import name_of


class ChangeEditor(QWidget):
    """Signals: saved(change id, text), cancelled()."""

    saved = Signal(str, str)
    cancelled = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._change = ""
        self._title = label(role="heading")
        self._text = QPlainTextEdit()
        self._text.setProperty("kind", "page")
        self._text.setProperty("mono", True)
        self._text.setAccessibleName(self.tr("Proposed text"))
        self._text.setTabStopDistance(4 * QFontMetricsF(theme.code_font()).horizontalAdvance(" "))
        save = button(theme, self.tr("Save and show the diff"), "primary", "save")
        cancel = button(theme, self.tr("Cancel"), "quiet")
        save.clicked.connect(self._tell)
        cancel.clicked.connect(self.cancelled)
        head = bar(row(self._title, None, cancel, save, margins=(16, 6, 12, 6)), "surface")
        self.setLayout(column(head, self._text, spacing=0))

    def edit(self, change: Change) -> None:
        """Begin with the proposed text of a change."""
        self._change = change.id
        self._title.setText(self.tr("Edit {name}").format(name=name_of(change)))
        self._text.setPlainText(change.after_text)
        self._text.setFocus()

    @property
    def dirty(self) -> bool:
        """Whether something was typed that is not saved."""
        return self._text.document().isModified()

    def _tell(self) -> None:
        self._text.document().setModified(False)
        self.saved.emit(self._change, self._text.toPlainText())
