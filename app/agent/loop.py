"""The agent's loop: messages and tools in, events out, until the model is done, stopped, stuck or out of steps.

It touches neither files nor settings nor any window: the model, the tools and the limits are handed in. Whatever
happens, the messages it reports form a conversation that can go on, and the last event is the only TurnEnded.
"""

import logging
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field

from app.agent.attempt import Answerer
from app.agent.repair import call_ids, fresh_ids, repair
from app.agent.tool_calls import Repeats, outcome_of, stopped_outcome, target_of
from app.agent.values import (
    AgentEvent,
    Ending,
    LoopLimits,
    MessageAdded,
    ToolEnded,
    ToolOutcome,
    ToolStarted,
    TurnEnded,
)
from app.cancel import Cancelled, CancelToken
from app.errors import AppError, Failure, failure_from
from app.providers.base import Provider
from app.providers.failures import ProviderError, Reason, failure
from app.providers.values import (
    Block,
    Completed,
    Message,
    ModelRequest,
    Role,
    StopReason,
    Text,
    ToolSpec,
    ToolUse,
    Usage,
)

_LOG = logging.getLogger(__name__)

CallTool = Callable[[ToolUse, CancelToken], ToolOutcome]


def nothing_queued() -> tuple[str, ...]:
    """The user typed nothing meanwhile."""
    return ()


def run_loop(
    provider: Provider,
    system: str,
    messages: Sequence[Message],
    tools: Sequence[ToolSpec],
    call_tool: CallTool,
    token: CancelToken,
    limits: LoopLimits,
    task: str = "chat",
    *,
    queued: Callable[[], tuple[str, ...]] = nothing_queued,
) -> Iterator[AgentEvent]:
    """Run one turn. `queued` hands over what the user typed while tools ran; it joins after their results.

    Never raises for a failed service, a stopped turn or a broken tool: those are endings and results.
    """
    history = list(repair(messages, provider.model))
    request = ModelRequest(system, tuple(history), tuple(tools), limits.max_tokens, task)
    return _Turn(Answerer(provider, request, token, limits), call_tool, token, limits, queued, history).run()


@dataclass(slots=True)
class _Turn:
    """The state of one turn."""

    answerer: Answerer
    call_tool: CallTool
    token: CancelToken
    limits: LoopLimits
    queued: Callable[[], tuple[str, ...]]
    history: list[Message]
    iterations: int = 0
    repeats: Repeats = field(default_factory=Repeats)

    def run(self) -> Iterator[AgentEvent]:
        """Everything the turn says, whatever ends it."""
        try:
            ended = yield from self._steps()
        except Cancelled:
            yield from self._partial()
            ended = self._end(Ending.STOPPED, "Stopped.")
        except (ProviderError, AppError) as error:
            yield from self._partial()
            found = error.failure if isinstance(error, ProviderError) else failure_from(error)
            ended = self._failed(found)
        except Exception as error:  # noqa: BLE001 - the turn's edge: it still has one ending, the log has the traceback
            _LOG.exception("a turn ended by a bug")
            yield from self._partial()
            ended = self._failed(failure_from(error))
        yield ended

    def _steps(self) -> Generator[AgentEvent, None, TurnEnded]:
        used = call_ids(self.history)
        while self.iterations < self.limits.max_iterations:
            self.iterations += 1
            completed = yield from self.answerer.answer(tuple(self.history))
            message = fresh_ids(completed.message, used)
            if message.blocks:
                yield self._add(message, complete=_whole(completed))
            if completed.stop is StopReason.REFUSAL:
                return self._failed(failure(Reason.CONTENT_POLICY))
            if completed.stop is StopReason.CONTEXT:
                return self._failed(failure(Reason.CONTEXT_OVERFLOW))
            calls = [block for block in message.blocks if isinstance(block, ToolUse)]
            if calls:
                ended = yield from self._run_calls(calls, cut=completed.stop is StopReason.MAX_TOKENS)
                if ended:
                    return ended
            elif completed.stop is StopReason.MAX_TOKENS:
                return self._limited(_too_long(self.limits.max_tokens))
            elif completed.stop is not StopReason.PAUSE_TURN:
                return self._end(Ending.DONE)
        return self._limited(_too_many(self.limits.max_iterations))

    def _run_calls(self, calls: Sequence[ToolUse], *, cut: bool) -> Generator[AgentEvent, None, TurnEnded | None]:
        """Run the calls of one answer; their results travel in one user message, in the order of the calls."""
        outcomes: list[ToolOutcome] = []
        for call in calls:
            if not self.token.cancelled:
                yield ToolStarted(call, target_of(call))
            began = time.monotonic()
            stopped = self.token.cancelled
            limit = self.limits.max_tokens if cut else None
            outcome = stopped_outcome(call) if stopped else outcome_of(call, self.call_tool, self.token, limit)
            outcomes.append(outcome)
            seconds = time.monotonic() - began
            yield ToolEnded(call, outcome.result, seconds, outcome.entry, outcome.proposal)
        texts = () if self.token.cancelled else self.queued()
        results = [outcome.result for outcome in outcomes]
        blocks: list[Block] = [*results, *(Text(text) for text in texts if text.strip())]
        yield self._add(Message(Role.USER, tuple(blocks)))
        self.token.check()
        stuck = self.repeats.note(calls, results, self.limits.repeats, cut=cut)
        return self._limited(stuck, in_settings=cut) if stuck else None

    def _add(self, message: Message, *, complete: bool = True) -> MessageAdded:
        self.history.append(message)
        return MessageAdded(message, complete)

    def _partial(self) -> Iterator[AgentEvent]:
        """What the user saw of an answer that never ended stays in the conversation, marked as incomplete."""
        text = self.answerer.take_partial()
        if text.strip():
            yield self._add(Message(Role.ASSISTANT, (Text(text),)), complete=False)

    def _failed(self, found: Failure) -> TurnEnded:
        return self._end(Ending.FAILED, f"{found.title}. {found.text}", found)

    def _limited(self, reason: str, *, in_settings: bool = True) -> TurnEnded:
        """A limit was reached; `in_settings` when it can be raised there."""
        action = "settings.model" if in_settings else ""
        return self._end(Ending.LIMIT, reason, Failure("The turn ended before it was done", reason, action=action))

    def _end(self, ending: Ending, reason: str = "", found: Failure | None = None) -> TurnEnded:
        usage: Usage = self.answerer.usage
        answerer = self.answerer
        return TurnEnded(ending, usage, self.iterations, reason, found, answerer.model, answerer.context)


def _whole(completed: Completed) -> bool:
    return completed.stop not in (StopReason.MAX_TOKENS, StopReason.REFUSAL, StopReason.CONTEXT)


def _too_many(limit: int) -> str:
    said = f"Ended after {limit} steps, the limit for one turn."
    return f"{said} Ask to go on, or raise “Steps per turn” in the settings."


def _too_long(limit: int) -> str:
    return f"The answer reached its limit of {limit} tokens. Ask to go on, or raise “Longest answer” in the settings."
