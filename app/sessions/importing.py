"""Conversations from elsewhere: messages as the Messages API has them, or rows with calls as chat APIs write them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.clock import read_time
from app.errors import AppError, Kind
from app.providers.values import Block, Message, Redacted, Role, Text, Thinking, ToolResult, ToolUse


@dataclass(frozen=True, slots=True)
class ImportedTurn:
    """One turn: from the user's words to the last message before the next ones. `ending` as the agent room says it."""

    id: str
    messages: tuple[Message, ...]
    ending: str


@dataclass(frozen=True, slots=True)
class Imported:
    """A conversation read from a file; `id` is empty when the file names none."""

    id: str
    title: str
    model: str
    system: str | None
    at: datetime
    turns: tuple[ImportedTurn, ...]


def read_session(data: object, now: datetime) -> Imported:
    """Read one conversation. Raises AppError(INVALID) naming the message that cannot be read; nothing is skipped."""
    fields = data if isinstance(data, Mapping) else {"messages": data}
    rows = fields.get("messages")
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise _invalid('The conversation has no list "messages".')
    system, messages = _read_messages(rows)
    given = fields.get("system")
    return Imported(
        id=str(fields.get("session_id") or ""),
        title=str(fields.get("title") or ""),
        model=str(fields.get("model") or ""),
        system=given if isinstance(given, str) else system,
        at=read_time(fields.get("started_at")) or now,
        turns=tuple(_turns(messages)),
    )


def _read_messages(rows: Sequence[object]) -> tuple[str | None, list[Message]]:
    system: str | None = None
    messages: list[Message] = []
    names: dict[str, str] = {}
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise _invalid(f"Message {number} is not an object.")
        if row.get("role") in ("system", "developer"):
            system = "\n".join(filter(None, [system, _plain(row.get("content"))]))
            continue
        message = _message(row, number, names)
        names.update((block.id, block.name) for block in message.blocks if isinstance(block, ToolUse))
        both = (*messages, message)[-2:]
        if all(_only_results(one) for one in both) and len(both) == 2:
            messages[-1] = Message(Role.USER, both[0].blocks + both[1].blocks)
        else:
            messages.append(message)
    return system, messages


def _message(row: Mapping[str, Any], number: int, names: Mapping[str, str]) -> Message:
    role, content = row.get("role"), row.get("content")
    if role == "tool":
        call = str(row.get("tool_call_id") or "")
        name = str(row.get("name") or row.get("tool_name") or names.get(call, ""))
        return Message(Role.USER, (ToolResult(call, name, _plain(content)),))
    if role not in ("user", "assistant"):
        raise _invalid(f"Message {number} has the role {role!r}; user, assistant, tool or system is expected.")
    if isinstance(content, str):
        blocks: list[Block] = [Text(content)] if content else []
    elif isinstance(content, Sequence):
        blocks = [_block(item, number, names) for item in content]
    elif content is None:
        blocks = []
    else:
        raise _invalid(f"The content of message {number} is neither a text nor a list.")
    reasoning = row.get("reasoning") or row.get("reasoning_content")
    if isinstance(reasoning, str):
        blocks.insert(0, Thinking(reasoning))
    blocks += [_chat_call(call, number) for call in row.get("tool_calls") or ()]
    return Message(Role(role), tuple(blocks))


def _block(item: object, number: int, names: Mapping[str, str]) -> Block:
    if isinstance(item, str):
        return Text(item)
    if not isinstance(item, Mapping):
        raise _invalid(f"A block of message {number} is not an object.")
    match item.get("type"):
        case "text":
            return Text(str(item.get("text", "")))
        case "thinking":
            return Thinking(str(item.get("thinking") or item.get("text") or ""), str(item.get("signature") or ""))
        case "redacted_thinking" | "redacted":
            return Redacted(str(item.get("data", "")))
        case "tool_use":
            return _call(item, item.get("input"))
        case "tool_result":
            call = str(item.get("tool_use_id") or item.get("id") or "")
            name = str(item.get("name") or names.get(call, ""))
            return ToolResult(call, name, _plain(item.get("content")), bool(item.get("is_error")))
        case _:
            return Text(json.dumps(item, ensure_ascii=False))


def _chat_call(call: object, number: int) -> ToolUse:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(call, Mapping) or not isinstance(function, Mapping):
        raise _invalid(f"A call of message {number} has no function.")
    return _call({"id": call.get("id"), "name": function.get("name")}, function.get("arguments"))


def _call(item: Mapping[str, Any], given: object) -> ToolUse:
    raw = ""
    if isinstance(given, str):
        raw = given
        try:
            given = json.loads(given)
        except ValueError:
            given = None
    arguments = {str(key): value for key, value in given.items()} if isinstance(given, Mapping) else None
    return ToolUse(str(item.get("id") or ""), str(item.get("name") or ""), arguments, raw if arguments is None else "")


def _plain(content: object) -> str:
    """The text of a content that may be a string or a list of text blocks."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if isinstance(content, Sequence) and all(isinstance(item, Mapping) and "text" in item for item in content):
        return "\n".join(str(item["text"]) for item in content)
    return json.dumps(content, ensure_ascii=False)


def _turns(messages: Iterable[Message]) -> Iterable[ImportedTurn]:
    groups: list[list[Message]] = []
    for message in messages:
        begins = message.role is Role.USER and not any(isinstance(block, ToolResult) for block in message.blocks)
        if begins or not groups:
            groups.append([])
        groups[-1].append(message)
    for number, group in enumerate(groups, 1):
        yield ImportedTurn(f"turn-{number}", tuple(group), _ending(group[-1]))


def _ending(last: Message) -> str:
    answered = last.role is Role.ASSISTANT and not any(isinstance(block, ToolUse) for block in last.blocks)
    return "done" if answered else "interrupted"


def _only_results(message: Message) -> bool:
    return bool(message.blocks) and all(isinstance(block, ToolResult) for block in message.blocks)


def _invalid(what: str) -> AppError:
    return AppError(Kind.INVALID, "The conversation cannot be read", f"{what} Correct the file and import it again.")
