"""Columns of monospaced text: how wide a text is, and where it breaks when it does not fit."""

from unicodedata import combining, east_asian_width


def cell_width(char: str) -> int:
    """Columns one character takes: 0 for combining marks, 2 for wide ones."""
    if char < "\u0300":
        return 1
    if combining(char):
        return 0
    return 2 if east_asian_width(char) in {"W", "F"} else 1


def width_of(text: str) -> int:
    """Columns a text takes."""
    return len(text) if text.isascii() else sum(map(cell_width, text))


def wrap(text: str, columns: int) -> list[tuple[int, int]]:
    """(start, end) of each visual line of at most `columns` columns, broken after a space where one is near."""
    if columns < 1:
        columns = 1
    if len(text) * 2 <= columns or width_of(text) <= columns:
        return [(0, len(text))]
    parts: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = _fit(text, start, columns)
        if end < len(text):
            space = text.rfind(" ", start + max(1, (end - start) // 2), end)
            end = space + 1 if space >= 0 else end
        parts.append((start, end))
        start = end
    return parts


def _fit(text: str, start: int, columns: int) -> int:
    if text.isascii():
        return min(len(text), start + columns)
    used, end = 0, start
    while end < len(text):
        used += cell_width(text[end])
        if used > columns:
            break
        end += 1
    return max(end, start + 1)
