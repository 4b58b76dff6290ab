"""Cuts SKILL.md into its YAML block and its body: fences are whole lines, the first one is the first line of the file.

Encodings: UTF-8, with or without byte order mark. Anything else is reported; stray bytes are shown as U+FFFD.
"""

import codecs
import re
from dataclasses import dataclass

from app.skills.findings import Remarks
from app.skills.values import Load

_OPEN = re.compile(r"---[ \t]*(?:\r\n|\n|\r|\Z)")
_CLOSE = re.compile(r"(?<=[\r\n])---[ \t]*(?:\r\n|\n|\r|\Z)")
_BLANK = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))+")
_LONE_CR = re.compile(r"\r(?!\n)")
_WIDE = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MOST_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Fenced:
    """The parts of SKILL.md. `block` is None when there is no usable front matter; lines are 1-based in the file."""

    block: str | None
    block_line: int
    body: str
    body_line: int


def line_at(text: str, offset: int) -> int:
    """The 1-based line of an offset; all three line ends count."""
    before = text[:offset]
    return 1 + before.count("\n") + before.count("\r") - before.count("\r\n")


def block_span(text: str) -> tuple[int, int] | None:
    """The offsets of the YAML block in a text without byte order mark, None when the fences are not there."""
    blank = _BLANK.match(text)
    opening = _OPEN.match(text, blank.end() if blank else 0)
    closing = _CLOSE.search(text, opening.end()) if opening else None
    return (opening.end(), closing.start()) if opening and closing else None


def decode(data: bytes, remarks: Remarks) -> str:
    """Decode a SKILL.md, reporting what is not plain UTF-8. Never raises."""
    if data.startswith(_WIDE) or data[:4].count(0) >= 2:
        remarks.add("ENC.UTF8", 1, "The file is UTF-16 or UTF-32, not UTF-8.", "Save it as UTF-8.", load=Load.SKIP)
        return data.decode("utf-8", "replace")
    if data.startswith(codecs.BOM_UTF8):
        remarks.add("ENC.BOM", 1, "The file begins with a byte order mark, which some readers refuse.", "Remove it.")
        data = data[len(codecs.BOM_UTF8) :]
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        remarks.add("ENC.UTF8", line, f"Byte 0x{data[error.start]:02x} is not UTF-8.", "Save the file as UTF-8.")
        return data.decode("utf-8", "replace")


def split(text: str, remarks: Remarks) -> Fenced:
    """Find the fences. A missing one is reported and leaves the whole text as body."""
    lone = _LONE_CR.search(text) if "\r" in text else None
    if lone:
        remarks.add("ENC.EOL", line_at(text, lone.start()), "A lone carriage return ends a line.", "Use line feeds.")
    start = 0
    opening = _OPEN.match(text)
    if opening is None and (blank := _BLANK.match(text)) and (opening := _OPEN.match(text, blank.end())):
        start = blank.end()
        remarks.add("FM.OPEN", 1, "Blank lines stand before the first '---'.", "Remove them.", load=Load.WARN)
    if opening is None:
        fix = "Begin the file with a line '---', then name and description, then '---'."
        remarks.add("FM.OPEN", 1, "The file does not begin with a line of three dashes.", fix)
        return Fenced(None, 1, text, 1)
    first = line_at(text, opening.end())
    closing = _CLOSE.search(text, opening.end())
    if closing is None or opening.end() == start + 3:
        line = line_at(text, start)
        remarks.add("FM.CLOSE", line, "The front matter has no closing line of three dashes.", "Add a line '---'.")
        return Fenced(None, first, text[opening.end() :], first)
    block = text[opening.end() : closing.start()]
    if len(block) > _MOST_BLOCK:
        remarks.add(
            "FM.YAML", first, "The front matter is larger than one million characters.", "Move text to the body."
        )
        return Fenced(None, first, text[closing.end() :], line_at(text, closing.end()))
    body_line = first + line_at(text[opening.end() : closing.end()], closing.end()) - 1
    return Fenced(block, first, text[closing.end() :], body_line)
