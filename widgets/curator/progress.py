"""A running curator: its phases, the skill it looks at, what it used of its budget, its log, and Cancel."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QProgressBar, QWidget

from app.curator.values import Budget
from widgets.common.chips import Chip
from widgets.common.meter import Meter
from widgets.common.parts import ElidedLabel, button, card, column, row
from widgets.common.theme import Theme
from widgets.curator.words import use_share, use_word

_LINES = 500
#: The phases in their order, as a run names them.
PHASES = ("ages", "merging", "report")


class RunProgress(QWidget):
    """Signals: cancel_requested()."""

    cancel_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._budget = Budget()
        self._phase = ""
        self._steps = {phase: Chip(theme) for phase in PHASES}
        self._skill = ElidedLabel(theme)
        self._used = ElidedLabel(theme, "muted")
        self._used.set_small(True)
        self._meter = Meter(theme)
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(4)
        self._log = QPlainTextEdit()
        self._log.setReadOnly(True)
        self._log.setProperty("mono", True)
        self._log.setMaximumBlockCount(_LINES)
        self._log.setMinimumHeight(64)
        self._log.setAccessibleName(self.tr("Log of this run"))
        self._cancel = button(theme, self.tr("Cancel"), icon="stop", tip=self.tr("Stop; what it found is kept"))
        self._cancel.clicked.connect(self._ask_cancel)
        head = row(*self._steps.values(), None, self._cancel, spacing=6)
        budget = row(self._used, self._meter, spacing=10)
        budget.setStretch(0, 1)
        self._meter.setFixedWidth(120)
        inside = column(head, self._bar, self._skill, budget, self._log, margins=(14, 8, 12, 10), spacing=6)
        self.setLayout(column(card(inside)))

    def set_budget(self, budget: Budget) -> None:
        """What the run may use."""
        self._budget = budget

    def begin(self) -> None:
        """A run starts: an empty log."""
        self._log.clear()
        self._skill.set_text(self.tr("Starting"))
        self._cancel.setEnabled(True)
        self._mark("")
        self._use(0, 0, 0.0)

    def show_step(self, phase: str, skill: str, calls: int, tokens: int = 0, cost: float = 0.0) -> None:
        """Show where the run is and what it used so far."""
        self._mark(phase)
        if skill:
            self._skill.set_text(skill)
        elif phase == PHASES[-1]:
            self._skill.set_text(self.tr("Writing the report"))
        self._use(calls, tokens, cost)

    def add_line(self, line: str) -> None:
        """Add a line to the log."""
        self._log.appendPlainText(line)

    def _mark(self, phase: str) -> None:
        words = {
            "ages": self.tr("Ages"),
            "merging": self.tr("Siblings"),
            "report": self.tr("Report"),
        }
        here = PHASES.index(phase) if phase in PHASES else -1
        for at, (name, chip) in enumerate(self._steps.items()):
            token = "active" if at < here else "info" if at == here else "muted"
            chip.show_fact(f"✓ {words[name]}" if at < here else f"{at + 1} {words[name]}", token)

    def _use(self, calls: int, tokens: int, cost: float) -> None:
        told = use_word(calls, tokens, cost, self._budget)
        self._used.set_text(told)
        self._meter.set_share(use_share(calls, tokens, cost, self._budget), told)

    def _ask_cancel(self) -> None:
        self._cancel.setEnabled(False)
        self._skill.set_text(self.tr("Stopping; what was found so far is kept"))
        self.cancel_requested.emit()
