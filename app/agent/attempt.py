"""One answer of the model: sends the request, watches for silence, and tries again when that can help."""

import time
from collections.abc import Generator, Iterator
from dataclasses import replace

from app.agent.recovery import Retry, plan
from app.agent.repair import repair, without_thinking
from app.agent.values import AgentEvent, LoopLimits, Stalled, TextArrived, ThinkingArrived, Waiting, Withdrawn
from app.cancel import Cancelled, CancelToken
from app.providers.base import Provider
from app.providers.failures import ProviderError, Reason, failure
from app.providers.values import (
    Alive,
    Completed,
    Message,
    ModelRequest,
    Started,
    StopReason,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    Usage,
)


class Answerer:
    """Gets answers for one turn and keeps its account. `request` is the turn's first request."""

    def __init__(self, provider: Provider, request: ModelRequest, token: CancelToken, limits: LoopLimits) -> None:
        self._provider = provider
        self._request = request
        self._token = token
        self._limits = limits
        self._spent = Usage()
        self._open = Usage()
        self._shown: list[str] = []
        self._thought = False
        self._lost = ""
        self._plain = False
        self.model = provider.model
        self.context = 0

    @property
    def usage(self) -> Usage:
        """What the turn cost so far, an answer under way included."""
        return self._spent + self._open

    def take_partial(self) -> str:
        """The text of an answer that did not end: what is on the screen, else what was last withdrawn. Then gone."""
        text = "".join(self._shown) or self._lost
        self._shown.clear()
        self._thought = False
        self._lost = ""
        return text

    def answer(self, messages: tuple[Message, ...]) -> Generator[AgentEvent, None, Completed]:
        """One whole answer to these messages. Raises ProviderError, AppError or Cancelled; see take_partial then."""
        attempt = 0
        while True:
            attempt += 1
            try:
                completed = yield from self._attempt(messages)
                self._check(completed, first=len(messages) == len(self._request.messages))
            except ProviderError as error:
                self._settle(error.usage)
                what = plan(error.failure, attempt, error.retry_after)
                if not isinstance(what, Retry):
                    raise ProviderError(what.failure) from error
                yield from self._wait(what, attempt, error)
                continue
            self.take_partial()
            return completed

    def _attempt(self, messages: tuple[Message, ...]) -> Generator[AgentEvent, None, Completed]:
        if self._plain:
            messages = repair(without_thinking(messages))
        self._token.check()
        stream = self._provider.stream(replace(self._request, messages=messages), self._token)
        try:
            completed = yield from self._watch(stream)
        finally:
            close = getattr(stream, "close", None)
            if close is not None:
                close()
        self._settle(completed.usage)
        spent = completed.usage
        self.context = spent.tokens
        self.model = completed.model or self.model
        return completed

    def _watch(self, stream: Iterator[StreamEvent]) -> Generator[AgentEvent, None, Completed]:
        """Pass on what arrives; say so when nothing does, and give up when that lasts."""
        progress = time.monotonic()
        told = 0
        for event in stream:
            self._token.check()
            if isinstance(event, Completed):
                return event
            if isinstance(event, Alive):
                quiet = time.monotonic() - progress
                if quiet >= self._limits.timeout_seconds:
                    raise ProviderError(failure(Reason.TIMEOUT))
                if quiet >= self._limits.stall_seconds * (told + 1):
                    told += 1
                    yield Stalled(quiet)
                continue
            progress, told = time.monotonic(), 0
            if isinstance(event, TextDelta):
                self._shown.append(event.text)
                yield TextArrived(event.text)
            elif isinstance(event, ThinkingDelta):
                self._thought = True
                yield ThinkingArrived(event.text)
            elif isinstance(event, Started):
                self._open = event.usage
        raise ProviderError(failure(Reason.INCOMPLETE))

    def _check(self, completed: Completed, *, first: bool) -> None:
        """Raises ProviderError for an answer that broke off, or is empty where one was asked for."""
        if completed.stop is StopReason.INCOMPLETE:
            raise ProviderError(failure(Reason.INCOMPLETE))
        ended = completed.stop in (StopReason.END_TURN, StopReason.STOP_SEQUENCE)
        if ended and first and self._request.task == "chat" and not completed.message.blocks:
            raise ProviderError(failure(Reason.EMPTY))

    def _wait(self, what: Retry, attempt: int, error: ProviderError) -> Iterator[AgentEvent]:
        self._plain = self._plain or what.without_thinking
        if self._shown or self._thought:
            self._lost = "".join(self._shown) or self._lost
            self._shown.clear()
            self._thought = False
            yield Withdrawn()
        yield Waiting(attempt, what.seconds, f"{error.failure.title}. Trying again.")
        if self._token.wait(what.seconds):
            raise Cancelled

    def _settle(self, usage: Usage) -> None:
        """Book one attempt: its final count, or what it is known to have cost when it has none."""
        self._spent += usage if usage != Usage() else self._open
        self._open = Usage()
