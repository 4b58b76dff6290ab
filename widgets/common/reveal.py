"""Make hidden characters visible wherever text is shown for a decision: bidirectional marks, zero width, control."""

import re

_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_JOINERS = "\u200c\u200d"


def revealed(text: str) -> str:
    """The text with each hidden character as `⟨U+202E⟩`; joiners inside emoji and joined scripts stay."""
    return reveal_spans(text, ())[0] if _HIDDEN.search(text) else text


def reveal_spans(text: str, spans: tuple[tuple[int, int], ...]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The same, moving (start, end) ranges along with the text they mark."""
    shifts: list[tuple[int, int]] = []
    parts: list[str] = []
    place = 0
    for match in _HIDDEN.finditer(text):
        if _joins(text, match.start()):
            continue
        mark = f"⟨U+{ord(match[0]):04X}⟩"
        parts += [text[place : match.start()], mark]
        place = match.end()
        shifts.append((match.start(), len(mark) - 1))
    if not shifts:
        return text, spans
    parts.append(text[place:])
    moved = tuple((_moved(start, shifts), _moved(end, shifts)) for start, end in spans)
    return "".join(parts), moved


def _moved(offset: int, shifts: list[tuple[int, int]]) -> int:
    return offset + sum(grown for at, grown in shifts if at < offset)


def _joins(text: str, at: int) -> bool:
    """A joiner between two letters of a joined script, or between emoji, has a meaning of its own."""
    return text[at] in _JOINERS and 0 < at < len(text) - 1 and text[at - 1] > "\u05ff" and text[at + 1] > "\u05ff"
