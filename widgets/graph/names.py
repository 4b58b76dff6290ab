"""Writing the names into the picture: below, above or beside their node, never over one another or over a node.

Docked nodes stand in columns: their names stand beside them, all of them or none, shortened to the column's width.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from widgets.graph.camera import Camera
from widgets.graph.glyphs import node_radius
from widgets.graph.inks import Inks
from widgets.graph.labels import Box, Labels, Wish, budget, place
from widgets.graph.picture import DOCK_STEP_Y
from widgets.graph.sheet import Sheet

#: Below this zoom nodes are so many and so small that names may lie over them.
_SOLID_FROM = 0.3
#: Docked names are written where a column leaves them this many pixels and rows are this share of a line apart.
_DOCK_ROOM, _DOCK_LINE = 44.0, 0.72
_HALO = (QPointF(-1.2, 0), QPointF(1.2, 0), QPointF(0, -1.2), QPointF(0, 1.2))


class NameLook(Protocol):
    """The part of a look that names need."""

    @property
    def inks(self) -> Inks:
        """Colours."""

    @property
    def font(self) -> QFont:
        """The font of the names."""

    @property
    def labels(self) -> Labels:
        """How many names."""

    @property
    def no_group(self) -> str:
        """The heading of nodes without a group."""

    @property
    def mixed(self) -> str:
        """The heading of a dock of several groups."""

    @property
    def selected(self) -> int | None:
        """The selected node."""


def paint_dock_names(painter: QPainter, sheet: Sheet, camera: Camera, look: NameLook) -> list[Box]:
    """Write the headings of the docks; returns the room they take."""
    if camera.scale < 0.16:
        return []
    font = QFont(look.font)
    font.setWeight(QFont.Weight.DemiBold)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    boxes = []
    for dock in sheet.picture.docks:
        x, y = camera.to_screen(dock.x, dock.y)
        name = look.mixed if dock.group is None else dock.group or look.no_group
        text = f"{name}  {dock.count}"
        wide = metrics.horizontalAdvance(text)
        _write(painter, QRectF(x - 8, y - metrics.height(), wide + 4, metrics.height()), text, look, look.inks.muted)
        boxes.append(Box(x - 8 + wide / 2, y - metrics.height(), wide, metrics.height() + 4))
    return boxes


def paint_names(
    painter: QPainter,
    sheet: Sheet,
    camera: Camera,
    look: NameLook,
    ranked: Sequence[int],
    taken: list[Box],
    limit: int | None = None,
    right: float = math.inf,
) -> None:
    """Write the names of `ranked`, the most important first, as far as there is room; none beyond pixel `right`."""
    limit = budget(look.labels, camera.scale) if limit is None else limit
    painter.setFont(look.font)
    metrics = QFontMetricsF(look.font)
    docked = [position for position in ranked if position >= sheet.picture.first_docked]
    if limit and _has_dock_names(sheet, camera, metrics):
        ranked = [position for position in ranked if position < sheet.picture.first_docked]
        for position in dict.fromkeys(docked):
            box = _beside(sheet, camera, metrics, position, right)
            taken = [*taken, box]
            _write_name(painter, sheet, look, position, box, metrics)
    candidates = ranked[: limit * 4]
    solid = list(_discs(sheet, camera, candidates)) if camera.scale >= _SOLID_FROM else []
    wishes = [_wish(sheet, camera, metrics, position, right) for position in dict.fromkeys(candidates)]
    for node, box in place(wishes, limit, taken + solid):
        _write_name(painter, sheet, look, node, box, metrics)


def _has_dock_names(sheet: Sheet, camera: Camera, metrics: QFontMetricsF) -> bool:
    """Whether columns are wide enough, and rows far enough apart, for a name beside every docked node."""
    return (
        sheet.picture.dock_step * camera.scale >= _DOCK_ROOM
        and DOCK_STEP_Y * camera.scale >= metrics.height() * _DOCK_LINE
    )


def _beside(sheet: Sheet, camera: Camera, metrics: QFontMetricsF, position: int, right: float) -> Box:
    """The room right of a docked node, up to the next column or the end of the view."""
    picture = sheet.picture
    x, y = camera.to_screen(picture.x[position], picture.y[position])
    left = x + node_radius(1.0, camera.scale) + 6  # the same for light and heavy nodes: names of a column are in line
    end = min(x + picture.dock_step * camera.scale - node_radius(1.0, camera.scale) - 4, right)
    shown = metrics.elidedText(picture.nodes[position].name, Qt.TextElideMode.ElideRight, max(0.0, end - left))
    wide = metrics.horizontalAdvance(shown)
    return Box(left + wide / 2, y - metrics.height() / 2, wide, metrics.height())


def _write_name(
    painter: QPainter, sheet: Sheet, look: NameLook, position: int, box: Box, metrics: QFontMetricsF
) -> None:
    node = sheet.picture.nodes[position]
    ink = look.inks.text if position == look.selected or node.pinned else look.inks.muted
    text = metrics.elidedText(node.name, Qt.TextElideMode.ElideRight, box.width + 0.5)
    _write(painter, QRectF(box.x - box.width / 2 - 2, box.y, box.width + 4, box.height), text, look, ink)


def _write(painter: QPainter, area: QRectF, text: str, look: NameLook, ink: QColor) -> None:
    """Text with a halo of the ground, so that it is readable over lines."""
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine
    painter.setPen(look.inks.ground)
    for step in _HALO:
        painter.drawText(area.translated(step), flags, text)
    painter.setPen(ink)
    painter.drawText(area, flags, text)


def _wish(sheet: Sheet, camera: Camera, metrics: QFontMetricsF, position: int, right: float) -> Wish:
    picture = sheet.picture
    node = picture.nodes[position]
    x, y = camera.to_screen(picture.x[position], picture.y[position])
    reach = node_radius(node.weight, camera.scale) + (6 if node.pinned else 3)
    wide, high = metrics.horizontalAdvance(node.name), metrics.height()
    aside = reach + 3 + wide / 2
    # Beside on the right, but on the left where the view ends.
    beside = x + aside if x + aside + wide / 2 < right else x - aside
    return Wish(
        position,
        (Box(x, y + reach, wide, high), Box(x, y - reach - high, wide, high), Box(beside, y - high / 2, wide, high)),
    )


def _discs(sheet: Sheet, camera: Camera, positions: Sequence[int]) -> Iterator[Box]:
    picture = sheet.picture
    for position in positions:
        x, y = camera.to_screen(picture.x[position], picture.y[position])
        reach = node_radius(picture.nodes[position].weight, camera.scale) * 0.8
        yield Box(x, y - reach, 2 * reach, 2 * reach)
