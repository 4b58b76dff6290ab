"""A view of rendered Markdown: safe links, local pictures only, long texts piece by piece, Back keeps the place."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from PySide6.QtCore import QByteArray, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from widgets.common.links import classify
from widgets.common.markdown_render import Context, Look, Renderer
from widgets.common.markdown_split import body_of, cost, pieces, references_in
from widgets.common.pictures import load_picture
from widgets.common.reveal import revealed
from widgets.common.theme import Theme

#: Cost in characters of what is shown before the reader asks for more.
SHOWN_AT_ONCE = 200_000
_FIRST_BURST_S = 0.04
_COLUMN = 860
_PICTURES = 60


@dataclass(frozen=True, slots=True)
class Page:
    """A text to show.

    `location` names it for Back and for a later update; `base` is its path below the library root and makes relative
    links work; `skill` and `folder` are the skill's id and place, for its pictures; `own` marks a text the program
    wrote itself, whose `skill:name` links select.
    """

    text: str
    location: str = ""
    base: str | None = None
    skill: str = ""
    folder: Path | None = None
    own: bool = False


class MarkdownView(QTextBrowser):
    """Shows one Page; never loads anything from the network and never follows a link by itself."""

    #: kind and target of a clicked link (see `widgets.common.links.Link`); anchors and copy links are handled here.
    link_activated = Signal(str, str)
    #: The reader went back to another location: show that page again; its scroll place is restored by `set_page`.
    location_requested = Signal(str)
    back_changed = Signal(bool)
    #: A code block's text was put on the clipboard.
    copied = Signal(str)
    #: The whole text is too long to be comfortable here; the reader asked for another program.
    external_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._page = Page("")
        self._renderer = Renderer()
        self._context = Context(self._look())
        self._rest: Iterator[str] = iter(())
        self._shown = 0
        self._allowed = SHOWN_AT_ONCE
        self._offered = 0
        self._wanted: tuple[str, int | None] = ("", None)
        self._pictures: dict[str, QImage] = {}
        self._trail: list[tuple[str, int]] = []
        self._returning: dict[str, int] = {}
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setAccessibleName(self.tr("Text"))
        self.document().setDocumentMargin(20)
        self.document().setIndentWidth(22)
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._append_next)
        self.anchorClicked.connect(self._on_anchor)
        theme.changed.connect(self._on_theme)

    @Slot(object)
    def set_page(self, page: Page, anchor: str = "", *, keep_scroll: bool = False) -> None:
        """Show a page from the top, at an anchor, or where it was when `keep_scroll` or Back says so."""
        place: int | None = self.verticalScrollBar().value() if keep_scroll else None
        if page.location in self._returning:
            place = self._returning.pop(page.location)
        if page == self._page and keep_scroll and not anchor:
            return
        if page.location != self._page.location and not keep_scroll and place is None and self._page.location:
            self._remember()
        self._page = page
        self._allowed = SHOWN_AT_ONCE
        self._pictures.clear()
        self._wanted = (anchor, place)
        self._begin()

    @Slot(str)
    def show_text(self, text: str, *, own: bool = False) -> None:
        """Show a text that has no place of its own, keeping the scroll place."""
        self.set_page(Page(text, own=own), keep_scroll=True)

    @Slot()
    def back(self) -> None:
        """Return to where the reader was before the last link."""
        if not self._trail:
            return
        location, place = self._trail.pop()
        self.back_changed.emit(bool(self._trail))
        if location == self._page.location:
            self.verticalScrollBar().setValue(place)
            return
        self._returning = {location: place}
        self.location_requested.emit(location)

    def forget_trail(self) -> None:
        """Start a new trail, when another skill is shown."""
        self._trail.clear()
        self._page = Page("")
        self.back_changed.emit(False)

    @property
    def page(self) -> Page:
        """What is shown."""
        return self._page

    @property
    def busy(self) -> bool:
        """Whether pieces of the text are still to come."""
        return self._timer.isActive()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: ANN401 - Qt's own signature
        """Pictures that were allowed while rendering; an empty object for everything else, never the base's loader."""
        if kind == QTextDocument.ResourceType.ImageResource.value:
            return self._pictures.get(_text(name).removeprefix("picture:"), QImage())
        return QByteArray()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep lines readable: the column is never wider than about 100 characters."""
        spare = max(0, self.width() - round(_COLUMN * self._theme.fonts.base / 13))
        self.setViewportMargins(0, 0, spare, 0)
        super().resizeEvent(event)

    def _begin(self) -> None:
        self._timer.stop()
        self._context = Context(self._look(), self._page.base, self._page.own, self._picture_width)
        body = revealed(body_of(self._page.text))
        self._context.references.update(references_in(body))
        self._rest = pieces(body)
        self._shown = 0
        self.document().clear()
        self.document().setDefaultStyleSheet(self._css())
        deadline = perf_counter() + _FIRST_BURST_S
        self._timer.start()
        while self._timer.isActive() and perf_counter() < deadline:
            self._append_next()

    @Slot()
    def _append_next(self) -> None:
        if self._shown >= self._allowed:
            self._offer_rest()
            return
        piece = next(self._rest, None)
        if piece is None:
            self._finish()
            return
        first = self._shown == 0
        self._shown += cost(piece)
        self._append(self._renderer.render(piece, self._context))
        if first:  # the reader's cursor was pushed to the end, and a resize would scroll there
            self.moveCursor(QTextCursor.MoveOperation.Start)
        self._restore_place()

    def _append(self, rich: str) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if cursor.block().text():
            cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
        cursor.insertHtml(rich)

    def _finish(self) -> None:
        self._timer.stop()
        self._restore_place(last=True)

    def _offer_rest(self) -> None:
        self._timer.stop()
        size = f"{len(self._page.text) / 1e6:.1f} MB"
        more, other = self.tr("Show more"), self.tr("Open in another program")
        self._offered = self.document().characterCount() - 1
        told = self.tr("This text is long ({size}). The first part is shown.").format(size=size)
        self._append(f'<p class="placeholder">{told} <a href="more:">{more}</a> · <a href="external:">{other}</a></p>')
        self._restore_place(last=True)

    def _go_on(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._offered)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        self._allowed += SHOWN_AT_ONCE
        self._timer.start()

    def _restore_place(self, *, last: bool = False) -> None:
        anchor, place = self._wanted
        bar = self.verticalScrollBar()
        if place is not None:
            bar.setValue(place)
            if bar.value() == place or last:
                self._wanted = ("", None)
        elif anchor and (anchor in self._context.slugs or last):
            self.scrollToAnchor(anchor)
            self._wanted = ("", None)

    @Slot(QUrl)
    def _on_anchor(self, url: QUrl) -> None:
        href = bytes(url.toEncoded().data()).decode("ascii")
        if href.startswith("copy:"):
            self._copy(href.removeprefix("copy:"))
        elif href == "more:":
            self._go_on()
        elif href == "external:":
            self.external_requested.emit(self._page.location)
        else:
            self.follow(href)

    def follow(self, href: str) -> None:
        """Do what a click on this address may do: scroll, tell the owner, or nothing."""
        link = classify(href, self._page.base, own=self._page.own)
        if link.kind == "anchor":
            self._remember()
            self.scrollToAnchor(link.target)
        elif link.kind == "file" and self._page.base == link.target.partition("#")[0]:
            self._remember()
            self.scrollToAnchor(link.target.partition("#")[2])
        elif link.kind != "inert":
            self.link_activated.emit(link.kind, link.target)

    def _copy(self, index: str) -> None:
        if index.isdigit() and int(index) < len(self._context.codes):
            text = self._context.codes[int(index)]
            QGuiApplication.clipboard().setText(text)
            self.copied.emit(text)

    def _remember(self) -> None:
        self._trail.append((self._page.location, self.verticalScrollBar().value()))
        self.back_changed.emit(True)

    @Slot()
    def _on_theme(self) -> None:
        self._wanted = ("", self.verticalScrollBar().value())
        self._begin()

    def _picture_width(self, target: str) -> int:
        inside = target.removeprefix(self._page.skill + "/")
        if self._page.folder is None or inside == target or len(self._pictures) >= _PICTURES:
            return 0
        if target not in self._pictures:
            self._pictures[target] = load_picture(self._page.folder, inside)
        return min(self._pictures[target].width(), 720)

    def _look(self) -> Look:
        return Look(self._theme.tokens.colours, self._theme.fonts.mono, self._theme.fonts.base)

    def _css(self) -> str:
        colour, fonts = self._theme.tokens.colours, self._theme.fonts
        return (
            f"body, p, li, td, th {{ color: {colour['text']}; line-height: 140%; }}"
            f"p {{ margin-top: 0px; margin-bottom: 9px; }} li {{ margin-bottom: 3px; }}"
            f"a {{ color: {colour['accent']}; text-decoration: none; }}"
            # Words, not pixels: a heading's own size would win over these.
            "h1 { font-size: x-large; margin-top: 4px; margin-bottom: 8px; }"
            "h2 { font-size: large; margin-top: 16px; margin-bottom: 6px; }"
            "h3 { font-size: medium; margin-top: 12px; margin-bottom: 4px; }"
            "h4, h5, h6 { font-size: medium; margin-top: 10px; margin-bottom: 4px; }"
            f"pre, .code {{ font-family: '{fonts.mono}'; font-size: {fonts.small}px; }} "
            f"pre {{ margin: 0px; line-height: 118%; white-space: pre-wrap; }}"
            f".code {{ background-color: {colour['raised']}; }}"
            f".codehead {{ color: {colour['muted']}; font-size: {fonts.small}px; }}"
            f".placeholder {{ color: {colour['muted']}; }} .quote {{ color: {colour['muted']}; }}"
            f"h1, h2, h3, h4, h5, h6 {{ color: {colour['text']}; font-weight: 600; }}"
            f"hr {{ background-color: {colour['line']}; }}"
        )


def _text(address: QUrl | str) -> str:
    return address if isinstance(address, str) else address.toString()
