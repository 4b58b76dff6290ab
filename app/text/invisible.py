"""Characters nobody sees: found, named and shown as marks, while joiners that writing needs stay as they are.

Zero-width and direction characters, tag characters, fillers, control codes and bytes that are no text can hide an
instruction from a reviewer or turn a line around. Joiners inside emoji, Arabic, Persian and Indic words, variation
selectors behind an emoji and the tags of a flag are part of ordinary writing.
"""

import re
import unicodedata

from app.patterns import compiled

#: Everything that may be hidden: control codes but tab and LF, format characters, fillers, selectors, surrogates.
_SUSPECT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
#: Scripts whose letters are joined or kept apart by ZWJ and ZWNJ.
_JOINING = (
    "[\u0600-\u06ff\u0700-\u074f\u0750-\u077f\u07c0-\u07ff\u08a0-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1000-\u109f"
    "\u1780-\u17ff\u1800-\u18af\ufb50-\ufdff\ufe70-\ufefc]"
)
_EMOJI = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_KEYCAP = re.compile("[0-9#*]")
_IDEOGRAPH = "[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
_ZWNJ, _ZWJ, _SELECTOR = "\u200c", "\u200d", "\ufe0f"
#: Names the character table does not have.
_NAMES = {
    "\x00": "NULL",
    "\x07": "BELL",
    "\x08": "BACKSPACE",
    "\r": "CARRIAGE RETURN",
    "\x1b": "ESCAPE",
    "\x7f": "DELETE",
}


def hidden(text: str) -> tuple[tuple[int, int, str], ...]:
    """Every hidden character as (offset, code point, name), in order; legitimate joiners are not among them."""
    if not _SUSPECT.search(text):
        return ()
    flags = [(found.start(), found.end()) for found in compiled(_FLAG).finditer(text)]
    places = [found.start() for found in _SUSPECT.finditer(text)]
    return tuple((at, ord(text[at]), _name(text[at])) for at in places if not _legitimate(text, at, flags))


def reveal(text: str) -> str:
    """The text with every hidden character shown as a mark such as [U+200B]; CR LF line ends stay."""
    found = hidden(text)
    if not found:
        return text
    parts = []
    position = 0
    for at, code, _ in found:
        parts += [text[position:at], mark(code)]
        position = at + 1
    return "".join([*parts, text[position:]])


def terminal_safe(text: str, *, one_line: bool = False) -> str:
    """Text a terminal can print without obeying it: hidden characters and escape codes shown as marks.

    `one_line` also turns line ends and tabs into blanks, for rows of a list.
    """
    return " ".join(reveal(text).split()) if one_line else reveal(text)


def mark(code: int) -> str:
    """How one hidden character is shown; a byte that was no UTF-8 (a surrogate escape) as its hexadecimal value."""
    return f"[0x{code - 0xDC00:02X}]" if 0xDC80 <= code <= 0xDCFF else f"[U+{code:04X}]"


def _name(char: str) -> str:
    if 0xDC80 <= ord(char) <= 0xDCFF:
        return "BYTE THAT IS NO UTF-8"
    known: str = unicodedata.name(char, "CONTROL OR UNNAMED CHARACTER")
    return _NAMES.get(char, known)


def _legitimate(text: str, at: int, flags: list[tuple[int, int]]) -> bool:
    char = text[at]
    before = text[at - 1] if at else ""
    after = text[at + 1] if at + 1 < len(text) else ""
    if char == "\r":
        return after == "\n"
    if char == _ZWJ and (_is_emoji(text, at - 1) and compiled(_EMOJI).match(after)):
        return True
    if char in (_ZWNJ, _ZWJ):
        return bool(
            compiled(_JOINING).match(before)
            and (compiled(_JOINING).match(after) or (char == _ZWJ and not after.strip()))
        )
    if char in ("\ufe0e", _SELECTOR):
        return bool(compiled(_EMOJI).match(before) or (_KEYCAP.match(before) and after == "\u20e3"))
    if "\U000e0100" <= char <= "\U000e01ef":
        return bool(compiled(_IDEOGRAPH).match(before))
    return any(start < at < end for start, end in flags)


def _is_emoji(text: str, at: int) -> bool:
    """Whether an emoji ends here, its selector included (skin tones are emoji themselves)."""
    if at > 0 and text[at] == _SELECTOR:
        at -= 1
    return at >= 0 and bool(compiled(_EMOJI).match(text[at]))
