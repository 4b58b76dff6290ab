"""Short words for the transcript: sizes, times, one-line summaries, and long lines cut where a view would choke."""

import json
from collections.abc import Mapping
from typing import Any

from app.providers.values import ToolResult
from widgets.chat.items import told

#: A line longer than this is cut in a view; text layout of one huge line takes seconds.
_LINE = 2_000
_TEXT = 20_000


def size_word(count: int) -> str:
    """Characters as a size: 812 B, 14.2 KB, 2.0 MB."""
    if count < 1_000:
        return f"{count} B"
    return f"{count / 1_000:.1f} KB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def time_word(seconds: float) -> str:
    """How long a call took: 40 ms, 1.2 s, 3 min; empty when not known."""
    if seconds <= 0:
        return ""
    if seconds < 1:
        return f"{max(1, round(seconds * 1000))} ms"
    return f"{seconds:.1f} s" if seconds < 90 else f"{round(seconds / 60)} min"


def cut(text: str) -> tuple[str, bool]:
    """The text with long lines and its end cut off, and whether anything was."""
    part = text[:_TEXT]
    lines = [line if len(line) <= _LINE else line[:_LINE] + "…" for line in part.split("\n")]
    shown = "\n".join(lines)
    return shown, shown != text


def one_line(text: str, limit: int = 120) -> str:
    """The first line that says something, shortened."""
    line = next((part.strip() for part in text[:4_000].splitlines() if part.strip()), "")
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def summary_of(result: ToolResult) -> str:
    """What a result says in a few words: its own sentence, how much a list holds, else its first line."""
    sentence, _proposal = told(result)
    if sentence:
        return one_line(sentence)
    try:
        data = json.loads(result.content) if len(result.content) < _TEXT else None
    except ValueError:
        data = None
    if isinstance(data, dict):
        return _object_word(data)
    return one_line(result.content)


def arguments(values: Mapping[str, Any] | None, raw: str) -> str:
    """A call's arguments as readable lines; the raw text when they were no JSON."""
    if values is None:
        return raw
    return "\n".join(
        f"{key}: {value if isinstance(value, str) else json.dumps(value)}" for key, value in values.items()
    )


def _object_word(data: Mapping[str, Any]) -> str:
    text = data.get("description") or data.get("name") or ""
    if text:
        return one_line(str(text))
    listed = next((value for value in data.values() if isinstance(value, list)), None)
    return "" if listed is None else f"{len(listed)} found"
