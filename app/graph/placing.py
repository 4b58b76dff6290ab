"""Where nodes go: the force layout for a new picture, and small additions that leave everybody else in place."""

import math
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence

from app.graph.apart import apart, spacing
from app.graph.force import Point, force_layout
from app.graph.values import Graph, Layout, Node

#: Up to this share of new nodes, the old picture stays and the new ones join it.
_FEW = 0.1
_GOLDEN = math.pi * (3 - math.sqrt(5))
_TRIES = 24


def place_few(graph: Graph, previous: Layout | None) -> Layout | None:
    """The previous layout with the few new nodes added, each near its neighbours or its category.

    None when too much is new, or nothing was placed before: then the picture is laid out afresh.
    """
    docked = set(previous.isolated) if previous is not None else set()
    known = {skill: (x, y) for skill, x, y in previous.places if skill not in docked} if previous is not None else {}
    joined, alone = _split(graph)
    fresh = [node for node in joined if node.id not in known]
    if joined and (len(fresh) == len(joined) or len(fresh) > max(3, _FEW * len(joined))):
        return None
    places = {node.id: known[node.id] for node in joined if node.id in known}
    near = _neighbours(graph)
    for node in fresh:
        places[node.id] = _free_spot(node, _anchor(node, near[node.id], graph, places), places)
    return _with_docks(places, alone)


def place_all(graph: Graph, previous: Layout | None) -> Layout:
    """Lay the whole graph out; nodes that had a place start from it, so the picture turns as little as it can."""
    joined, alone = _split(graph)
    docked = set(previous.isolated) if previous is not None else set()
    known = {skill: (x, y) for skill, x, y in previous.places if skill not in docked} if previous is not None else {}
    index = {node.id: number for number, node in enumerate(joined)}
    start = _start(joined, known)
    edges = [(index[edge.start], index[edge.end]) for edge in graph.edges if edge.start in index and edge.end in index]
    found = apart(force_layout(len(joined), edges, start))
    middle = _centre(found)
    places = {node.id: (x - middle[0], y - middle[1]) for node, (x, y) in zip(joined, found, strict=True)}
    return _with_docks(places, alone)


def _split(graph: Graph) -> tuple[list[Node], list[Node]]:
    """The nodes with edges and those without, each by category and id."""
    ends = {end for edge in graph.edges if edge.start != edge.end for end in (edge.start, edge.end)}
    ordered = sorted(graph.nodes, key=lambda node: (node.category, node.id))
    return [node for node in ordered if node.id in ends], [node for node in ordered if node.id not in ends]


def _start(nodes: Sequence[Node], known: Mapping[str, Point]) -> list[Point]:
    """Where the force layout begins: known places, else a sunflower in the order of the categories."""
    spread = max((abs(value) for point in known.values() for value in point), default=math.sqrt(len(nodes) or 1))
    points = []
    for number, node in enumerate(nodes):
        radius = spread * math.sqrt((number + 0.5) / len(nodes))
        angle = number * _GOLDEN if known else 2 * math.pi * number / len(nodes)
        points.append(known.get(node.id) or (radius * math.cos(angle), radius * math.sin(angle)))
    return points


def _neighbours(graph: Graph) -> Mapping[str, list[str]]:
    near: defaultdict[str, list[str]] = defaultdict(list)
    for edge in graph.edges:
        near[edge.start].append(edge.end)
        near[edge.end].append(edge.start)
    return near


def _anchor(node: Node, near: Sequence[str], graph: Graph, places: Mapping[str, Point]) -> Point:
    """What a new node should be close to: its placed neighbours, else its category, else the middle."""
    around = [places[other] for other in near if other in places]
    if not around:
        around = [places[other.id] for other in graph.nodes if other.category == node.category and other.id in places]
    return _centre(around or list(places.values()))


def _free_spot(node: Node, anchor: Point, places: Mapping[str, Point]) -> Point:
    """A spot near the anchor that is not on top of another node; the same node always gets the same one."""
    room = spacing(list(places.values()))
    turn = zlib.crc32(node.id.encode()) / 2**32 * 2 * math.pi
    spots = [
        (anchor[0] + room * reach * math.cos(turn + step), anchor[1] + room * reach * math.sin(turn + step))
        for number in range(_TRIES)
        for reach, step in ((0.7 + 0.12 * number, number * _GOLDEN),)
    ]
    taken = [point for point in places.values() if math.dist(point, anchor) < room * (_TRIES * 0.12 + 2)]
    return max(spots, key=lambda spot: min(*(math.dist(spot, point) for point in taken), room * 0.6, room))


def _centre(points: Sequence[Point]) -> Point:
    if not points:
        return 0.0, 0.0
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _with_docks(places: Mapping[str, Point], alone: Sequence[Node]) -> Layout:
    """Put the isolated nodes in rows below the picture, by category and id."""
    room = spacing(list(places.values()))
    bottom = max((y for _, y in places.values()), default=0.0) + 2 * room
    columns = max(6, math.ceil(math.sqrt(len(alone) * 2)))
    rows = [
        (node.id, (number % columns - (columns - 1) / 2) * room, bottom + number // columns * room)
        for number, node in enumerate(alone)
    ]
    joined = [(skill, x, y) for skill, (x, y) in sorted(places.items())]
    return Layout(tuple(joined + rows), tuple(node.id for node in alone))
