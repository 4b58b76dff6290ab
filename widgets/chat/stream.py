"""Cutting a growing Markdown text into blocks that are final and the open end, so that each block is rendered once."""

import re
from collections.abc import Iterator

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")


class BlockStream:
    """Takes text piece by piece. `closed` hands out what can no longer change; `tail` is the block still open.

    A block ends at a blank line outside a code fence, or where a fence closes. Feeding n characters costs O(n) in all.
    """

    def __init__(self) -> None:
        self._closed: list[str] = []
        self._lines: list[str] = []
        self._part = ""
        self._fence = ""

    def feed(self, text: str) -> None:
        """Append text."""
        *whole, self._part = (self._part + text).split("\n")
        for line in whole:
            self._take(line + "\n")

    def closed(self) -> Iterator[str]:
        """The blocks that became final since the last call."""
        ready, self._closed = self._closed, []
        yield from ready

    @property
    def tail(self) -> str:
        """The open block, with an open fence closed so that it renders as code already."""
        text = "".join(self._lines) + self._part
        return f"{text}\n{self._fence}\n" if self._fence and text else text

    @property
    def raw_tail(self) -> str:
        """The open block as it came."""
        return "".join(self._lines) + self._part

    @property
    def in_code(self) -> bool:
        """Whether the open block is a code fence."""
        return bool(self._fence)

    def finish(self) -> None:
        """No more text comes: the open block is final too."""
        if self._part:
            self._take(self._part)
            self._part = ""
        self._close()
        self._fence = ""

    def _take(self, line: str) -> None:
        self._lines.append(line)
        marks = _FENCE.match(line)
        if self._fence:
            bare = line.strip()
            if marks and marks[1].startswith(self._fence) and not bare.strip(self._fence[0]):
                self._fence = ""
                self._close()
        elif marks:
            opening = self._lines.pop()
            self._close()
            self._lines.append(opening)
            self._fence = marks[1]
        elif not line.strip():
            self._close()

    def _close(self) -> None:
        text = "".join(self._lines)
        self._lines = []
        if text.strip():
            self._closed.append(text)
