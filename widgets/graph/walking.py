"""Finding nodes: under the pointer, in the direction of an arrow key, and the next neighbour for Tab."""

from collections.abc import Iterator

from widgets.graph.picture import Picture

_CELL = 64.0


class Finder:
    """A grid over a picture's places; asking it costs a few cells, not all nodes."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._cells: dict[tuple[int, int], list[int]] = {}
        for position, (x, y) in enumerate(zip(picture.x, picture.y, strict=True)):
            self._cells.setdefault((int(x // _CELL), int(y // _CELL)), []).append(position)

    def at(self, x: float, y: float, reach: float) -> int | None:
        """The nearest node within `reach` world units of a place, None when there is none."""
        best, distance = None, reach * reach
        for position in self._around(x, y, reach):
            dx, dy = self._picture.x[position] - x, self._picture.y[position] - y
            if dx * dx + dy * dy <= distance:
                best, distance = position, dx * dx + dy * dy
        return best

    def _around(self, x: float, y: float, reach: float) -> Iterator[int]:
        for column in range(int((x - reach) // _CELL), int((x + reach) // _CELL) + 1):
            for row in range(int((y - reach) // _CELL), int((y + reach) // _CELL) + 1):
                yield from self._cells.get((column, row), ())


def towards(picture: Picture, start: int, right: int, down: int) -> int | None:
    """The nearest node in a direction (one of the four axes); things off the axis count as farther away."""
    best, cost = None, float("inf")
    for position in range(len(picture.nodes)):
        dx, dy = picture.x[position] - picture.x[start], picture.y[position] - picture.y[start]
        ahead, aside = (dx * right, abs(dy)) if right else (dy * down, abs(dx))
        if position == start or ahead <= 0 or aside > 2 * ahead:
            continue
        price = ahead + 2 * aside
        if price < cost:
            best, cost = position, price
    return best


def next_neighbour(picture: Picture, centre: int, current: int, step: int) -> int | None:
    """The neighbour of `centre` after (or before) `current`, round and round; None for an isolated node."""
    near = picture.near[centre]
    if not near:
        return None
    if current not in near:
        return near[0 if step > 0 else -1]
    return near[(near.index(current) + step) % len(near)]
