"""Rolling the library back to a day: the days there are, what it would change, and the act itself."""

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QDate, Qt, Signal
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QTreeWidget, QTreeWidgetItem, QWidget

from app.cycles.values import RollbackPlan
from app.errors import Failure
from widgets.common.empty_state import StatePages
from widgets.common.parts import button, column, label, row
from widgets.common.split import Split
from widgets.common.theme import Theme
from widgets.common.times import day_of, local_time

_DAY = Qt.ItemDataRole.UserRole


class RollbackDialog(QDialog):
    """Signals: day_chosen(date) asks for the preview, agreed(entry id of the shown preview)."""

    day_chosen = Signal(object)
    agreed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Roll back to a day"))
        self.resize(720, 480)
        self.setMinimumSize(460, 360)
        self._entry = ""
        self._days = QListWidget()
        self._days.setAccessibleName(self.tr("Days on which something was changed"))
        self._days.setMinimumWidth(150)
        self._days.currentItemChanged.connect(self._tell_day)
        self._told = label(role="muted", wrap=True)
        self._steps = QTreeWidget()
        self._steps.setRootIsDecorated(False)
        self._steps.setColumnCount(2)
        self._steps.setHeaderLabels([self.tr("What would happen"), self.tr("Skill")])
        self._steps.setAccessibleName(self.tr("What the rollback would change"))
        self._steps.setColumnWidth(0, 170)
        preview = QWidget()
        page = column(self._told, self._steps, margins=(12, 4, 0, 0))
        page.setStretch(1, 1)
        preview.setLayout(page)
        self._pages = StatePages(theme, preview)
        self._yes = button(theme, self.tr("Roll back"), "primary", "history")
        no = button(theme, self.tr("Cancel"), "quiet")
        self._yes.clicked.connect(self._agree)
        no.clicked.connect(self.reject)
        split = Split(self._days, self._pages, beside=190, above=140)
        text = self.tr("One new step is written; nothing is deleted, and the step can be undone like any other.")
        foot = row(None, no, self._yes)
        whole = column(label(text, "caption", wrap=True), split, foot, margins=(16, 14, 16, 12), spacing=10)
        whole.setStretch(1, 1)
        self.setLayout(whole)
        self._yes.setEnabled(False)
        self._pages.show_loading(self.tr("Reading the history…"))

    def set_days(self, days: Sequence[tuple[date, int]]) -> None:
        """List the days, newest first."""
        self._days.clear()
        for day, steps in reversed(days):
            count = self.tr("1 step") if steps == 1 else self.tr("{n} steps").format(n=steps)
            item = QListWidgetItem(f"{day_of(QDate(day.year, day.month, day.day))}   {count}")
            item.setData(_DAY, day.toordinal())
            self._days.addItem(item)
        if days:
            self._pages.show_empty("history", self.tr("Choose a day"), self.tr("You see first what would change."))
        else:
            self._pages.show_empty("history", self.tr("No history yet"), self.tr("Nothing was recorded so far."))

    def set_plan(self, plan: RollbackPlan) -> None:
        """Show what going back would change."""
        words = {
            "archive": self.tr("goes to the archive"),
            "restore": self.tr("comes out of the archive"),
            "bring back": self.tr("stands again"),
            "move": self.tr("moves back"),
            "change": self.tr("gets its old content"),
            "pin": self.tr("is pinned"),
            "unpin": self.tr("is unpinned"),
            "adopt": self.tr("is adopted"),
            "unadopt": self.tr("is no longer managed"),
        }
        self._entry = plan.entry.id
        self._steps.clear()
        for step in plan.steps:
            where = f"{step.name}   → {step.to}" if step.to != step.skill else step.name
            item = QTreeWidgetItem([words.get(step.what, step.what), where])
            item.setToolTip(1, step.to)
            self._steps.addTopLevelItem(item)
        at = local_time(plan.entry.at)
        if plan.conflicts:
            told = self.tr("It cannot be done as it is: {why}").format(why=" ".join(plan.conflicts))
        elif plan.steps:
            told = self.tr("As it stood after {at}: {n} changes.").format(at=at, n=len(plan.steps))
        else:
            told = self.tr("The library stands exactly as after {at}.").format(at=at)
        self._told.setText(told)
        self._yes.setEnabled(bool(plan.steps) and not plan.conflicts)
        self._pages.show_content()

    def show_failure(self, failure: Failure) -> None:
        """The days or the preview could not be read."""
        self._yes.setEnabled(False)
        self._pages.show_failure(failure, ("", ""))

    def _tell_day(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._yes.setEnabled(False)
            self._pages.show_loading(self.tr("Looking what would change…"))
            self.day_chosen.emit(date.fromordinal(item.data(_DAY)))

    def _agree(self) -> None:
        self.agreed.emit(self._entry)
        self.accept()
