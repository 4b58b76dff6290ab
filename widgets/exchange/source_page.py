"""The first page of the import sheet: where from."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLineEdit, QWidget

from widgets.common.parts import button, column, label, row
from widgets.common.theme import Theme


class SourcePage(QWidget):
    """Asks for a folder, an archive or an address. Signals: chosen(text, whether plain http is allowed)."""

    chosen = Signal(str, bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._field = QLineEdit()
        self._field.setPlaceholderText(self.tr("A folder, a .zip or .skill file, or https://host/owner/repository"))
        self._field.setAccessibleName(self.tr("Source"))
        self._field.setClearButtonEnabled(True)
        self._insecure = QCheckBox(self.tr("Allow addresses that can be changed on the way (http)"))
        self._insecure.hide()
        self._problem = label(role="danger", wrap=True)
        self.look = button(theme, self.tr("Look at it"), "primary")
        self.look.setDefault(True)
        folder = button(theme, self.tr("Folder…"), icon="folder-open")
        archive = button(theme, self.tr("Archive…"), icon="file")
        folder.clicked.connect(self._pick_folder)
        archive.clicked.connect(self._pick_archive)
        self.look.clicked.connect(self._on_look)
        self._field.returnPressed.connect(self._on_look)
        self._field.textChanged.connect(self._on_text)
        told = self.tr(
            "The source is read and judged first. Nothing of it is run, and nothing comes into the library before you"
            " have seen it. Git addresses are fetched without their history."
        )
        choose = row(self._field, folder, archive)
        choose.setStretch(0, 1)
        self.setLayout(
            column(
                label(self.tr("Where do the skills come from?"), "title"),
                label(told, "muted", wrap=True),
                choose,
                self._insecure,
                self._problem,
                None,
                margins=(24, 24, 24, 8),
                spacing=12,
            )
        )
        self.setFocusProxy(self._field)
        self._on_text("")

    def set_source(self, text: str) -> None:
        """Put a source into the field."""
        self._field.setText(text)

    def show_problem(self, text: str) -> None:
        """Say why the source was not taken."""
        self._problem.setText(text)

    @property
    def problem(self) -> str:
        """Why the last source was not taken, empty when nothing was said."""
        return self._problem.text()

    @Slot(str)
    def _on_text(self, text: str) -> None:
        self._problem.setText("")
        self.look.setEnabled(bool(text.strip()))
        self._insecure.setVisible(text.strip().lower().startswith(("http://", "git://")))

    @Slot()
    def _on_look(self) -> None:
        text = self._field.text().strip()
        if text:
            self.chosen.emit(text, self._insecure.isVisible() and self._insecure.isChecked())

    @Slot()
    def _pick_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("A folder with skills"))
        if folder:
            self._field.setText(folder)
            self._on_look()

    @Slot()
    def _pick_archive(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, self.tr("An archive with skills"), "", self.tr("Skills (*.skill *.zip)")
        )
        if name:
            self._field.setText(name)
            self._on_look()
