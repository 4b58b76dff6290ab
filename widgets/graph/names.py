"""Writing the names into the picture: below, above or beside their node, never over one another or over a node."""

import math
from collections.abc import Iterator, Sequence
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from widgets.graph.camera import Camera
from widgets.graph.glyphs import node_radius
from widgets.graph.inks import Inks
from widgets.graph.labels import Box, Labels, Wish, budget, place
from widgets.graph.sheet import Sheet

#: Below this zoom nodes are so many and so small that names may lie over them.
_SOLID_FROM = 0.3
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
    candidates = ranked[: limit * 4]
    solid = list(_discs(sheet, camera, candidates)) if camera.scale >= _SOLID_FROM else []
    painter.setFont(look.font)
    metrics = QFontMetricsF(look.font)
    wishes = [_wish(sheet, camera, metrics, position, right) for position in dict.fromkeys(candidates)]
    for node, box in place(wishes, limit, taken + solid):
        strong = node == look.selected or sheet.picture.nodes[node].pinned
        ink = look.inks.text if strong else look.inks.muted
        area = QRectF(box.x - box.width / 2 - 2, box.y, box.width + 4, box.height)
        _write(painter, area, sheet.picture.nodes[node].name, look, ink)


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
