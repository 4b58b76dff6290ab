"""Mends a YAML block that is broken only by text that needed quotes, such as `description: Use when: always`.

What is mended is read, never written. A quote or bracket that is opened and never closed is not mended, because nobody
can tell where it was meant to end. The mended block has the same lines, so positions stay right.
"""

import re
from collections.abc import Callable

_KEY = re.compile(r"([\w.\-]+):(?:[ \t]+(.*))?$")
_CHILD = re.compile(r"([ \t]+(?:- )?)([\w.\-]+):[ \t]+(\S.*)$")
_CLOSED = (
    re.compile(r'"(?:[^"\\]|\\.)*"\s*\S'),
    re.compile(r"'(?:[^']|'')*+'\s*\S"),
)
_PAIRS = {"[": "]", "{": "}"}

#: A mended key and the 0-based line it stands on.
Mended = tuple[str, int]


def repair(block: str, parses: Callable[[str], bool]) -> tuple[str, list[Mended]] | None:
    """Quote the values that keep `block` from being YAML. None when that does not help."""
    lines = re.split(r"\r\n|\n|\r", block)
    starts = [number for number, line in enumerate(lines) if line[:1] not in ("", " ", "\t", "#", "-")]
    if not starts or any(_KEY.match(lines[number]) is None for number in starts):
        return None
    mended: list[Mended] = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        chunk = lines[start:end]
        if parses("\n".join(chunk)):
            continue
        fixed = _mend(chunk, start, parses, mended)
        if fixed is None:
            return None
        lines[start:end] = fixed
    text = "\n".join(lines)
    return (text, mended) if mended and parses(text) else None


def _mend(chunk: list[str], start: int, parses: Callable[[str], bool], mended: list[Mended]) -> list[str] | None:
    found = _KEY.match(chunk[0])
    if found is None:
        return None
    key, value = found.group(1), (found.group(2) or "").strip()
    if value:
        more = [line.strip() for line in chunk[1:] if line.strip()]
        whole = " ".join([value, *more])
        if not _is_closed(whole):
            return None
        mended.append((key, start))
        return [f"{key}: {_quoted(whole)}", *([""] * (len(chunk) - 1))]
    fixed = [chunk[0]]
    for offset, line in enumerate(chunk[1:], start=1):
        child = _CHILD.match(line)
        if child is None or parses(line.strip()):
            fixed.append(line)
            continue
        if not _is_closed(child.group(3)):
            return None
        mended.append((child.group(2), start + offset))
        fixed.append(f"{child.group(1)}{child.group(2)}: {_quoted(child.group(3).strip())}")
    return fixed if parses("\n".join(fixed)) else None


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _is_closed(value: str) -> bool:
    """Whether every delimiter the value begins with is closed again inside it."""
    if value[0] in "\"'":
        return any(pattern.match(value) for pattern in _CLOSED)
    if value[0] in _PAIRS:
        return value.count(value[0]) <= value.count(_PAIRS[value[0]])
    return True
