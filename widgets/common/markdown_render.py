"""Markdown to the rich text Qt draws: no raw HTML, no remote pictures, links by one table, code in theme colours."""

import html
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from widgets.common.code_colours import coloured
from widgets.common.links import classify
from widgets.common.markdown_split import too_hard

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


@dataclass(frozen=True, slots=True)
class Look:
    """What rendering needs to know of the theme: colours by token, the code family, and the base size in pixels."""

    colours: Mapping[str, str]
    mono: str
    base: int


def _no_picture(_path: str) -> int:
    return 0


@dataclass(slots=True)
class Context:
    """One text being rendered.

    `base` and `own` decide about links; `picture_width` gives the width in pixels of a picture that may be drawn (its
    path below the library root goes in), 0 for one that may not.
    """

    look: Look
    base: str | None = None
    own: bool = False
    picture_width: Callable[[str], int] = _no_picture
    references: MutableMapping[str, Any] = field(default_factory=dict)
    slugs: dict[str, int] = field(default_factory=dict)
    codes: list[str] = field(default_factory=list)


class Renderer:
    """Renders pieces of one text after another; knows nothing of Qt. The parser is loaded at the first text."""

    @cached_property
    def _parser(self) -> "MarkdownIt":
        from markdown_it import MarkdownIt  # noqa: PLC0415 - sixty modules, not needed to open a window
        from mdit_py_plugins.tasklists import tasklists_plugin  # noqa: PLC0415 - as above

        parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 40}).enable(["table", "strikethrough"])
        parser.use(tasklists_plugin)
        # Links are sorted when they are drawn, so that one that leads nowhere shows its address.
        parser.validateLink = _any_link  # type: ignore[method-assign]
        return parser

    def render(self, piece: str, context: Context) -> str:
        """The rich text of one piece. Code blocks are added to `context.codes` in order, for the copy links."""
        if too_hard(piece):
            return _code_block(piece, "", context)
        environment: dict[str, Any] = {"references": context.references}
        tokens = self._parser.parse(piece, environment)
        self._parser.renderer.rules.update(_Writer(context).rules)  # type: ignore[attr-defined]  # the HTML renderer
        return str(self._parser.renderer.render(tokens, self._parser.options, environment))


def _any_link(url: str) -> bool:  # noqa: ARG001
    return True


class _Writer:
    """One method per kind of token that looks different from plain HTML; markdown-it calls them by the token's name."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._colours = context.look.colours
        self._open: list[str] = []

    @property
    def rules(self) -> dict[str, Callable[..., str]]:
        """What markdown-it calls, by the kind of token."""
        return {name: getattr(self, name) for name in vars(_Writer) if not name.startswith("_") and name != "rules"}

    def fence(self, tokens: "Sequence[Token]", idx: int, options: Any, env: Any) -> str:  # noqa: ANN401, ARG002
        """A fenced code block."""
        token = tokens[idx]
        return _code_block(token.content, token.info.split(" ", 1)[0].strip(), self._context)

    def code_block(self, tokens: "Sequence[Token]", idx: int, options: Any, env: Any) -> str:  # noqa: ANN401, ARG002
        """An indented code block."""
        return _code_block(tokens[idx].content, "", self._context)

    def code_inline(self, tokens: "Sequence[Token]", idx: int, options: Any, env: Any) -> str:  # noqa: ANN401, ARG002
        """Code inside a line."""
        text = html.escape(tokens[idx].content).replace(" ", "&nbsp;" if len(tokens[idx].content) < 60 else " ")
        return f'<span class="code">{text}</span>'

    def image(self, tokens: "Sequence[Token]", idx: int, options: Any, env: Any) -> str:  # noqa: ANN401, ARG002
        """A picture of the skill's own folder, else its alt text and address."""
        source = str(tokens[idx].attrGet("src") or "")
        alt = html.escape(tokens[idx].content or "picture")
        link = classify(source, self._context.base)
        width = self._context.picture_width(link.target) if link.kind == "file" else 0
        if width:
            return f'<img src="picture:{html.escape(link.target)}" width="{width}" alt="{alt}">'
        return f'<span class="placeholder">[{alt}: {html.escape(source[:200])}, not loaded]</span>'

    def heading_open(self, tokens: "Sequence[Token]", idx: int, *_rest: object) -> str:
        """A heading with its anchor."""
        tag = tokens[idx].tag
        text = tokens[idx + 1].content if idx + 1 < len(tokens) else ""
        slug = unique_slug(text, self._context.slugs)
        return f'<{tag}><a name="{slug}"></a>'

    def paragraph_open(self, tokens: "Sequence[Token]", idx: int, *_rest: object) -> str:
        """A paragraph; none inside a tight list."""
        return "" if tokens[idx].hidden else "<p>"

    def link_open(self, tokens: "Sequence[Token]", idx: int, *_rest: object) -> str:
        """A link that may be followed; any other is text with its address behind it."""
        href = str(tokens[idx].attrGet("href") or "")
        link = classify(href, self._context.base, own=self._context.own)
        if link.kind == "inert":
            address = f' <span class="placeholder">({html.escape(unquote(href)[:200])})</span>' if href else ""
            self._open.append(f"</span>{address}")
            return "<span>"
        self._open.append("</a>")
        return f'<a href="{html.escape(href)}">'

    def link_close(self, *_rest: object) -> str:
        """The end of whatever the link became."""
        return self._open.pop() if self._open else ""

    def html_inline(self, tokens: "Sequence[Token]", idx: int, *_rest: object) -> str:
        """The box of a task list; raw HTML never gets here."""
        return "&#9745; " if "checked" in tokens[idx].content else "&#9744; "

    def blockquote_open(self, *_rest: object) -> str:
        """A quote: a bar at its left."""
        bar = f'<td width="3" bgcolor="{self._colours["edge"]}"></td>'
        table = (
            '<table cellspacing="0" cellpadding="0" border="0" width="100%" style="margin-top:4px; margin-bottom:10px">'
        )
        return f'{table}<tr>{bar}<td style="padding-left:10px" class="quote">'

    def blockquote_close(self, *_rest: object) -> str:
        """The end of a quote."""
        return "</td></tr></table>"

    def table_open(self, *_rest: object) -> str:
        """A table with thin lines."""
        line = self._colours["line"]
        return (
            f'<table border="1" cellspacing="0" cellpadding="6" style="border-collapse:collapse; border-color:{line}; '
            'border-style:solid; margin-top:6px; margin-bottom:10px">'
        )

    def table_close(self, *_rest: object) -> str:
        """The end of a table."""
        return "</table>"

    def th_open(self, tokens: "Sequence[Token]", idx: int, *_rest: object) -> str:
        """A cell of a table's head."""
        return self._cell(tokens[idx])

    def td_open(self, tokens: "Sequence[Token]", idx: int, *_rest: object) -> str:
        """A cell of a table."""
        return self._cell(tokens[idx])

    def _cell(self, token: "Token") -> str:
        style = html.escape(str(token.attrGet("style") or ""))
        ground = f' bgcolor="{self._colours["raised"]}" align="left"' if token.tag == "th" else ""
        return f'<{token.tag}{ground} style="{style}">'

    def hr(self, *_rest: object) -> str:
        """A rule."""
        return "<hr>"


def unique_slug(text: str, used: dict[str, int]) -> str:
    """A heading's anchor as the common Markdown hosts make it; a repeated one gets `-1`, `-2`, …"""
    kept = "".join(char for char in text.strip().lower() if char.isalnum() or char in " -_")
    slug = kept.replace(" ", "-")
    count = used.get(slug, 0)
    used[slug] = count + 1
    return f"{slug}-{count}" if count else slug


def _code_block(text: str, language: str, context: Context) -> str:
    index = len(context.codes)
    context.codes.append(text)
    colours = context.look.colours
    shown = coloured(text.rstrip("\n"), language, colours)
    label = html.escape(language[:30])
    head = f'<td class="codehead">{label}</td><td align="right" class="codehead"><a href="copy:{index}">Copy</a></td>'
    return (
        f'<table width="100%" cellspacing="0" cellpadding="8" border="0" bgcolor="{colours["code"]}" '
        f'style="margin-top:4px; margin-bottom:10px"><tr>{head}</tr>'
        f'<tr><td colspan="2" style="padding-top:0px"><pre>{shown}</pre></td></tr></table>'
    )
