"""Makes a stored conversation one that the service accepts, without losing what was said.

The service refuses a call without a result, a result without its call, empty texts, repeated call ids and reasoning
it did not sign. Stops, crashes and imports leave all of these behind. Repairing is stable: the same conversation gives
the same messages, so that the prompt cache holds, and a repaired one is left alone.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from app.providers.values import Block, Message, Redacted, Role, Text, Thinking, ToolResult, ToolUse

INTERRUPTED = (
    "This call was interrupted before it had a result. Whether it took effect is not known: look before repeating."
)
_BEFORE = "(An earlier part of this conversation is not available.)"
_NO_TEXT = "(no text)"
_NOT_IN_IDS = re.compile(r"[^a-zA-Z0-9_-]")


def repair(messages: Iterable[Message], model: str = "") -> tuple[Message, ...]:
    """The conversation as it may be sent to `model`; "" keeps reasoning whoever wrote it.

    Unanswered calls get an error result that says so, results stand first and in the order of their calls, blank
    texts and foreign reasoning are left out as whole blocks, neighbours of one role are joined.
    """
    clean = [Message(message.role, tuple(_kept(message, model))) for message in messages]
    joined = _joined(_unique(message for message in clean if _says_something(message)))
    return tuple(_answered(joined))


def without_thinking(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The conversation without any reasoning, for a service that refuses what it signed itself."""
    return tuple(
        Message(message.role, tuple(block for block in message.blocks if not isinstance(block, Thinking | Redacted)))
        for message in messages
    )


def fresh_ids(message: Message, used: set[str]) -> Message:
    """The same answer with valid call ids that the conversation has not seen; `used` is extended by them."""
    blocks: list[Block] = []
    for block in message.blocks:
        if isinstance(block, ToolUse):
            block = replace(block, id=_free(block.id, used))
            used.add(block.id)
        blocks.append(block)
    return Message(message.role, tuple(blocks))


def call_ids(messages: Iterable[Message]) -> set[str]:
    """Every call id of a conversation."""
    return {block.id for message in messages for block in message.blocks if isinstance(block, ToolUse)}


def _kept(message: Message, model: str) -> Iterator[Block]:
    for block in message.blocks:
        if isinstance(block, Text):
            if block.text.strip():
                yield block
        elif isinstance(block, ToolResult):
            if message.role is Role.USER:
                yield block
        elif message.role is Role.ASSISTANT and (isinstance(block, ToolUse) or _may_return(block, model)):
            yield block


def _may_return(block: Thinking | Redacted, model: str) -> bool:
    if isinstance(block, Thinking) and not block.signature:
        return False
    return not (model and block.model and block.model != model)


def _says_something(message: Message) -> bool:
    return any(not isinstance(block, Thinking | Redacted) for block in message.blocks)


def _unique(messages: Iterable[Message]) -> Iterator[Message]:
    """Rename call ids that repeat, together with the results that follow them."""
    used: set[str] = set()
    renamed: dict[str, str] = {}
    for message in messages:
        if message.role is Role.ASSISTANT:
            fresh = fresh_ids(message, used)
            pairs = zip(message.blocks, fresh.blocks, strict=True)
            renamed |= {old.id: new.id for old, new in pairs if isinstance(old, ToolUse) and isinstance(new, ToolUse)}
            yield fresh
        else:
            blocks = (
                replace(block, id=renamed.get(block.id, block.id)) if isinstance(block, ToolResult) else block
                for block in message.blocks
            )
            yield Message(message.role, tuple(blocks))


def _joined(messages: Iterable[Message]) -> list[Message]:
    """One message per side in turn; the first is the user's."""
    joined = [
        Message(role, tuple(block for message in group for block in message.blocks))
        for role, group in itertools.groupby(messages, key=lambda message: message.role)
    ]
    if joined and joined[0].role is Role.ASSISTANT:
        joined.insert(0, Message(Role.USER, (Text(_BEFORE),)))
    return joined


def _answered(messages: Sequence[Message]) -> Iterator[Message]:
    """Give every call exactly one result, first in the message after it."""
    calls: list[ToolUse] = []
    for message in messages:
        if message.role is Role.ASSISTANT:
            calls = [block for block in message.blocks if isinstance(block, ToolUse)]
            yield message
            continue
        others = [block for block in message.blocks if not isinstance(block, ToolResult)]
        blocks = (*_results(calls, message.blocks), *others)
        calls = []
        yield Message(Role.USER, blocks or (Text(_NO_TEXT),))
    if calls:
        yield Message(Role.USER, tuple(_results(calls, ())))


def _results(calls: Iterable[ToolUse], blocks: Iterable[Block]) -> Iterator[ToolResult]:
    given: dict[str, ToolResult] = {}
    for block in blocks:
        if isinstance(block, ToolResult):
            given.setdefault(block.id, block)
    for call in calls:
        yield given.get(call.id) or ToolResult(call.id, call.name, INTERRUPTED, is_error=True)


def _free(wanted: str, used: set[str]) -> str:
    """An id of the characters the service allows that is not in use; the wanted one if it is such an id."""
    base = _NOT_IN_IDS.sub("_", wanted) or "call"
    if base not in used:
        return base
    return next(name for number in itertools.count(2) if (name := f"{base}_{number}") not in used)
