"""A Markdown text of any length in a card: cut into views of bounded size, drawn in slices so that nothing stalls."""

from collections import deque
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from widgets.chat.rich_text import RichText
from widgets.chat.stream import BlockStream
from widgets.common.markdown_render import Renderer
from widgets.common.markdown_split import pieces, references_in
from widgets.common.reveal import revealed
from widgets.common.theme import Theme

#: Characters of one view; a longer text gets another view below, so that a change lays out little.
_VIEW = 4_000
#: Characters rendered at once, and seconds one slice may take.
_PIECE = 3_000
_SLICE_S = 0.025
#: A longer open block is shown as it comes and rendered once, when it is whole.
_RENDERED_OPEN = 1_200
_OPENED_AT_ONCE = 6_000


class GrowingText(QWidget):
    """Feed it pieces, then finish. Signals: link_activated(kind, target), code_copied()."""

    link_activated = Signal(str, str)
    code_copied = Signal()

    def __init__(self, theme: Theme, renderer: Renderer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._renderer = theme, renderer
        self._references: dict[str, Any] = {}
        self._stream = BlockStream()
        self._waiting: deque[str] = deque()
        self._views: list[RichText] = []
        self._words: tuple[str, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._slice)

    def feed(self, text: str) -> None:
        """Append text that arrived."""
        self._stream.feed(revealed(text))
        self._take_closed()
        self._slice()
        self._show_caret(shown=True)

    def finish(self) -> None:
        """The text is complete."""
        self._stream.finish()
        self._take_closed()
        self._slice()
        self._show_caret(shown=False)

    def show_markdown(self, text: str) -> None:
        """Show a whole text instead; the end of a long one is drawn a little later."""
        self.clear()
        shown = revealed(text)
        self._references.update(references_in(shown))
        self._waiting.extend(_portions(shown))
        taken = 0
        while self._waiting and taken < _OPENED_AT_ONCE:
            taken += len(self._waiting[0])
            self._draw(self._waiting.popleft())
        if self._waiting:
            self._timer.start()

    def clear(self) -> None:
        """Forget everything."""
        self._timer.stop()
        self._waiting.clear()
        self._references.clear()
        self._stream = BlockStream()
        for view in self._views:
            self._column.removeWidget(view)
            view.hide()
            view.deleteLater()
        self._views = []

    @property
    def busy(self) -> bool:
        """Whether text is still to be drawn."""
        return bool(self._waiting)

    def lift_out(self, words: tuple[str, ...]) -> None:
        """Put a ground under these words, also in what is drawn later."""
        self._words = words
        for view in self._views:
            view.lift_out(words)

    def plain(self) -> str:
        """What is shown, without markup."""
        return "\n".join(view.toPlainText() for view in self._views)

    def _take_closed(self) -> None:
        for block in self._stream.closed():
            if "]:" in block:
                self._references.update(references_in(block))
            self._waiting.extend(pieces(block.rstrip() + "\n", _PIECE))

    def _slice(self) -> None:
        """Draw for a short while, the rest at the next turn of the event loop."""
        deadline = perf_counter() + _SLICE_S
        while self._waiting and perf_counter() < deadline:
            self._draw(self._waiting.popleft())
        if self._waiting:
            self._timer.start()
        else:
            self._draw_open()

    def _draw(self, piece: str) -> None:
        if self._views and self._views[-1].size_taken >= _VIEW:
            self._views[-1].cut_open()
            self._add_view()
        self._last().add_block(piece)
        if self._words:
            self._last().lift_out(self._words)

    def _draw_open(self) -> None:
        raw = self._stream.raw_tail
        if not raw.strip():
            if self._views:
                self._last().cut_open()
        elif len(raw) > _RENDERED_OPEN:
            self._last().show_raw(raw, code=self._stream.in_code)
        else:
            self._last().show_open(self._stream.tail)

    def _show_caret(self, *, shown: bool) -> None:
        for view in self._views[-2:]:
            view.set_writing(writes=shown and view is self._views[-1])

    def _last(self) -> RichText:
        if not self._views:
            self._add_view()
        return self._views[-1]

    def _add_view(self) -> None:
        view = RichText(self._theme, self._renderer, self._references)
        view.setAccessibleName(self.tr("Answer"))
        view.link_activated.connect(self.link_activated)
        view.code_copied.connect(self.code_copied)
        self._views.append(view)
        self._column.addWidget(view)


def _portions(text: str) -> Iterator[str]:
    """Whole blocks gathered to portions of bounded size; only a block that is longer by itself is cut."""
    stream = BlockStream()
    stream.feed(text)
    stream.finish()
    portion = ""
    for block in stream.closed():
        if portion and len(portion) + len(block) > _PIECE:
            yield portion
            portion = ""
        if len(block) > _PIECE:
            yield from pieces(block.rstrip() + "\n", _PIECE)
        else:
            portion += block
    if portion:
        yield portion
