"""A model with a budget: what it used is counted as it answers, and when the budget is used up the work is stopped."""

from collections.abc import Iterator

from app.cancel import CancelToken
from app.curator.values import Budget
from app.providers.base import Provider
from app.providers.values import Completed, ModelRequest, StreamEvent, Usage


class Metered:
    """A provider that counts. `token` is set once the budget is used up, or when the `outer` one is."""

    def __init__(self, inner: Provider, budget: Budget, outer: CancelToken) -> None:
        self._inner = inner
        self._budget = budget
        self.used = Usage()
        self.token = CancelToken()
        self._release = outer.on_cancel(self.token.cancel)

    @property
    def name(self) -> str:
        """As the provider underneath."""
        return self._inner.name

    @property
    def model(self) -> str:
        """As the provider underneath."""
        return self._inner.model

    @property
    def needs_network(self) -> bool:
        """As the provider underneath."""
        return self._inner.needs_network

    @property
    def tokens(self) -> int:
        """Tokens so far, in and out, those from a cache too."""
        return self.used.tokens

    @property
    def spent(self) -> str:
        """What of the budget is used up, in a sentence; empty while nothing is."""
        if 0 < self._budget.tokens <= self.tokens:
            return f"The budget of {self._budget.tokens:,} tokens is used up."
        if 0 < self._budget.cost_usd <= self.used.cost:
            return f"The budget of ${self._budget.cost_usd:.2f} is used up."
        return ""

    def stream(self, request: ModelRequest, token: CancelToken) -> Iterator[StreamEvent]:
        """Answer one request and count it. Raises as the provider underneath."""
        for event in self._inner.stream(request, token):
            if isinstance(event, Completed):
                self.used += event.usage
            yield event

    def stop_when_spent(self) -> None:
        """Between two answers: set the token when nothing is left to spend."""
        if self.spent:
            self.token.cancel()

    def close(self) -> None:
        """Let go of the outer token."""
        self._release()
