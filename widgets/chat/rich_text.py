"""A text view inside a card: as high as its text, selectable, Markdown by blocks, linear cost while text streams in."""

from PySide6.QtCore import QByteArray, QSizeF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget

from widgets.chat.stream import BlockStream
from widgets.common.links import classify
from widgets.common.markdown_render import Context, Look, Renderer
from widgets.common.markdown_split import pieces, references_in
from widgets.common.reveal import revealed
from widgets.common.theme import Theme

#: A longer open block is shown as it comes and rendered once, when it is whole.
_RENDERED_OPEN = 1_500
#: Characters one card shows; the rest is one click away.
SHOWN_AT_ONCE = 60_000


class RichText(QTextBrowser):
    """Signals: link_activated(kind, target) as in `widgets.common.links`; code_copied(); more_requested()."""

    link_activated = Signal(str, str)
    code_copied = Signal()
    more_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._renderer = Renderer()
        self._context = Context(self._look())
        self._stream = BlockStream()
        self._tail_start, self._tail_codes = 0, 0
        self._tail_shown = ""
        self.setProperty("ground", "none")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(20)
        self.document().setDefaultStyleSheet(self._css())
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.anchorClicked.connect(self._follow)
        self.setFixedHeight(18)

    def show_markdown(self, text: str) -> None:
        """Show a whole Markdown text, at most SHOWN_AT_ONCE characters of it."""
        self._start_over()
        self.document().setDefaultStyleSheet(self._css())
        shown = revealed(text[:SHOWN_AT_ONCE])
        self._context.references.update(references_in(shown))
        for piece in pieces(shown):
            self._append(piece)
        if len(text) > SHOWN_AT_ONCE:
            self._offer_more(len(text))

    def show_plain(self, text: str, *, code: bool = False, muted: bool = False) -> None:
        """Show text as it is, without any markup."""
        self._start_over()
        look = QTextCharFormat()
        look.setForeground(self._theme.colour("muted" if muted else "text"))
        if code:
            look.setFont(self._theme.code_font())
        cursor = QTextCursor(self.document())
        cursor.insertText(revealed(text[:SHOWN_AT_ONCE]), look)
        if len(text) > SHOWN_AT_ONCE:
            self._offer_more(len(text))

    def stream(self, text: str) -> None:
        """Append text that arrived: final blocks are rendered once, only the open end is drawn again."""
        self._stream.feed(revealed(text))
        self._draw_open()

    def finish(self) -> None:
        """The text is complete."""
        self._stream.finish()
        self._draw_open()

    def loadResource(self, kind: int, _name: QUrl | str) -> object:
        """Nothing is ever loaded: an empty object of the kind asked for."""
        return QImage() if kind == QTextDocument.ResourceType.ImageResource.value else QByteArray()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap to the new width and be as high as that needs."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.document().setTextWidth(self.viewport().width())
            self._fit(self.document().size())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The transcript scrolls, not the card."""
        event.ignore()

    def _start_over(self) -> None:
        self._context = Context(self._look())
        self._stream = BlockStream()
        self._tail_start, self._tail_codes, self._tail_shown = 0, 0, ""
        self.document().clear()

    def _draw_open(self) -> None:
        closed = list(self._stream.closed())
        tail = self._stream.raw_tail
        if not closed and len(tail) > _RENDERED_OPEN:
            self._extend_raw(tail)
            return
        if closed:
            self._cut_tail()
            for block in closed:
                for piece in pieces(block):
                    self._append(piece)
            self._tail_start = self.document().characterCount() - 1
            self._tail_codes = len(self._context.codes)
        if tail.strip():
            self._cut_tail()
            if len(tail) > _RENDERED_OPEN:
                self._extend_raw(tail)
            else:
                self._append(self._stream.tail)
                self._tail_shown = ""

    def _extend_raw(self, tail: str) -> None:
        """Add what is new of a long open block as it came; it is rendered when it is whole."""
        if not self._tail_shown or not tail.startswith(self._tail_shown):
            self._cut_tail()
            self._tail_shown = ""
        look = QTextCharFormat()
        look.setForeground(self._theme.colour("muted" if self._stream.in_code else "text"))
        if self._stream.in_code:
            look.setFont(self._theme.code_font())
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if not self._tail_shown and cursor.position() > 0:
            cursor.insertBlock(QTextBlockFormat(), look)
        cursor.insertText(tail[len(self._tail_shown) :], look)
        self._tail_shown = tail

    def _cut_tail(self) -> None:
        """Remove the open end, so that it can be drawn again or as a final block."""
        end = self.document().characterCount() - 1
        if end > self._tail_start:
            cursor = QTextCursor(self.document())
            cursor.setPosition(self._tail_start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        del self._context.codes[self._tail_codes :]
        self._tail_shown = ""

    def _append(self, markdown: str) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if cursor.position() > 0:
            cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
        cursor.insertHtml(self._renderer.render(markdown, self._context))

    def _offer_more(self, size: int) -> None:
        told = self.tr("{shown} of {size} characters are shown.").format(shown=f"{SHOWN_AT_ONCE:,}", size=f"{size:,}")
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertHtml(f'<p class="placeholder">{told} <a href="more:">{self.tr("Copy all")}</a></p>')

    def _follow(self, url: QUrl) -> None:
        href = bytes(url.toEncoded().data()).decode("ascii")
        if href.startswith("copy:"):
            index = href.removeprefix("copy:")
            if index.isdigit() and int(index) < len(self._context.codes):
                QGuiApplication.clipboard().setText(self._context.codes[int(index)])
                self.code_copied.emit()
        elif href == "more:":
            self.more_requested.emit()
        else:
            link = classify(href)
            if link.kind not in ("inert", "anchor"):
                self.link_activated.emit(link.kind, link.target)

    def _fit(self, size: QSizeF) -> None:
        lowest = QFontMetricsF(self.font()).height()
        height = round(max(size.height(), lowest)) + 1
        if height != self.height():
            self.setFixedHeight(height)

    def _look(self) -> Look:
        return Look(self._theme.tokens.colours, self._theme.fonts.mono, self._theme.fonts.base)

    def _css(self) -> str:
        colour, fonts = self._theme.tokens.colours, self._theme.fonts
        return (
            f"body, p, li, td, th {{ color: {colour['text']}; line-height: 138%; }}"
            "p { margin-top: 0px; margin-bottom: 7px; } li { margin-bottom: 2px; }"
            f"a {{ color: {colour['accent']}; text-decoration: none; }}"
            f"h1, h2 {{ font-size: {fonts.base + 2}px; }} h3, h4, h5, h6 {{ font-size: {fonts.base}px; }}"
            f"h1, h2, h3, h4, h5, h6 {{ color: {colour['text']}; font-weight: 600; }}"
            "h1, h2, h3, h4, h5, h6 { margin-top: 8px; margin-bottom: 4px; }"
            f"pre, .code {{ font-family: '{fonts.mono}'; font-size: {fonts.small}px; }}"
            f"pre {{ margin: 0px; line-height: 118%; }} .code {{ background-color: {colour['raised']}; }}"
            f".codehead {{ color: {colour['muted']}; font-size: {fonts.small}px; }}"
            f".placeholder, .quote {{ color: {colour['muted']}; }}"
        )
