"""The rows of a difference, as they are painted: file heads, folds, and lines side by side or one under the other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.text.values import FileDiff, Hunk, Line, LineKind
from widgets.common.reveal import reveal_spans


class RowKind(StrEnum):
    """What a row shows."""

    FILE = "file"
    NOTE = "note"
    HUNK = "hunk"
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
    """One row. For lines, `left` and `right` are the two sides; a unified row fills only one of them."""

    kind: RowKind
    file: int
    text: str = ""
    hunk: str = ""
    left: Half | None = None
    right: Half | None = None


def rows_of(files: Sequence[FileDiff], *, side_by_side: bool, folded: frozenset[int] = frozenset()) -> list[Row]:
    """All rows of these files in order; `folded` holds the indices of files whose lines are hidden."""
    rows: list[Row] = []
    for index, file in enumerate(files):
        rows.append(Row(RowKind.FILE, index, file.path))
        if index in folded:
            continue
        note = _note(file)
        if note:
            rows.append(Row(RowKind.NOTE, index, note))
        rows.extend(_hunk_rows(index, file, side_by_side=side_by_side))
    return rows


def as_patch(file: FileDiff, hunk_id: str) -> str:
    """One hunk as unified text, for the clipboard."""
    signs = {LineKind.CONTEXT: " ", LineKind.ADDED: "+", LineKind.REMOVED: "-"}
    hunk = next(item for item in file.hunks if item.id == hunk_id)
    head = f"--- {file.path}\n+++ {file.path}\n{_range(hunk)}\n"
    return head + "\n".join(signs[line.kind] + line.text.rstrip("\r\n") for line in hunk.lines) + "\n"


def _hunk_rows(index: int, file: FileDiff, *, side_by_side: bool) -> Iterator[Row]:
    end = 1
    for hunk in file.hunks:
        hidden = hunk.old_start - end
        yield Row(RowKind.HUNK, index, _hidden(hidden, hunk), hunk.id)
        end = hunk.old_start + hunk.old_count
        lines = _paired(hunk.lines) if side_by_side else _single(hunk.lines)
        for left, right in lines:
            yield Row(RowKind.LINE, index, "", hunk.id, left, right)
    if file.hunks:
        yield Row(RowKind.GAP, index)


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
    if count <= 0:
        return f"from line {max(1, hunk.new_start)}"
    return "⋯  1 unchanged line" if count == 1 else f"⋯  {count} unchanged lines"


def _range(hunk: Hunk) -> str:
    return f"@@ -{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count} @@"
