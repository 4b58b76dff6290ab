"""Values of the agent room: what a running turn says to whoever watches it."""

from dataclasses import dataclass, field
from enum import StrEnum

from app.errors import Failure
from app.providers.values import Message, ToolResult, ToolUse, Usage


class Ending(StrEnum):
    """How a turn ended. Exactly one ending per turn."""

    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class LoopLimits:
    """What one turn may cost: calls of the model, tokens per answer, and patience in seconds.

    `stall_seconds` without progress lead to a notice, `timeout_seconds` to a failed attempt; the same call failing
    `repeats` times ends the turn.
    """

    max_iterations: int = 50
    max_tokens: int = 8192
    stall_seconds: float = 30.0
    timeout_seconds: float = 300.0
    repeats: int = 3


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What came of one call: the result for the model, the entry or proposal it led to, and what it was about.

    `verdict` is "allow", "propose" or "refuse": what the rules said, whether or not it then succeeded.
    """

    result: ToolResult
    entry: str | None = None
    proposal: str | None = None
    target: str = ""
    verdict: str = "allow"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The skill list of a system prompt: its text, the names in it, and those that did not fit."""

    text: str
    listed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextArrived:
    """Answer text, to be appended."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingArrived:
    """Reasoning text, to be appended to the folded part."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A call is about to run. `target` is the skill or query it is about, for one line of text."""

    call: ToolUse
    target: str = ""


@dataclass(frozen=True, slots=True)
class ToolEnded:
    """A call has its result; `seconds` is how long it took, `change` the ledger entry or proposal it led to."""

    call: ToolUse
    result: ToolResult
    seconds: float = 0.0
    entry: str | None = None
    proposal: str | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """The provider asked for patience: attempt number and seconds until the next try, in words the user reads."""

    attempt: int
    seconds: float
    why: str


@dataclass(frozen=True, slots=True)
class Stalled:
    """No progress for this many seconds; the turn goes on until the user stops it or it times out."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Text shown since the last message is taken back because the request is tried again."""


@dataclass(frozen=True, slots=True)
class MessageAdded:
    """A whole message joined the conversation (assistant answer, or the user message that carries tool results)."""

    message: Message
    complete: bool = True


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The single last event of a turn. `reason` is a sentence when the ending is not DONE.

    `context` is how many tokens the last answered request and its answer had together; 0 when no model counted them.
    """

    ending: Ending
    usage: Usage = field(default_factory=Usage)
    iterations: int = 0
    reason: str = ""
    failure: Failure | None = None
    model: str = ""
    context: int = 0


AgentEvent = (
    TextArrived | ThinkingArrived | ToolStarted | ToolEnded | Waiting | Stalled | Withdrawn | MessageAdded | TurnEnded
)
