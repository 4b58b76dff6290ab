"""How names and ids are compared: composed (NFC), and without case, because some disks and readers know no case."""

import unicodedata


def nfc(text: str) -> str:
    """The composed form of a name or id."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def folded(text: str) -> str:
    """What two names that count as the same have in common; the very same text where that is all small letters."""
    found = nfc(nfc(text).casefold())
    return text if found == text else found


def can_be_name(text: str) -> bool:
    """Whether a text can stand for a skill: a name is never a path, so that no name is taken for another skill's id."""
    return text not in ("", ".", "..") and not any(char in "/\\" or ord(char) < 32 or char == "\x7f" for char in text)
