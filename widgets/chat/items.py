"""What the transcript shows, as values: stored messages turned into cards, calls joined with their results."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from PySide6.QtCore import QCoreApplication

from app.providers.values import Role, Text, Thinking, ToolResult, ToolUse
from app.sessions.values import MessageState, StoredMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What every card stands for: the id of a stored message; -1 while it is not stored."""

    message: int = field(default=-1, compare=False)


@dataclass(frozen=True, slots=True)
class YouItem(Stored):
    """What the user wrote."""

    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AnswerItem(Stored):
    """Answer text in Markdown. `state` says when it did not arrive whole."""

    text: str
    state: MessageState = MessageState.COMPLETE


@dataclass(frozen=True, slots=True)
class ThinkingItem(Stored):
    """The agent's reasoning, folded."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolItem(Stored):
    """One call. `result` is None while it runs, or when it never got one; `seconds` is 0 when not known.

    `answered` is the id of the stored message that brought the result.
    """

    call: ToolUse
    result: ToolResult | None = None
    target: str = ""
    seconds: float = 0.0
    entry: str | None = None
    proposal: str | None = None
    running: bool = False
    answered: int = field(default=-1, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class NoteItem(Stored):
    """One line of a background job: what a review learned, what a curator run did. `icon` names its picture."""

    text: str
    icon: str
    entries: tuple[str, ...] = ()
    proposals: tuple[str, ...] = ()
    run: str = ""


@dataclass(frozen=True, slots=True)
class ErrorItem(Stored):
    """Why a turn failed and what can be done."""

    title: str
    text: str
    detail: str = ""
    retry: bool = True
    action: str = ""


Item = YouItem | AnswerItem | ThinkingItem | ToolItem | NoteItem | ErrorItem

#: The pictures a line of a background job may ask for, by the word its data says.
_ICONS = {"brain": "thinking", "memory": "memory", "disk": "save", "curator": "curator"}


def items_of(messages: Iterable[StoredMessage]) -> tuple[Item, ...]:
    """The cards of a conversation in order; tool results go to the call they answer."""
    listed = tuple(messages)
    results = {
        block.id: (block, stored.id)
        for stored in listed
        for block in stored.message.blocks
        if isinstance(block, ToolResult)
    }
    return tuple(replace(item, message=stored.id) for stored in listed for item in _one(stored, results))


def opened(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The cards of a conversation that can go on: only its last failure can be tried again.

    What the program left without an answer when it ended gets a card that says so.
    """
    if not items:
        return ()
    last = items[-1]
    settled = (*(at_rest(item) for item in items[:-1]), last)
    if isinstance(last, AnswerItem) and last.state is MessageState.INTERRUPTED:
        return (*settled, ErrorItem(_tr("Interrupted"), _tr("The program ended in the middle of this answer.")))
    if isinstance(last, YouItem | ToolItem):
        return (*settled, ErrorItem(_tr("No answer"), _tr("The turn ended before it was answered.")))
    return settled


def at_rest(item: Item) -> Item:
    """A failure that is long past can no longer be tried again."""
    return replace(item, retry=False, action="") if isinstance(item, ErrorItem) else item


def note_of(stored: StoredMessage) -> NoteItem:
    """The line of a review or a curator run; data that is not the expected JSON only loses its buttons."""
    data = _object(stored.data)
    icon = "curator" if stored.kind == "curator" else _ICONS.get(str(data.get("icon", "")), "save")
    return NoteItem(
        text=stored.message.text,
        icon=icon,
        entries=_texts(data.get("entries")),
        proposals=_texts(data.get("proposals")),
        run=str(data.get("run", "")),
    )


def error_of(stored: StoredMessage) -> ErrorItem:
    """The card of a stored failure."""
    data = _object(stored.data)
    return ErrorItem(
        title=str(data.get("title", "")),
        text=str(data.get("text", "")) or stored.message.text,
        detail=str(data.get("detail", "")),
        retry=bool(data.get("retry", False)),
        action=str(data.get("action", "")),
    )


def told(result: ToolResult) -> tuple[str, str]:
    """The sentence of a result and the proposal it names, both empty when it is no JSON object that has them."""
    data = _object(result.content) if len(result.content) < 20_000 else {}
    sentence = data.get("message") or data.get("error") or ""
    return str(sentence), str(data.get("proposal") or "")


def _one(stored: StoredMessage, results: dict[str, tuple[ToolResult, int]]) -> Iterable[Item]:
    if stored.kind == "error":
        yield error_of(stored)
        return
    if stored.kind != "message":
        yield note_of(stored)
        return
    message = stored.message
    if message.role is Role.USER:
        if message.text.strip():
            yield YouItem(message.text, stored.at)
        return
    for block in message.blocks:
        if isinstance(block, Text) and block.text.strip():
            yield AnswerItem(block.text, stored.state)
        elif isinstance(block, Thinking) and block.text.strip():
            yield ThinkingItem(block.text)
        elif isinstance(block, ToolUse):
            result, answered = results.get(block.id, (None, -1))
            proposal = told(result)[1] if result else ""
            yield ToolItem(block, result, target_of(block), proposal=proposal or None, answered=answered)


def target_of(call: ToolUse) -> str:
    """What a call is about, in one word or path, from the arguments tools have in common."""
    given = call.input or {}
    for key in ("name", "query", "file_path", "target", "session_id"):
        value = given.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def _tr(text: str) -> str:
    return QCoreApplication.translate("Chat", text)


def _object(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text) if text else {}
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(part) for part in value) if isinstance(value, list) else ()
