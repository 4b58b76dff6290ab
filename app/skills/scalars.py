"""Writes one text as a YAML scalar: as the author quoted the old one where that can say the new one, else safely."""

import re

import yaml

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_TYPED = re.compile(r"(?:|~|null|true|false|yes|no|on|off|[-+.]?[\d.].*|\.inf|\.nan|=|<<)$", re.I)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}
_NEEDS_ESCAPE = re.compile('[\\\\"\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]')


def written(value: str, style: str, end: str, *, one_line: bool = False) -> str:
    """The scalar's text, without the line end behind it.

    `style` is the old scalar's style mark (`'`, `"`, `|`, `>` or empty for plain), `end` the file's line end. A text of
    several lines becomes a literal block unless `one_line` is asked for or the text cannot stand in one.
    """
    candidates = []
    if style == '"':
        candidates.append(_double(value))
    if style == "'":
        candidates.append(_single(value))
    if not one_line and "\n" in value:
        candidates.append(_literal(value, end))
    if style != "'" and _TYPED.match(value) is None:
        candidates.append(value)
    candidates.append(_single(value))
    return next((text for text in candidates if _says(text, value)), _double(value))


def _single(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _double(value: str) -> str:
    return '"' + _NEEDS_ESCAPE.sub(lambda found: _escaped(found.group()), value) + '"'


def _escaped(char: str) -> str:
    code = ord(char)
    return _ESCAPES.get(char) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def _literal(value: str, end: str) -> str:
    body = value.removesuffix("\n")
    mark = "|" if value.endswith("\n") else "|-"
    return mark + end + end.join(f"  {line}" if line else "" for line in body.split("\n"))


def _says(text: str, value: str) -> bool:
    """Whether the text, as a field's value with a comment behind it, is read back as exactly this value."""
    if "\n" in text or "\r" in text:
        if not text.startswith("|"):
            return False
        whole = f"a: {text}\nb: c\n"
    else:
        whole = f"a: {text} # c\nb: c\n"
    try:
        node = yaml.compose(whole, Loader=_LOADER)
    except (yaml.YAMLError, UnicodeEncodeError):
        return False
    if not isinstance(node, yaml.MappingNode) or len(node.value) != 2:
        return False
    scalar = node.value[0][1]
    return isinstance(scalar, yaml.ScalarNode) and scalar.value == value and not scalar.tag.startswith("!")
