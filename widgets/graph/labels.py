"""Which names are written, and where, so that none overlaps another: the important first, the rest where room is."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

#: More names than this are noise, whatever the zoom.
_MOST = 260
_CELL = 48.0


class Labels(StrEnum):
    """How many names the graph shows."""

    AUTO = "auto"
    ALL = "all"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Box:
    """Room on the screen: centred at `x`, its top at `y`, in pixels."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Wish:
    """A node's name and the places it may stand at, the best first."""

    node: int
    places: tuple[Box, ...]


class _Taken:
    """The room that is taken, in cells, so that a look-up does not visit everything."""

    def __init__(self, boxes: Iterable[Box]) -> None:
        self._cells: dict[tuple[int, int], list[Box]] = {}
        for box in boxes:
            self.take(box)

    def take(self, box: Box) -> None:
        for cell in _cells(box):
            self._cells.setdefault(cell, []).append(box)

    def free(self, box: Box) -> bool:
        return not any(_overlap(box, other) for cell in _cells(box) for other in self._cells.get(cell, ()))


def budget(labels: Labels, scale: float) -> int:
    """How many names at most at this zoom: a few hubs when far away, all that fit when near."""
    if labels is Labels.NONE:
        return 0
    if labels is Labels.ALL:
        return 4 * _MOST
    if scale < 0.2:
        return 12
    return 40 if scale < 0.4 else _MOST


def place(wishes: Iterable[Wish], limit: int, taken: Iterable[Box] = ()) -> list[tuple[int, Box]]:
    """Give each wish, in their order, the first of its places that is free; at most `limit` get one."""
    room = _Taken(taken)
    kept: list[tuple[int, Box]] = []
    for wish in wishes:
        if len(kept) >= limit:
            break
        found = next((box for box in wish.places if room.free(box)), None)
        if found is not None:
            kept.append((wish.node, found))
            room.take(found)
    return kept


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    left, right = int((box.x - box.width / 2) // _CELL), int((box.x + box.width / 2) // _CELL)
    for column in range(left, right + 1):
        for row in range(int(box.y // _CELL), int((box.y + box.height) // _CELL) + 1):
            yield column, row


def _overlap(one: Box, other: Box) -> bool:
    aside = abs(one.x - other.x) * 2 < one.width + other.width
    return aside and one.y < other.y + other.height and other.y < one.y + one.height
