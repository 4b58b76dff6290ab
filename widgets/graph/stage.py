"""The parts of the graph page and where they stand: bar, picture, legend, table, slider; never one over another."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from app.graph.values import EdgeKind
from widgets.common.actions import ActionSet
from widgets.common.empty_state import StatePages
from widgets.common.parts import column
from widgets.common.theme import Theme
from widgets.graph.actions import GRAPH_ACTIONS
from widgets.graph.canvas import Canvas
from widgets.graph.card import NodeCard
from widgets.graph.legend import Legend
from widgets.graph.strip import LitStrip
from widgets.graph.table import NodeTable
from widgets.graph.timeline import Timeline
from widgets.graph.toolbar import GraphBar

#: Narrower than this, table and legend go below the picture.
_WIDE = 640


class GraphStage(QWidget):
    """Makes the parts and arranges them; what they show is up to the pane."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._with_legend: bool | None = None
        self._arranged: tuple[bool, bool, bool, int] | None = None
        self._bar, self._canvas, self._table = GraphBar(theme), Canvas(), NodeTable()
        self._card, self._legend = NodeCard(self._canvas), Legend()
        self._time, self._strip = Timeline(theme), LitStrip(theme)
        self.actions_here = ActionSet(theme, GRAPH_ACTIONS, self)
        self._build()
        self._bar.legend_toggled.connect(self._show_legend)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow page has table and legend below the picture."""
        super().resizeEvent(event)
        self._arrange()

    def make_room(self, pixels: int) -> None:
        """Leave the lowest pixels free for messages: the picture shrinks and nothing of it is covered."""
        margins = self._page.contentsMargins()
        margins.setBottom(pixels)
        self._page.setContentsMargins(margins)

    def _build(self) -> None:
        self._split = QSplitter()
        for part in (self._legend, self._canvas, self._table):
            self._split.addWidget(part)
        self._split.setChildrenCollapsible(False)
        self._table.hide()
        self._time.hide()
        self._pages = StatePages(self._theme, self._split)
        self._page = column(self._bar, self._strip, self._pages, self._time, spacing=0)
        self._page.setStretch(2, 1)
        self.setLayout(self._page)
        self._canvas.setAccessibleName(self.tr("Graph of the skills"))

    def _show_legend(self, shown: bool) -> None:
        self._with_legend = shown
        self._arrange()

    def _arrange(self) -> None:
        """Legend, picture and table beside each other, or the picture above the others. The legend never covers it."""
        wide = self.width() >= _WIDE
        legend = wide if self._with_legend is None else self._with_legend
        arrangement = (wide, legend, self._table.isVisibleTo(self._split), self._legend.wanted_width)
        if arrangement == self._arranged:
            return
        self._arranged = arrangement
        self._split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        self._split.insertWidget(0 if wide else 1, self._legend)
        self._split.setStretchFactor(self._split.indexOf(self._canvas), 1)
        self._legend.setVisible(legend)
        side = self._legend.wanted_width
        whole = max(self.width() if wide else self.height() - 40, 400)
        table = whole * 2 // 5 if arrangement[2] else 0
        side = side if wide else min(self._legend.wanted_height, whole // 3)
        side = side if legend else 0
        sizes = [side, whole - side - table, table] if wide else [whole - side - table, side, table]
        self._split.setSizes(sizes)
        was = self._bar.blockSignals(True)
        self._bar.legend.setChecked(legend)
        self._bar.blockSignals(was)
        self._offer()

    def _offer(self) -> None:
        """Menu entries show what is on."""
        actions = self.actions_here
        actions.check("graph.legend", on=self._bar.legend.isChecked())
        actions.check("graph.table", on=self._bar.table.isChecked())
        actions.check("graph.time", on=self._bar.time.isChecked())
        for kind in EdgeKind:
            actions.check(f"graph.{kind.value}", on=kind in self._bar.kinds)
        actions.enable(("graph.unlit",), on=self._strip.speaks)
