"""Colours in editors: light rules for Markdown while it is typed, Pygments for files that are only shown."""

import re

from PySide6.QtCore import Slot
from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from widgets.common.code_colours import ranges
from widgets.common.theme import Theme

_PLAIN, _FENCE, _FRONT = 0, 1, 2
_INLINE = (
    (re.compile(r"`[^`\n]+`"), "syntax_string", False),
    (re.compile(r"\*\*[^*\n]+\*\*|__[^_\n]+__"), "text", True),
    (re.compile(r"\[[^\]\n]*\]\([^)\n]*\)"), "syntax_name", False),
    (re.compile(r"^\s*(?:[-*+]|\d+[.)])\s"), "syntax_keyword", False),
    (re.compile(r"^\s*>.*"), "syntax_comment", False),
)
_LONG_LINE = 4_000


class MarkdownHighlighter(QSyntaxHighlighter):
    """Headings, front matter keys, fences, code, links, lists and quotes."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self._again)

    def highlightBlock(self, text: str) -> None:
        """Colour one line; the block state says whether a fence or the front matter is open."""
        before = self.previousBlockState()
        if self.currentBlock().blockNumber() == 0 and text.strip() == "---":
            self._whole(text, "syntax_comment", _FRONT)
        elif before == _FRONT:
            self._front(text)
        elif before == _FENCE or text.lstrip().startswith(("```", "~~~")):
            closing = before == _FENCE and text.strip() in {"```", "~~~"}
            opening = before != _FENCE
            state = _PLAIN if closing else _FENCE
            self._whole(text, "syntax_comment" if closing or opening else "syntax_string", state)
        else:
            self.setCurrentBlockState(_PLAIN)
            self._line(text)

    def _front(self, text: str) -> None:
        if text.strip() in {"---", "..."}:
            self._whole(text, "syntax_comment", _PLAIN)
            return
        self.setCurrentBlockState(_FRONT)
        key = re.match(r"\s*[\w.-]+:", text)
        if key:
            self.setFormat(0, key.end(), self._style("syntax_name"))

    def _line(self, text: str) -> None:
        if re.match(r"#{1,6}\s", text):
            self.setFormat(0, len(text), self._style("syntax_keyword", bold=True))
        elif len(text) <= _LONG_LINE:
            for pattern, token, bold in _INLINE:
                for found in pattern.finditer(text):
                    self.setFormat(found.start(), found.end() - found.start(), self._style(token, bold=bold))

    def _whole(self, text: str, token: str, state: int) -> None:
        self.setCurrentBlockState(state)
        self.setFormat(0, len(text), self._style(token))

    def _style(self, token: str, *, bold: bool = False) -> QTextCharFormat:
        return _format(self._theme, token, bold=bold)

    @Slot()
    def _again(self) -> None:
        self.rehighlight()


class FileHighlighter(QSyntaxHighlighter):
    """Colours a text that does not change, by Pygments' reading of the whole of it."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        self._marks: list[tuple[int, int, str]] = []
        theme.changed.connect(self._again)

    def set_language(self, text: str, language: str) -> None:
        """Read the text that the document is about to show."""
        self._marks = [mark for mark in ranges(text, language) if mark[2]]

    def highlightBlock(self, text: str) -> None:
        """Colour the parts of this line."""
        first = self.currentBlock().position()
        last = first + len(text)
        for start, end, token in self._marks:
            if start < last and end > first:
                left = max(start, first)
                self.setFormat(left - first, min(end, last) - left, _format(self._theme, token))

    @Slot()
    def _again(self) -> None:
        self.rehighlight()


def _format(theme: Theme, token: str, *, bold: bool = False) -> QTextCharFormat:
    style = QTextCharFormat()
    style.setForeground(theme.colour(token))
    if bold:
        style.setFontWeight(QFont.Weight.DemiBold)
    return style
