"""The canvas: the cached picture with a pointer. It turns mouse and menu keys into signals about nodes."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from widgets.graph.grouping import GroupBy
from widgets.graph.painting import Look
from widgets.graph.picture import Picture
from widgets.graph.view import PictureView
from widgets.graph.walking import Finder

#: Pixels around a node that count as hitting it.
_REACH = 7.0


class Canvas(PictureView):
    """Signals carry indices of the picture, -1 for none; `menu_asked` also a global place."""

    hovered = Signal(int)
    clicked = Signal(int)
    double_clicked = Signal(int)
    menu_asked = Signal(int, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._finder = Finder(Picture())
        self._hover = -1
        self._grip: QPointF | None = None
        self._moved = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_picture(self, picture: Picture, by: GroupBy, look: Look) -> None:
        """Take a new picture; what was under the pointer is forgotten."""
        self._finder = Finder(picture)
        self._hover = -1
        super().show_picture(picture, by, look)

    def at(self, place: QPointF) -> int:
        """The node under a place of the widget, -1 when there is none."""
        x, y = self.camera.to_world(place.x(), place.y())
        scale = self.camera.scale
        found = self._finder.at(x, y, (_REACH + 6 * min(scale, 1.0)) / scale)
        return -1 if found is None else found

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a drag or a click begins."""
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._grip, self._moved = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan while a button is held, else lift what is under the pointer."""
        if self._grip is None:
            self._hover_at(self.at(event.position()))
            return
        step = event.position() - self._grip
        if not self._moved and step.manhattanLength() < 4:
            return
        if not self._moved:
            self._hover_at(-1)
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self._moved, self._grip = True, event.position()
        self.move_to(self._camera.panned(step.x(), step.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press without a drag is a click."""
        if self._grip is None:
            return
        self._grip = None
        self.unsetCursor()
        if not self._moved and event.button() is Qt.MouseButton.LeftButton:
            self.clicked.emit(self.at(event.position()))
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open a node, or show everything on empty ground."""
        found = self.at(event.position())
        if found >= 0:
            self.double_clicked.emit(found)
        else:
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the pointer."""
        self.zoom(1.0015 ** event.angleDelta().y(), event.position())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is lifted without a pointer."""
        self._hover_at(-1)
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of what is under the pointer; from the keyboard, of the selected node."""
        chosen = self._look.selected if self._look and self._look.selected is not None else -1
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        found = chosen if by_key else self.at(QPointF(event.pos()))
        place = self.mapToGlobal(self.place_of(found)) if by_key and found >= 0 else event.globalPos()
        self.menu_asked.emit(found, place)

    def _hover_at(self, position: int) -> None:
        if position != self._hover:
            self._hover = position
            self.setCursor(Qt.CursorShape.PointingHandCursor if position >= 0 else Qt.CursorShape.ArrowCursor)
            self.lift(position)
            self.hovered.emit(position)
