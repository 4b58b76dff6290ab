"""One node's shape: state is shape and outline, never colour alone.

Active: filled circle. Stale: dashed ring. Archived: hollow square. Broken: triangle with a bar. Proposed (an umbrella
that a waiting merge would make): dotted ring with a plus. Pinned: a ring around whatever it is, with a dot on top.
"""

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from widgets.graph.grouping import Mark


def node_radius(weight: float, scale: float) -> float:
    """Pixels from a node's centre to its outline: grows with use and, slower than the picture, with the zoom."""
    return (5.0 + 5.0 * math.sqrt(weight)) * min(math.pow(max(scale, 0.02), 0.55), 1.7)


def draw_shape(painter: QPainter, mark: Mark, x: float, y: float, radius: float, ink: QColor, ground: QColor) -> None:
    """Draw one node; `ground` fills hollow shapes so that edges do not run through them."""
    width = max(1.2, radius * 0.24)
    if mark is Mark.ACTIVE:
        painter.setPen(QPen(ground, 1.2))
        painter.setBrush(ink)
        painter.drawEllipse(QPointF(x, y), radius + 0.6, radius + 0.6)
        return
    pen = QPen(ink, width)
    painter.setBrush(ground)
    if mark is Mark.STALE:
        pen.setDashPattern([1.7, 1.3])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawEllipse(QPointF(x, y), radius, radius)
    elif mark is Mark.PROPOSED:
        pen.setDashPattern([0.9, 1.1])
        painter.setPen(pen)
        painter.drawEllipse(QPointF(x, y), radius, radius)
        arm = radius * 0.5
        painter.setPen(QPen(ink, width))
        painter.drawLine(QPointF(x - arm, y), QPointF(x + arm, y))
        painter.drawLine(QPointF(x, y - arm), QPointF(x, y + arm))
    elif mark is Mark.ARCHIVED:
        painter.setPen(pen)
        painter.drawRect(QRectF(x - radius * 0.86, y - radius * 0.86, radius * 1.72, radius * 1.72))
    else:
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        tip = QPointF(x, y - radius * 1.15)
        painter.drawPolygon(
            QPolygonF(
                [tip, QPointF(x + radius * 1.15, y + radius * 0.85), QPointF(x - radius * 1.15, y + radius * 0.85)]
            )
        )
        painter.drawLine(QPointF(x, y - radius * 0.3), QPointF(x, y + radius * 0.2))
        painter.drawPoint(QPointF(x, y + radius * 0.55))


def draw_pin(painter: QPainter, x: float, y: float, radius: float, ink: QColor, ground: QColor) -> None:
    """The ring of a pinned node, with a small head at its upper right so that it differs from a selection."""
    outer = radius + max(2.6, radius * 0.42)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, max(1.2, radius * 0.16)))
    painter.drawEllipse(QPointF(x, y), outer, outer)
    painter.setPen(QPen(ground, 1))
    painter.setBrush(ink)
    head = max(2.2, radius * 0.34)
    painter.drawEllipse(QPointF(x + outer * 0.71, y - outer * 0.71), head, head)


def draw_selection(painter: QPainter, x: float, y: float, radius: float, ink: QColor) -> None:
    """The halo of the selected node."""
    halo = QColor(ink)
    halo.setAlphaF(0.22)
    painter.setPen(QPen(ink, 1.6))
    painter.setBrush(halo)
    painter.drawEllipse(QPointF(x, y), radius + 7, radius + 7)


def draw_mark_icon(painter: QPainter, mark: Mark, box: QRectF, ink: QColor, ground: QColor) -> None:
    """The shape of a mark centred in a small box, for the legend and the table."""
    centre = box.center()
    draw_shape(painter, mark, centre.x(), centre.y(), box.width() * 0.32, ink, ground)
