"""The rows of a difference with their places, made piece by piece so that megabytes never hold the window up."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import chain, islice
from time import perf_counter

from widgets.common.diff_layout import Metrics, Placement
from widgets.common.diff_rows import Row, RowKind

#: Rows between two looks at the clock.
_PIECE = 100


class RowFlow:
    """Rows so far, their places, and where the hunks begin. `advance` takes further rows for a given time."""

    def __init__(self, source: Iterator[Row], metrics: Metrics, *, side_by_side: bool) -> None:
        self._source = source
        self._metrics = metrics
        self._side = side_by_side
        self.rows: list[Row] = []
        self.placement = Placement()
        self.done = False
        self._heads: list[int] = []
        self._places: dict[tuple[int, str], int] = {}

    def placed_anew(self, metrics: Metrics) -> "RowFlow":
        """The same rows for another width; those already made are not made again."""
        return RowFlow(chain(self.rows, self._source), metrics, side_by_side=self._side)

    def advance(self, seconds: float) -> None:
        """Take rows for about this long, at least one piece."""
        until = perf_counter() + seconds
        while not self.done:
            self._take()
            if perf_counter() >= until:
                return

    def advance_to(self, row: int) -> None:
        """Take rows until there are more than this many, or no more come."""
        while not self.done and len(self.rows) <= row:
            self._take()

    def head(self, file: int, hunk: str) -> int:
        """The row that heads a hunk, -1 when it is folded away or not there yet."""
        return self._places.get((file, hunk), -1)

    def head_above(self, row: int) -> int:
        """The hunk head at or above a row, -1 when there is none."""
        at = bisect_right(self._heads, row) - 1
        return self._heads[at] if at >= 0 else -1

    def next_head(self, row: int, step: int) -> int:
        """The hunk head after (1) or before (-1) a row, -1 when there is none. Takes rows until it is found."""
        if step < 0:
            at = bisect_left(self._heads, row) - 1
            return self._heads[at] if at >= 0 else -1
        while True:
            at = bisect_right(self._heads, row)
            if at < len(self._heads):
                return self._heads[at]
            if self.done:
                return -1
            self._take()

    def number(self, row: int) -> int:
        """Which hunk of all a head is, counted from 1."""
        return bisect_right(self._heads, row)

    def _take(self) -> None:
        piece = list(islice(self._source, _PIECE))
        self.done = len(piece) < _PIECE
        for at, row in enumerate(piece, len(self.rows)):
            if row.kind is RowKind.HUNK:
                self._heads.append(at)
                self._places[row.file, row.hunk] = at
        self.rows += piece
        self.placement.add(piece, self._metrics, side_by_side=self._side)
