"""The Findings tab: each remark with its rule and line, and a fix where one is known."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from app.skills.values import Finding, Severity
from widgets.common.empty_state import StatePages
from widgets.common.flow import FlowLayout
from widgets.common.parts import bar, button, card, column, label, row, scroll_area
from widgets.common.theme import Theme

_ICONS = {Severity.ERROR: ("error", "danger"), Severity.WARNING: ("warning", "warn"), Severity.INFO: ("info", "info")}
_SHOWN = 200
#: A fix that holds a whole description would make the page scroll sideways; its tooltip has all of it.
_LONGEST = 36


class FindingsTab(QWidget):
    """A card per finding, the worst first."""

    #: Go to this line in the editor.
    line_requested = Signal(int)
    #: Apply the fix of this Finding.
    fix_requested = Signal(object)
    #: Apply every safe fix at once.
    all_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._findings: tuple[Finding, ...] = ()
        self._buttons: dict[QPushButton, Finding] = {}
        self._all = button(theme, "", "primary", "fix", self.tr("One step in the history; it can be undone"))
        self._all.clicked.connect(self.all_requested)
        self._head = bar(row(self._all, None, margins=(16, 8, 16, 8)), "surface")
        self._column = QVBoxLayout()
        self._column.setContentsMargins(16, 16, 16, 16)
        self._column.setSpacing(8)
        inside = QWidget()
        inside.setProperty("ground", "surface")
        inside.setLayout(self._column)
        scroll = scroll_area(inside, self.tr("Findings"))
        self._pages = StatePages(theme, scroll)
        self.setLayout(column(self._head, self._pages, spacing=0))
        theme.changed.connect(self._fill)
        self._fill()

    @Slot(object)
    def set_findings(self, findings: Sequence[Finding]) -> None:
        """Show these findings."""
        rank = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
        fresh = tuple(sorted(findings, key=lambda item: (rank[item.severity], item.line or 0)))
        if fresh != self._findings:
            self._findings = fresh
            self._fill()

    @Slot()
    def _fill(self) -> None:
        self._buttons.clear()
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for finding in self._findings[:_SHOWN]:
            self._column.addWidget(self._card(finding))
        if len(self._findings) > _SHOWN:
            more = self.tr("{count} more findings are not shown.").format(count=len(self._findings) - _SHOWN)
            self._column.addWidget(label(more, "muted"))
        self._column.addStretch(1)
        safe = sum(finding.one_click for finding in self._findings)
        self._all.setText(self.tr("Mend all {count} that are safe").format(count=safe))
        self._head.setVisible(safe > 1)
        if self._findings:
            self._pages.show_content()
        else:
            text = self.tr("The skill follows the format, and nothing needs your attention.")
            self._pages.show_empty("success", self.tr("No findings"), text)

    def _card(self, finding: Finding) -> QFrame:
        name, token = _ICONS[finding.severity]
        picture = label()
        picture.setPixmap(self._theme.pixmap(name, token, 16, self.devicePixelRatioF()))
        picture.setToolTip(finding.severity.value)
        picture.setAccessibleName(finding.severity.value)
        place = self.tr("line {line}").format(line=finding.line) if finding.line else self.tr("the folder")
        by_hand = finding.fix if finding.fix and not finding.one_click else ""
        said = f"{finding.rule}  ·  {place}" + (f"  ·  {by_hand}" if by_hand else "")
        actions = FlowLayout(spacing=4)
        words = column(label(finding.message, wrap=True), label(said, "caption", wrap=True), spacing=2)
        line = row(picture, words, margins=(12, 8, 8, 8), spacing=10)
        line.setStretch(1, 1)
        if finding.line:
            actions.addWidget(self._button(self.tr("Go to line"), "quiet", finding, self._on_line))
        if finding.one_click and finding.fix:
            actions.addWidget(self._button(finding.fix, "", finding, self._on_fix))
        if actions.count():
            words.addLayout(actions)
        return card(line)

    def _button(self, text: str, kind: str, finding: Finding, slot: object) -> QPushButton:
        made = button(self._theme, text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…", kind, tip=text)
        made.clicked.connect(slot)
        self._buttons[made] = finding
        return made

    @Slot()
    def _on_line(self) -> None:
        finding = self._pressed()
        if finding is not None and finding.line:
            self.line_requested.emit(finding.line)

    @Slot()
    def _on_fix(self) -> None:
        finding = self._pressed()
        if finding is not None:
            self.fix_requested.emit(finding)

    def _pressed(self) -> Finding | None:
        pressed = self.sender()
        return self._buttons.get(pressed) if isinstance(pressed, QPushButton) else None
