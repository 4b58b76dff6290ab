"""A picture prepared for painting, once per change: lines and points in world units, and the order of the names.

The painter's transform brings them to the screen, so a repaint of thousands of nodes is a few calls, not a loop.
"""

from collections import defaultdict

from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPolygonF

from app.graph.values import EdgeKind
from widgets.graph.grouping import GroupBy, Mark, group_of, mark_of
from widgets.graph.picture import Picture

#: Points come in this many sizes, by weight.
LEVELS = 3


class Sheet:
    """Lines and pairs by kind of edge, points by (mark, group, level), and node positions by importance."""

    def __init__(self, picture: Picture, by: GroupBy) -> None:
        self.picture = picture
        self.marks = [mark_of(node) for node in picture.nodes]
        self.groups = [group_of(node, by) for node in picture.nodes]
        self.pairs: dict[EdgeKind, list[tuple[int, int]]] = {kind: [] for kind in EdgeKind}
        self.lines: dict[EdgeKind, list[QLineF]] = {kind: [] for kind in EdgeKind}
        x, y = picture.x, picture.y
        for start, end, kind in picture.edges:
            self.pairs[kind].append((start, end))
            self.lines[kind].append(QLineF(x[start], y[start], x[end], y[end]))
        self.pinned = QPolygonF([QPointF(x[at], y[at]) for at, node in enumerate(picture.nodes) if node.pinned])
        places: dict[tuple[Mark, str, int], list[QPointF]] = defaultdict(list)
        for position, node in enumerate(picture.nodes):
            key = (self.marks[position], self.groups[position], min(int(node.weight * LEVELS), LEVELS - 1))
            places[key].append(QPointF(x[position], y[position]))
        self.points = {key: QPolygonF(points) for key, points in places.items()}
        self.order = sorted(range(len(picture.nodes)), key=self._rank)

    def _rank(self, position: int) -> tuple[bool, float, str]:
        """Pinned and proposed first, then well connected and much used ones, then by name."""
        node = self.picture.nodes[position]
        return not (node.pinned or node.proposed), -(len(self.picture.near[position]) + 4 * node.weight), node.name
