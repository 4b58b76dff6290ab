"""The built-in engine: a provider made of rules, for work without a key and without a network.

It has no weights and invents nothing: it answers from the skills, the memory and the conversations it reaches through
the tools, quotes with the source, and says plainly when it has nothing. Like any model it sees only the request.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping

from app.cancel import CancelToken
from app.engine import chat, curator, review
from app.engine.step import Call, Step
from app.engine.transcript import Transcript, read
from app.providers.values import (
    Block,
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
)

_PIECE = re.compile(r"\S*\s*")
#: Longer answers come in larger pieces, so that no answer makes more events than a window can draw at once.
_MOST_PIECES = 600

_TASKS: Mapping[str, Callable[[Transcript], Step]] = {
    "chat": chat.answer,
    "review": review.answer,
    "curator": curator.answer,
}


class BuiltinEngine:
    """Basic mode: no language model. Deterministic; the same request always has the same answer."""

    name = "builtin"
    model = "basic"
    needs_network = False

    def stream(self, request: ModelRequest, token: CancelToken) -> Iterator[StreamEvent]:
        """Answer one request in pieces of about a word. See Provider.stream; raises nothing but Cancelled."""
        token.check()
        transcript = read(request)
        step = _TASKS.get(request.task, chat.answer)(transcript)
        for piece in pieces(step.text):
            token.check()
            yield TextDelta(piece)
        uses = [_use(call, transcript.calls + number) for number, call in enumerate(step.calls)]
        for use in uses:
            token.check()
            yield ToolDelta(use.id, use.name)
        blocks: list[Block] = [Text(step.text)] if step.text else []
        stop = StopReason.TOOL_USE if uses else StopReason.END_TURN
        yield Completed(Message(Role.ASSISTANT, (*blocks, *uses)), stop, model=self.model)


def pieces(text: str) -> list[str]:
    """A text cut after blanks into pieces of about a word; joined they are the text."""
    words = [word for word in _PIECE.findall(text) if word]
    size = max(1, len(words) // _MOST_PIECES)
    return ["".join(words[start : start + size]) for start in range(0, len(words), size)]


def _use(call: Call, number: int) -> ToolUse:
    raw = json.dumps(dict(call.input), ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(f"{call.name}\0{raw}".encode("utf-8", "surrogatepass")).hexdigest()
    return ToolUse(f"basic_{number}_{digest[:8]}", call.name, dict(call.input), raw)
