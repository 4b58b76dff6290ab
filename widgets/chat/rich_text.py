"""Markdown inside a card, block by block: final blocks are added once, the open end can be drawn again."""

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QRect, QUrl, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QWidget

from widgets.chat.plain_text import PlainText
from widgets.common.links import classify
from widgets.common.markdown_render import Context, Look, Renderer
from widgets.common.theme import Theme

_LONGEST_LINE = 2_000
#: Pixels of an empty line beside a table and below a paragraph, and the height of lines in per cent.
_GAP, _AFTER, _LINES = 8, 7, 138


class RichText(PlainText):
    """Signals: link_activated(kind, target) as in `widgets.common.links`; code_copied()."""

    link_activated = Signal(str, str)
    code_copied = Signal()

    def __init__(
        self, theme: Theme, renderer: Renderer, references: MutableMapping[str, Any], parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self._renderer = renderer
        look = Look(theme.tokens.colours, theme.fonts.mono, theme.fonts.base)
        self._context = Context(look, references=references)
        self._open_at: int | None = None
        self._open_codes = 0
        self._raw = ""
        self.size_taken = 0
        self._writes = False
        self.document().setDefaultStyleSheet(_css(theme))
        self.anchorClicked.connect(self._follow)

    def add_block(self, markdown: str) -> None:
        """Add a block that is final, in the place of the open end."""
        with self._one_fit():
            self.cut_open()
            self._append(markdown)
        self.size_taken += len(markdown)

    def show_open(self, markdown: str) -> None:
        """Draw the open end, rendered."""
        with self._one_fit():
            self.cut_open()
            self._begin_open()
            self._append(markdown)

    def show_raw(self, text: str, *, code: bool) -> None:
        """Draw a long open end as it came; only what is new is added."""
        with self._one_fit():
            if not self._raw or not text.startswith(self._raw):
                self.cut_open()
                self._begin_open()
                self._new_block()
            cursor = self._end()
            fresh = _with_breaks(text[len(self._raw) :], cursor.positionInBlock())
            cursor.insertText(fresh, self.look(code=code, muted=code))
            self._raw = text

    def cut_open(self) -> None:
        """Remove the open end."""
        if self._open_at is None:
            return
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._open_at)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        del self._context.codes[self._open_codes :]
        self._open_at, self._raw = None, ""

    def set_writing(self, *, writes: bool) -> None:
        """Draw a caret behind the last letter as long as more is to come."""
        if writes != self._writes:
            self._writes = writes
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, and the caret while it is written; a still one, so that nothing blinks."""
        super().paintEvent(event)
        if self._writes:
            line = self.cursorRect(self._end())
            high = self.fontMetrics().ascent()
            place = QRect(line.right() + 2, line.bottom() - self.fontMetrics().descent() - high + 1, high // 2, high)
            QPainter(self.viewport()).fillRect(place, self.theme.colour("accent"))

    @contextmanager
    def _one_fit(self) -> Iterator[None]:
        """Several edits, laid out once, with one new height."""
        self._filling = True
        edit = QTextCursor(self.document())
        edit.beginEditBlock()
        try:
            yield
        finally:
            edit.endEditBlock()
            self._filling = False
            self._fit(self.document().size())

    def _begin_open(self) -> None:
        self._open_at = self.document().characterCount() - 1
        self._open_codes = len(self._context.codes)

    def _append(self, markdown: str) -> None:
        self._new_block()
        first = self._end().position()
        self._end().insertHtml(self._renderer.render(markdown, self._context))
        self._space_out(first)

    def _space_out(self, first: int) -> None:
        """Give what was added the same gaps however it came: what is put in by itself loses the format of its first
        paragraph, and around a table stand empty lines of full height.
        """
        block = self.document().findBlock(first)
        opening = True
        while block.isValid():
            cursor, form = QTextCursor(block), block.blockFormat()
            if cursor.currentTable() is None and block.textList() is None:
                if not block.text():
                    form = QTextBlockFormat()
                    form.setLineHeight(_GAP, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
                    cursor.setBlockFormat(form)
                elif opening and not form.lineHeight():
                    form.setBottomMargin(_AFTER)
                    form.setLineHeight(_LINES, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
                    cursor.setBlockFormat(form)
            opening = False
            block = block.next()

    def _new_block(self) -> None:
        """Begin a line: the empty one behind a table, else another."""
        cursor = self._end()
        if cursor.position() > 0 and cursor.block().text():
            cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
        else:
            cursor.setBlockFormat(QTextBlockFormat())

    def _end(self) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        return cursor

    def _follow(self, url: QUrl) -> None:
        href = bytes(url.toEncoded().data()).decode("ascii")
        if href.startswith("copy:"):
            index = href.removeprefix("copy:")
            if index.isdigit() and int(index) < len(self._context.codes):
                QGuiApplication.clipboard().setText(self._context.codes[int(index)])
                self.code_copied.emit()
            return
        link = classify(href)
        if link.kind not in ("inert", "anchor"):
            self.link_activated.emit(link.kind, link.target)


def _with_breaks(text: str, taken: int) -> str:
    """The text with a break wherever a line grows too long; `taken` characters stand before it in its first line.

    Laying out one line takes time by the square of its length. Only the open end is broken like this.
    """
    lines = text.split("\n")
    for number, line in enumerate(lines):
        first = _LONGEST_LINE - min(taken, _LONGEST_LINE) if number == 0 else _LONGEST_LINE
        parts = [line[:first], *(line[at : at + _LONGEST_LINE] for at in range(first, len(line), _LONGEST_LINE))]
        lines[number] = "\n".join(parts)
    return "\n".join(lines)


def _css(theme: Theme) -> str:
    colour, fonts = theme.tokens.colours, theme.fonts
    return (
        f"body, p, li, td, th {{ color: {colour['text']}; line-height: {_LINES}%; }}"
        f"p {{ margin-top: 0px; margin-bottom: {_AFTER}px; }} li {{ margin-bottom: 2px; }}"
        "ul, ol { margin-top: 0px; margin-bottom: 7px; }"
        f"a {{ color: {colour['accent']}; text-decoration: none; }}"
        # Words, not pixels: a heading's own size would win over these.
        "h1, h2 { font-size: large; } h3, h4, h5, h6 { font-size: medium; }"
        f"h1, h2, h3, h4, h5, h6 {{ color: {colour['text']}; font-weight: 600; }}"
        "h1, h2, h3, h4, h5, h6 { margin-top: 8px; margin-bottom: 4px; }"
        f"pre, .code {{ font-family: '{fonts.mono}'; font-size: {fonts.small}px; }}"
        f"pre {{ margin: 0px; line-height: 118%; }} .code {{ background-color: {colour['raised']}; }}"
        f".codehead {{ color: {colour['muted']}; font-size: {fonts.small}px; }}"
        f".placeholder, .quote {{ color: {colour['muted']}; }}"
    )
