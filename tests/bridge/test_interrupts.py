"""A signal that asks the process to end arrives in the event loop."""

import os
import signal

from app.bridge.interrupts import Interrupts


def test_a_signal_is_told_once_and_the_handlers_come_back(qtbot):
    before = signal.getsignal(signal.SIGINT)
    interrupts = Interrupts()
    try:
        with qtbot.waitSignal(interrupts.asked, timeout=5000):
            os.kill(os.getpid(), signal.SIGTERM)
        assert interrupts.number == signal.SIGTERM
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL  # the next one ends the process at once
    finally:
        interrupts.remove()
        signal.signal(signal.SIGINT, before)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def test_without_a_signal_nothing_is_changed(qtbot):
    before = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]
    interrupts = Interrupts()
    assert signal.getsignal(signal.SIGINT) is not before[0]
    interrupts.remove()
    assert [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)] == before
    assert interrupts.number == 0
