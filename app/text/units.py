"""Units of a Markdown text: the headings, list items, code blocks and sentences a merge must keep."""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from app.text.sections import cut_front
from app.text.values import Unit, UnitKind

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_LONE_CR = re.compile(r"\r(?!\n)")
#: A sentence ends at its mark when a blank and something that can open a sentence follow; CJK marks end one at once.
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]*_`]*\s+(?=[\"'(\[*_`]*[^\W_a-z])|(?<=[。！？])")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|cf|vs|approx|no|fig|mr|mrs|dr)\.$", re.IGNORECASE)
_LONGEST_ABBREVIATION = 8
_WORD = re.compile(r"[^\W_](?:[\w'’+#./-]*[\w+#])?")
#: Words of a description that carry no trigger.
_EMPTY = """
    a about after all also an and any are as at be been before being but by can can't do does doesn't don't e.g each
    etc for from get has have how i.e if in into is it its like may more most need needs not of on one or other our
    out over own same should skill so some such task tasks than that the their them then there these they this those
    through to too under up use used user uses using via want wants was we were what when where whether which while
    who why will with without you your
"""
_EMPTY_WORDS = frozenset(_EMPTY.split())


@cache
def _blocks() -> "MarkdownIt":
    """Reads blocks only; leaving the inline rules out also leaves out their slow cases."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - sixty modules, not needed to open a window

    return MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])


def units(markdown: str) -> tuple[Unit, ...]:
    """The units of a text in order, with 1-based lines; a front matter block is left out (see `triggers`)."""
    front, body = cut_front(markdown)
    offset = front.count("\n")
    tokens = _blocks().parse(_LONE_CR.sub(" ", body))
    return tuple(_walk(tokens, offset))


def triggers(description: str) -> tuple[Unit, ...]:
    """The words of a description that can make a reader or a model pick the skill, each once, in order."""
    seen: dict[str, Unit] = {}
    for word in _WORD.findall(description):
        key = word.casefold()
        if key not in _EMPTY_WORDS and (len(key) > 1 or not key.isascii()):
            seen.setdefault(key, Unit(UnitKind.TRIGGER, word))
    return tuple(seen.values())


def sentences(text: str) -> tuple[str, ...]:
    """A paragraph cut into sentences; common abbreviations do not end one."""
    result: list[str] = []
    for part in _SENTENCE_END.split(" ".join(text.split())):
        if result and _ABBREVIATION.search(result[-1][-_LONGEST_ABBREVIATION:]):
            result[-1] = f"{result[-1]} {part}"
        elif part.strip():
            result.append(part.strip())
    return tuple(result)


def _walk(tokens: "list[Token]", offset: int) -> Iterator[Unit]:
    fresh_item = False
    row: list[str] | None = None
    row_line = 0
    heading = False
    for token in tokens:
        line = offset + (token.map[0] if token.map else 0) + 1
        if token.type == "list_item_open":
            fresh_item = True
        elif token.type in {"heading_open", "heading_close"}:
            heading = token.type == "heading_open"
        elif token.type in {"tr_open", "tr_close"}:
            if row:
                yield Unit(UnitKind.ITEM, " | ".join(row), row_line)
            row, row_line = ([], line) if token.type == "tr_open" else (None, 0)
        elif token.type in {"fence", "code_block"}:
            fresh_item = False
            if token.content.strip():
                yield Unit(UnitKind.CODE, token.content.rstrip("\n"), line)
        elif token.type == "html_block":
            yield from (Unit(UnitKind.SENTENCE, text, line) for text in sentences(token.content))
        elif token.type == "inline" and row is not None:
            row.append(token.content.strip())
        elif token.type == "inline":
            yield from _inline(token.content, line, heading=heading, item=fresh_item)
            fresh_item = False


def _inline(content: str, line: int, *, heading: bool, item: bool) -> Iterator[Unit]:
    text = " ".join(content.split())
    if not text:
        return
    if heading:
        yield Unit(UnitKind.HEADING, text, line)
    elif item:
        yield Unit(UnitKind.ITEM, text, line)
    else:
        yield from (Unit(UnitKind.SENTENCE, sentence, line) for sentence in sentences(text))
