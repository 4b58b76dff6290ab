"""Changes of the front matter that are not about one field's value: quotes where they are missing, a field's place.

As everywhere, what need not change stays byte for byte, and the result is read again before it is handed out.
"""

import codecs
import re
from collections.abc import Sequence

import yaml

from app.skills.fences import block_span
from app.skills.findings import Remarks
from app.skills.repair import repair
from app.skills.yaml_block import compose_block, parses, read_block

_LINE = re.compile("[^\r\n]*(?:\r\n|[\r\n]|\\Z)")
_META = "metadata"


def with_quotes(data: bytes) -> bytes | None:
    """SKILL.md with quotes around the values that are no YAML without them; None when that does not help."""
    found = _block_of(data)
    mended = None if found is None or parses(found[1]) else repair(found[1], parses)
    if found is None or mended is None:
        return None
    head, block, tail = found
    lines = []
    for old, new in zip(_lines(block), re.split(r"\r\n|\n|\r", mended[0]), strict=False):
        bare = old.rstrip("\r\n")
        if new == bare:
            lines.append(old)
        elif new or not bare.strip():  # a line that joined the one above it goes
            lines.append(new + old[len(bare) :])
    return _joined(head, "".join(lines), tail) if parses("".join(lines)) else None


def into_metadata(data: bytes, key: str) -> bytes | None:
    """SKILL.md with a top-level field moved below `metadata`; None when that cannot be done by moving lines."""
    found = _block_of(data)
    node, mended = compose_block(found[1]) if found is not None else (None, frozenset())
    if found is None or mended or not isinstance(node, yaml.MappingNode):
        return None
    head, block, tail = found
    lines, spans = _lines(block), _spans(node, len(_lines(block)))
    if len(spans.get(key, ())) != 1 or len(spans.get(_META, ())) > 1:
        return None
    first, last = spans[key][0]
    last = _without_trailing(lines, first, last)
    end = "\r\n" if head.endswith("\r\n") else "\n"
    moved = [line if line.endswith(("\n", "\r")) else line + end for line in lines[first:last]]
    meta = next((value for name, value in node.value if name.value == _META), None)
    if meta is None:
        rest = lines[:first] + lines[last:]
        made = [*_ended(rest, end), f"{_META}:{end}", *_indented(moved, 2)]
    else:
        if not isinstance(meta, yaml.MappingNode) or meta.flow_style or not meta.value:
            return None
        place = _without_trailing(lines, *spans[_META][0])
        inserted = _indented(moved, meta.value[0][0].start_mark.column)
        made = _inserted(lines, place, inserted, (first, last), end)
    changed = "".join(made)
    return _joined(head, changed, tail) if _is_moved(block, changed, key) else None


def _block_of(data: bytes) -> tuple[str, str, str] | None:
    """The text before the YAML block (byte order mark included), the block, and the rest; None without one."""
    text = data.decode("utf-8", "surrogateescape")
    mark = codecs.BOM_UTF8.decode() if data.startswith(codecs.BOM_UTF8) else ""
    span = block_span(text[len(mark) :])
    if span is None:
        return None
    start, end = (place + len(mark) for place in span)
    return text[:start], text[start:end], text[end:]


def _joined(*parts: str) -> bytes:
    return "".join(parts).encode("utf-8", "surrogateescape")


def _lines(block: str) -> list[str]:
    return [line for line in _LINE.findall(block) if line]


def _spans(node: yaml.MappingNode, count: int) -> dict[str, list[tuple[int, int]]]:
    """The 0-based lines of each top-level field: first, and the one behind its last."""
    starts = [name.start_mark.line for name, _ in node.value]
    found: dict[str, list[tuple[int, int]]] = {}
    for number, (name, _) in enumerate(node.value):
        last = starts[number + 1] if number + 1 < len(starts) else count
        found.setdefault(str(name.value), []).append((starts[number], last))
    return found


def _without_trailing(lines: Sequence[str], first: int, last: int) -> int:
    while last > first + 1 and (not lines[last - 1].strip() or lines[last - 1].startswith("#")):
        last -= 1
    return last


def _indented(lines: Sequence[str], width: int) -> list[str]:
    return [" " * width + line if line.strip() else line for line in lines]


def _ended(lines: list[str], end: str) -> list[str]:
    """The lines, the last one with a line end."""
    if lines and not lines[-1].endswith(("\n", "\r")):
        return [*lines[:-1], lines[-1] + end]
    return lines


def _inserted(lines: list[str], place: int, more: list[str], cut: tuple[int, int], end: str) -> list[str]:
    """The lines with `more` put in at `place`, and those of `cut` left out."""
    first, last = cut
    if place <= first:
        return [*_ended(lines[:place], end), *more, *lines[place:first], *lines[last:]]
    return [*lines[:first], *_ended(lines[last:place], end), *more, *lines[place:]]


def _is_moved(before: str, after: str, key: str) -> bool:
    old, new = read_block(before, 1, Remarks()), read_block(after, 1, Remarks())
    if old is None or new is None or key in old.metadata:
        return False
    others = {name: value for name, value in old.fields.items() if name not in {key, _META}}
    wanted = {**old.metadata, key: old.fields[key]}
    return new.fields == {**others, _META: wanted}
