"""Pushes nodes apart that a force layout left on top of each other, so that each can be seen and clicked."""

import math
from collections import defaultdict
from collections.abc import Sequence

from app.graph.force import Point

_ROUNDS = 8
#: The least distance of two nodes, as a share of the room a node has.
_LEAST = 0.45


def spacing(points: Sequence[Point]) -> float:
    """The room a node has in the picture, from the middle nine tenths of it; 1 where there is nothing to measure."""
    if len(points) < 2:
        return 1.0
    sides = []
    for axis in (0, 1):
        values = sorted(point[axis] for point in points)
        cut = len(values) // 20
        sides.append(values[-1 - cut] - values[cut])
    return max(sides) / math.sqrt(len(points)) or 1.0


def apart(points: Sequence[Point]) -> list[Point]:
    """The same places with near ones moved apart; equal input gives equal places."""
    least = spacing(points) * _LEAST
    moved = list(points)
    for _ in range(_ROUNDS):
        if not _push(moved, least):
            break
    return moved


def _push(points: list[Point], least: float) -> bool:
    """One round: every pair closer than `least` is moved to that distance. Says whether anything moved."""
    cells: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for number, (x, y) in enumerate(points):
        cells[math.floor(x / least), math.floor(y / least)].append(number)
    moved = False
    for (column, row), here in sorted(cells.items()):
        around = [
            other
            for dx, dy in ((0, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
            for other in cells.get((column + dx, row + dy), ())
        ]
        for one in here:
            for other in around:
                if one != other and math.dist(points[one], points[other]) < least * 0.999:
                    _part(points, one, other, least)
                    moved = True
    return moved


def _part(points: list[Point], one: int, other: int, least: float) -> None:
    (x1, y1), (x2, y2) = points[one], points[other]
    far = math.dist((x1, y1), (x2, y2))
    if far < least * 1e-3:  # on the same spot: any direction will do, as long as it is always the same
        angle = (one * 31 + other) % 360
        dx, dy, far = math.cos(angle), math.sin(angle), 1.0
        half = least / 2
    else:
        dx, dy = x2 - x1, y2 - y1
        half = (least - far) / 2
    points[one] = (x1 - dx / far * half, y1 - dy / far * half)
    points[other] = (x2 + dx / far * half, y2 + dy / far * half)
