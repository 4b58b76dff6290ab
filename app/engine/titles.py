"""A session's title, cut from its first message."""

import re

from app.text.invisible import terminal_safe

_OPENINGS = (
    *("hi", "hello", "hey", "ok(?:ay)?", "so", "well", "please", "can you", "could you", "would you", "i want to"),
    *("i need to", "i'd like to", "help me(?: to)?"),
)
_LEAD = re.compile(rf"^(?:(?:{'|'.join(_OPENINGS)})\b[\s,.!:]*)+", re.IGNORECASE)
_MARKUP = re.compile(r"```.*?(?:```|\Z)|^[>#\s*-]+|[`*_]+", re.DOTALL | re.MULTILINE)
_LONGEST = 60


def title_from(text: str) -> str:
    """At most 60 characters of the first message: polite openings and markup gone, cut at a word; empty for no text."""
    plain = terminal_safe(_MARKUP.sub(" ", text), one_line=True) or terminal_safe(text, one_line=True)
    title = _LEAD.sub("", plain) or plain
    sentence = re.split(r"(?<=[.!?])\s", title, maxsplit=1)[0].rstrip(" .,:;!")
    title = sentence if len(sentence) >= 8 else title.rstrip(" .,:;!")
    if len(title) > _LONGEST:
        title = title[: _LONGEST - 1].rsplit(" ", 1)[0].rstrip(" ,.:;") + "…"
    return title[:1].upper() + title[1:]
