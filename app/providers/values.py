"""Values every model provider speaks: messages made of blocks, tools, stream events and usage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Role(StrEnum):
    """Whose message it is. Tool results travel in a user message, first, as the Messages API wants it."""

    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text."""

    text: str


@dataclass(frozen=True, slots=True)
class Thinking:
    """A model's reasoning with the signature that must come back byte for byte. `model` is who wrote it, if known."""

    text: str
    signature: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class Redacted:
    """Reasoning the service encrypted: kept and sent back, never shown. `model` is who wrote it, if known."""

    data: str
    model: str = ""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call the model asks for. `input` is None when the arguments were not valid JSON; `raw` keeps the text then."""

    id: str
    name: str
    input: Mapping[str, Any] | None
    raw: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer to one call. `untrusted` marks text that was not made from the user's own words."""

    id: str
    name: str
    content: str
    is_error: bool = False
    untrusted: bool = False


Block = Text | Thinking | Redacted | ToolUse | ToolResult


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation, its blocks in the order they came."""

    role: Role
    blocks: tuple[Block, ...]

    @property
    def text(self) -> str:
        """The plain text of the message, blocks joined."""
        return "".join(block.text for block in self.blocks if isinstance(block, Text))


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as advertised to the model; `schema` is a JSON schema object."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more completions; `cost` in US dollars when a price is known, else 0."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cost: float = 0.0

    @property
    def tokens(self) -> int:
        """All tokens, sent, cached and received."""
        return self.input + self.output + self.cache_read + self.cache_write

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            self.cost + other.cost,
        )


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Everything a provider needs for one completion. `task` is "chat", "review" or "curator"."""

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    max_tokens: int
    task: str = "chat"


@dataclass(frozen=True, slots=True)
class Started:
    """The service began to answer. `usage` is what it bills even if the answer never ends."""

    usage: Usage = field(default_factory=Usage)
    model: str = ""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of answer text."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """A piece of reasoning text."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolDelta:
    """A call began to arrive (its arguments are not complete yet)."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Alive:
    """Nothing new: a sign of life from the service, or a moment of silence on an open connection."""


class StopReason(StrEnum):
    """Why a completion ended. INCOMPLETE: the stream broke off, nothing in it may be run or stored as complete."""

    END_TURN = "end_turn"
    TOOL_USE = "tool_use"
    MAX_TOKENS = "max_tokens"
    STOP_SEQUENCE = "stop_sequence"
    PAUSE_TURN = "pause_turn"
    REFUSAL = "refusal"
    CONTEXT = "model_context_window_exceeded"
    INCOMPLETE = "incomplete"


@dataclass(frozen=True, slots=True)
class Completed:
    """The end of one completion: the whole assistant message, why it stopped and what it cost."""

    message: Message
    stop: StopReason
    usage: Usage = field(default_factory=Usage)
    model: str = ""


StreamEvent = Started | TextDelta | ThinkingDelta | ToolDelta | Alive | Completed
