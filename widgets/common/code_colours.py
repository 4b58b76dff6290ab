"""Colours for code: Pygments' token kinds mapped to the theme's few, as rich text or as ranges."""

import html
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer

#: Longer code is shown in one colour: colouring must not hold up the window.
COLOURED_LIMIT = 20_000

_TOKENS = (
    ("Token.Comment", "syntax_comment"),
    ("Token.Keyword", "syntax_keyword"),
    ("Token.Operator.Word", "syntax_keyword"),
    ("Token.Literal.String", "syntax_string"),
    ("Token.Literal.Number", "syntax_number"),
    ("Token.Name.Function", "syntax_name"),
    ("Token.Name.Class", "syntax_name"),
    ("Token.Name.Tag", "syntax_name"),
    ("Token.Name.Attribute", "syntax_builtin"),
    ("Token.Name.Builtin", "syntax_builtin"),
    ("Token.Name.Decorator", "syntax_builtin"),
    ("Token.Name.Variable", "syntax_builtin"),
    ("Token.Generic.Deleted", "removed"),
    ("Token.Generic.Inserted", "added"),
    ("Token.Generic.Heading", "syntax_name"),
)


def coloured(text: str, language: str, colours: Mapping[str, str]) -> str:
    """Escaped rich text of the code; plain when the language is unknown or the text is long."""
    parts = []
    for start, end, token in ranges(text, language):
        piece = html.escape(text[start:end])
        parts.append(f'<span style="color:{colours[token]}">{piece}</span>' if token else piece)
    return "".join(parts)


def ranges(text: str, language: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, colour token) over the whole text; the token is empty for plain text."""
    lexer = _lexer(language) if len(text) <= COLOURED_LIMIT else None
    if lexer is None:
        yield 0, len(text), ""
        return
    place = 0
    for start, kind, value in lexer.get_tokens_unprocessed(text):
        if start > place:
            yield place, start, ""
        place = start + len(value)
        yield start, place, _token(str(kind))
    if place < len(text):
        yield place, len(text), ""


def language_of(file_name: str) -> str:
    """The language's short name for a file, empty when there is none."""
    if "." not in file_name:
        return ""
    ending = file_name.rsplit(".", 1)[1].lower()
    return {"py": "python", "sh": "bash", "yml": "yaml", "md": "markdown", "js": "javascript", "ts": "typescript"}.get(
        ending, ending
    )


def _token(kind: str) -> str:
    return next((token for prefix, token in _TOKENS if kind.startswith(prefix)), "")


def _lexer(language: str) -> "Lexer | None":
    if not language:
        return None
    # Pygments is heavy and needed only once code is shown, well after the first paint.
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415
    from pygments.util import ClassNotFound  # noqa: PLC0415

    try:
        return get_lexer_by_name(language.lower(), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
