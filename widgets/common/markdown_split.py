"""Cut a long Markdown text into pieces that can be rendered one after the other, each in bounded time."""

import re
from collections.abc import Iterator

#: Cost of one piece, in characters: some 15 ms of parsing and layout.
PIECE = 5_000
#: What a table's cell costs more than its characters: each becomes a frame of its own.
_CELL = 15
_OPEN_BRACKETS = 200

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_TABLE_RULE = re.compile(r"^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
#: What cannot be a row: a blank line, or the beginning of another block.
_ENDS_TABLE = re.compile(r"^[ \t\r]*$|^ {0,3}(?:#{1,6}[ \t]|>|`{3,}|~{3,}|[-*+][ \t]|\d{1,9}[.)][ \t])")
_REFERENCE = re.compile(r"^ {0,3}\[([^\]\n]{1,200})\]:[ \t]*<?(\S{1,2000}?)>?(?:[ \t]+[\"'(].*)?$", re.MULTILINE)
_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?:.*?\r?\n)?---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_DEEP = re.compile(r"^(?:[ \t]{40,}|(?:[ \t]*>){16,})", re.MULTILINE)
_REFERENCES_KEPT = 2_000


def body_of(text: str) -> str:
    """The text without a byte order mark and without its YAML front matter."""
    found = _FRONT.match(text)
    return text[found.end() :] if found else text.removeprefix("\ufeff")


def references_in(text: str) -> dict[str, dict[str, str]]:
    """Link definitions of the whole text, so that a piece can use one that stands in another piece."""
    found: dict[str, dict[str, str]] = {}
    for match in _REFERENCE.finditer(text):
        if len(found) >= _REFERENCES_KEPT:
            break
        found.setdefault(" ".join(match[1].split()).upper(), {"title": "", "href": match[2]})
    return found


def cost(text: str) -> int:
    """What it costs to show a text, in characters of plain prose."""
    return len(text) + _CELL * text.count("|")


def too_hard(piece: str) -> bool:
    """Whether the piece is shown as plain text: it nests too deeply, or its open brackets take quadratic time."""
    if piece.count("[") - piece.count("]") > _OPEN_BRACKETS:
        return True
    return _DEEP.search(piece) is not None and _nests(piece)


def pieces(text: str, size: int = PIECE) -> Iterator[str]:
    """Yield the text piece by piece, cut at blank lines where possible and never inside a code fence or table.

    Every character appears in order; a cut fence is closed and opened again, a cut table gets its head again, a line
    longer than a piece is broken.
    """
    lines: list[str] = []
    length = 0
    state = _Block()
    for line in _short_lines(text, size):
        if lines and (length + cost(line) > size or (length > size // 2 and not line.strip() and not state.fence)):
            kept = state.begun(lines, line)
            if len(kept) < len(lines):
                yield "".join(lines[: len(lines) - len(kept)]) + state.closing()
                lines = kept or state.opening(line)
                length = sum(map(cost, lines))
        lines.append(line)
        length += cost(line)
        state.feed(line)
    if lines:
        yield "".join(lines)


class _Block:
    """The fence or table the cutter is in."""

    def __init__(self) -> None:
        self.fence = ""
        self._opening = ""
        self._previous = ""
        self._head: list[str] = []

    def feed(self, line: str) -> None:
        """Take the next line into account."""
        marks = _FENCE.match(line)
        if self.fence:
            bare = line.strip()
            if marks and marks[1].startswith(self.fence) and not bare.strip(self.fence[0]):
                self.fence = ""
        elif marks:
            self.fence, self._opening, self._head = marks[1], line.rstrip("\r\n") + "\n", []
        elif _ENDS_TABLE.match(line):
            self._head = []
        elif "|" in self._previous and _TABLE_RULE.match(line):
            self._head = [self._previous, line]
        self._previous = line

    def closing(self) -> str:
        """What ends an open fence at a cut."""
        return f"{self.fence}\n" if self.fence else ""

    def opening(self, line: str) -> list[str]:
        """The lines that open the cut block again, before `line`; none where the table ends there anyway."""
        if self.fence:
            return [self._opening]
        return [] if _ENDS_TABLE.match(line) else list(self._head)

    def begun(self, lines: list[str], line: str) -> list[str]:
        """The last lines when they are the head of a table whose first row is still to come: they stay with it."""
        if self.fence or _ENDS_TABLE.match(line):
            return []
        if self._head and lines[-2:] == self._head:
            return list(self._head)
        return [self._previous] if "|" in self._previous and _TABLE_RULE.match(line) and not self._head else []


def _short_lines(text: str, size: int) -> Iterator[str]:
    for line in text.splitlines(keepends=True):
        for start in range(0, len(line), size) if len(line) > size else (0,):
            yield line[start : start + size] if len(line) > size else line


def _nests(piece: str) -> bool:
    return any(line.lstrip()[:2] in {"- ", "* ", "+ "} or line.lstrip().startswith(">") for line in piece.splitlines())
