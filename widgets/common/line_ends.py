"""Line ends through an editor that knows only `\\n`: what the user did not touch keeps the end it had."""

import re
from difflib import SequenceMatcher

_END = re.compile("\r\n|\r|\n|\u2029")
_LIMIT = 20_000


def plain(text: str) -> str:
    """The text with every line end as `\\n`."""
    return _END.sub("\n", text)


def restored(edited: str, base: str) -> str:
    """The edited text (only `\\n`) with the line ends of the text it came from.

    One kind of end in `base` is used throughout; with several kinds each line that is still there keeps its own and
    new lines get the most frequent one.
    """
    ends = _END.findall(base)
    kinds = set(ends)
    if kinds <= {"\n"}:
        return edited
    usual = max(sorted(kinds), key=ends.count)
    if len(kinds) == 1 or len(ends) > _LIMIT:
        return edited.replace("\n", usual)
    return _each(edited.split("\n"), _END.split(base), ends, usual)


def _each(lines: list[str], old: list[str], ends: list[str], usual: str) -> str:
    kept: dict[int, str] = {}
    for block in SequenceMatcher(None, old, lines, autojunk=False).get_matching_blocks():
        for step in range(block.size):
            if block.a + step < len(ends):
                kept[block.b + step] = ends[block.a + step]
    last = len(lines) - 1
    return "".join(line + (kept.get(place, usual) if place < last else "") for place, line in enumerate(lines))
