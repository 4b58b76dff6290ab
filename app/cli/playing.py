"""Plays a job to its end; Ctrl+C asks it to stop, keeps what it has, and is answered within a moment."""

import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from app.cancel import CancelToken

Result = TypeVar("Result")

#: The exit code of a command that was interrupted.
INTERRUPTED = 130


def played(work: Generator[Any, None, Result], token: CancelToken, heed: Callable[[Any], None]) -> Result:
    """Run a job in this thread, handing each of its events to `heed`, and return what it returns."""
    with stoppable(token):
        while True:
            try:
                event = next(work)
            except StopIteration as stop:
                result: Result = stop.value
                return result
            heed(event)


@contextmanager
def stoppable(token: CancelToken) -> Iterator[None]:
    """The first interrupt asks the job to stop, a second one breaks it off. Only a process's main thread gets any."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ask(_number: int, _frame: FrameType | None) -> None:
        if token.cancelled:
            raise KeyboardInterrupt
        # In a thread: the interrupted code may hold the very lock that `cancel` needs.
        threading.Thread(target=token.cancel, name="interrupt", daemon=True).start()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
