"""The strip above a change that says what is special about it: moved on, conflict, script, untrusted turn."""

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.proposals.values import Change, Proposal
from app.skills.values import Severity
from widgets.common.parts import label
from widgets.common.theme import Theme


class Banner(QFrame):
    """A few sentences on a tinted ground; hidden when there is nothing to say."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("card", "warn")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 8, 12, 8)
        self._column.setSpacing(4)
        self.hide()

    def set_change(self, proposal: Proposal, change: Change) -> None:
        """Say what has to be known before deciding."""
        while (item := self._column.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        lines = [*self._facts(proposal, change), *self._findings(change)]
        for line in lines:
            self._column.addWidget(label(line, wrap=True))
        self.setVisible(bool(lines))
        self.setAccessibleName(" ".join(lines))

    def _facts(self, proposal: Proposal, change: Change) -> list[str]:
        facts = []
        if change.conflicts:
            paths = ", ".join(conflict.path for conflict in change.conflicts[:4])
            told = self.tr("Both sides changed the same lines of {paths}. Edit the text, then it can be approved.")
            facts.append(told.format(paths=paths))
        elif change.moved_on:
            told = self.tr("The skill was changed since this was proposed. This is revision {n}, merged with it.")
            facts.append(told.format(n=change.revision))
        if proposal.untrusted:
            facts.append(self.tr("The conversation it comes from had text in it that is not your own."))
        if change.has_script:
            facts.append(self.tr("It brings or changes a script, which an agent may run."))
        if change.mentioned_by:
            told = self.tr("Named in {names}; the name keeps working and leads to the umbrella.")
            facts.append(told.format(names=", ".join(change.mentioned_by[:5])))
        return facts

    def _findings(self, change: Change) -> list[str]:
        return [finding.message for finding in change.findings if finding.severity is not Severity.INFO][:4]
