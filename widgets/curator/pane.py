"""The curator page: status card, a running run, past runs, and the report of the chosen one."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.curator.values import CuratorStatus, RunRow
from app.errors import Failure
from widgets.common.actions import ActionSet
from widgets.common.empty_state import StatePages
from widgets.common.parts import column, label
from widgets.common.theme import Theme
from widgets.curator.actions import CURATOR_ACTIONS, RUN_MENU
from widgets.curator.card import StatusCard
from widgets.curator.progress import RunProgress
from widgets.curator.report import ReportView
from widgets.curator.runs import RunTable

#: Lower than this, the report gets the room the thresholds and older runs take.
_LOW = 620
#: While a run is under way, a report is shown below its log only from this height on.
_BOTH = 860


class CuratorPane(QWidget):
    """Signals: run_requested(dry run), cancel_requested(), pause_requested(paused), report_requested(run),
    skill_selected(name), proposal_opened(id), link_activated(kind, target), settings_requested(),
    review_requested(run), graph_requested(run), undo_requested(run), rollback_requested().
    """

    run_requested = Signal(bool)
    cancel_requested = Signal()
    pause_requested = Signal(bool)
    report_requested = Signal(str)
    skill_selected = Signal(str)
    proposal_opened = Signal(str)
    link_activated = Signal(str, str)
    settings_requested = Signal()
    review_requested = Signal(str)
    graph_requested = Signal(str)
    undo_requested = Signal(str)
    rollback_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._running = self._low = False
        self._status: CuratorStatus | None = None
        self._wanted = ""
        self.actions_here = ActionSet(theme, CURATOR_ACTIONS, self)
        self._card, self._progress = StatusCard(theme), RunProgress(theme)
        self._table, self._report = RunTable(), ReportView(theme)
        self._failure = label(role="danger", wrap=True)
        self._failure.hide()
        self._progress.hide()
        self._pages = StatePages(theme, self._report)
        self._top: QVBoxLayout = column(self._card, self._progress, self._failure, margins=(16, 12, 16, 10), spacing=8)
        self._top.setStretch(1, 1)
        self._page = column(self._top, self._table, self._pages, spacing=0)
        self.setLayout(self._page)
        self._connect()
        self._show_none()
        self._refresh()

    def set_status(self, status: CuratorStatus) -> None:
        """Show how things stand; a run that began or ended shows or hides its progress."""
        self._status = status
        self._card.set_status(status)
        self._progress.set_budget(status.budget)
        if status.running and not self._running:
            self._progress.begin()
        self._running = status.running
        self._progress.setVisible(status.running)
        if status.running:
            self._failure.hide()
        self._arrange()
        self._refresh()

    def set_runs(self, runs: Sequence[RunRow]) -> None:
        """Show past runs, newest first; the newest is opened when none is."""
        self._table.set_rows(runs)
        self._table.setVisible(bool(runs))
        if not runs:
            self._show_none()
        elif not self._table.current:
            self._open(runs[0].run)
        self._report.set_counts(self._row(self._wanted))
        self._arrange()
        self._refresh()

    def show_report(self, run: str, markdown: str) -> None:
        """Show the report that was asked for; one that comes too late is not shown."""
        if self._wanted and run != self._wanted:
            return
        self._wanted = run
        self._table.select(run)
        self._report.show_report(run, markdown)
        self._report.set_counts(self._row(run))
        self._pages.show_content()
        self._refresh()

    def open_run(self, run: str) -> None:
        """Go to a run, for a link from elsewhere."""
        self._open(run)

    def set_progress(self, phase: str, skill: str, calls: int, tokens: int = 0, cost: float = 0.0) -> None:
        """Where the running run is and what it used so far."""
        if not self._running:
            self._running = True
            self._progress.begin()
            self._progress.show()
            self._arrange()
            self._refresh()
        self._progress.show_step(phase, skill, calls, tokens, cost)

    def add_log(self, line: str) -> None:
        """A line of the running run's log."""
        if line:
            self._progress.add_line(line)

    def show_failure(self, failure: Failure) -> None:
        """A run or a reading failed."""
        self._failure.setText(f"{failure.title}. {failure.text}")
        self._failure.show()
        if self._pages.kind == "loading":
            self._pages.show_failure(failure, ("", ""))

    def carry_out(self, action: str) -> None:
        """Do what one of the page's actions says, wherever it was picked."""
        does = {
            "curator.run": lambda: self.run_requested.emit(False),
            "curator.dry": lambda: self.run_requested.emit(True),
            "curator.cancel": self.cancel_requested.emit,
            "curator.pause": lambda: self.pause_requested.emit(self._status is None or not self._status.paused),
            "curator.settings": self.settings_requested.emit,
            "curator.review": self._ask_review,
            "curator.graph": self._ask_graph,
            "curator.undo": self._ask_undo,
            "curator.rollback": self.rollback_requested.emit,
        }
        does[action]()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A low page gives its room to the report."""
        super().resizeEvent(event)
        self._arrange()

    def _connect(self) -> None:
        self._card.run_requested.connect(self.run_requested)
        self._card.pause_requested.connect(self.pause_requested)
        self._card.settings_requested.connect(self.settings_requested)
        self._progress.cancel_requested.connect(self.cancel_requested)
        self._table.chosen.connect(self._open)
        self._table.menu_asked.connect(self._open_menu)
        self._report.skill_selected.connect(self.skill_selected)
        self._report.proposal_opened.connect(self.proposal_opened)
        self._report.link_activated.connect(self.link_activated)
        self._report.review_asked.connect(self._ask_review)
        self._report.graph_asked.connect(self._ask_graph)
        self._report.undo_asked.connect(self._ask_undo)
        self._pages.action_requested.connect(self._act)
        self.actions_here.triggered.connect(self.carry_out)

    def _arrange(self) -> None:
        low = self.height() < _LOW
        self._card.set_low(low)
        self._top.setContentsMargins(*((12, 8, 12, 6) if low else (16, 12, 16, 10)))
        # While a run is under way its progress is what the page is about.
        only_run = self._running and self.height() < _BOTH
        self._table.setVisible(bool(self._table.rows) and not only_run)
        self._pages.setVisible(not only_run)
        self._page.setStretch(0, 1 if self._running else 0)
        self._page.setStretch(2, 0 if only_run else 1)
        self._table.setFixedHeight(self._table.height_for(low=low))

    def _refresh(self) -> None:
        """Actions offer what can be done now."""
        status, row = self._status, self._row(self._wanted)
        enabled = status is not None and status.enabled
        offers = {
            "curator.run": enabled and not self._running,
            "curator.dry": enabled and not self._running,
            "curator.cancel": self._running,
            "curator.pause": enabled,
            "curator.review": row is not None and row.waiting > 0,
            "curator.graph": row is not None and not row.dry_run,
            "curator.undo": row is not None and not row.dry_run,
        }
        for name, on in offers.items():
            self.actions_here.enable((name,), on=on)
        self.actions_here.check("curator.pause", on=status is not None and status.paused)

    def _open(self, run: str) -> None:
        self._wanted = run
        self._table.select(run)
        self._pages.show_loading(self.tr("Reading the report…"))
        self.report_requested.emit(run)

    def _open_menu(self, place: QPoint) -> None:
        menu = self.actions_here.menu(RUN_MENU, "", self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    def _row(self, run: str) -> RunRow | None:
        return next((item for item in self._table.rows if item.run == run), None)

    def _ask_review(self) -> None:
        self.review_requested.emit(self._wanted)

    def _ask_graph(self) -> None:
        self.graph_requested.emit(self._wanted)

    def _ask_undo(self) -> None:
        self.undo_requested.emit(self._wanted)

    def _show_none(self) -> None:
        self._table.hide()
        text = self.tr(
            "A run looks for skills nobody uses and for siblings that belong together. It asks before it acts."
        )
        self._pages.show_empty("curator", self.tr("No run yet"), text, ("dry", self.tr("Try a dry run")))

    def _act(self, _action: str) -> None:
        self.run_requested.emit(True)
