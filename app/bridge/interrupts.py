"""Ctrl+C, a log-out or `kill` while the window is open: heard in the event loop, so that the window closes properly."""

import contextlib
import signal
import socket
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, Signal, Slot

_HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupts(QObject):
    """Hears the first signal that asks the process to end; the next one ends it at once, as it would have without us.

    Python runs its handlers between two of its own instructions, and a waiting event loop has none; so the number of
    the signal arrives over a socket. Signals: asked() in the main thread. `number` is the signal heard, 0 before.
    """

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.number = 0
        self._here, self._there = socket.socketpair()
        self._here.setblocking(False)
        self._there.setblocking(False)
        self._notifier = QSocketNotifier(self._here.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._hear)
        # What is ignored, by `nohup` for example, stays ignored.
        heard = [one for one in _HEARD if signal.getsignal(one) is not signal.SIG_IGN]
        self._before = {one: signal.signal(one, _nothing) for one in heard}
        self._wakeup = signal.set_wakeup_fd(self._there.fileno(), warn_on_full_buffer=False)

    def remove(self) -> None:
        """Give the signals back and close the sockets."""
        self._give_back()
        self._notifier.setEnabled(False)
        self._here.close()
        self._there.close()

    @Slot()
    def _hear(self) -> None:
        heard = b""
        with contextlib.suppress(BlockingIOError):
            heard = self._here.recv(64)
        numbers = [number for number in heard if number in self._before]  # other signals wake us up, too
        if numbers and not self.number:
            self.number = numbers[0]
            self._give_back()
            self.asked.emit()

    def _give_back(self) -> None:
        if self._before:
            signal.set_wakeup_fd(self._wakeup)
            for one, handler in self._before.items():
                signal.signal(one, signal.SIG_DFL if self.number else handler)
            self._before = {}


def _nothing(number: int, frame: FrameType | None) -> None:
    """Python needs a handler to write to the socket."""
