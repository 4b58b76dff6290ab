"""Taking back one change of a list of entries while keeping what was written since."""

from collections.abc import Sequence
from difflib import SequenceMatcher


def reverse(before: Sequence[str], after: Sequence[str], now: Sequence[str]) -> tuple[list[str], list[str]]:
    """What `now` would be had the step from `before` to `after` not happened, and the entries that stand in the way.

    An entry the step added or wrote must still be there; if not, it is in the second list and `now` is returned as is.
    An entry the step removed comes back where it stood, after the entry that stood before it.
    """
    steps = [code for code in SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if code[0] != "equal"]
    missing = [text for _, _, _, low, high in steps for text in after[low:high] if text not in now]
    if missing:
        return list(now), missing
    result = list(now)
    for _, first, last, low, high in steps:
        place = result.index(after[low]) if low < high else _place(result, before, first, last)
        for text in after[low:high]:
            result.remove(text)
        result[place:place] = [text for text in before[first:last] if text not in result]
    return result, []


def _place(entries: list[str], before: Sequence[str], first: int, last: int) -> int:
    """Where entries `first` to `last` of `before` belong now: after what stood before them, or before what followed."""
    for text in reversed(before[:first]):
        if text in entries:
            return entries.index(text) + 1
    return next((entries.index(text) for text in before[last:] if text in entries), len(entries))
