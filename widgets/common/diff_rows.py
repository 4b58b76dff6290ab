"""The rows of a difference, as they are painted: file heads, folds, and lines side by side or one under the other.

Rows come from iterators, so that a difference of megabytes can be laid out piece by piece.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.text.values import FileDiff, FileStatus, Hunk, Line, LineKind
from widgets.common.reveal import reveal_spans


class RowKind(StrEnum):
    """What a row shows."""

    FILE = "file"
    NOTE = "note"
    HUNK = "hunk"
    FOLD = "fold"
    LINE = "line"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Half:
    """One side of a line: its number, text with hidden characters shown, the words that differ, and its kind."""

    number: int
    text: str
    kind: LineKind
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One row. For lines, `left` and `right` are the two sides; a unified row fills only one of them.

    `alone` marks lines of a file that has only one side: they take the whole width in both modes. `fold` is the
    number of the run of unchanged lines that a click opens or closes, -1 for none; `opened` says that it is shown.
    """

    kind: RowKind
    file: int
    text: str = ""
    hunk: str = ""
    left: Half | None = None
    right: Half | None = None
    alone: bool = False
    fold: int = -1
    opened: bool = False


#: Runs of unchanged lines that are shown, as (index of the file, index of the run).
Opened = Collection[tuple[int, int]]


def rows_of(
    files: Sequence[FileDiff], *, side_by_side: bool, folded: frozenset[int] = frozenset(), opened: Opened = ()
) -> list[Row]:
    """All rows of these files at once."""
    return list(each_row(files, side_by_side=side_by_side, folded=folded, opened=opened))


def each_row(
    files: Sequence[FileDiff], *, side_by_side: bool, folded: frozenset[int] = frozenset(), opened: Opened = ()
) -> Iterator[Row]:
    """The rows of these files in order; `folded` holds the indices of files whose lines are hidden."""
    for index, file in enumerate(files):
        yield Row(RowKind.FILE, index, file.path)
        if index in folded:
            continue
        note = _note(file)
        if note:
            yield Row(RowKind.NOTE, index, note)
        shown = {run for place, run in opened if place == index}
        yield from _hunk_rows(index, file, shown, side_by_side=side_by_side)


def as_patch(file: FileDiff, hunk_id: str) -> str:
    """One hunk as unified text, for the clipboard."""
    signs = {LineKind.CONTEXT: " ", LineKind.ADDED: "+", LineKind.REMOVED: "-"}
    hunk = next(item for item in file.hunks if item.id == hunk_id)
    head = f"--- {file.path}\n+++ {file.path}\n{_range(hunk)}\n"
    return head + "\n".join(signs[line.kind] + line.text.rstrip("\r\n") for line in hunk.lines) + "\n"


def runs_of(file: FileDiff) -> Iterator[int]:
    """The numbers of the runs of unchanged lines that can be opened."""
    return (run for run, lines in enumerate(file.between) if lines)


def _hunk_rows(index: int, file: FileDiff, shown: Collection[int], *, side_by_side: bool) -> Iterator[Row]:
    alone = file.status is not FileStatus.MODIFIED
    ends = (1, 1)
    for run, hunk in enumerate(file.hunks):
        hidden = hunk.old_start - ends[0] if hunk.old_count else hunk.old_start + 1 - ends[0]
        can_open = run < len(file.between) and bool(file.between[run])
        if can_open and run in shown:
            yield from _opened(index, file, run, ends)
            hidden = 0
        text = _hidden(hidden, hunk)
        yield Row(RowKind.HUNK, index, text, hunk.id, fold=run if can_open and run not in shown else -1)
        ends = _after(hunk)
        lines = _paired(hunk.lines) if side_by_side and not alone else _single(hunk.lines)
        for left, right in lines:
            yield Row(RowKind.LINE, index, "", hunk.id, left, right, alone)
    last = len(file.hunks)
    if last and last < len(file.between) and file.between[last]:
        if last in shown:
            yield from _opened(index, file, last, ends)
        else:
            yield Row(RowKind.FOLD, index, _unchanged(len(file.between[last])), fold=last)
    if file.hunks:
        yield Row(RowKind.GAP, index)


def _opened(index: int, file: FileDiff, run: int, starts: tuple[int, int]) -> Iterator[Row]:
    """The head of an opened run, which closes it again, and its lines."""
    lines = file.between[run]
    yield Row(RowKind.FOLD, index, _unchanged(len(lines)), fold=run, opened=True)
    old, new = starts
    for step, text in enumerate(lines):
        line = Line(LineKind.CONTEXT, text, old + step, new + step)
        yield Row(RowKind.LINE, index, "", "", _half(line, old + step), _half(line, new + step))


def _after(hunk: Hunk) -> tuple[int, int]:
    """The numbers of the first lines after a hunk, old and new. A side without lines names the line before it."""
    old = hunk.old_start + (hunk.old_count or 1)
    return old, hunk.new_start + (hunk.new_count or 1)


def _single(lines: Iterable[Line]) -> Iterator[tuple[Half | None, Half | None]]:
    for line in lines:
        if line.kind is LineKind.REMOVED:
            yield _half(line, line.old_number), None
        elif line.kind is LineKind.ADDED:
            yield None, _half(line, line.new_number)
        else:
            yield _half(line, line.old_number), _half(line, line.new_number)


def _paired(lines: Iterable[Line]) -> Iterator[tuple[Half | None, Half | None]]:
    removed: list[Half] = []
    added: list[Half] = []
    for line in lines:
        if line.kind is LineKind.REMOVED:
            if added:
                yield from _zipped(removed, added)
            removed.append(_half(line, line.old_number))
        elif line.kind is LineKind.ADDED:
            added.append(_half(line, line.new_number))
        else:
            yield from _zipped(removed, added)
            yield _half(line, line.old_number), _half(line, line.new_number)
    yield from _zipped(removed, added)


def _zipped(removed: list[Half], added: list[Half]) -> Iterator[tuple[Half | None, Half | None]]:
    for place in range(max(len(removed), len(added))):
        yield removed[place] if place < len(removed) else None, added[place] if place < len(added) else None
    removed.clear()
    added.clear()


def _half(line: Line, number: int | None) -> Half:
    text, spans = reveal_spans(
        line.text.rstrip("\r\n").expandtabs(4) if not line.spans else _plain(line.text), line.spans
    )
    return Half(number or 0, text, line.kind, spans)


def _plain(text: str) -> str:
    """A tab counts as one character here, so that marked ranges stay right."""
    return text.rstrip("\r\n").replace("\t", " ")


def _note(file: FileDiff) -> str:
    parts = [file.mode] if file.mode else []
    if file.binary:
        parts.append(f"binary: {file.old_size:,} → {file.new_size:,} bytes")
        parts.append(f"{file.old_hash[:12] or '–'} → {file.new_hash[:12] or '–'}")
    return " · ".join(parts)


def _hidden(count: int, hunk: Hunk) -> str:
    return _unchanged(count) if count > 0 else f"from line {max(1, hunk.new_start)}"


def _unchanged(count: int) -> str:
    return "⋯  1 unchanged line" if count == 1 else f"⋯  {count} unchanged lines"


def _range(hunk: Hunk) -> str:
    return f"@@ -{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count} @@"
