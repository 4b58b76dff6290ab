"""The bar under the tree while more than one skill is selected."""

from collections.abc import Collection

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QToolButton

from widgets.common.actions import ActionSet
from widgets.common.flow import FlowLayout
from widgets.common.parts import column, label, row, tool_button
from widgets.common.theme import Theme
from widgets.library.skill_actions import BULK_ACTIONS

_WORDS_FROM = 280


class BulkBar(QFrame):
    """Says how many are selected and offers what fits at least one of them."""

    closed = Signal()

    def __init__(self, actions: ActionSet, theme: Theme) -> None:
        super().__init__()
        self._count = label(role="heading")
        self._buttons: dict[str, QToolButton] = {}
        flow = FlowLayout(spacing=2)
        for name in BULK_ACTIONS:
            made = QToolButton()
            made.setDefaultAction(actions.action(name))
            made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            made.setProperty("labelled", True)
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._buttons[name] = made
            flow.addWidget(made)
        close = tool_button(theme, "close", self.tr("Clear the selection"))
        close.clicked.connect(self.closed)
        self.setProperty("ground", "raised")
        self.setProperty("edge", "top")
        self.setLayout(column(row(self._count, None, close), flow, margins=(12, 6, 8, 8), spacing=4))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow pane icons have to do; their tooltips say the words."""
        super().resizeEvent(event)
        words = event.size().width() >= _WORDS_FROM
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if words else Qt.ToolButtonStyle.ToolButtonIconOnly
        for made in self._buttons.values():
            if made.toolButtonStyle() is not style:
                made.setToolButtonStyle(style)

    def show_for(self, count: int, fits: Collection[str]) -> None:
        """Show the bar for a selection of `count` skills; one skill needs none."""
        self.setVisible(count > 1)
        self._count.setText(self.tr("{count} selected").format(count=count))
        for name, made in self._buttons.items():
            made.setVisible(name in fits and name != "skill.unadopt")
