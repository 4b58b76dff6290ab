"""What the user typed, read as words to find: any text is a valid query, nothing in it is an operator.

Words stand between blanks and must all be found in one message. Marks around a word (`(prod)`, `note:`) do not matter;
marks inside it do (`a_b` is not `a b`). A word with a telling mark at its edge (`C++`, `#123`, `--onto`) finds
messages that contain it exactly first, then those with the bare word.
"""

import re
from dataclasses import dataclass

from app.sessions.wording import clean, fold, grams, tokens

_MOST_TERMS = 24
_LONGEST_TERM = 200
_OPENERS = "([{<\"'`"
_CLOSERS = ")]}>\"'`.,;:!?"
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a query, folded. `core` is what must stand in the text, `outer` the same with telling marks around.

    `words` are the index words of the core; empty when the user typed nothing but marks.
    """

    core: str
    outer: str
    words: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Whether the index words alone do not say what was typed, so the text has to be looked at."""
        return len(self.words) > 1

    @property
    def phrase(self) -> str:
        """The words as one quoted phrase for MATCH."""
        return f'"{" ".join(self.words)}"'


def read_query(text: str) -> tuple[Term, ...]:
    """The terms of what the user typed: at most 24, each once."""
    terms: dict[str, Term] = {}
    for chunk in clean(text).split():
        term = _term(chunk[:_LONGEST_TERM])
        terms.setdefault(term.outer, term)
        if len(terms) == _MOST_TERMS:
            break
    worded = tuple(term for term in terms.values() if term.words)
    return worded or tuple(terms.values())


def words_match(terms: tuple[Term, ...]) -> str:
    """A MATCH expression for texts that hold every term's words, each term's side by side."""
    return " ".join(term.phrase for term in terms)


def grams_match(literals: tuple[str, ...]) -> str:
    """A MATCH expression for the gram index; literals shorter than three characters cannot be looked for there."""
    return " ".join(f'"{grams(literal)}"' for literal in literals if len(literal) >= 3)


def _term(chunk: str) -> Term:
    folded = fold(chunk)
    outer = folded.lstrip(_OPENERS).rstrip(_CLOSERS) or folded
    # An emoji is all edge: then the whole chunk is the core.
    core = _EDGES.sub("", folded) or outer
    return Term(core, outer, tokens(core))
