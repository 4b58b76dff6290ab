"""One run's report: how many skills before and after as two bars, and REPORT.md with links that select."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.curator.values import RunRow
from widgets.common.markdown_view import MarkdownView, Page
from widgets.common.meter import Meter
from widgets.common.parts import bar, column, label, row
from widgets.common.theme import Theme


class ReportView(QWidget):
    """Signals: skill_selected(name), proposal_opened(id), link_activated(kind, target) for every other link."""

    skill_selected = Signal(str)
    proposal_opened = Signal(str)
    link_activated = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before, self._after = Meter(theme), Meter(theme)
        self._counts = (label(role="caption"), label(role="caption"))
        names = (label(self.tr("Before"), "caption"), label(self.tr("After"), "caption"))
        for name, count in zip(names, self._counts, strict=True):
            name.setFixedWidth(48)
            count.setFixedWidth(40)
        lines = column(
            row(names[0], self._before, self._counts[0]),
            row(names[1], self._after, self._counts[1]),
            margins=(16, 8, 16, 8),
            spacing=4,
        )
        self._head = bar(lines, "surface")
        self._text = MarkdownView(theme)
        self._text.link_activated.connect(self._follow)
        page = column(self._head, self._text, spacing=0)
        page.setStretch(1, 1)
        self.setLayout(page)

    def show_report(self, run: str, markdown: str) -> None:
        """Show a report."""
        self._text.set_page(Page(markdown, location=f"run:{run}", own=True))

    def set_counts(self, run: RunRow | None) -> None:
        """Show how many skills there were before and after; None when the run's row is not known."""
        self._head.setVisible(run is not None)
        if run is None:
            return
        most = max(run.before, run.after, 1)
        for meter, count, told, token in (
            (self._before, run.before, self._counts[0], "edge"),
            (self._after, run.after, self._counts[1], "accent"),
        ):
            meter.set_parts([(count / most, token)], str(count))
            told.setText(str(count))

    def _follow(self, kind: str, target: str) -> None:
        if kind == "skill":
            self.skill_selected.emit(target)
        elif kind == "proposal":
            self.proposal_opened.emit(target)
        else:
            self.link_activated.emit(kind, target)
