"""Changes one field of a skill's front matter and nothing else: comments, order, quoting, line ends and unknown fields
stay byte for byte.

The result is read again before it is handed out: the field must say what was asked for, every other field what it said
before. An edit that cannot keep this promise is refused, so that the user changes the text instead.
"""

import codecs
import re

import yaml

from app.errors import AppError, Kind
from app.skills.fences import block_span
from app.skills.findings import Remarks
from app.skills.front_values import Front
from app.skills.scalars import written
from app.skills.yaml_block import compose_block, read_block

_KEY = re.compile(r"[A-Za-z][\w.\-]*")
_LINE = re.compile("[^\r\n\x85\u2028\u2029]*(?:\r\n|[\r\n\x85\u2028\u2029]|\\Z)")


def set_field(data: bytes, key: str, value: str | None, *, again: bool = False) -> bytes:
    """SKILL.md's bytes with the field `key` set to the text `value`, or removed when it is None.

    With `again` a field that says so already is written anew, in quotes where a reader could take it for something
    else. A field that occurs twice is changed where it counts (its last place). Raises AppError(INVALID) when there is
    no front matter, or when the field cannot be changed without touching others.
    """
    if _KEY.fullmatch(key) is None:
        raise AppError(Kind.INVALID, "Not a field name", f"'{key}' cannot be a field of the front matter.")
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    text = data[len(mark) :].decode("utf-8", "surrogateescape")
    span = block_span(text)
    if span is None:
        raise AppError(Kind.INVALID, "No front matter", "The file has no front matter. Edit its text and add one.")
    block = text[span[0] : span[1]]
    before = _read(block)
    if before is None:
        raise _refused(key)
    if _holds(before, key, value) and not again:
        return data
    changed = _changed(block, text[: span[0]], key, value)
    after = _read(changed) if changed is not None else None
    if changed is None or after is None or not _as_wanted(before, after, key, value):
        raise _refused(key)
    whole = text[: span[0]] + changed + text[span[1] :]
    return mark + whole.encode("utf-8", "surrogateescape")


def _read(block: str) -> Front | None:
    try:
        block.encode()
    except UnicodeEncodeError:  # bytes that are no UTF-8 stand in the block itself
        return None
    return read_block(block, 1, Remarks())


def _holds(front: Front, key: str, value: str | None) -> bool:
    """Whether the field is exactly this text, or absent for None; a list or mapping is neither."""
    if value is None:
        return key not in front.fields
    said = front.fields.get(key)
    return isinstance(said, str) and said == value


def _as_wanted(before: Front, after: Front, key: str, value: str | None) -> bool:
    others = {name: said for name, said in before.fields.items() if name != key}
    return {name: said for name, said in after.fields.items() if name != key} == others and _holds(after, key, value)


def _refused(key: str) -> AppError:
    text = f"'{key}' cannot be changed without touching other fields. Edit the text of SKILL.md instead."
    return AppError(Kind.INVALID, "This field cannot be changed here", text)


def _changed(block: str, head: str, key: str, value: str | None) -> str | None:
    """The block with the field changed; None when its place cannot be found."""
    end = "\r\n" if head.endswith("\r\n") else "\r" if head.endswith("\r") else "\n"
    node, mended = compose_block(block)
    if not isinstance(node, yaml.MappingNode):
        return None
    lines = _LINE.findall(block)
    places = [number for number, (name, _) in enumerate(node.value) if getattr(name, "value", None) == key]
    if not places:
        return None if value is None else _appended(lines, f"{key}: {written(value, '', end)}", end)
    name, old = node.value[places[-1]]
    first = name.start_mark.line
    following = [other.start_mark.line for other, _ in node.value if other.start_mark.line > first]
    last = _without_trailing(lines, first, min(following, default=len(lines)))
    if value is None:
        return "".join(lines[:first] + lines[last:])
    in_place = isinstance(old, yaml.ScalarNode) and old.style not in ("|", ">") and first not in mended
    if in_place and first <= old.start_mark.line < last:
        return _spliced(lines, old, name, written(value, old.style or "", end, one_line=True))
    style = old.style if isinstance(old, yaml.ScalarNode) else ""
    return "".join([*lines[:first], f"{key}: {written(value, style or '', end)}{end}", *lines[last:]])


def _appended(lines: list[str], field: str, end: str) -> str:
    whole = "".join(lines)
    glue = "" if not whole or whole.endswith(("\n", "\r")) else end
    return f"{whole}{glue}{field}{end}"


def _without_trailing(lines: list[str], first: int, last: int) -> int:
    """The end of a field's lines: blank lines and comments at the margin belong to what follows."""
    while last > first + 1 and (not lines[last - 1].strip() or lines[last - 1].startswith("#")):
        last -= 1
    return last


def _spliced(lines: list[str], old: yaml.ScalarNode, name: yaml.Node, new: str) -> str:
    """Replace exactly the characters of a value, so that a comment behind it stays."""
    start = sum(len(line) for line in lines[: old.start_mark.line]) + old.start_mark.column
    end = sum(len(line) for line in lines[: old.end_mark.line]) + old.end_mark.column
    whole = "".join(lines)
    colon = sum(len(line) for line in lines[: name.end_mark.line]) + name.end_mark.column + 1
    if start <= colon and old.start_mark.line == name.start_mark.line:  # `key:` with nothing behind it
        return f"{whole[:colon]} {new}{whole[max(colon, end) :]}"
    return whole[:start] + new + whole[end:]
