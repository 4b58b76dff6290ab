"""Replacing one piece of text in a file: exact, or refused with a reason that helps to ask again.

Line ends are the only tolerance: a text given with `\\n` finds `\\r\\n` in the file, and what is put in takes over the
line ends of the place it lands on. Nothing is ever guessed, because a wrong place is worse than a second attempt.
"""

import difflib
import re
from dataclasses import dataclass

_ENDS = re.compile(r"\r\n|\n|\r")
_LISTED = 5
_SEEN = 8


@dataclass(frozen=True, slots=True)
class Patched:
    """A file after a patch: its new bytes and how many places changed."""

    data: bytes
    count: int


@dataclass(frozen=True, slots=True)
class NotPatched:
    """Why a patch was refused, as a sentence that says what to do; `count` is how many places fitted."""

    why: str
    count: int = 0


def apply_patch(data: bytes, old: object, new: object, replace_all: bool = False) -> Patched | NotPatched:
    """Replace `old` by `new` in a text file's bytes.

    `old` must occur exactly once unless `replace_all`. Values that are no texts, an empty or blank `old`, an equal
    `new` and files that are not UTF-8 are refused.
    """
    if not isinstance(old, str) or not isinstance(new, str):
        missing = "old text" if not isinstance(old, str) else "new text"
        return NotPatched(f"The {missing} is missing or is not a text. Give both texts; an empty new text deletes.")
    if not old.strip():
        return NotPatched("The old text is empty. Give the exact text to replace, or write the whole file.")
    if _plain(old) == _plain(new):
        return NotPatched("Old and new text are the same, so nothing would change.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return NotPatched("The file is not UTF-8 text and cannot be patched. Write it as a whole.")
    places = [match.span() for match in re.finditer(_tolerant(old), text)]
    if not places:
        return NotPatched(_absent(text, old, new))
    if len(places) > 1 and not replace_all:
        return NotPatched(_ambiguous(text, places), len(places))
    parts, end = [], 0
    for start, stop in places:
        parts += [text[end:start], _with_ends(text, start, stop, new)]
        end = stop
    return Patched("".join([*parts, text[end:]]).encode("utf-8"), len(places))


def _plain(text: str) -> str:
    return _ENDS.sub("\n", text)


def _tolerant(old: str) -> str:
    return r"(?:\r\n|\n|\r)".join(re.escape(line) for line in _plain(old).split("\n"))


def _with_ends(text: str, start: int, stop: int, new: str) -> str:
    """The new text with the line ends of the place: one by one where their number is the same, else the first's."""
    there = _ENDS.findall(text[start:stop])
    lines = _plain(new).split("\n")
    if len(there) == len(lines) - 1:
        ends = there
    else:
        around = there or _ENDS.findall(text, stop)[:1] or _ENDS.findall(text[:start])[-1:] or ["\n"]
        ends = [around[0]] * (len(lines) - 1)
    return "".join(line + end for line, end in zip(lines, [*ends, ""], strict=True))


def _line(text: str, offset: int) -> int:
    return len(_ENDS.findall(text[:offset])) + 1


def _ambiguous(text: str, places: list[tuple[int, int]]) -> str:
    numbers = ", ".join(str(_line(text, start)) for start, _ in places[:_LISTED])
    more = ", …" if len(places) > _LISTED else ""
    return (
        f"The old text stands in {len(places)} places (lines {numbers}{more}). "
        "Add neighbouring lines until it is one place, or set replace_all."
    )


def _absent(text: str, old: str, new: str) -> str:
    plain, wanted, given = _plain(text), _plain(old), _plain(new)
    if len(given.strip()) >= _SEEN and given in plain:
        return "The old text is not there, but the new text already is: nothing was changed."
    loose = re.search(r"\s+".join(re.escape(word) for word in wanted.split()), plain)
    if loose is not None:
        line = _line(plain, loose.start())
        return f"The old text is not in the file. Line {line} differs from it in spaces alone; copy it exactly."
    first = next(line.strip() for line in wanted.split("\n") if line.strip())
    lines = [line.strip() for line in plain.split("\n")]
    close = difflib.get_close_matches(first[:300], [line[:300] for line in lines if line], n=1, cutoff=0.6)
    if close:
        number = next(n for n, line in enumerate(lines, 1) if line[:300] == close[0])
        return f"The old text is not in the file. Line {number} comes closest: {close[0][:120]!r}. Copy it exactly."
    return "The old text is not in the file, and no line comes close. Read the file and copy the text exactly."
