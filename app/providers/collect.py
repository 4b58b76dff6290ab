"""Puts one streamed answer together from its events, byte for byte, and says whether it arrived whole."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.providers.encode import well_formed
from app.providers.failures import ProviderError, classify_status
from app.providers.values import (
    Alive,
    Block,
    Completed,
    Message,
    Redacted,
    Role,
    Started,
    StopReason,
    StreamEvent,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolDelta,
    ToolUse,
    Usage,
)


@dataclass(slots=True)
class _Part:
    """One content block under way; `pieces` are its text, reasoning or argument pieces, `held` half a character."""

    kind: str
    start: Mapping[str, Any]
    pieces: list[str] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)
    held: str = ""

    @property
    def whole(self) -> str:
        return "".join(self.pieces)


class Collector:
    """Takes the events of one answer. `model` is the name reasoning is marked with."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._answered_by = model
        self._parts: dict[int, _Part] = {}
        self._usage: dict[str, int] = {}
        self._stop: str | None = None
        self._ended = False

    def take(self, event: Mapping[str, Any]) -> Iterator[StreamEvent]:
        """Take one event of the service and tell what is new in it; unknown kinds are left aside.

        Raises ProviderError for an error event, whatever the HTTP status was.
        """
        kind = event.get("type")
        if kind == "content_block_delta":
            yield from self._delta(event)
        elif kind == "content_block_start":
            yield from self._start(event)
        elif kind == "message_start":
            message = _mapping(event.get("message"))
            self._answered_by = str(message.get("model") or self._model)
            self._count(message.get("usage"))
            yield Started(self.usage, self._answered_by)
        elif kind == "message_delta":
            self._stop = _mapping(event.get("delta")).get("stop_reason") or self._stop
            self._count(event.get("usage"))
        elif kind == "message_stop":
            self._ended = True
        elif kind == "error":
            error = _mapping(event.get("error"))
            failed = classify_status(200, str(error.get("type") or ""), str(error.get("message") or ""))
            raise ProviderError(failed, usage=self.usage)
        else:
            yield Alive()

    @property
    def ended(self) -> bool:
        """Whether the service said that the answer is over."""
        return self._ended

    @property
    def begun(self) -> bool:
        """Whether anything of an answer has come."""
        return bool(self._parts or self._usage or self._ended)

    @property
    def usage(self) -> Usage:
        """What was counted so far."""
        get = self._usage.get
        return Usage(
            get("input_tokens", 0),
            get("output_tokens", 0),
            get("cache_read_input_tokens", 0),
            get("cache_creation_input_tokens", 0),
        )

    def completed(self) -> Completed:
        """The answer as far as it came; INCOMPLETE unless the service both gave a reason and ended the message."""
        blocks = tuple(block for _, part in sorted(self._parts.items()) if (block := self._block(part)) is not None)
        stop = self._reason(any(isinstance(block, ToolUse) for block in blocks))
        return Completed(Message(Role.ASSISTANT, blocks), stop, self.usage, self._answered_by)

    def _start(self, event: Mapping[str, Any]) -> Iterator[StreamEvent]:
        start = _mapping(event.get("content_block"))
        part = _Part(str(start.get("type") or ""), start)
        self._parts[_index(event)] = part
        if part.kind == "tool_use":
            yield ToolDelta(str(start.get("id") or ""), str(start.get("name") or ""))
        elif part.kind == "text" and start.get("text"):
            yield from self._text(part, str(start["text"]))
        elif part.kind == "thinking":
            part.signature.append(str(start.get("signature") or ""))
            if start.get("thinking"):
                part.pieces.append(str(start["thinking"]))
                yield ThinkingDelta(str(start["thinking"]))
        else:
            yield Alive()

    def _delta(self, event: Mapping[str, Any]) -> Iterator[StreamEvent]:
        part, delta = self._parts.get(_index(event)), _mapping(event.get("delta"))
        if part is None:
            return
        match delta.get("type"):
            case "text_delta":
                yield from self._text(part, str(delta.get("text") or ""))
            case "thinking_delta":
                part.pieces.append(str(delta.get("thinking") or ""))
                yield ThinkingDelta(well_formed(part.pieces[-1]))
            case "signature_delta":
                part.signature.append(str(delta.get("signature") or ""))
            case "input_json_delta":
                part.pieces.append(str(delta.get("partial_json") or ""))
                yield ToolDelta(str(part.start.get("id") or ""), str(part.start.get("name") or ""))

    @staticmethod
    def _text(part: _Part, piece: str) -> Iterator[StreamEvent]:
        """Keep the piece; half of a character at its end is shown together with the other half."""
        part.pieces.append(piece)
        shown = part.held + piece
        part.held = shown[-1] if shown and "\ud800" <= shown[-1] <= "\udbff" else ""
        shown = well_formed(shown.removesuffix(part.held) if part.held else shown)
        if shown:
            yield TextDelta(shown)

    def _block(self, part: _Part) -> Block | None:
        if part.kind == "text":
            text = well_formed(part.whole)
            return Text(text) if text.strip() else None
        if part.kind == "thinking":
            return Thinking(part.whole, "".join(part.signature), self._model)
        if part.kind == "redacted_thinking":
            return Redacted(str(part.start.get("data") or ""), self._model)
        if part.kind == "tool_use":
            return _tool_use(part)
        return None

    def _reason(self, has_calls: bool) -> StopReason:
        if not self._ended or self._stop is None:
            return StopReason.INCOMPLETE
        try:
            return StopReason(self._stop)
        except ValueError:  # a word of another server; the message did end
            return StopReason.TOOL_USE if has_calls else StopReason.END_TURN

    def _count(self, usage: object) -> None:
        for key, value in _mapping(usage).items():
            if isinstance(value, int) and not isinstance(value, bool):
                self._usage[str(key)] = value


def _tool_use(part: _Part) -> ToolUse:
    identity, name = str(part.start.get("id") or ""), str(part.start.get("name") or "")
    if not part.whole.strip():
        given = part.start.get("input")
        return ToolUse(identity, name, dict(given) if isinstance(given, Mapping) else {})
    try:
        value = json.loads(part.whole)
    except (ValueError, RecursionError):
        return ToolUse(identity, name, None, part.whole)
    return ToolUse(identity, name, value if isinstance(value, dict) else None, part.whole)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _index(event: Mapping[str, Any]) -> int:
    index = event.get("index")
    return index if isinstance(index, int) else 0
