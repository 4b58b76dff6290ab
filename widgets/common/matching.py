"""How well a typed text fits a title: for the palette and other short lists."""

import unicodedata


def folded(text: str) -> str:
    """Lower case without regard to composed or decomposed letters; the very same text where it is that already."""
    found = unicodedata.normalize("NFC", text).casefold()
    return text if found == text else found


def score(query: str, title: str, detail: str = "") -> float:
    """0 when it does not fit; otherwise the larger the better.

    Every word of the query must be found: at the title's start, at a word's start, inside it, as letters in order, or
    in the detail.
    """
    total = 0.0
    shown, more = folded(title), folded(detail)
    for word in folded(query).split():
        found = _word(word, shown) or (0.5 if word in more else 0.0)
        if not found:
            return 0.0
        total += found
    return total - len(title) / 1000 if total else 1.0


def _word(word: str, title: str) -> float:
    if title.startswith(word):
        return 4.0
    at = title.find(word)
    if at > 0:
        return 2.0 if title[at - 1].isalnum() else 3.0
    letters = iter(title)
    return 1.0 if len(word) > 1 and all(letter in letters for letter in word) else 0.0
