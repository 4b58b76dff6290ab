"""The graph page: bar, painted canvas with card and legend, and the table twin, all with one selection."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.errors import Failure
from app.graph.values import EdgeKind, Graph, Layout
from widgets.common.empty_state import StatePages
from widgets.common.theme import Theme
from widgets.graph.canvas import Canvas
from widgets.graph.card import NodeCard
from widgets.graph.grouping import GroupBy, tally
from widgets.graph.inks import inks_of
from widgets.graph.labels import Labels
from widgets.graph.legend import Legend
from widgets.graph.painting import Look
from widgets.graph.picture import Filter, Picture, build_picture, unit_of
from widgets.graph.table import NodeTable
from widgets.graph.toolbar import GraphBar
from widgets.graph.walking import next_neighbour, towards

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}

#: A canvas narrower than this many legends is all picture.
_LEGEND_ROOM = 3.2


class GraphPane(QWidget):
    """Takes a Graph and a Layout. Signals: skill_selected(id), skill_opened(id), menu_requested(id, global place),
    refresh_requested() after a failure.
    """

    skill_selected = Signal(str)
    skill_opened = Signal(str)
    menu_requested = Signal(str, QPoint)
    refresh_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._graph, self._layout, self._unit = Graph(), Layout(), 0.0
        self._by, self._labels, self._hidden = GroupBy.CATEGORY, Labels.AUTO, Filter()
        self._selected: str | None = None
        self._with_legend = True
        self._anchor: str | None = None
        self._inks = inks_of(theme, ())
        self._bar, self._canvas, self._table = GraphBar(theme), Canvas(), NodeTable()
        self._card, self._legend = NodeCard(self._canvas), Legend(self._canvas)
        self._build()
        self._connect()
        self.set_loading()

    def set_graph(self, graph: Graph) -> None:
        """Take the nodes and edges. Until the first layout comes, the page says it is loading; later, nodes the layout
        does not know yet are docked."""
        self._graph = graph
        self._refresh()

    def set_layout(self, layout: Layout) -> None:
        """Take new places. The measure stays that of the first layout as long as it fits, so nothing jumps."""
        unit = unit_of(layout)
        if not self._unit or not 0.5 < unit / self._unit < 2.0:
            self._unit = unit
        self._layout = layout
        self._refresh()

    def set_loading(self) -> None:
        """Say that the library is still being read or laid out."""
        self._pages.show_loading(self.tr("Laying the graph out…"))

    def show_failure(self, failure: Failure) -> None:
        """Say why there is no picture; the button asks for it again."""
        self._pages.show_failure(failure)

    def select(self, skill: str | None) -> None:
        """Select a skill in picture and table, and bring it into view."""
        if skill == self._selected:
            return
        self._selected = self._anchor = skill
        self._table.select(skill)
        self._canvas.set_look(self._look())
        position = self._canvas.picture.find(skill)
        if position is not None:
            self._canvas.reveal(position)
        self._describe()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk, Enter opens, plus, minus and 0 zoom, Esc lets go of the selection."""
        key, selected = Qt.Key(event.key()), self._canvas.picture.find(self._selected)
        if key in _ARROWS:
            self._walk(selected, *_ARROWS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._selected:
            self.skill_opened.emit(self._selected)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self._canvas.zoom(1.25)
        elif key is Qt.Key.Key_Minus:
            self._canvas.zoom(0.8)
        elif key is Qt.Key.Key_0:
            self._canvas.fit()
        elif key is Qt.Key.Key_Escape and self._selected:
            self.select(None)
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forwards: bool) -> bool:
        """Tab goes round the neighbours of the skill that was chosen last; without one it leaves as usual."""
        picture = self._canvas.picture
        centre, current = picture.find(self._anchor), picture.find(self._selected)
        if not self._canvas.hasFocus() or centre is None or current is None:
            return super().focusNextPrevChild(forwards)
        found = next_neighbour(picture, centre, current, 1 if forwards else -1)
        if found is None:
            return super().focusNextPrevChild(forwards)
        anchor = self._anchor
        self._choose(picture.nodes[found].id)
        self._anchor = anchor
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow page has the table below the picture."""
        super().resizeEvent(event)
        wide = self.width() >= 720
        self._split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)

    def _build(self) -> None:
        self._split = QSplitter()
        self._split.addWidget(self._canvas)
        self._split.addWidget(self._table)
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 2)
        self._split.setChildrenCollapsible(False)
        self._table.hide()
        self._pages = StatePages(self._theme, self._split)
        self._pages.action_requested.connect(self._act)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bar)
        column.addWidget(self._pages, 1)
        self._canvas.setAccessibleName(self.tr("Graph of the skills"))

    def _connect(self) -> None:
        self._canvas.hovered.connect(self._lift)
        self._canvas.clicked.connect(self._click)
        self._canvas.double_clicked.connect(self._open)
        self._canvas.menu_asked.connect(self._ask_menu)
        self._canvas.camera_changed.connect(self._moved)
        self._canvas.resized.connect(self._place_legend)
        self._table.chosen.connect(self._choose)
        self._table.opened.connect(self.skill_opened)
        self._table.menu_asked.connect(self.menu_requested)
        self._legend.filtered.connect(self._filter)
        self._bar.fit_asked.connect(self._canvas.fit)
        self._bar.zoom_asked.connect(self._canvas.zoom)
        self._bar.labels_chosen.connect(self._set_labels)
        self._bar.kinds_chosen.connect(self._set_kinds)
        self._bar.group_chosen.connect(self._set_group)
        self._bar.legend_toggled.connect(self._show_legend)
        self._bar.table_toggled.connect(self._show_table)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        """Build the picture anew from what is known and show it everywhere."""
        if self._graph.edges and not self._layout.places:
            self.set_loading()
            return
        counts = tally(self._graph.nodes, self._by)
        self._inks = inks_of(self._theme, [group for group, _ in counts.groups])
        self._legend.set_tally(counts, self._by, self._inks, self._hidden)
        self._place_legend()
        picture = build_picture(self._graph, self._layout, self._unit or 1.0, self._by, self._hidden)
        if self._table.isVisibleTo(self):
            self._table.set_picture(picture)
        self._card.hide()
        self._canvas.show_picture(picture, self._by, self._look(picture))
        if picture.nodes:
            self._pages.show_content()
        elif self._graph.nodes:
            text = self.tr("The filter of the legend leaves no skill.")
            self._pages.show_filtered(self.tr("Nothing to show"), text, ("clear", self.tr("Show all")))
        else:
            text = self.tr("As soon as there is a skill, it appears here with what it is related to.")
            self._pages.show_empty("graph", self.tr("No skills yet"), text)

    def _act(self, action: str) -> None:
        if action == "clear":
            self._hidden = Filter(kinds=self._hidden.kinds)
            self._refresh()
        else:
            self.refresh_requested.emit()

    def _look(self, picture: Picture | None = None) -> Look:
        selected = (picture or self._canvas.picture).find(self._selected)
        font = self._theme.fonts.ui(small=True)
        no_group = self._legend.no_group(self._by)
        return Look(self._inks, font, self._labels, no_group, self.tr("No relations"), selected)

    def _choose(self, skill: str) -> None:
        if skill != self._selected:
            self.select(skill)
            self.skill_selected.emit(skill)

    def _click(self, position: int) -> None:
        if position >= 0:
            self._choose(self._canvas.picture.nodes[position].id)
        else:
            self.select(None)

    def _open(self, position: int) -> None:
        self.skill_opened.emit(self._canvas.picture.nodes[position].id)

    def _ask_menu(self, position: int, place: QPoint) -> None:
        if position >= 0:
            skill = self._canvas.picture.nodes[position].id
            self._choose(skill)
            self.menu_requested.emit(skill, place)

    def _walk(self, selected: int | None, right: int, down: int) -> None:
        picture = self._canvas.picture
        if not picture.nodes:
            return
        found = 0 if selected is None else towards(picture, selected, right, down)
        if found is not None:
            self._choose(picture.nodes[found].id)

    def _lift(self, position: int) -> None:
        if position < 0:
            self._card.hide()
            return
        picture = self._canvas.picture
        self._card.show_node(picture.nodes[position], len(picture.near[position]))

    def _moved(self, scale: float) -> None:
        self._card.hide()
        self._bar.set_scale(scale)

    def _filter(self) -> None:
        self._hidden = self._legend.hidden(self._hidden)
        self._refresh()

    def _set_labels(self, labels: Labels) -> None:
        self._labels = labels
        self._canvas.set_look(self._look())

    def _set_kinds(self, kinds: frozenset[EdgeKind]) -> None:
        self._hidden = Filter(self._hidden.marks, self._hidden.groups, kinds, self._hidden.pinned_only)
        self._refresh()

    def _set_group(self, by: GroupBy) -> None:
        self._by = by
        self._hidden = Filter(self._hidden.marks, frozenset(), self._hidden.kinds, self._hidden.pinned_only)
        self._refresh()

    def _show_legend(self, shown: bool) -> None:
        self._with_legend = shown
        self._place_legend()

    def _show_table(self, shown: bool) -> None:
        if shown:
            self._table.set_picture(self._canvas.picture)
            self._table.select(self._selected)
            self._split.setSizes([self._split.width() * 3 // 5, self._split.width() * 2 // 5])
        self._table.setVisible(shown)

    def _place_legend(self) -> None:
        size = self._legend.wanted_size(self._canvas.size())
        self._legend.setVisible(self._with_legend and self._canvas.width() > _LEGEND_ROOM * size.width())
        room = self._canvas.width() > 3 * size.width() and self._legend.isVisibleTo(self._canvas)
        self._canvas.set_inset(size.width() + 12 if room else 0)
        self._legend.resize(size)
        self._legend.move(12, max(self._canvas.height() - size.height() - 12, 12))

    def _describe(self) -> None:
        """Tell a screen reader what is selected."""
        position = self._canvas.picture.find(self._selected)
        words = "" if position is None else self._card.words(self._canvas.picture.nodes[position])
        self._canvas.setAccessibleDescription(words)
