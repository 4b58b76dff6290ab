"""Where each row of a difference stands: heights after wrapping, and the row under a point."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from widgets.common.cells import wrap
from widgets.common.diff_rows import Half, Row, RowKind

PADDING = 8
MARK = 14


@dataclass(frozen=True, slots=True)
class Metrics:
    """Sizes in pixels: one character cell, one line, the viewport, and the columns a line number takes."""

    cell: float
    line: int
    width: int
    digits: int

    @property
    def number_width(self) -> int:
        """A column of line numbers."""
        return round((self.digits + 2) * self.cell)


@dataclass(slots=True)
class Placement:
    """The tops of all rows (one more than rows, the last is the whole height) and the wrapped parts of each line."""

    tops: list[int] = field(default_factory=lambda: [0])
    parts: list[tuple[list[tuple[int, int]], list[tuple[int, int]]]] = field(default_factory=list)

    @property
    def height(self) -> int:
        """Pixels all rows take."""
        return self.tops[-1]

    def row_at(self, y: int) -> int:
        """The row at a height, -1 outside."""
        if not 0 <= y < self.height:
            return -1
        return bisect_right(self.tops, y) - 1

    def add(self, rows: Iterable[Row], metrics: Metrics, *, side_by_side: bool) -> None:
        """Place further rows below the last one."""
        columns = text_columns(metrics, side_by_side=side_by_side)
        alone = text_columns(metrics, side_by_side=side_by_side, alone=True)
        for row in rows:
            room = alone if row.alone else columns
            left, right = _wrapped(row.left, room), _wrapped(row.right, room)
            self.parts.append((left, right))
            self.tops.append(self.tops[-1] + _height(row, max(len(left), len(right), 1), metrics))


def place_rows(rows: Sequence[Row], metrics: Metrics, *, side_by_side: bool) -> Placement:
    """Place all rows below each other."""
    placement = Placement()
    placement.add(rows, metrics, side_by_side=side_by_side)
    return placement


def text_columns(metrics: Metrics, *, side_by_side: bool, alone: bool = False) -> int:
    """How many character cells one line of text has; `alone` for a file with one side, which needs one number."""
    if alone:
        space = metrics.width - metrics.number_width - MARK - PADDING
    elif side_by_side:
        space = metrics.width // 2 - metrics.number_width - MARK - PADDING
    else:
        space = metrics.width - 2 * metrics.number_width - MARK - PADDING
    return max(8, int(space / metrics.cell))


def _wrapped(half: Half | None, columns: int) -> list[tuple[int, int]]:
    return wrap(half.text, columns) if half else []


def _height(row: Row, lines: int, metrics: Metrics) -> int:
    if row.kind is RowKind.FILE:
        return metrics.line + 14
    if row.kind in (RowKind.HUNK, RowKind.FOLD):
        return metrics.line + 6
    if row.kind is RowKind.GAP:
        return 10
    return lines * metrics.line
