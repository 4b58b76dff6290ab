"""A heartbeat in the window's thread: how late the event loop answers, and small helpers to wait in it."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEventLoop, Qt, QTimer

_BEAT_MS = 5


class Beat:
    """Notes how much later than asked a 5 ms timer fires: the time in which the window could not answer."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_BEAT_MS)
        self._timer.timeout.connect(self._note)
        self._last = 0.0

    def __enter__(self) -> "Beat":
        self._last = time.perf_counter()
        self._timer.start()
        return self

    def restart(self) -> None:
        """Forget what was noted, and the time since the last beat."""
        self.late.clear()
        self._last = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self._timer.stop()

    def _note(self) -> None:
        now = time.perf_counter()
        self.late.append(max(0.0, now - self._last - _BEAT_MS / 1000))
        self._last = now


def wait_until(holds: Callable[[], bool], seconds: float = 60.0) -> float:
    """Run the event loop until something holds; returns the seconds it took. Raises AssertionError at the end."""
    began = time.perf_counter()
    loop = QEventLoop()
    look = QTimer()
    look.setInterval(8)
    look.timeout.connect(lambda: loop.quit() if holds() or time.perf_counter() - began > seconds else None)
    look.start()
    if not holds():
        loop.exec()
    look.stop()
    if not holds():
        raise AssertionError("waited in vain")
    return time.perf_counter() - began


def rest(seconds: float) -> None:
    """Run the event loop for a while, without a timer of our own in it."""
    loop = QEventLoop()
    QTimer.singleShot(int(seconds * 1000), loop.quit)
    loop.exec()


def idle_beat(seconds: float) -> list[float]:
    """The lateness of an idle bare window in this process."""
    with Beat() as beat:
        rest(seconds)
    return beat.late
