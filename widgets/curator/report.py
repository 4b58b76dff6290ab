"""One run's report: how many skills before and after as two bars, what came of it, and REPORT.md with links."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.curator.values import RunRow
from widgets.common.chips import Chip
from widgets.common.flow import FlowLayout
from widgets.common.markdown_view import MarkdownView, Page
from widgets.common.meter import Meter
from widgets.common.parts import bar, button, column, label, row
from widgets.common.theme import Theme


class ReportView(QWidget):
    """Signals: skill_selected(name), proposal_opened(id), link_activated(kind, target) for every other link;
    review_asked(), graph_asked(), undo_asked() about the shown run.
    """

    skill_selected = Signal(str)
    proposal_opened = Signal(str)
    link_activated = Signal(str, str)
    review_asked = Signal()
    graph_asked = Signal()
    undo_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before, self._after = Meter(theme), Meter(theme)
        self._counts = (label(role="caption"), label(role="caption"))
        self._names = (label(self.tr("Before"), "caption"), label(self.tr("After"), "caption"))
        for name, count in zip(self._names, self._counts, strict=True):
            name.setFixedWidth(44)
            count.setFixedWidth(36)
        self._chips = {name: Chip(theme) for name in ("dry", "failed", "merged", "archived", "waiting")}
        self._review = button(theme, self.tr("Review"), "link", "", self.tr("Go to what waits of this run"))
        self._graph = button(theme, self.tr("Graph"), "link", "", self.tr("Light up in the graph what it is about"))
        self._undo = button(theme, self.tr("Undo the run…"), "link", "", self.tr("Take back what was applied of it"))
        facts = QWidget()
        flow = FlowLayout(facts, spacing=8)
        for part in (*self._chips.values(), self._review, self._graph, self._undo):
            flow.addWidget(part)
        lines = column(
            row(self._names[0], self._before, self._counts[0], spacing=6),
            row(self._names[1], self._after, self._counts[1], spacing=6),
            facts,
            margins=(16, 6, 16, 6),
            spacing=4,
        )
        self._head: QFrame = bar(lines, "surface")
        self._text = MarkdownView(theme)
        self._text.link_activated.connect(self._follow)
        self._review.clicked.connect(self.review_asked)
        self._graph.clicked.connect(self.graph_asked)
        self._undo.clicked.connect(self.undo_asked)
        page = column(self._head, self._text, spacing=0)
        page.setStretch(1, 1)
        self.setLayout(page)

    def show_report(self, run: str, markdown: str) -> None:
        """Show a report."""
        self._text.set_page(Page(markdown, location=f"run:{run}", own=True))

    def set_counts(self, run: RunRow | None) -> None:
        """Show how many skills there were before and after, and what came of the run; None when it is not known."""
        self._head.setVisible(run is not None)
        if run is None:
            return
        most = max(run.before, run.after, 1)
        told = self.tr("{n} skills before, {m} when everything of it is approved").format(n=run.before, m=run.after)
        for meter, count, shown, token in (
            (self._before, run.before, self._counts[0], "edge"),
            (self._after, run.after, self._counts[1], "accent"),
        ):
            meter.set_parts([(count / most, token)], told)
            shown.setText(str(count))
        self._chips["dry"].show_fact(self.tr("dry run") if run.dry_run else "", "info")
        self._chips["failed"].show_fact(self.tr("failed") if run.error else "", "danger", "", run.error)
        words = {
            "merged": (self.tr("{n} merged"), run.merged, "muted"),
            "archived": (self.tr("{n} to archive"), run.archived, "muted"),
            "waiting": (self.tr("{n} waiting"), run.waiting, "warn"),
        }
        for name, (word, count, token) in words.items():
            self._chips[name].show_fact(word.format(n=count) if count else "", token)
        self._review.setVisible(run.waiting > 0)
        self._graph.setVisible(not run.dry_run)
        self._undo.setVisible(not run.dry_run)

    def _follow(self, kind: str, target: str) -> None:
        if kind == "skill":
            self.skill_selected.emit(target)
        elif kind == "proposal":
            self.proposal_opened.emit(target)
        else:
            self.link_activated.emit(kind, target)
