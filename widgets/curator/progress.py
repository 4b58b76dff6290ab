"""A running curator: the phase, the skill it looks at, how many calls it made, its log, and Cancel."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QProgressBar, QWidget

from widgets.common.parts import ElidedLabel, button, card, column, label, row
from widgets.common.theme import Theme

_LINES = 500


class RunProgress(QWidget):
    """Signals: cancel_requested()."""

    cancel_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._phase = label(role="heading")
        self._skill = ElidedLabel(theme)
        self._calls = label(role="caption")
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._log = QPlainTextEdit()
        self._log.setReadOnly(True)
        self._log.setProperty("mono", True)
        self._log.setMaximumBlockCount(_LINES)
        self._log.setFixedHeight(112)
        self._log.setAccessibleName(self.tr("Log of this run"))
        self._log.hide()
        self._cancel = button(theme, self.tr("Cancel"), icon="stop")
        self._cancel.clicked.connect(self._ask_cancel)
        head = row(self._phase, self._skill, self._calls, self._cancel, spacing=10)
        head.setStretch(1, 1)
        self.setLayout(column(card(column(head, self._bar, self._log, margins=(16, 10, 12, 12)))))

    def begin(self) -> None:
        """A run starts: an empty log."""
        self._log.clear()
        self._log.hide()
        self._phase.setText(self.tr("Starting"))
        self._skill.set_text("")
        self._calls.setText("")
        self._cancel.setEnabled(True)

    def show_step(self, phase: str, skill: str, calls: int) -> None:
        """Show where the run is; an unknown phase is shown as it is named."""
        words = {
            "ages": self.tr("Ages"),
            "merging": self.tr("Siblings"),
            "report": self.tr("Writing the report"),
        }
        self._phase.setText(words.get(phase, phase))
        self._skill.set_text(skill)
        self._calls.setText("" if not calls else self.tr("{n} calls").format(n=calls))

    def add_line(self, line: str) -> None:
        """Add a line to the log."""
        self._log.show()
        self._log.appendPlainText(line)

    def _ask_cancel(self) -> None:
        self._cancel.setEnabled(False)
        self._phase.setText(self.tr("Stopping"))
        self.cancel_requested.emit()
