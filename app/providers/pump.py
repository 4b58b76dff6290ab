"""Reads a blocking source in a thread of its own, so that whoever waits can notice silence and stop at once."""

import contextlib
import queue
import socket
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from app.cancel import CancelToken

T = TypeVar("T")

#: A thread that still connects cannot be interrupted; it is not waited for longer than this and ends by itself.
_JOIN_SECONDS = 0.1


class Wire:
    """The sockets one request opened. A blocked read ends only when its socket is shut down: closing the client from
    another thread does not do it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._cut = False

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """The HTTP library's trace hook: remembers each socket when it is connected or wrapped in TLS."""
        if not event.endswith(("connect_tcp.complete", "start_tls.complete")):
            return
        found = info["return_value"].get_extra_info("socket")
        if found is None:
            return
        with self._lock:
            self._sockets.append(found)
            late = self._cut
        if late:
            _shut(found)

    def cut(self) -> None:
        """End every read and write of this request, from any thread, without waiting."""
        with self._lock:
            self._cut = True
            sockets = list(self._sockets)
        for found in sockets:
            _shut(found)


@dataclass(frozen=True, slots=True)
class _Failed:
    error: Exception


class _End:
    """Marks the end of the source in the queue."""


class _Wake:
    """Put into the queue by a cancel, so that the waiting side looks up."""


def pumped(
    source: Callable[[], Iterator[T]], token: CancelToken, tick: float, interrupt: Callable[[], None]
) -> Generator[T | None, None, None]:
    """Yield the items of `source()` as they come, and None whenever `tick` seconds bring nothing.

    The source runs in a thread that ends with it; `interrupt` must end a blocked read. Raises what the source raised,
    and Cancelled at once when the token is set, however long the source is blocked.
    """
    waiting: queue.SimpleQueue[T | _Failed | _End | _Wake] = queue.SimpleQueue()

    def read() -> None:
        try:
            for item in source():
                waiting.put(item)
        except Exception as error:  # noqa: BLE001 - carried to the other thread and raised there
            waiting.put(_Failed(error))
        else:
            waiting.put(_End())

    def stop() -> None:
        interrupt()
        waiting.put(_Wake())

    reader = threading.Thread(target=read, name="provider-read", daemon=True)
    remove = token.on_cancel(stop)
    try:
        token.check()
        reader.start()
        while True:
            try:
                item = waiting.get(timeout=tick)
            except queue.Empty:
                yield None
                continue
            token.check()
            if isinstance(item, _End):
                return
            if isinstance(item, _Failed):
                raise item.error
            if not isinstance(item, _Wake):
                yield item
    finally:
        remove()
        interrupt()
        if reader.is_alive():
            reader.join(_JOIN_SECONDS)


def _shut(found: socket.socket) -> None:
    with contextlib.suppress(OSError):
        # The plain socket's method, so that TLS state in use by the reading thread is left alone.
        socket.socket.shutdown(found, socket.SHUT_RDWR)
