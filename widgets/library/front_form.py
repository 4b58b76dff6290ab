"""The front matter as a form over the editor; each change is asked for, so that only its own lines are rewritten."""

from collections.abc import Mapping

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QWidget

from widgets.common.parts import label, tool_button
from widgets.common.theme import Theme

#: The fields of the format that a form helps with, in its order. `name` must equal the folder's name.
FIELDS = ("name", "description", "license", "compatibility", "allowed-tools")
#: Row, column and width of each field; the count of the description stands in row 1.
_PLACES = {
    "description": (0, 0, 3),
    "name": (2, 0, 1),
    "license": (2, 2, 1),
    "compatibility": (3, 0, 1),
    "allowed-tools": (3, 2, 1),
}
_LIMIT = 1024


class FrontForm(QFrame):
    """One line per field. `field_edited` says key and new value; an emptied optional field is to be removed."""

    field_edited = Signal(str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._values: dict[str, str] = dict.fromkeys(FIELDS, "")
        self._count = label(role="caption")
        self._fields: dict[str, QLineEdit] = {}
        self._rare: list[QWidget] = []
        self._chosen = False
        self._more = tool_button(theme, "more", self.tr("More fields"), checkable=True)
        self._more.clicked.connect(self._on_more)
        form = QGridLayout()
        form.setContentsMargins(16, 8, 12, 8)
        form.setHorizontalSpacing(10)
        form.setVerticalSpacing(6)
        form.setColumnStretch(1, 1)
        form.setColumnStretch(3, 1)
        for key, (title, hint) in self._titles().items():
            self._add(form, key, title, hint)
        self._fields["name"].setReadOnly(True)
        self._fields["description"].textChanged.connect(self._on_description)
        form.addWidget(self._more, 0, 4)
        form.addWidget(self._count, 1, 1, 1, 3)
        self.setProperty("ground", "surface")
        self.setProperty("edge", "bottom")
        self.setLayout(form)
        self._show_rare(shown=True)

    def set_compact(self, *, compact: bool) -> None:
        """In a low window only the description is shown, until the user wants the rest."""
        if not self._chosen:
            self._show_rare(shown=not compact)

    @property
    def complete(self) -> bool:
        """Whether all fields are shown."""
        return self._more.isChecked()

    def _add(self, form: QGridLayout, key: str, title: str, hint: str) -> None:
        edit = QLineEdit()
        edit.setObjectName(key)
        edit.setPlaceholderText(hint)
        edit.setAccessibleName(title)
        edit.setToolTip(hint)
        edit.editingFinished.connect(self._on_finished)
        self._fields[key] = edit
        line, left, span = _PLACES[key]
        caption = label(title, "muted")
        form.addWidget(caption, line, left)
        form.addWidget(edit, line, left + 1, 1, span)
        if key != "description":
            self._rare += [caption, edit]

    @Slot()
    def _on_more(self) -> None:
        self._chosen = True
        self._show_rare(shown=self._more.isChecked())

    def _show_rare(self, *, shown: bool) -> None:
        self._more.setChecked(shown)
        for part in self._rare:
            part.setVisible(shown)

    @Slot(object)
    def set_fields(self, fields: Mapping[str, str]) -> None:
        """Show what the text says; a field that is being typed in is left alone."""
        for key, edit in self._fields.items():
            value = str(fields.get(key, ""))
            self._values[key] = value
            if not edit.hasFocus() and edit.text() != value:
                edit.setText(value)
                edit.setCursorPosition(0)

    def field(self, key: str) -> QLineEdit:
        """The edit of one field."""
        return self._fields[key]

    @Slot()
    def _on_finished(self) -> None:
        edit = self.sender()
        if isinstance(edit, QLineEdit):
            key = edit.objectName()
            if edit.text() != self._values[key] and not edit.isReadOnly():
                self._values[key] = edit.text()
                self.field_edited.emit(key, edit.text())

    @Slot(str)
    def _on_description(self, text: str) -> None:
        told = self.tr("{count} of {limit} characters")
        self._count.setText(told.format(count=len(text), limit=_LIMIT))
        self._count.setProperty("role", "danger" if len(text) > _LIMIT else "caption")
        self._count.style().polish(self._count)

    def _titles(self) -> dict[str, tuple[str, str]]:
        return {
            "name": (self.tr("Name"), self.tr("The folder's name; use Rename to change both")),
            "description": (self.tr("Description"), self.tr("What it does, and when to use it")),
            "license": (self.tr("License"), self.tr("Optional: a license's name or a file")),
            "compatibility": (self.tr("Compatibility"), self.tr("Optional: what it needs to work")),
            "allowed-tools": (self.tr("Allowed tools"), self.tr("Optional: tools it may use, separated by blanks")),
        }
