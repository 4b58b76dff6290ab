"""The format of MEMORY.md and USER.md: entries of any number of lines, a line with only § between them."""

import re
import unicodedata
from collections.abc import Sequence

DELIMITER = "\n§\n"

#: The file name of each store's entries in `memories/`, by target value.
FILE_NAMES = {"memory": "MEMORY.md", "user": "USER.md"}

_BETWEEN = re.compile(r"^[ \t]*§[ \t]*\r?$", re.MULTILINE)
_LISTED = 80


def split_entries(text: str) -> tuple[str, ...]:
    """The entries of a file, blanks around them dropped; tolerant of Windows line ends and blank lines."""
    parts = (part.replace("\r\n", "\n").strip() for part in _BETWEEN.split(text.removeprefix("\ufeff")))
    return tuple(part for part in parts if part)


def join_entries(entries: Sequence[str]) -> str:
    """The file's text for these entries."""
    return DELIMITER.join(entries)


def size(entries: Sequence[str]) -> int:
    """How many characters of the limit these entries use: the length of the file."""
    return len(join_entries(entries))


def same_fact(one: str, other: str) -> bool:
    """Whether two entries say the same but for blanks, letter case, character forms, list marks and a closing dot."""
    return _said(one) == _said(other)


def locate(entries: Sequence[str], wanted: str) -> tuple[int, ...]:
    """Which entries a piece of text means: a whole entry before parts of entries, exact letters before alike ones."""
    bare = _bare(wanted)
    if not bare:
        return ()
    tests = (
        lambda entry: entry == wanted.strip(),
        lambda entry: _bare(entry) == bare,
        lambda entry: wanted.strip() in entry,
        lambda entry: bare in _bare(entry),
    )
    for test in tests:
        found = tuple(index for index, entry in enumerate(entries) if test(entry))
        if found:
            return found
    return ()


def short(text: str) -> str:
    """One line of an entry for a message: at most 80 characters."""
    line = " ".join(text.split())
    return line if len(line) <= _LISTED else line[: _LISTED - 1] + "…"


def _said(text: str) -> str:
    bare = _bare(text)
    return bare.removeprefix("- ").removeprefix("* ").rstrip(" .!;,") or bare


def _bare(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
