"""The tags that frame a trajectory row, and how text that holds the same tags is kept from breaking the frame.

Inside JSON a `<` before such a tag is written as its escape, so the value stays exactly what it was. In plain text it
becomes `&lt;`; text that already holds `&lt;` there gets one `amp;` more, so unescaping always gives the text back.
"""

import json
import re
from typing import Any

_TAGS = r"/?(?:think|tool_calls?|tool_responses?|tools|REASONING_SCRATCHPAD)\b"
_OPEN = re.compile(rf"&((?:amp;)*)lt;(?={_TAGS})|<(?={_TAGS})", re.IGNORECASE)
_ESCAPED = re.compile(rf"&((?:amp;)*)lt;(?={_TAGS})", re.IGNORECASE)
_IN_JSON = re.compile(rf"<(?={_TAGS})", re.IGNORECASE)
_LINE_ENDS = re.compile("[\x7f-\x9f\u2028\u2029]")
_SCRATCHPAD = re.compile(r"<REASONING_SCRATCHPAD>(.*?)(?:</REASONING_SCRATCHPAD>|\Z)", re.IGNORECASE | re.DOTALL)
_THINK = re.compile(r"\A\s*<think>(.*?)(?:</think>|\Z)", re.IGNORECASE | re.DOTALL)


def escape(text: str) -> str:
    """Plain text that cannot be taken for one of the frame's tags."""
    return _OPEN.sub(lambda found: "&lt;" if found.group() == "<" else f"&amp;{found.group(1)}lt;", text)


def unescape(text: str) -> str:
    """The text that was given to `escape`."""
    return _ESCAPED.sub(lambda found: f"&{found.group(1)[4:]}lt;" if found.group(1) else "<", text)


def to_json(value: object) -> str:
    """A JSON value on one line in which no tag of the frame stands as such."""
    return _IN_JSON.sub(r"\\u003c", to_json_line(value))


def to_json_line(value: object) -> str:
    """Strict JSON on one line, for readers of every kind: no NaN, and no character some of them take for a line end."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(json.loads(json.dumps(value), parse_constant=str), ensure_ascii=False)
    return _LINE_ENDS.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def parse_json(text: str | bytes) -> Any:  # noqa: ANN401 - any JSON value
    """The value of strict JSON, None when `text` is none."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def split_reasoning(text: str) -> tuple[str, str]:
    """Reasoning a model wrote into its answer, and the answer without it.

    Scratchpads count wherever they stand, a think block only at the beginning: later on it is talk about such tags.
    """
    found = [*_THINK.findall(text), *_SCRATCHPAD.findall(_THINK.sub("", text))]
    if not found:
        return "", text
    return "\n".join(filter(None, map(str.strip, found))), _SCRATCHPAD.sub("", _THINK.sub("", text)).strip()
