"""Edit, then approve: the proposed SKILL.md as text with live findings, saved as a revision that is looked at again."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.proposals.values import Change
from app.skills.values import Finding, Severity
from widgets.common.code_editor import CodeEditor, Remark
from widgets.common.parts import ElidedLabel, bar, button, column, row
from widgets.common.theme import Theme
from widgets.review.words import name_of

#: Milliseconds without a key until the text is checked.
_CHECK_MS = 350


class ChangeEditor(QWidget):
    """Signals: saved(change id, text), cancelled(), check_asked(change id, text) a moment after the last key."""

    saved = Signal(str, str)
    cancelled = Signal()
    check_asked = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._change = ""
        self._title = ElidedLabel(theme)
        self._found = ElidedLabel(theme, "muted")
        self.text = CodeEditor(theme, self.tr("Proposed text"))
        self._still = QTimer(self)
        self._still.setSingleShot(True)
        self._still.setInterval(_CHECK_MS)
        self._still.timeout.connect(self._ask_check)
        self.text.textChanged.connect(self._still.start)
        self._save = button(theme, self.tr("Save and show the diff"), "primary", "save")
        self._save.setShortcut("Ctrl+S")
        cancel = button(theme, self.tr("Cancel"), "quiet")
        self._save.clicked.connect(self._tell)
        cancel.clicked.connect(self.cancelled)
        head = bar(row(self._title, cancel, self._save, margins=(16, 6, 12, 6)), "surface")
        foot = bar(row(self._found, margins=(16, 4, 12, 4)), "surface", "top")
        page = column(head, self.text, foot, spacing=0)
        page.setStretch(1, 1)
        self.setLayout(page)

    def edit(self, change: Change) -> None:
        """Begin with the proposed text of a change."""
        self._change = change.id
        self._title.set_text(self.tr("Edit {name}").format(name=name_of(change)))
        self.text.setPlainText(change.after_text)
        self.text.document().setModified(False)
        self.set_findings(change.id, self.text.text, change.findings)
        self.text.setFocus()

    def set_findings(self, change: str, text: str, findings: Sequence[Finding]) -> None:
        """What is wrong with the text; an answer about another change or an older text is not shown."""
        if change != self._change or text != self.text.text:
            return
        remarks: dict[int, list[Remark]] = {}
        for finding in findings:
            remarks.setdefault(finding.line or 1, []).append(Remark(finding.severity, finding.message))
        self.text.set_remarks(remarks)
        errors = sum(finding.severity is Severity.ERROR for finding in findings)
        self._save.setEnabled(not errors)
        self._found.set_text(self._told(findings))

    @property
    def change(self) -> str:
        """The change that is edited."""
        return self._change

    @property
    def dirty(self) -> bool:
        """Whether something was typed that is not saved."""
        return self.text.document().isModified()

    def _told(self, findings: Sequence[Finding]) -> str:
        if not findings:
            return self.tr("No findings")
        first = findings[0]
        at = self.tr("line {line}: ").format(line=first.line) if first.line else ""
        more = self.tr("  (+{count} more)").format(count=len(findings) - 1) if len(findings) > 1 else ""
        return f"{at}{first.message}{more}"

    def _ask_check(self) -> None:
        if self.isVisible():
            self.check_asked.emit(self._change, self.text.text)

    def _tell(self) -> None:
        self._still.stop()
        self.text.document().setModified(False)
        self.saved.emit(self._change, self.text.text)
