"""The bar under the editor: what was found, and the steps to a save."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame

from app.skills.values import Finding
from widgets.common.parts import button, label, row, tool_button
from widgets.common.theme import Theme


class SaveBar(QFrame):
    """Review and save while editing; Back and Save while the difference is shown."""

    step_requested = Signal()
    back_requested = Signal()
    discard_requested = Signal()
    #: Whether the rendered text is wanted.
    preview_toggled = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._found = label(role="caption", wrap=True)
        self._preview = tool_button(
            theme, "eye", self.tr("Preview"), self.tr("Show the text as it is read (Ctrl+Shift+V)"), checkable=True
        )
        self._preview.setShortcut("Ctrl+Shift+V")
        self._preview.toggled.connect(self.preview_toggled)
        self._discard = button(theme, self.tr("Discard"), "quiet", tip=self.tr("Back to the text on disk"))
        self._review = button(theme, self.tr("Review and save"), "primary", tip=self.tr("Review and save (Ctrl+S)"))
        self._back = button(theme, self.tr("Back to editing"), "quiet", "arrow-left")
        self._save = button(theme, self.tr("Save"), "primary", tip=self.tr("Save (Ctrl+S)"))
        self._save.setAutoDefault(True)  # Return presses it, as Space does
        self._review.clicked.connect(self.step_requested)
        self._save.clicked.connect(self.step_requested)
        self._back.clicked.connect(self.back_requested)
        self._discard.clicked.connect(self.discard_requested)
        line = row(
            self._found, self._preview, self._back, self._discard, self._review, self._save, margins=(16, 8, 12, 8)
        )
        line.setStretch(0, 1)
        self.setProperty("ground", "bg")
        self.setProperty("edge", "top")
        self.setLayout(line)

    def say(self, text: str) -> None:
        """Show a sentence."""
        self._found.setText(text)

    def say_findings(self, findings: Sequence[Finding]) -> None:
        """Show the first finding and how many more there are."""
        if not findings:
            self.say(self.tr("No findings"))
            return
        first = findings[0]
        at = self.tr("line {line}: ").format(line=first.line) if first.line else ""
        more = self.tr("  (+{count} more)").format(count=len(findings) - 1) if len(findings) > 1 else ""
        self.say(f"{at}{first.message}{more}")

    @property
    def message(self) -> str:
        """The sentence shown."""
        return self._found.text()

    def show_step(self, *, editing: bool, reviewing: bool, can_save: bool, can_discard: bool) -> None:
        """Offer what fits the step; the one that leads on gets the focus when a difference comes up."""
        comes = reviewing and not editing and not self._save.isVisibleTo(self)
        self._review.setVisible(editing)
        self._preview.setVisible(editing)
        self._review.setEnabled(can_save)
        self._discard.setVisible(editing and can_discard)
        self._back.setVisible(not editing)
        self._save.setVisible(not editing and reviewing)
        self._save.setEnabled(can_save)
        if comes:
            self._save.setFocus(Qt.FocusReason.OtherFocusReason)
