"""The curator page: status card, a running run, past runs, and the report of the chosen one."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QWidget

from app.curator.values import CuratorStatus, RunRow
from app.errors import Failure
from widgets.common.empty_state import StatePages
from widgets.common.parts import column, label
from widgets.common.theme import Theme
from widgets.curator.card import StatusCard
from widgets.curator.progress import RunProgress
from widgets.curator.report import ReportView
from widgets.curator.runs import RunTable

#: In a low window the page scrolls rather than squeezing the report.
_REPORT_HEIGHT = 240


class CuratorPane(QWidget):
    """Signals: run_requested(dry run), cancel_requested(), pause_requested(paused), report_requested(run),
    skill_selected(name), proposal_opened(id), link_activated(kind, target), settings_requested().
    """

    run_requested = Signal(bool)
    cancel_requested = Signal()
    pause_requested = Signal(bool)
    report_requested = Signal(str)
    skill_selected = Signal(str)
    proposal_opened = Signal(str)
    link_activated = Signal(str, str)
    settings_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._running = False
        self._wanted = ""
        self._card, self._progress = StatusCard(theme), RunProgress(theme)
        self._table, self._report = RunTable(), ReportView(theme)
        self._failure = label(role="danger", wrap=True)
        self._failure.hide()
        self._progress.hide()
        self._pages = StatePages(theme, self._report)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self._table)
        split.addWidget(self._pages)
        split.setSizes([150, 420])
        split.setStretchFactor(1, 1)
        split.setChildrenCollapsible(False)
        self._table.setMinimumHeight(88)
        self._pages.setMinimumHeight(_REPORT_HEIGHT)
        top = column(self._card, self._progress, self._failure, margins=(16, 16, 16, 12), spacing=8)
        inside = QWidget()
        page = column(top, split, spacing=0)
        page.setStretch(1, 1)
        inside.setLayout(page)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setLayout(column(area, spacing=0))
        self._connect()
        self._show_none()

    def set_status(self, status: CuratorStatus) -> None:
        """Show how things stand; a run that began or ended shows or hides its progress."""
        self._card.set_status(status)
        if status.running and not self._running:
            self._progress.begin()
        self._running = status.running
        self._progress.setVisible(status.running)
        if status.running:
            self._failure.hide()

    def set_runs(self, runs: Sequence[RunRow]) -> None:
        """Show past runs, newest first; the newest is opened when none is."""
        self._table.set_rows(runs)
        if not runs:
            self._show_none()
        elif not self._table.current:
            self._open(runs[0].run)
        self._report.set_counts(self._row(self._wanted))

    def show_report(self, run: str, markdown: str) -> None:
        """Show the report that was asked for; one that comes too late is not shown."""
        if self._wanted and run != self._wanted:
            return
        self._table.select(run)
        self._report.show_report(run, markdown)
        self._report.set_counts(self._row(run))
        self._pages.show_content()

    def open_run(self, run: str) -> None:
        """Go to a run, for a link from elsewhere."""
        self._open(run)

    def set_progress(self, phase: str, skill: str, calls: int) -> None:
        """Where the running run is."""
        if not self._running:
            self._running = True
            self._progress.begin()
            self._progress.show()
        self._progress.show_step(phase, skill, calls)

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

    def _connect(self) -> None:
        self._card.run_requested.connect(self.run_requested)
        self._card.pause_requested.connect(self.pause_requested)
        self._card.settings_requested.connect(self.settings_requested)
        self._progress.cancel_requested.connect(self.cancel_requested)
        self._table.chosen.connect(self._open)
        self._report.skill_selected.connect(self.skill_selected)
        self._report.proposal_opened.connect(self.proposal_opened)
        self._report.link_activated.connect(self.link_activated)
        self._pages.action_requested.connect(self._act)

    def _open(self, run: str) -> None:
        self._wanted = run
        self._table.select(run)
        self._pages.show_loading(self.tr("Reading the report…"))
        self.report_requested.emit(run)

    def _row(self, run: str) -> RunRow | None:
        return next((item for item in self._table.rows if item.run == run), None)

    def _show_none(self) -> None:
        text = self.tr(
            "A run looks for skills nobody uses and for siblings that belong together. It asks before it acts."
        )
        self._pages.show_empty("curator", self.tr("No run yet"), text, ("dry", self.tr("Try a dry run")))

    def _act(self, _action: str) -> None:
        self.run_requested.emit(True)
