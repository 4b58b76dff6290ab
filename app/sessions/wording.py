"""Text as the index sees it: folded letters, unspaced scripts cut into characters, three-letter grams of identifiers.

Both index engines split text at everything that is no letter or digit. That finds nothing inside Chinese, Japanese,
Korean or Thai, where words stand without blanks, and no emoji. So such characters are put apart here, by code, when
text is written and when it is looked for.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from app.patterns import compiled

#: Part of the index's version: raise it when any function here gives other results, and every index is made again.
WORDING = 1

_LONGEST_PIECE = 200
_MOST_PIECES = 20_000

_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u318f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uaa60-\uaa7f\uac00-\ud7ff"
    "\uf900-\ufaff"
)
_SYMBOLS = "\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff"
_APART = f"[{_UNSPACED}]|[^\\x00-\\uffff]|[{_SYMBOLS}]"
_SYMBOL = f"[^\\x00-\\uffff]|[{_SYMBOLS}]"
_WORD = re.compile(r"[^\W_]+")
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u02bc\u2032\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u00a0\u2007\u202f\u3000", " "),
    }
)
_TELLING = re.compile(r"[0-9_\-/\\@#$%&+=~^*|<>]|[.:][^\s.:]|[a-z][A-Z]")


def storable(text: str) -> str:
    """The same text, half surrogate pairs apart: SQLite takes UTF-8 only."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def clean(text: str) -> str:
    """Text that SQLite can hold and that compares well: composed letters, no half surrogate pairs, no NUL."""
    if text.isascii():
        return text.replace("\0", " ")
    return unicodedata.normalize("NFC", storable(text)).replace("\0", " ")


def fold(text: str) -> str:
    """Small letters without accents, typographic quotes, dashes and wide forms made plain; as long as `text`."""
    if text.isascii():
        return text.lower()
    return "".join(map(_fold_char, text.translate(_ALIKE)))


def words_text(text: str) -> str:
    """What the word index is given for `text`: folded, unspaced characters and symbols standing apart."""
    if text.isascii():
        return text
    return compiled(_APART).sub(_apart, fold(text))


def tokens(text: str) -> tuple[str, ...]:
    """The words the word index sees in `text`."""
    return tuple(_WORD.findall(words_text(text).lower()))


def pieces(text: str) -> Iterator[str]:
    """The chunks of `text` that look like identifiers, paths, numbers or versions, folded; at most 20,000 letters."""
    left = _MOST_PIECES
    for chunk in text.split():
        if left <= 0:
            return
        if _TELLING.search(chunk):
            piece = fold(chunk[:_LONGEST_PIECE])
            left -= len(piece)
            yield piece


def grams_text(text: str) -> str:
    """What the gram index is given for `text`: the three-character grams of each identifier-like chunk."""
    return " ".join(grams(piece) for piece in dict.fromkeys(pieces(text)))


def grams(piece: str) -> str:
    """The overlapping three-character grams of a folded piece as index words; empty below three characters."""
    codes = piece if piece.isascii() and piece.isalnum() else [_gram_char(char) for char in piece]
    return " ".join(map("".join, zip(codes, codes[1:], codes[2:], strict=False)))


@lru_cache(maxsize=16_384)
def _gram_char(char: str) -> str:
    return char if char.isascii() and char.isalnum() else f"q{ord(char):x}q"


def _apart(found: re.Match[str]) -> str:
    char = found.group()
    # SQLite's tables of letters are from 2012 and know no emoji as a word: such a character is written as its number.
    return f" u{ord(char):x} " if compiled(_SYMBOL).match(char) else f" {char} "


@lru_cache(maxsize=16_384)
def _fold_char(char: str) -> str:
    wide = unicodedata.normalize("NFKC", char)
    base = unicodedata.normalize("NFD", wide if len(wide) == 1 else char)[0]
    # Voiced kana and Hangul syllables would fall apart into other letters; their accents are not decoration.
    kept = base if base.isascii() or "\u00c0" <= char <= "\u1fff" else (wide if len(wide) == 1 else char)
    small = kept.lower()
    return small if len(small) == 1 else small[0]
