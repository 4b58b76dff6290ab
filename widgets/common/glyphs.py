"""The state glyphs, painted: active ●, stale ◌ (dashed ring), archived ▢, broken ⚠, waiting ◆. Never colour alone."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

#: Glyph names and the token each is drawn in.
TOKENS = {
    "active": "active",
    "stale": "stale",
    "archived": "archived",
    "broken": "danger",
    "waiting": "accent",
    "shadowed": "muted",
}


def paint_glyph(painter: QPainter, box: QRectF, name: str, colour: QColor) -> None:
    """Paint a glyph into a square of about 12 pixels. Raises KeyError for a name that is not in TOKENS."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inner = QRectF(box.center().x() - 4, box.center().y() - 4, 8, 8)
    {
        "active": _dot,
        "stale": _dashed,
        "archived": _square,
        "broken": _warning,
        "waiting": _diamond,
        "shadowed": _ring,
    }[name](painter, inner, colour)
    painter.restore()


def _dot(painter: QPainter, inner: QRectF, colour: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(inner)


def _ring(painter: QPainter, inner: QRectF, _colour: QColor) -> None:
    painter.drawEllipse(inner)


def _dashed(painter: QPainter, inner: QRectF, colour: QColor) -> None:
    pen = QPen(colour, 1.6)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([1.6, 1.4])
    painter.setPen(pen)
    painter.drawEllipse(inner)


def _square(painter: QPainter, inner: QRectF, _colour: QColor) -> None:
    painter.drawRoundedRect(inner, 1.5, 1.5)


def _diamond(painter: QPainter, inner: QRectF, colour: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    centre = inner.center()
    corners = (QPointF(0, -5), QPointF(5, 0), QPointF(0, 5), QPointF(-5, 0))
    painter.drawPolygon(QPolygonF([centre + corner for corner in corners]))


def _warning(painter: QPainter, inner: QRectF, colour: QColor) -> None:
    centre = inner.center()
    path = QPainterPath(centre + QPointF(0, -5))
    path.lineTo(centre + QPointF(5.4, 4.6))
    path.lineTo(centre + QPointF(-5.4, 4.6))
    path.closeSubpath()
    painter.drawPath(path)
    painter.drawLine(centre + QPointF(0, -1.6), centre + QPointF(0, 1.2))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(centre + QPointF(0, 3.0), 0.8, 0.8)
