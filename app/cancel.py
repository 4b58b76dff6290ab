"""The cancel token: set by whoever wants a job to end, asked by the job between steps."""

import threading
from collections.abc import Callable


class Cancelled(Exception):  # noqa: N818 - it is an ending, not an error
    """Raised inside a job by CancelToken.check; the lane turns it into the ending `cancelled`."""


class CancelToken:
    """A flag that can be set once, with hooks for whatever blocks (a socket to shut down, a process to end)."""

    def __init__(self) -> None:
        self._set = threading.Event()
        self._lock = threading.Lock()
        self._hooks: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Whether the job was asked to end."""
        return self._set.is_set()

    def cancel(self) -> None:
        """Ask the job to end: sets the flag and runs every hook once, in the caller's thread."""
        with self._lock:
            if self._set.is_set():
                return
            self._set.set()
            hooks, self._hooks = self._hooks, []
        for hook in hooks:
            hook()

    def check(self) -> None:
        """Raise Cancelled when the job was asked to end."""
        if self._set.is_set():
            raise Cancelled

    def wait(self, seconds: float) -> bool:
        """Sleep up to `seconds`, waking at once on cancel; says whether it was cancelled."""
        return self._set.wait(seconds)

    def on_cancel(self, hook: Callable[[], None]) -> Callable[[], None]:
        """Run `hook` when cancel is asked for (at once if it already was). Returns a function that removes the hook."""
        with self._lock:
            late = self._set.is_set()
            if not late:
                self._hooks.append(hook)
        if late:
            hook()
        return lambda: self._remove(hook)

    def _remove(self, hook: Callable[[], None]) -> None:
        with self._lock:
            if hook in self._hooks:
                self._hooks.remove(hook)
