"""The bytes of an edited text: lines that were not touched keep theirs, whatever an editor can show of them.

An editor shows text without a byte order mark, often with one kind of line end, and U+FFFD for bytes that are no UTF-8.
Written out as shown, an edit of one line would change all of them.
"""

import codecs
import difflib
import re

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|[\r\n])|[^\r\n]+\Z")
_ENDS = (b"\r\n", b"\n", b"\r")


def kept_bytes(before: bytes, text: str) -> bytes:
    """The bytes to write when a file of the bytes `before` was edited to `text`."""
    mark = codecs.BOM_UTF8 if before.startswith(codecs.BOM_UTF8) else b""
    wanted = text.removeprefix("\ufeff").encode("utf-8", "surrogateescape")
    old, new = _LINE.findall(before[len(mark) :]), _LINE.findall(wanted)
    end = _usual_end(old) if old and not any(line.endswith(b"\r\n") for line in new) else b""
    made = [_with_end(line, end) for line in new]
    shown = [_shown(line) for line in old]
    matcher = difflib.SequenceMatcher(None, shown, [_shown(line) for line in new], autojunk=False)
    for block in matcher.get_matching_blocks():
        for step in range(block.size):
            mine, theirs = block.b + step, block.a + step
            ended = bool(_end_of(new[mine]))
            made[mine] = old[theirs] if bool(_end_of(old[theirs])) is ended else made[mine]
    return mark + b"".join(made)


def _shown(line: bytes) -> str:
    """A line as an editor shows it, without its end."""
    return line[: len(line) - len(_end_of(line))].decode("utf-8", "replace")


def _end_of(line: bytes) -> bytes:
    return next((end for end in _ENDS if line.endswith(end)), b"")


def _with_end(line: bytes, end: bytes) -> bytes:
    own = _end_of(line)
    return line[: -len(own)] + end if own and end else line


def _usual_end(lines: list[bytes]) -> bytes:
    ends = [end for line in lines if (end := _end_of(line))]
    return max(_ENDS, key=ends.count) if ends else b""
