"""Trajectories: one ShareGPT line per turn, in two streams, with secrets masked before the line is built.

The rows and their tags are those of the agents whose training tools read such files: a system row with the tools, then
human, gpt and tool rows; every gpt row begins with a think block, arguments are objects. `session`, `turn` and `id`
are added so that turns can be joined and a repeated line can be told.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from app.clock import format_time
from app.files import append_line
from app.locks import HomeLock
from app.providers.values import Message, Role, Thinking, ToolResult, ToolSpec, ToolUse
from app.redact import redact, redact_values
from app.sessions.envelope import escape, parse_json, split_reasoning, to_json, to_json_line

#: The names of the two streams, as the agents that write the same files call them.
SUCCESS_FILE = "trajectory_samples.jsonl"
FAILURE_FILE = "failed_trajectories.jsonl"

_PREAMBLE = """You are a model that can call functions. The block below lists the functions you may call, as JSON. \
Call as many of them as the user's words need, and never invent a value for an argument.
<tools>
{tools}
</tools>
Every call is a JSON object of this form: {schema}
Write each call like this:
<tool_call>
{{"name": <name of the function>, "arguments": <object of arguments>}}
</tool_call>"""
_SCHEMA = {
    "title": "FunctionCall",
    "type": "object",
    "properties": {
        "name": {"title": "Name", "type": "string"},
        "arguments": {"title": "Arguments", "type": "object"},
    },
    "required": ["name", "arguments"],
}


def to_line(
    system: str,
    tools: Sequence[ToolSpec],
    messages: Sequence[Message],
    session: str,
    turn: str,
    model: str,
    completed: bool,
    at: datetime,
) -> dict[str, Any]:
    """One turn (or, with all messages, one session) as a trajectory line; everything in it is masked already."""
    return {
        "conversations": [{"from": "system", "value": _system(system, tools)}, *_rows(messages)],
        "timestamp": format_time(at),
        "model": model,
        "completed": completed,
        "session": session,
        "turn": turn,
        "id": hashlib.sha256(f"{session}\n{turn}".encode()).hexdigest()[:16],
    }


class TrajectoryFiles:
    """The two streams in one folder. Appending is locked across processes and never leaves half a line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = HomeLock(folder / ".lock")

    def append(self, line: Mapping[str, Any]) -> Path:
        """Add a line to the stream its `completed` names, making the folder when it is gone; returns the file.

        Raises AppError(STORAGE, INVALID or BUSY) with a sentence when it cannot be written.
        """
        path = self.folder / (SUCCESS_FILE if line["completed"] else FAILURE_FILE)
        data = to_json_line(line).encode("utf-8", "replace")
        with self._lock.hold("trajectory"):
            append_line(path, data)
        return path

    def read(self, *, failed: bool = False, limit: int | None = None) -> list[dict[str, Any]]:
        """The last lines of a stream, oldest first; lines that cannot be read are left out (`check_file` tells)."""
        path = self.folder / (FAILURE_FILE if failed else SUCCESS_FILE)
        if not path.is_file():
            return []
        lines = [line for line in map(parse_json, path.read_bytes().splitlines()) if isinstance(line, dict)]
        return lines if limit is None else lines[max(0, len(lines) - limit) :]


def _system(system: str, tools: Sequence[ToolSpec]) -> str:
    listed = [
        {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema), "required": None}
        for tool in tools
    ]
    head = _PREAMBLE.format(tools=to_json(redact_values(listed)), schema=json.dumps(_SCHEMA))
    return f"{head}\n\n{escape(redact(system))}" if system else head


def _rows(messages: Iterable[Message]) -> Iterator[dict[str, str]]:
    names: dict[str, str] = {}
    for message in messages:
        if message.role is Role.ASSISTANT:
            names.update((block.id, block.name) for block in message.blocks if isinstance(block, ToolUse))
            yield {"from": "gpt", "value": _answer(message)}
            continue
        results = [block for block in message.blocks if isinstance(block, ToolResult)]
        if results:
            yield {"from": "tool", "value": "\n".join(_response(block, names) for block in results)}
        if message.text or not results:
            yield {"from": "human", "value": escape(redact(message.text))}


def _answer(message: Message) -> str:
    written, text = split_reasoning(message.text)
    native = [block.text.strip() for block in message.blocks if isinstance(block, Thinking)]
    reasoning = escape(redact("\n".join(filter(None, [*native, written]))))
    parts = [f"<think>\n{reasoning}\n</think>" if reasoning else "<think>\n</think>"]
    if text:
        parts.append(escape(redact(text)))
    parts += [_call(block) for block in message.blocks if isinstance(block, ToolUse)]
    return "\n".join(parts)


def _call(block: ToolUse) -> str:
    arguments = redact_values(dict(block.input)) if block.input is not None else {}
    return f"<tool_call>\n{to_json({'name': block.name, 'arguments': arguments})}\n</tool_call>"


def _response(block: ToolResult, names: Mapping[str, str]) -> str:
    parsed = parse_json(block.content) if block.content.lstrip()[:1] in ("{", "[") else None
    content = redact(block.content) if parsed is None else redact_values(parsed)
    name = block.name or names.get(block.id) or "unknown"
    body = {"tool_call_id": block.id, "name": name, "content": content}
    return f"<tool_response>\n{to_json(body)}\n</tool_response>"
