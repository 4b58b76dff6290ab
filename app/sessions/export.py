"""A session as a file to give away: Markdown to read, or one ShareGPT line; secrets are masked in both."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from app.clock import format_time
from app.providers.values import Role, Text, ToolResult, ToolSpec, ToolUse
from app.redact import redact, redact_values
from app.sessions.trajectory import to_line
from app.sessions.values import MessageState, SessionInfo, StoredMessage

_NAMES = {Role.USER: "You", Role.ASSISTANT: "Agent"}


def to_markdown(info: SessionInfo, messages: Iterable[StoredMessage]) -> str:
    """The session as Markdown: who said what and when, calls and results in code blocks, reasoning left out."""
    lines = [f"# {_one_line(info.title) or 'Session'}", "", f"{format_time(info.started_at)} · {info.id}"]
    for stored in messages:
        parts = list(_parts(stored))
        if parts:
            lines += ["", f"## {_heading(stored)}", *parts]
    return "\n".join(lines) + "\n"


def to_sharegpt(
    info: SessionInfo, system: str, tools: Sequence[ToolSpec], messages: Iterable[StoredMessage]
) -> dict[str, Any]:
    """The whole session as one trajectory line: the system row once, then the rows of all turns."""
    said = [stored.message for stored in messages if stored.kind == "message" and stored.message.blocks]
    return to_line(system, tools, said, info.id, "", info.model, info.outcome == "done", info.updated_at)


def _heading(stored: StoredMessage) -> str:
    only_results = all(isinstance(block, ToolResult) for block in stored.message.blocks)
    name = "Tools" if only_results else _NAMES[stored.message.role]
    if stored.kind != "message":
        name = stored.kind.capitalize()
    cut = "" if stored.state is MessageState.COMPLETE else f" ({stored.state})"
    return f"{name} · {stored.at:%Y-%m-%d %H:%M}{cut}"


def _parts(stored: StoredMessage) -> Iterator[str]:
    for block in stored.message.blocks:
        match block:
            case Text(text) if text.strip():
                yield f"\n{redact(text)}"
            case ToolUse():
                given = block.raw if block.input is None else json.dumps(redact_values(dict(block.input)), indent=1)
                yield f"\n**{_one_line(block.name)}**\n{_fenced(redact(given))}"
            case ToolResult():
                yield f"\n{_fenced(redact(block.content))}"
            case _:
                pass


def _fenced(text: str) -> str:
    longest = max((len(found) for found in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _one_line(text: str) -> str:
    return redact(" ".join(text.split()))
