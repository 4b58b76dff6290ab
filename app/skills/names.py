"""How names and ids are compared: composed (NFC), and without case, because some disks and readers know no case."""

import unicodedata


def nfc(text: str) -> str:
    """The composed form of a name or id."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def folded(text: str) -> str:
    """What two names that count as the same have in common."""
    return nfc(nfc(text).casefold())
