"""Answers through the Messages API with the provider's own client, or any server that speaks it.

Always streaming: the client refuses large answers otherwise. The events are read raw, because the client's own stream
hides pings and ends without an error when the connection is cut. Retrying is the loop's job, where it can be seen.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

from app.cancel import CancelToken
from app.errors import AppError, Kind
from app.providers.address import is_loopback
from app.providers.collect import Collector
from app.providers.encode import request_body
from app.providers.failures import ProviderError, Reason, classify, failure, retry_after
from app.providers.keys import KeyStore
from app.providers.pump import Wire, pumped
from app.providers.values import Alive, ModelRequest, StreamEvent

#: How often silence is reported, in seconds: fine enough for the shortest stall notice.
_TICK_SECONDS = 0.5
_CONNECT_SECONDS = 15.0


class AnthropicProvider:
    """One model at one address. `base_url` is the settings' text (may be empty), `keys` is asked at every request, so
    a key entered meanwhile counts at once; `timeout` is how long a connection may be silent, in seconds."""

    name = "anthropic"
    needs_network = True

    def __init__(self, model: str, base_url: str, keys: KeyStore, timeout: float = 300.0) -> None:
        self.model = model
        self._base_url = base_url
        self._keys = keys
        self._timeout = timeout

    def stream(self, request: ModelRequest, token: CancelToken) -> Iterator[StreamEvent]:
        """Answer one request. See Provider.stream; raises AppError before anything is sent when no key is known."""
        address = self._keys.address(self._base_url)
        key = self._keys.read(address)
        if not key:
            raise _no_key(address)
        wire, collector = Wire(), Collector(self.model)
        body = request_body(request, self.model)
        events = pumped(lambda: self._events(address, key, body, wire), token, _TICK_SECONDS, wire.cut)
        with closing(events):
            for event in events:
                if event is None:
                    yield Alive()
                    continue
                yield from collector.take(event)
                if collector.ended:
                    break
        if not collector.begun:
            raise ProviderError(failure(Reason.INCOMPLETE, detail="the stream held no event of the Messages API"))
        yield collector.completed()

    def _events(self, address: str, key: str, body: Mapping[str, Any], wire: Wire) -> Iterator[Mapping[str, Any]]:
        """The service's events as plain values, read in the pump's thread; every foreign error becomes ours."""
        import anthropic  # noqa: PLC0415 - over a second and 79 MB: only when a model is really asked
        import httpx2  # noqa: PLC0415 - comes with it

        try:
            with (
                _http_client(httpx2, address, key, wire, self._timeout) as http,
                anthropic.Anthropic(
                    api_key=key, base_url=address, http_client=http, max_retries=0, open_telemetry=False
                ) as client,
                client.messages.with_streaming_response.create(**body, stream=True) as response,
            ):
                _check_kind(response.headers.get("content-type", ""))
                for event in anthropic.Stream.raw_events(response.http_response):
                    if event.data:
                        yield _parsed(event.data)
        except (anthropic.AnthropicError, httpx2.HTTPError, httpx2.StreamError, UnicodeDecodeError) as error:
            answer = getattr(error, "response", None)
            raise ProviderError(classify(error), retry_after=retry_after(getattr(answer, "headers", None))) from error


def _http_client(httpx2: Any, address: str, key: str, wire: Wire, timeout: float) -> Any:  # noqa: ANN401 - lazy library
    """One client for one request, so that its sockets are this request's alone.

    No redirects (a key goes to the address it belongs to), no proxy for a server on this machine, and none of the
    extra headers that the environment may hold for another program.
    """
    foreign = _foreign_headers(os.environ.get("ANTHROPIC_CUSTOM_HEADERS", ""))

    def prepare(request: Any) -> None:  # noqa: ANN401
        request.extensions["trace"] = wire.trace
        for name in foreign:
            request.headers.pop(name, None)
        if "authorization" in foreign:
            request.headers["authorization"] = f"Bearer {key}"

    return httpx2.Client(
        timeout=httpx2.Timeout(timeout, connect=_CONNECT_SECONDS),
        follow_redirects=False,
        trust_env=not is_loopback(urlsplit(address).hostname or ""),
        event_hooks={"request": [prepare]},
    )


def _foreign_headers(listed: str) -> tuple[str, ...]:
    needed = {"content-type", "content-length", "host", "accept", "anthropic-version"}
    names = (line.partition(":")[0].strip().lower() for line in listed.split("\n") if ":" in line)
    return tuple(name for name in names if name and name not in needed)


def _check_kind(content_type: str) -> None:
    """Raises ProviderError when a server answers 200 with something else than an event stream (a login page)."""
    if content_type and "event-stream" not in content_type:
        detail = f"content type {content_type}"
        raise ProviderError(failure(Reason.FORMAT, "The answer is not an event stream.", detail=detail))


def _parsed(data: str) -> Mapping[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ProviderError(failure(Reason.INCOMPLETE, detail=f"an event is not JSON: {error}")) from error
    return value if isinstance(value, dict) else {}


def _no_key(address: str) -> AppError:
    return AppError(
        Kind.PROVIDER,
        "No key for this model yet",
        f"Enter the key for {address} in Settings → Model (any word for a server that needs none), or set "
        "ANTHROPIC_API_KEY before the start. Your message is kept.",
        action="settings.model",
    )
