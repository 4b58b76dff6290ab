"""The cached picture: camera, pixmap, sheet and motion. The pointer is read by the canvas, which builds on this.

While the view moves, the last pixmap is moved and scaled; it is painted anew when the view has been still for a
moment. The pixmap reaches beyond the widget, so that a short pan shows no empty strip.
"""

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, QTimer, QVariantAnimation, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QStyle, QWidget

from widgets.graph.camera import Camera, fitted
from widgets.graph.grouping import GroupBy
from widgets.graph.inks import faint
from widgets.graph.painting import Look, paint_lifted, paint_lit, paint_sheet
from widgets.graph.picture import Picture
from widgets.graph.sheet import Sheet

#: Milliseconds without movement until the picture is painted anew, and the longest motion of the nodes.
_STILL_MS = 70
_MOTION_MS = 150
#: A larger picture jumps to its new places: a motion of few frames would only look broken.
_MOTION_NODES = 1500
#: How far the pixmap reaches beyond the widget, as a share of its size.
_MARGIN = 0.2


class PictureView(QWidget):
    """Paints a picture. `camera_changed` carries the zoom; `resized` says that overlays have to be placed again."""

    camera_changed = Signal(float)
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._by = GroupBy.CATEGORY
        self._goal = Picture()
        self._sheet = Sheet(self._goal, self._by)
        self._look: Look | None = None
        self._camera = Camera()
        self._painted = Camera()
        self._pixmap = QPixmap()
        self._lifted = -1
        self._follows = True
        self._still = QTimer(self)
        self._still.setSingleShot(True)
        self._still.setInterval(_STILL_MS)
        self._still.timeout.connect(self.repaint_picture)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._take_large)
        self._from: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
        self._motion = QVariantAnimation(self)
        self._motion.setStartValue(0.0)
        self._motion.setEndValue(1.0)
        self._motion.setDuration(_MOTION_MS)
        self._motion.valueChanged.connect(self._step)
        self.setMinimumSize(200, 160)

    def show_picture(self, picture: Picture, by: GroupBy, look: Look) -> None:
        """Take a new picture. Nodes that were shown glide to their new places; the view stays where it is."""
        old, self._goal, self._by, self._look, self._lifted = self._sheet.picture, picture, by, look, -1
        self._motion.stop()
        self._later.stop()
        places = {node.id: (x, y) for node, x, y in zip(old.nodes, old.x, old.y, strict=True)}
        begin = [places.get(node.id, (x, y)) for node, x, y in zip(picture.nodes, picture.x, picture.y, strict=True)]
        self._from = (tuple(x for x, _ in begin), tuple(y for _, y in begin))
        still = self._from == (picture.x, picture.y) or not places
        if self._follows:
            self._aim()
        if len(picture.nodes) > _MOTION_NODES:
            self._later.start()
        elif still or not self._animates():
            self._take(picture)
        else:
            # The sheet is the new picture's from the first frame on: indices in the look are those of its nodes.
            self._take(picture.moved(list(self._from[0]), list(self._from[1])))
            self._motion.start()

    def set_look(self, look: Look) -> None:
        """Paint the same picture with other colours, labels or selection."""
        self._look = look
        self.repaint_picture()

    @property
    def camera(self) -> Camera:
        """Where the view looks."""
        return self._camera

    @property
    def picture(self) -> Picture:
        """What is shown, or will be when a motion has ended."""
        return self._goal

    def fit(self) -> None:
        """Show everything, and keep doing so until the user moves the view."""
        self._follows = True
        self._aim()
        self.repaint_picture()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom about a place of the widget, its middle when none is given."""
        place = at or QPointF(self.width() / 2, self.height() / 2)
        self.move_to(self._camera.zoomed(factor, place.x(), place.y()))

    def move_to(self, camera: Camera) -> None:
        """Look somewhere else: the last pixmap is shown there until the view is still."""
        self._follows = False
        self._camera = camera
        self._still.start()
        self.update()
        self.camera_changed.emit(camera.scale)

    def reveal(self, position: int) -> None:
        """Bring a node into view without changing the zoom; nothing moves when it is well inside already."""
        x, y = self._camera.to_screen(self._goal.x[position], self._goal.y[position])
        inner = QRectF(self.rect()).adjusted(24, 24, -24, -24)
        if not inner.contains(QPointF(x, y)):
            self.move_to(self._camera.panned(self.width() / 2 - x, self.height() / 2 - y))

    def lift(self, position: int) -> None:
        """Show a node and its neighbours above the veiled rest; -1 for none."""
        self._lifted = position
        self.update()

    def place_of(self, position: int) -> QPoint:
        """Where a node is, in pixels of the widget."""
        x, y = self._camera.to_screen(self._goal.x[position], self._goal.y[position])
        return QPoint(round(x), round(y))

    def sizeHint(self) -> QSize:
        """A picture wants room."""
        return QSize(640, 480)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the cached pixmap where the camera is now, then what is lifted."""
        painter = QPainter(self)
        if self._look is None:
            return
        painter.fillRect(event.rect(), self._look.inks.ground)
        if not self._pixmap.isNull():
            painter.drawPixmap(self._target(), self._pixmap, QRectF(self._pixmap.rect()))
        if 0 <= self._lifted < len(self._sheet.picture.nodes):
            painter.fillRect(self.rect(), faint(self._look.inks.ground, 0.74))
            paint_lifted(painter, self._sheet, self._camera, self._look, self._lifted)
        elif self._look.lit and self._sheet.picture.nodes:
            painter.fillRect(self.rect(), faint(self._look.inks.ground, 0.74))
            paint_lit(painter, self._sheet, self._camera, self._look)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep showing everything, or what is in the middle."""
        self.resized.emit()
        if self._follows:
            self.fit()
        elif event.oldSize().isValid():
            grown = event.size() - event.oldSize()
            self.move_to(self._camera.panned(grown.width() / 2, grown.height() / 2))

    def changeEvent(self, event: QEvent) -> None:
        """A new screen scale or font needs a new pixmap."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.DevicePixelRatioChange):
            self._still.start()
        super().changeEvent(event)

    def repaint_picture(self) -> None:
        """Paint the pixmap anew for where the camera is."""
        self._still.stop()
        if self._look is None or self.width() < 2:
            return
        wide, high = self.width() * _MARGIN, self.height() * _MARGIN
        area = QRectF(-wide, -high, self.width() + 2 * wide, self.height() + 2 * high)
        ratio = self.devicePixelRatioF()
        self._pixmap = QPixmap((area.size() * ratio).toSize())
        self._pixmap.setDevicePixelRatio(ratio)
        self._pixmap.fill(self._look.inks.ground)
        painter = QPainter(self._pixmap)
        painter.translate(wide, high)
        paint_sheet(painter, self._sheet, self._camera, area, self._look)
        painter.end()
        self._painted = self._camera
        self.update()

    def _aim(self) -> None:
        self._camera = fitted(self._goal.bounds(), self.width(), self.height())
        self.camera_changed.emit(self._camera.scale)

    def _target(self) -> QRectF:
        """Where the cached pixmap lies under the present camera."""
        factor = self._camera.scale / self._painted.scale
        size = self._pixmap.deviceIndependentSize()
        left = -(size.width() / (1 + 2 * _MARGIN)) * _MARGIN
        top = -(size.height() / (1 + 2 * _MARGIN)) * _MARGIN
        x, y = self._camera.to_screen(*self._painted.to_world(left, top))
        return QRectF(x, y, size.width() * factor, size.height() * factor)

    def _take(self, picture: Picture) -> None:
        self._sheet = Sheet(picture, self._by)
        self.repaint_picture()

    def _take_large(self) -> None:
        """Prepare a large picture now and paint it when the view is still: each in a turn of its own, so that the
        window can answer in between.
        """
        self._sheet = Sheet(self._goal, self._by)
        self._still.start()

    def _animates(self) -> bool:
        """Whether the system wants motion at all, and the picture is small enough for it."""
        wanted = self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0
        return wanted and self.isVisible() and len(self._goal.nodes) <= _MOTION_NODES

    def _step(self, share: float) -> None:
        """One frame of the motion: every node a share of its way, slower towards the end."""
        if share >= 1.0:
            self._take(self._goal)
            return
        eased = 1 - (1 - share) ** 3
        x = [a + (b - a) * eased for a, b in zip(self._from[0], self._goal.x, strict=True)]
        y = [a + (b - a) * eased for a, b in zip(self._from[1], self._goal.y, strict=True)]
        self._take(self._goal.moved(x, y))
