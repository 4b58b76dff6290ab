"""The graph page: bar, painted canvas with card and legend, and the table twin, all with one selection."""

from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.errors import Failure
from app.graph.values import EdgeKind, Graph, Layout
from widgets.common.theme import Theme
from widgets.graph.actions import GRAPH_MENU
from widgets.graph.grouping import GroupBy, tally
from widgets.graph.inks import inks_of
from widgets.graph.labels import Labels
from widgets.graph.painting import Look
from widgets.graph.picture import Filter, Picture, build_picture, unit_of
from widgets.graph.stage import GraphStage
from widgets.graph.timeline import Moment
from widgets.graph.walking import next_neighbour, towards

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
#: A legend of more groups gets a turn of the event loop of its own, so that the window stays quick.
_MANY_ROWS = 100


class GraphPane(GraphStage):
    """Takes a Graph and a Layout, and for the slider moments and the graphs they ask for.

    Signals: skill_selected(id), skill_opened(id), proposal_asked(id of a proposed umbrella), menu_requested(id, global
    place), moments_requested(), moment_requested(entry id), refresh_requested() after a failure.
    """

    skill_selected = Signal(str)
    skill_opened = Signal(str)
    proposal_asked = Signal(str)
    menu_requested = Signal(str, QPoint)
    moments_requested = Signal()
    moment_requested = Signal(str)
    refresh_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._graph, self._layout, self._unit = Graph(), Layout(), 0.0
        self._by, self._labels, self._hidden = GroupBy.CATEGORY, Labels.AUTO, Filter()
        self._then: Graph | None = None
        self._lit: frozenset[str] = frozenset()
        self._selected: str | None = None
        self._anchor: str | None = None
        self._inks = inks_of(theme, ())
        self._tally = tally((), self._by)
        self._legend_later = QTimer(self)
        self._legend_later.setSingleShot(True)
        self._legend_later.timeout.connect(self._fill_legend)
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

    def set_moments(self, moments: Sequence[Moment]) -> None:
        """The steps of the history, oldest first, for the slider."""
        self._time.set_moments(moments)

    def set_then(self, entry: str, graph: Graph) -> None:
        """The graph right after a step; one that comes too late is not shown."""
        moment = self._time.moment
        if moment is not None and moment.entry == entry:
            self._then = graph
            self._refresh()
            self._time.arrived()

    def light_up(self, skills: Collection[str], told: str) -> None:
        """Show these skills above a veiled rest, and say what they are; nothing for an empty choice."""
        self._lit = frozenset(skills)
        self._strip.tell(told if self._lit else "")
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
        """Arrows walk, Enter opens, = zooms like +, Esc lets go of the selection, then of what is lit."""
        key, selected = Qt.Key(event.key()), self._canvas.picture.find(self._selected)
        if key in _ARROWS:
            self._walk(selected, *_ARROWS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._selected:
            self._open_skill(self._selected)
        elif key is Qt.Key.Key_Equal:
            self._canvas.zoom(1.25)
        elif key is Qt.Key.Key_Escape and (self._selected or self._lit):
            self.select(None) if self._selected else self.light_up((), "")
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

    def carry_out(self, action: str) -> None:
        """Do what one of the page's actions says, wherever it was picked."""
        kinds = {f"graph.{kind.value}": kind for kind in EdgeKind}
        if action in kinds:
            self._bar.toggle_kind(kinds[action])
            return
        does: dict[str, Callable[[], object]] = {
            "graph.fit": self._canvas.fit,
            "graph.in": lambda: self._canvas.zoom(1.25),
            "graph.out": lambda: self._canvas.zoom(0.8),
            "graph.legend": self._bar.legend.toggle,
            "graph.table": self._bar.table.toggle,
            "graph.time": self._bar.time.toggle,
            "graph.play": self._play,
            "graph.labels": self._bar.cycle_labels,
            "graph.group": self._bar.cycle_group,
            "graph.unlit": lambda: self.light_up((), ""),
        }
        does[action]()

    def _connect(self) -> None:
        self._pages.action_requested.connect(self._act)
        self._canvas.hovered.connect(self._lift)
        self._canvas.clicked.connect(self._click)
        self._canvas.double_clicked.connect(self._open)
        self._canvas.menu_asked.connect(self._ask_menu)
        self._canvas.camera_changed.connect(self._moved)
        self._table.chosen.connect(self._choose)
        self._table.opened.connect(self._open_skill)
        self._table.menu_asked.connect(self.menu_requested)
        self._legend.filtered.connect(self._filter)
        self._bar.fit_asked.connect(self._canvas.fit)
        self._bar.zoom_asked.connect(self._canvas.zoom)
        self._bar.labels_chosen.connect(self._set_labels)
        self._bar.kinds_chosen.connect(self._set_kinds)
        self._bar.group_chosen.connect(self._set_group)
        self._bar.table_toggled.connect(self._show_table)
        self._bar.time_toggled.connect(self._show_time)
        self._time.moment_chosen.connect(self._choose_moment)
        self._strip.closed.connect(self._unlight)
        self.actions_here.triggered.connect(self.carry_out)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        """Build the picture anew from what is known and show it everywhere."""
        if self._graph.edges and not self._layout.places:
            self.set_loading()
            return
        graph = self._then or self._graph
        self._tally = tally(graph.nodes, self._by)
        self._inks = inks_of(self._theme, [group for group, _ in self._tally.groups])
        if len(self._tally.groups) > _MANY_ROWS:
            self._legend_later.start()
        else:
            self._fill_legend()
        picture = build_picture(graph, self._layout, self._unit or 1.0, self._by, self._hidden)
        if self._table.isVisibleTo(self):
            self._table.set_picture(picture)
        self._card.hide()
        self._canvas.show_picture(picture, self._by, self._look(picture))
        if picture.nodes:
            self._pages.show_content()
        elif graph.nodes:
            text = self.tr("The filter of the legend leaves no skill.")
            self._pages.show_filtered(self.tr("Nothing to show"), text, ("clear", self.tr("Show all")))
        else:
            # Before its first skill, the library of a past moment is as empty as a new one.
            text = self.tr("As soon as there is a skill, it appears here with what it is related to.")
            self._pages.show_empty("graph", self.tr("No skills yet"), text)
        self._offer()

    @Slot()
    def _fill_legend(self) -> None:
        self._legend_later.stop()
        self._legend.set_tally(self._tally, self._by, self._inks, self._hidden)
        self._arrange()

    def _act(self, action: str) -> None:
        if action == "clear":
            self._hidden = Filter(kinds=self._hidden.kinds)
            self._refresh()
        else:
            self.refresh_requested.emit()

    def _look(self, picture: Picture | None = None) -> Look:
        shown = picture or self._canvas.picture
        selected = shown.find(self._selected)
        lit = frozenset(found for skill in self._lit if (found := shown.find(skill)) is not None)
        font = self._theme.fonts.ui(small=True)
        no_group = self._legend.no_group(self._by)
        return Look(self._inks, font, self._labels, no_group, self.tr("No relations"), selected, lit)

    def _choose(self, skill: str) -> None:
        if skill != self._selected:
            self.select(skill)
            position = self._canvas.picture.find(skill)
            if position is None or not self._canvas.picture.nodes[position].proposed:
                self.skill_selected.emit(skill)

    def _click(self, position: int) -> None:
        if position >= 0:
            self._choose(self._canvas.picture.nodes[position].id)
        else:
            self.select(None)

    def _open(self, position: int) -> None:
        self._open_skill(self._canvas.picture.nodes[position].id)

    def _open_skill(self, skill: str) -> None:
        """Open a skill; a proposed one leads to its proposal."""
        position = self._canvas.picture.find(skill)
        if position is not None and self._canvas.picture.nodes[position].proposed:
            self.proposal_asked.emit(skill)
        else:
            self.skill_opened.emit(skill)

    def _ask_menu(self, position: int, place: QPoint) -> None:
        """A skill has the menu it has everywhere; empty ground and proposed skills have that of the page."""
        if position >= 0 and not self._canvas.picture.nodes[position].proposed:
            skill = self._canvas.picture.nodes[position].id
            self._choose(skill)
            self.menu_requested.emit(skill, place)
            return
        menu = self.actions_here.menu(GRAPH_MENU, "", self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

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

    def _show_table(self, shown: bool) -> None:
        if shown:
            self._table.set_picture(self._canvas.picture)
            self._table.select(self._selected)
        self._table.setVisible(shown)
        self._arrange()

    def _show_time(self, shown: bool) -> None:
        self._time.setVisible(shown)
        if shown:
            self.moments_requested.emit()
        else:
            self._time.go_to_now()
        self._offer()

    def _play(self) -> None:
        if not self._time.isVisibleTo(self):
            self._bar.time.setChecked(True)
        self._time.toggle_play()

    def _choose_moment(self, entry: str) -> None:
        if entry:
            self.moment_requested.emit(entry)
        else:
            self._then = None
            self._refresh()

    def _unlight(self) -> None:
        self.light_up((), "")

    def _describe(self) -> None:
        """Tell a screen reader what is selected."""
        position = self._canvas.picture.find(self._selected)
        words = "" if position is None else self._card.words(self._canvas.picture.nodes[position])
        self._canvas.setAccessibleDescription(words)
