"""Messages to and from JSON: every block in its order, signatures byte for byte, unknown blocks never dropped."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from app.providers.values import Block, Message, Redacted, Role, Text, Thinking, ToolResult, ToolUse


def dump_blocks(blocks: Iterable[Block]) -> str:
    """The blocks as a JSON list. ASCII only, so that half a surrogate pair from a model or a clipboard survives."""
    return json.dumps([_to_json(block) for block in blocks])


def load_message(role: str, text: str) -> Message:
    """The message stored as `role` and the JSON of dump_blocks; a block of an unknown kind is shown as its JSON."""
    return Message(Role(role), tuple(_from_json(item) for item in json.loads(text)))


def _to_json(block: Block) -> dict[str, Any]:
    match block:
        case Text():
            return {"type": "text", "text": block.text}
        case Thinking():
            return {"type": "thinking", "text": block.text, "signature": block.signature, "model": block.model}
        case Redacted():
            return {"type": "redacted", "data": block.data, "model": block.model}
        case ToolUse():
            given = None if block.input is None else dict(block.input)
            return {"type": "tool_use", "id": block.id, "name": block.name, "input": given, "raw": block.raw}
        case ToolResult():
            return {
                "type": "tool_result",
                "id": block.id,
                "name": block.name,
                "content": block.content,
                "is_error": block.is_error,
                "untrusted": block.untrusted,
            }


def _from_json(item: Mapping[str, Any]) -> Block:
    match item.get("type"):
        case "text":
            return Text(item["text"])
        case "thinking":
            return Thinking(item["text"], item["signature"], item.get("model", ""))
        case "redacted":
            return Redacted(item["data"], item.get("model", ""))
        case "tool_use":
            return ToolUse(item["id"], item["name"], item["input"], item["raw"])
        case "tool_result":
            return ToolResult(item["id"], item["name"], item["content"], item["is_error"], item["untrusted"])
        case _:
            return Text(json.dumps(item))
