"""The dialog for faults of the program itself: what happened, the details, and a copy for a report."""

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from app.errors import Failure
from widgets.common.parts import button, column, label, row
from widgets.common.theme import Theme


class BugDialog(QDialog):
    """Shows a Failure that is a bug. Open it with `open()`; nothing is sent anywhere."""

    def __init__(self, theme: Theme, failure: Failure, log: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(failure.title)
        self.resize(680, 440)
        picture = label()
        picture.setPixmap(theme.pixmap("bug", "danger", 20, self.devicePixelRatioF()))
        self._details = QPlainTextEdit(_report(failure, log))
        self._details.setReadOnly(True)
        self._details.setProperty("mono", True)
        self._details.setAccessibleName(self.tr("Details"))
        copy = button(theme, self.tr("Copy details"), icon="copy", tip=self.tr("Put the details on the clipboard"))
        close = button(theme, self.tr("Close"), "primary")
        copy.clicked.connect(self.copy_details)
        close.clicked.connect(self.accept)
        close.setDefault(True)
        saved = self.tr("What you were doing may not have finished. Nothing that was saved is affected.")
        self.setLayout(
            column(
                row(picture, label(failure.title, "title"), None),
                label(failure.text, wrap=True),
                label(saved, "caption", wrap=True),
                self._details,
                row(copy, None, close),
                margins=(16, 16, 16, 16),
                spacing=12,
            )
        )

    @Slot()
    def copy_details(self) -> None:
        """Put everything on the clipboard."""
        QGuiApplication.clipboard().setText(self._details.toPlainText())


def _report(failure: Failure, log: str) -> str:
    parts = [f"{failure.title}\n{failure.text}", failure.detail.rstrip(), log.rstrip()]
    return "\n\n".join(part for part in parts if part) + "\n"
