"""Where the view looks: scale and offset between world units and pixels. Pure numbers, no widget."""

from dataclasses import dataclass, replace

#: The smallest and largest zoom; 1 shows one world unit as one pixel.
SMALLEST, LARGEST = 0.04, 4.0
#: A picture of a few nodes is not blown up to fill the window.
_FIT_LARGEST = 1.4
#: Pixels left free when everything is shown: beside for half a name, above and below.
_SIDE, _EDGE = 84.0, 40.0


@dataclass(frozen=True, slots=True)
class Camera:
    """A pixel is `world * scale + offset`."""

    scale: float = 1.0
    dx: float = 0.0
    dy: float = 0.0

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        """A place in pixels of the widget."""
        return x * self.scale + self.dx, y * self.scale + self.dy

    def to_world(self, x: float, y: float) -> tuple[float, float]:
        """A pixel's place in world units."""
        return (x - self.dx) / self.scale, (y - self.dy) / self.scale

    def panned(self, dx: float, dy: float) -> "Camera":
        """Moved by pixels."""
        return replace(self, dx=self.dx + dx, dy=self.dy + dy)

    def zoomed(self, factor: float, x: float, y: float) -> "Camera":
        """Zoomed so that the world under pixel (x, y) stays where it is."""
        scale = min(LARGEST, max(SMALLEST, self.scale * factor))
        world_x, world_y = self.to_world(x, y)
        return Camera(scale, x - world_x * scale, y - world_y * scale)


def fitted(bounds: tuple[float, float, float, float], width: float, height: float) -> Camera:
    """A camera that shows `bounds` (left, top, right, bottom) centred, with room for names around it."""
    left, top, right, bottom = bounds
    wide, high = max(right - left, 1.0), max(bottom - top, 1.0)
    room_x, room_y = max(width - 2 * _SIDE, 40.0), max(height - 2 * _EDGE, 40.0)
    scale = min(room_x / wide, room_y / high, _FIT_LARGEST)
    scale = max(scale, SMALLEST)
    return Camera(scale, width / 2 - (left + right) / 2 * scale, height / 2 - (top + bottom) / 2 * scale)
