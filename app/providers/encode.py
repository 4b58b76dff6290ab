"""Writes a request in the form of the Messages API, with breakpoints for its prompt cache.

The tools, the system prompt and all messages before the last are the same bytes from one request to the next, so a
breakpoint behind the system prompt and behind the last two user messages lets the service read nearly all of a long
conversation from its cache (four breakpoints are allowed).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from app.providers.values import Block, Message, ModelRequest, Redacted, Role, Text, Thinking, ToolResult, ToolSpec

_CACHE = {"type": "ephemeral"}
_CACHED_MESSAGES = 2
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")


def request_body(request: ModelRequest, model: str) -> dict[str, Any]:
    """The arguments of one streaming call."""
    body: dict[str, Any] = {
        "model": model,
        "max_tokens": request.max_tokens,
        "messages": _messages(request.messages),
    }
    if request.system.strip():
        body["system"] = [{"type": "text", "text": well_formed(request.system), "cache_control": _CACHE}]
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    return body


def well_formed(text: str) -> str:
    """The same text with surrogate pairs joined and lone surrogates replaced, so that it can be sent as UTF-8."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _tool(tool: ToolSpec) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": dict(tool.schema)}


def _messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    written: list[dict[str, Any]] = [
        {"role": message.role.value, "content": [_block(block) for block in message.blocks]} for message in messages
    ]
    users = [entry for entry in written if entry["role"] == Role.USER.value]
    for entry in users[-_CACHED_MESSAGES:]:
        entry["content"][-1]["cache_control"] = _CACHE
    return written


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, Text):
        return {"type": "text", "text": well_formed(block.text)}
    if isinstance(block, Thinking):
        return {"type": "thinking", "thinking": block.text, "signature": block.signature}
    if isinstance(block, Redacted):
        return {"type": "redacted_thinking", "data": block.data}
    if isinstance(block, ToolResult):
        written: dict[str, Any] = {
            "type": "tool_result",
            "tool_use_id": block.id,
            "content": well_formed(block.content),
        }
        return written | {"is_error": True} if block.is_error else written
    name = _NOT_IN_NAMES.sub("_", block.name)[:128] or "unknown"
    return {"type": "tool_use", "id": block.id, "name": name, "input": _plain(block.input or {})}


def _plain(value: Any) -> Any:  # noqa: ANN401 - any JSON value in, the same shape out
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, Mapping):
        return {well_formed(str(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
