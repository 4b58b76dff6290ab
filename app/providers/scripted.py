"""A model that plays a script: what it will say is written down before. For tests and for the tour's failing turn."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.cancel import CancelToken
from app.errors import AppError, Kind
from app.providers.failures import ProviderError
from app.providers.values import (
    Completed,
    Message,
    ModelRequest,
    Role,
    StopReason,
    StreamEvent,
    Text,
    TextDelta,
    ToolDelta,
    ToolUse,
    Usage,
)

#: What one request is answered with: events in order, or an error at the place where it is raised.
Turn = Sequence[StreamEvent | ProviderError | AppError]


class ScriptedProvider:
    """Answers each request with the next turn of the script; `requests` keeps what was asked.

    A script that is over raises AppError.
    """

    name = "scripted"
    needs_network = False

    def __init__(self, turns: Sequence[Turn], model: str = "scripted") -> None:
        self.model = model
        self.requests: list[ModelRequest] = []
        self._turns = list(turns)

    def stream(self, request: ModelRequest, token: CancelToken) -> Iterator[StreamEvent]:
        """Play the next turn. See Provider.stream."""
        self.requests.append(request)
        if not self._turns:
            raise AppError(Kind.PROVIDER, "The script is over", "There is no further answer to play.")
        for event in self._turns.pop(0):
            token.check()
            if isinstance(event, Exception):
                raise event
            yield event


def says(text: str, usage: Usage | None = None) -> Turn:
    """A turn that answers with this text, in pieces of a word."""
    words = text.split(" ")
    pieces = [word + " " for word in words[:-1]] + words[-1:]
    message = Message(Role.ASSISTANT, (Text(text),))
    return [
        *(TextDelta(piece) for piece in pieces),
        Completed(message, StopReason.END_TURN, usage or Usage(), "scripted"),
    ]


def calls(*wanted: tuple[str, str, Mapping[str, Any]], text: str = "", usage: Usage | None = None) -> Turn:
    """A turn that asks for tools, each as (id, name, arguments), after some text."""
    uses = [ToolUse(identity, name, dict(given), json.dumps(given)) for identity, name, given in wanted]
    blocks = (*((Text(text),) if text else ()), *uses)
    shown: list[StreamEvent] = [TextDelta(text)] if text else []
    shown += [ToolDelta(use.id, use.name) for use in uses]
    return [*shown, Completed(Message(Role.ASSISTANT, blocks), StopReason.TOOL_USE, usage or Usage(), "scripted")]
