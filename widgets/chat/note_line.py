"""One line about a background job: what a review learned, with its diff and undo; what a curator run did."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QMenu, QToolButton

from widgets.chat.card import Card
from widgets.chat.items import NoteItem
from widgets.common.flow import FlowLayout
from widgets.common.parts import button, label, row, tool_button
from widgets.common.theme import Theme, on_change


class NoteLine(Card):
    """Signals: diff_requested and undo_requested (ledger entry), proposal_opened, run_opened, hold_requested()."""

    diff_requested = Signal(str)
    undo_requested = Signal(str)
    proposal_opened = Signal(str)
    run_opened = Signal(str)
    hold_requested = Signal()

    def __init__(self, theme: Theme, item: NoteItem) -> None:
        super().__init__(theme)
        self._item = item
        self._left = list(item.entries)
        self.setProperty("card", "raised")
        self._icon = QLabel()
        self._icon.setFixedSize(QSize(18, 18))
        self._text = label(item.text, wrap=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._undo = button(theme, self.tr("Undo"), "link", tip=self.tr("Take back what was learned here"))
        self._undo.clicked.connect(self._ask_undo)
        top = Qt.AlignmentFlag.AlignTop
        line = row(spacing=8)
        line.addWidget(self._icon, 0, top)
        line.addWidget(self._text, 1)
        self.column.setContentsMargins(10, 7, 8, 5)
        self.column.addLayout(line)
        self._buttons = FlowLayout(spacing=4)  # in a narrow chat one below the other, never cut
        self._add_buttons()
        if self._buttons.count():
            foot = row(margins=(24, 0, 0, 0), spacing=4)
            foot.addLayout(self._buttons, 1)
            if item.entries:
                foot.addWidget(self._menu_button(), 0, top)
            self.column.addLayout(foot)
        on_change(theme, self.restyle)

    @property
    def entries(self) -> tuple[str, ...]:
        """The ledger entries behind this line."""
        return self._item.entries

    def set_undone(self, entry: str) -> None:
        """One of the changes was taken back."""
        if entry not in self._left:
            return
        self._left.remove(entry)
        if not self._left:
            self._undo.setText(self.tr("Undone"))
            self._undo.setEnabled(False)

    def copy(self) -> None:
        """Put the line on the clipboard."""
        QGuiApplication.clipboard().setText(self._item.text)

    def restyle(self) -> None:
        """The picture in the colours of the theme."""
        self._icon.setPixmap(self.theme.pixmap(self._item.icon, "accent", 16, self.devicePixelRatioF()))

    def _add_buttons(self) -> None:
        if self._item.entries:
            diff = button(self.theme, self.tr("Show the diff"), "link")
            diff.clicked.connect(self._ask_diff)
            self._buttons.addWidget(diff)
            self._buttons.addWidget(self._undo)
        if self._item.run:
            report = button(self.theme, self.tr("Read the report"), "link")
            report.clicked.connect(self._ask_run)
            self._buttons.addWidget(report)
        if self._item.proposals:
            waiting = button(self.theme, self.tr("Open in Review"), "link")
            waiting.clicked.connect(self._ask_proposal)
            self._buttons.addWidget(waiting)

    def _menu_button(self) -> QToolButton:
        more = tool_button(self.theme, "more", self.tr("More"))
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(more)
        menu.addAction(self.tr("Hold such changes for approval")).triggered.connect(self._ask_hold)
        more.setMenu(menu)
        return more

    def _ask_diff(self) -> None:
        for entry in self._item.entries[:1]:
            self.diff_requested.emit(entry)

    def _ask_undo(self) -> None:
        for entry in tuple(reversed(self._left)):
            self.undo_requested.emit(entry)

    def _ask_run(self) -> None:
        self.run_opened.emit(self._item.run)

    def _ask_proposal(self) -> None:
        self.proposal_opened.emit(self._item.proposals[0])

    def _ask_hold(self) -> None:
        self.hold_requested.emit()
