"""The few words around a hit, with the places of what was found."""

import re
from collections.abc import Sequence

from app.sessions.query import Term
from app.sessions.wording import fold

Marks = tuple[tuple[int, int], ...]

_WIDTH = 160
_LEAD = 40


def find_marks(text: str, terms: Sequence[Term]) -> Marks:
    """Where the terms stand in `text`, as ranges in order that do not overlap; whole words before parts of words."""
    folded = fold(text)
    found: list[tuple[int, int]] = []
    for term in terms:
        core = re.escape(term.core)
        whole = [match.span() for match in re.finditer(rf"(?<![^\W_]){core}(?![^\W_])", folded)]
        found += whole or [match.span() for match in re.finditer(core, folded)]
    return _apart(found)


def make_snippet(text: str, marks: Marks) -> tuple[str, Marks]:
    """About 160 characters of `text` around the first marks on one line, and where the marks lie in it."""
    first = marks[0][0] if marks else 0
    start = 0 if first <= _LEAD else _word_start(text, first - _LEAD)
    end = min(len(text), start + _WIDTH)
    before, after = ("… " if start else ""), (" …" if end < len(text) else "")
    shown = before + re.sub(r"\s", " ", text[start:end]) + after
    shift = len(before) - start
    inside = tuple((low + shift, min(high, end) + shift) for low, high in marks if start <= low < end)
    return shown, inside


def _word_start(text: str, position: int) -> int:
    space = text.find(" ", position, position + _LEAD // 2)
    return position if space < 0 else space + 1


def _apart(found: list[tuple[int, int]]) -> Marks:
    marks: list[tuple[int, int]] = []
    for low, high in sorted(found):
        if marks and low < marks[-1][1]:
            marks[-1] = (marks[-1][0], max(high, marks[-1][1]))
        else:
            marks.append((low, high))
    return tuple(marks)
