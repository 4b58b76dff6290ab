"""The strip above a change that says what is special about it: moved on, conflict, loss, script, untrusted turn."""

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.proposals.values import Change, Proposal
from app.skills.values import Action, Severity
from app.text.values import Fate
from widgets.common.parts import label, restyle
from widgets.common.theme import Theme
from widgets.review.words import share_kept

#: Sentences shown in a low page; the others are in the tooltip.
_FEW = 1
_MANY = 8


class Banner(QFrame):
    """A few sentences on a tinted ground; hidden when there is nothing to say."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._most = _MANY
        self._lines: list[str] = []
        self.setProperty("card", "warn")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(10, 5, 10, 5)
        self._column.setSpacing(2)
        self.hide()

    @property
    def speaks(self) -> bool:
        """Whether there is anything to say."""
        return bool(self._lines)

    def set_low(self, low: bool) -> None:
        """Say less where the page is low."""
        most = _FEW if low else _MANY
        if most != self._most:
            self._most = most
            self._fill()

    def set_change(self, proposal: Proposal, change: Change) -> None:
        """Say what has to be known before deciding."""
        alarm = is_alarming(change)
        self._lines = [*self._alarms(change), *self._facts(proposal, change), *self._findings(change)]
        restyle(self, "card", "danger" if alarm or change.conflicts else "warn")
        self._fill()
        self.setAccessibleName(" ".join(self._lines))

    def _fill(self) -> None:
        while (item := self._column.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for line in self._lines[: self._most]:
            self._column.addWidget(label(line, wrap=True))
        rest = len(self._lines) - self._most
        if rest > 0:
            more = self.tr("1 more: rest the pointer here") if rest == 1 else self.tr("{n} more: rest the pointer here")
            self._column.addWidget(label(more.format(n=rest), "caption"))
        self.setToolTip("\n".join(self._lines) if rest > 0 else "")

    def _alarms(self, change: Change) -> list[str]:
        if not is_alarming(change) or change.loss is None:
            return []
        dropped = change.loss.count(Fate.DROPPED)
        told = self.tr("Only {share} of this skill is kept: {n} pieces are dropped. The Loss page can keep them.")
        return [told.format(share=share_kept(change.loss), n=dropped)]

    def _facts(self, proposal: Proposal, change: Change) -> list[str]:
        facts = []
        if change.conflicts:
            paths = ", ".join(conflict.path for conflict in change.conflicts[:4])
            told = self.tr("Both sides changed the same lines of {paths}. Settle it on the Conflict page.")
            if change.action is Action.ARCHIVE:
                told = self.tr(
                    "It was edited since: {paths}. Archive it as it is now, on the Conflict page, or reject it."
                )
            facts.append(told.format(paths=paths))
        elif change.moved_on:
            told = self.tr("The skill was changed since this was proposed. This is revision {n}, merged with it.")
            facts.append(told.format(n=change.revision))
        elif change.revision and change.waiting:
            told = self.tr("This is revision {n}: it was edited or merged with newer content since it was proposed.")
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


def is_alarming(change: Change) -> bool:
    """Whether too little of an absorbed skill is kept."""
    return change.loss is not None and bool(change.loss.units) and change.loss.alarm
