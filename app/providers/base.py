"""The one idea of a model: a request goes in, typed stream events come out."""

from collections.abc import Iterator
from typing import Protocol

from app.cancel import CancelToken
from app.providers.values import ModelRequest, StreamEvent


class Provider(Protocol):
    """Whatever can answer: a remote service, the built-in engine, a script in a test.

    `name` is the provider's id in the settings, `model` the model's name as stored with a session, `needs_network`
    whether it can work offline.
    """

    @property
    def name(self) -> str:
        """The provider's id in the settings."""
        ...

    @property
    def model(self) -> str:
        """The model's name as stored with a session."""
        ...

    @property
    def needs_network(self) -> bool:
        """Whether answering takes a connection."""
        ...

    def stream(self, request: ModelRequest, token: CancelToken) -> Iterator[StreamEvent]:
        """Answer one request; the last event is the only Completed.

        Raises Cancelled soon after the token is set, ProviderError when the service fails, AppError when the user
        has to do something first (no key, a bad address).
        """
        ...
