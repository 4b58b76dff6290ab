"""The graph as parallel arrays, ready to be painted: places in world units, edges by index, neighbours, docks.

World units are pixels at zoom 1. Isolated skills are docked in labelled rows below the rest, group by group, so that a
library without any relation is still a tidy, readable picture.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from app.graph.values import EdgeKind, Graph, Layout, Node
from widgets.graph.grouping import GroupBy, Mark, group_of, mark_of

#: World units each connected node gets along one side of a square.
_ROOM = 84.0
#: World units between two docked nodes, sideways at least (a name fits beside each) and downwards.
_DOCK_STEP_X = 264.0
DOCK_STEP_Y = 42.0
_DOCK_GAP = 72.0
_DOCK_HEAD = 30.0
#: Up to this many docked nodes share one heading; of more, groups smaller than the next number do.
_DOCK_TOGETHER, _DOCK_SMALLEST = 48, 4
#: From this many nodes on, outliers are drawn in.
_OUTLIERS_FROM = 200


@dataclass(frozen=True, slots=True)
class Filter:
    """What is left out: marks, groups, and kinds of edges. `pinned_only` shows nothing but pinned skills."""

    marks: frozenset[Mark] = frozenset()
    groups: frozenset[str] = frozenset()
    kinds: frozenset[EdgeKind] = frozenset()
    pinned_only: bool = False

    def shows(self, node: Node, by: GroupBy) -> bool:
        """Whether a node is in the picture."""
        if self.pinned_only and not node.pinned:
            return False
        return mark_of(node) not in self.marks and group_of(node, by) not in self.groups


@dataclass(frozen=True, slots=True)
class Dock:
    """The heading of docked nodes: their group (None: of several), how many there are, and where the text begins."""

    group: str | None
    count: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Picture:
    """Parallel arrays over the shown nodes. `edges` holds (start, end, kind), `near` each node's neighbours.

    Nodes from `first_docked` on stand in docks, `dock_step` apart sideways.
    """

    nodes: tuple[Node, ...] = ()
    x: tuple[float, ...] = ()
    y: tuple[float, ...] = ()
    edges: tuple[tuple[int, int, EdgeKind], ...] = ()
    near: tuple[tuple[int, ...], ...] = ()
    index: Mapping[str, int] | None = None
    docks: tuple[Dock, ...] = ()
    first_docked: int = 0
    dock_step: float = _DOCK_STEP_X

    def find(self, skill: str | None) -> int | None:
        """The index of a skill, None when it is not shown."""
        return None if skill is None or self.index is None else self.index.get(skill)

    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of all places, docks' headings and names included; zeros for an empty picture."""
        last = max(self.x[self.first_docked :], default=0.0) + self.dock_step / 2
        xs = [*self.x, *(dock.x for dock in self.docks), *([last] if self.docks else [])]
        ys = [*self.y, *(dock.y for dock in self.docks)]
        return (min(xs), min(ys), max(xs), max(ys)) if xs else (0.0, 0.0, 0.0, 0.0)

    def moved(self, x: Sequence[float], y: Sequence[float]) -> "Picture":
        """The same picture with other places, for one frame of a motion."""
        return replace(self, x=tuple(x), y=tuple(y))


def unit_of(layout: Layout) -> float:
    """World units per layout unit, so that connected nodes get about the same room in every library."""
    docked = set(layout.isolated)
    places = [(x, y) for skill, x, y in layout.places if skill not in docked]
    if len(places) < 2:
        return 1.0
    left, right = _middle([x for x, _ in places])
    top, bottom = _middle([y for _, y in places])
    return _ROOM * math.sqrt(len(places)) / max(right - left, bottom - top, 1e-6)


def _middle(values: list[float]) -> tuple[float, float]:
    """Where the middle nine tenths begin and end: a few outliers must not press everything else together."""
    ordered = sorted(values)
    cut = len(ordered) // 20
    return ordered[cut], ordered[-1 - cut]


def _drawn_in(places: dict[str, tuple[float, float]], skills: Collection[str]) -> None:
    """Bring far outliers of a large picture to its rim."""
    if len(skills) < _OUTLIERS_FROM:
        return
    low_x, high_x = _middle([places[skill][0] for skill in skills])
    low_y, high_y = _middle([places[skill][1] for skill in skills])
    slack_x, slack_y = (high_x - low_x) * 0.35, (high_y - low_y) * 0.35
    for skill in skills:
        x, y = places[skill]
        places[skill] = (
            min(max(x, low_x - slack_x), high_x + slack_x),
            min(max(y, low_y - slack_y), high_y + slack_y),
        )


def build_picture(graph: Graph, layout: Layout, unit: float, by: GroupBy, hidden: Filter) -> Picture:
    """Lay the shown nodes out: connected ones where the layout says, the others in docks below them."""
    places = {skill: (x * unit, y * unit) for skill, x, y in layout.places}
    docked = set(layout.isolated)
    shown = [node for node in graph.nodes if hidden.shows(node, by)]
    free = [node for node in shown if node.id in places and node.id not in docked]
    rest = [node for node in shown if node.id not in places or node.id in docked]
    _drawn_in(places, [node.id for node in free])
    spots = {node.id: places[node.id] for node in free}
    docks, step = _dock(rest, by, spots)
    nodes = (*free, *rest)
    index = {node.id: position for position, node in enumerate(nodes)}
    edges = tuple(
        (index[edge.start], index[edge.end], edge.kind)
        for edge in graph.edges
        if edge.kind not in hidden.kinds and edge.start in index and edge.end in index
    )
    x = tuple(spots[node.id][0] for node in nodes)
    y = tuple(spots[node.id][1] for node in nodes)
    return Picture(nodes, x, y, edges, _neighbours(len(nodes), edges), index, docks, len(free), step)


def _neighbours(count: int, edges: Collection[tuple[int, int, EdgeKind]]) -> tuple[tuple[int, ...], ...]:
    near: list[set[int]] = [set() for _ in range(count)]
    for start, end, _kind in edges:
        if start != end:
            near[start].add(end)
            near[end].add(start)
    return tuple(tuple(sorted(item)) for item in near)


def _dock(nodes: Sequence[Node], by: GroupBy, spots: dict[str, tuple[float, float]]) -> tuple[tuple[Dock, ...], float]:
    """Put nodes in rows below everything in `spots`, adding their places to it; returns the headings and the step."""
    if not nodes:
        return (), _DOCK_STEP_X
    left, right, bottom = _span(spots)
    columns = max(3, round((right - left) / _DOCK_STEP_X), math.ceil(math.sqrt(len(nodes) / 4)))
    step = max(_DOCK_STEP_X, (right - left) / columns)
    start = (left + right) / 2 - (columns - 0.25) * step / 2  # a name beside the last column counts, too
    y = bottom + (_DOCK_GAP if spots else 0.0)
    groups: dict[str | None, list[Node]] = {}
    sizes = Counter(group_of(node, by) for node in nodes)
    for node in sorted(nodes, key=lambda item: (group_of(item, by), mark_of(item) is Mark.ARCHIVED, item.name)):
        group = group_of(node, by)
        alone = len(nodes) > _DOCK_TOGETHER and sizes[group] >= _DOCK_SMALLEST
        groups.setdefault(group if alone else None, []).append(node)
    docks = []
    for heading, members in groups.items():
        docks.append(Dock(heading, len(members), start, y))
        for position, node in enumerate(members):
            row, column = divmod(position, columns)
            spots[node.id] = (start + column * step, y + _DOCK_HEAD + row * DOCK_STEP_Y)
        y += _DOCK_HEAD + DOCK_STEP_Y * math.ceil(len(members) / columns) + 16
    return tuple(docks), step


def _span(spots: Mapping[str, tuple[float, float]]) -> tuple[float, float, float]:
    """Left, right and bottom of the placed nodes; zeros when there are none."""
    if not spots:
        return 0.0, 0.0, 0.0
    xs = [x for x, _ in spots.values()]
    return min(xs), max(xs), max(y for _, y in spots.values())
