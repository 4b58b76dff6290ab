"""A small dialog for a new skill: name, what it is for, where it goes."""

import re
from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from app.errors import Failure
from widgets.common.parts import button, column, label, row
from widgets.common.theme import Theme

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_NAME = 64
_LONGEST_DESCRIPTION = 1024


class NewSkillDialog(QDialog):
    """Asks for what a skill cannot be without. It says at once what does not fit; the library has the last word.

    Signals: create_requested(name, description, category); restore_requested(id) when an archived skill is what is
    wanted.
    """

    create_requested = Signal(str, str, str)
    restore_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("New skill"))
        self.resize(520, 300)
        self._name = QLineEdit()
        self._name.setPlaceholderText(self.tr("reading-git-history"))
        self._description = QPlainTextEdit()
        self._description.setPlaceholderText(self.tr("What it does, and when to use it."))
        self._description.setTabChangesFocus(True)
        self._description.setFixedHeight(88)
        self._category = QComboBox()
        self._category.setEditable(True)
        self._problem = label("", "danger", wrap=True)
        self._create = button(theme, self.tr("Create"), "primary")
        self._create.setDefault(True)
        self._archived = ""
        self._restore = button(theme, self.tr("Restore the archived one"), "", "restore")
        self._restore.hide()
        self._restore.clicked.connect(self._on_restore)
        cancel = button(theme, self.tr("Cancel"))
        form = QFormLayout()
        form.setSpacing(8)
        form.addRow(self.tr("Name"), self._name)
        form.addRow(self.tr("Description"), self._description)
        form.addRow(self.tr("Category"), self._category)
        for field, name in (
            (self._name, self.tr("Name")),
            (self._description, self.tr("Description")),
            (self._category, self.tr("Category")),
        ):
            field.setAccessibleName(name)
        self.setLayout(
            column(form, self._problem, None, row(self._restore, None, cancel, self._create), margins=(16, 16, 16, 16))
        )
        self._name.textChanged.connect(self._check)
        self._description.textChanged.connect(self._check)
        self._create.clicked.connect(self._on_create)
        cancel.clicked.connect(self.reject)
        self._check()

    def set_categories(self, categories: Sequence[str]) -> None:
        """Offer the categories there are; another one can be typed, none is fine."""
        self._category.clear()
        self._category.addItem("")
        self._category.addItems(list(categories))

    @Slot(object)
    def set_created(self, _receipt: object) -> None:
        """The skill is there."""
        self.accept()

    @Slot(object)
    def set_refused(self, failure: Failure) -> None:
        """The library said no; what is archived can be restored from here."""
        self._problem.setText(failure.text)
        kind, _, skill = failure.action.partition(":")
        self._archived = skill if kind == "restore" else ""
        self._restore.setVisible(bool(self._archived))

    @property
    def restore_button(self) -> QPushButton:
        """The button that brings the archived skill back."""
        return self._restore

    @property
    def told(self) -> str:
        """The sentence under the fields."""
        return self._problem.text()

    @Slot()
    def _on_restore(self) -> None:
        self.restore_requested.emit(self._archived)
        self.accept()

    @property
    def problem(self) -> str:
        """What does not fit yet, empty when it can be created."""
        name, description = self._name.text().strip(), self._description.toPlainText().strip()
        if not name:
            return self.tr("Give it a name: lower-case words joined by hyphens.")
        if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
            return self.tr("A name has lower-case letters, digits and single hyphens, 64 characters at most.")
        if not description:
            return self.tr("Say what it does and when to use it: that is how it is found.")
        if len(description) > _LONGEST_DESCRIPTION:
            return self.tr("The description is longer than {} characters.").format(_LONGEST_DESCRIPTION)
        return ""

    @Slot()
    def _check(self) -> None:
        self._restore.hide()
        self._create.setEnabled(not self.problem)
        self._problem.setText(self.problem if self._name.text() or self._description.toPlainText() else "")

    @Slot()
    def _on_create(self) -> None:
        name, description = self._name.text().strip(), self._description.toPlainText().strip()
        self.create_requested.emit(name, " ".join(description.split()), self._category.currentText().strip())
