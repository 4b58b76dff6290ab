"""Painting a sheet: edges, docks, nodes and names as calls over arrays, no object per node.

Far away the nodes are points drawn in one call per colour; near, only what is inside the view gets its full shape.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from app.graph.values import EdgeKind
from widgets.graph.camera import Camera
from widgets.graph.glyphs import draw_pin, draw_selection, draw_shape, node_radius
from widgets.graph.grouping import Mark
from widgets.graph.inks import Inks
from widgets.graph.labels import Labels
from widgets.graph.names import paint_dock_names, paint_names
from widgets.graph.sheet import LEVELS, Sheet

#: Below this zoom a shape has no room to be told from another one: points are enough.
_POINTS_BELOW = 0.34
_POINTS_FROM = 600
#: More lines than this are drawn without smoothing, which costs most of a repaint and shows nothing there.
_SMOOTH_LINES = 2500
_WIDTHS = {EdgeKind.ABSORBED: 1.3, EdgeKind.RELATED: 1.0, EdgeKind.MENTION: 1.0, EdgeKind.PROPOSED: 1.5}


@dataclass(frozen=True, slots=True)
class Look:
    """What a repaint depends on besides the picture and the camera. `no_group` and `mixed` head docks without name;
    `lit` are nodes shown above a veiled rest.
    """

    inks: Inks
    font: QFont
    labels: Labels
    no_group: str
    mixed: str
    selected: int | None = None
    lit: frozenset[int] = frozenset()


def paint_sheet(painter: QPainter, sheet: Sheet, camera: Camera, area: QRectF, look: Look) -> None:
    """Paint everything inside `area` (pixels of the widget, margin included)."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for kind in (EdgeKind.MENTION, EdgeKind.RELATED, EdgeKind.ABSORBED, EdgeKind.PROPOSED):
        _paint_lines(painter, sheet.lines[kind], camera, look.inks.edges[kind], kind)
    arrows = [pair for kind in (EdgeKind.ABSORBED, EdgeKind.PROPOSED) for pair in sheet.pairs[kind]]
    if camera.scale < _POINTS_BELOW and len(sheet.picture.nodes) > _POINTS_FROM:
        _paint_points(painter, sheet, camera, look)
        seen: Collection[int] = range(len(sheet.picture.nodes))
    else:
        _paint_arrows(painter, sheet, camera, look.inks.edges[EdgeKind.ABSORBED], arrows)
        seen = set(_inside(sheet, camera, area))
        for position in sorted(seen):
            paint_node(painter, sheet, camera, look, position)
    headings = paint_dock_names(painter, sheet, camera, look)
    selected = [] if look.selected is None else [look.selected]
    ranked = [*selected, *(position for position in sheet.order if position in seen)]
    paint_names(painter, sheet, camera, look, ranked, headings, right=area.right() + area.left())


def paint_lifted(painter: QPainter, sheet: Sheet, camera: Camera, look: Look, centre: int) -> None:
    """Paint one node, its neighbours and the edges between them above a veiled picture."""
    _paint_edges_of(painter, sheet, camera, look, lambda pair: centre in pair)
    lifted = (centre, *sheet.picture.near[centre])
    for position in sorted(lifted):
        paint_node(painter, sheet, camera, look, position)
    paint_names(painter, sheet, camera, look, lifted, [], limit=60)


def paint_lit(painter: QPainter, sheet: Sheet, camera: Camera, look: Look) -> None:
    """Paint the lit nodes and the edges among them above a veiled picture."""
    _paint_edges_of(painter, sheet, camera, look, lambda pair: pair[0] in look.lit and pair[1] in look.lit)
    for position in sorted(look.lit):
        paint_node(painter, sheet, camera, look, position)
    ranked = [position for position in sheet.order if position in look.lit]
    paint_names(painter, sheet, camera, look, ranked, [], limit=120)


def _paint_edges_of(
    painter: QPainter, sheet: Sheet, camera: Camera, look: Look, wanted: Callable[[tuple[int, int]], bool]
) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for kind in EdgeKind:
        own = [place for place, pair in enumerate(sheet.pairs[kind]) if wanted(pair)]
        ink = QColor(look.inks.edges[kind])
        ink.setAlphaF(1.0)
        _paint_lines(painter, [sheet.lines[kind][place] for place in own], camera, ink, kind)
        if kind in (EdgeKind.ABSORBED, EdgeKind.PROPOSED):
            _paint_arrows(painter, sheet, camera, ink, [sheet.pairs[kind][place] for place in own])


def paint_node(painter: QPainter, sheet: Sheet, camera: Camera, look: Look, position: int) -> None:
    """Paint one node with its pin and its selection."""
    picture = sheet.picture
    node, mark = picture.nodes[position], sheet.marks[position]
    x, y = camera.to_screen(picture.x[position], picture.y[position])
    radius = node_radius(node.weight, camera.scale)
    if position == look.selected:
        draw_selection(painter, x, y, radius, look.inks.accent)
    draw_shape(painter, mark, x, y, radius, look.inks.node(mark, sheet.groups[position]), look.inks.ground)
    if node.pinned:
        draw_pin(painter, x, y, radius, look.inks.pinned, look.inks.ground)


def _inside(sheet: Sheet, camera: Camera, area: QRectF) -> Iterator[int]:
    left, top = camera.to_world(area.left() - 20, area.top() - 20)
    right, bottom = camera.to_world(area.right() + 20, area.bottom() + 20)
    for position, (x, y) in enumerate(zip(sheet.picture.x, sheet.picture.y, strict=True)):
        if left <= x <= right and top <= y <= bottom:
            yield position


def _enter_world(painter: QPainter, camera: Camera) -> None:
    painter.save()
    painter.translate(camera.dx, camera.dy)
    painter.scale(camera.scale, camera.scale)


def _paint_lines(painter: QPainter, lines: list[QLineF], camera: Camera, ink: QColor, kind: EdgeKind) -> None:
    if not lines:
        return
    pen = QPen(ink, _WIDTHS[kind])
    pen.setCosmetic(True)
    if kind is EdgeKind.PROPOSED:
        pen.setDashPattern([4, 3])
    _enter_world(painter, camera)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(lines) < _SMOOTH_LINES)
    painter.setPen(pen)
    painter.drawLines(lines)
    painter.restore()


def _paint_points(painter: QPainter, sheet: Sheet, camera: Camera, look: Look) -> None:
    _enter_world(painter, camera)
    for (mark, group, level), polygon in sheet.points.items():
        size = max(2.0, 2 * node_radius((level + 0.5) / LEVELS, camera.scale))
        cap = Qt.PenCapStyle.SquareCap if mark is Mark.ARCHIVED else Qt.PenCapStyle.RoundCap
        painter.setPen(_dot(look.inks.node(mark, group), size, cap))
        painter.drawPoints(polygon)
        if mark is not Mark.ACTIVE and size > 3:
            painter.setPen(_dot(look.inks.ground, size - 2.2, cap))
            painter.drawPoints(polygon)
    painter.setPen(_dot(look.inks.pinned, max(3.0, 9 * camera.scale**0.5), Qt.PenCapStyle.RoundCap))
    painter.drawPoints(sheet.pinned)
    painter.restore()
    if look.selected is not None:
        paint_node(painter, sheet, camera, look, look.selected)


def _dot(ink: QColor, size: float, cap: Qt.PenCapStyle) -> QPen:
    pen = QPen(ink, size)
    pen.setCapStyle(cap)
    pen.setCosmetic(True)
    return pen


def _paint_arrows(
    painter: QPainter, sheet: Sheet, camera: Camera, ink: QColor, pairs: Collection[tuple[int, int]]
) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    picture = sheet.picture
    for start, end in pairs:
        a = QPointF(*camera.to_screen(picture.x[start], picture.y[start]))
        b = QPointF(*camera.to_screen(picture.x[end], picture.y[end]))
        _paint_arrow(painter, QLineF(a, b), node_radius(picture.nodes[end].weight, camera.scale) + 3)


def _paint_arrow(painter: QPainter, line: QLineF, gap: float) -> None:
    """The head of an arrow that ends `gap` pixels before the line's end; none when the line is too short."""
    length = line.length()
    if length < gap + 10:
        return
    ux, uy = line.dx() / length, line.dy() / length
    tip = QPointF(line.x2() - ux * gap, line.y2() - uy * gap)
    back = QPointF(tip.x() - ux * 8, tip.y() - uy * 8)
    aside = QPointF(-uy * 3.6, ux * 3.6)
    painter.drawPolygon(QPolygonF([tip, back + aside, back - aside]))
