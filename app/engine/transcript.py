"""A request as the engine reads it: turns made of what the user said and what came of each call.

The engine keeps nothing between requests; how far it has come is read from the results that already exist.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.providers.values import Message, ModelRequest, Role, ToolResult, ToolUse


@dataclass(frozen=True, slots=True)
class Result:
    """A tool's answer, read as a JSON object where it is one. `text` is the answer as it came."""

    ok: bool
    data: Mapping[str, Any]
    text: str
    untrusted: bool = False

    @property
    def waiting(self) -> bool:
        """Whether the change was not applied but waits for the user."""
        return self.data.get("waiting") is True or self.data.get("verdict") == "propose"

    @property
    def sentence(self) -> str:
        """What the tool says in words."""
        said = self.data.get("error") or self.data.get("message") or self.data.get("why")
        return str(said) if said else ("" if self.data else self.text.strip())

    def string(self, key: str) -> str:
        """A text field, empty when it is missing or something else."""
        value = self.data.get(key)
        return value if isinstance(value, str) else ""

    def rows(self, *keys: str) -> list[Mapping[str, Any]]:
        """The first of these fields that is a list, reduced to its objects."""
        for key in keys:
            value = self.data.get(key)
            if isinstance(value, list):
                return [row for row in value if isinstance(row, Mapping)]
        return []


@dataclass(frozen=True, slots=True)
class Done:
    """One call with its arguments and its result."""

    name: str
    input: Mapping[str, Any]
    result: Result

    def given(self, key: str) -> str:
        """A text argument of the call, empty when it is missing."""
        value = self.input.get(key)
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user said, the calls that followed, and what was answered."""

    said: str
    done: tuple[Done, ...]
    answer: str

    def of(self, name: str) -> tuple[Done, ...]:
        """The finished calls of one tool, in order."""
        return tuple(done for done in self.done if done.name == name)

    def first(self, name: str) -> Result | None:
        """The result of the first call of a tool, None when it was not called yet."""
        return next((done.result for done in self.done if done.name == name), None)


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole request: the system prompt, the names of the tools, all turns, and how many calls there were."""

    system: str
    tools: frozenset[str]
    turns: tuple[Turn, ...]
    calls: int

    @property
    def now(self) -> Turn:
        """The turn that is being answered; an empty one when nothing was said."""
        return self.turns[-1] if self.turns else Turn("", (), "")

    @property
    def before(self) -> tuple[Turn, ...]:
        """The turns before it."""
        return self.turns[:-1]


def read(request: ModelRequest) -> Transcript:
    """Read a request. A user message with text begins a turn; results belong to the calls they answer."""
    blocks = [block for message in request.messages for block in message.blocks]
    results = {block.id: block for block in blocks if isinstance(block, ToolResult)}
    turns = tuple(_turn(part, results) for part in _parts(request.messages))
    calls = sum(isinstance(block, ToolUse) for block in blocks)
    return Transcript(request.system, frozenset(tool.name for tool in request.tools), turns, calls)


def _parts(messages: Sequence[Message]) -> Iterator[list[Message]]:
    part: list[Message] = []
    for message in messages:
        if message.role is Role.USER and message.text.strip() and part:
            yield part
            part = []
        part.append(message)
    if part:
        yield part


def _turn(messages: Sequence[Message], results: Mapping[str, ToolResult]) -> Turn:
    said = "\n".join(message.text for message in messages if message.role is Role.USER and message.text.strip())
    answers = [message for message in messages if message.role is Role.ASSISTANT]
    uses = [block for message in answers for block in message.blocks if isinstance(block, ToolUse)]
    done = tuple(Done(use.name, use.input or {}, _result(results[use.id])) for use in uses if use.id in results)
    return Turn(said, done, "\n".join(message.text for message in answers if message.text.strip()))


def _result(block: ToolResult) -> Result:
    try:
        data = json.loads(block.content)
    except (ValueError, RecursionError):  # plain text is an answer too
        data = None
    fields: Mapping[str, Any] = data if isinstance(data, dict) else {}
    # What waits for the user is no failure, though it is not done: such an answer says "success": false and "waiting".
    waits = fields.get("waiting") is True
    ok = not block.is_error and (waits or (fields.get("success", True) is not False and "error" not in fields))
    return Result(ok, fields, block.content, block.untrusted)
