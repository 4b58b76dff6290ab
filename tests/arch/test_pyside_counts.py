"""A guard against a PySide6 that loses references: calls must not change how often None and True are held."""

import sys

from PySide6.QtCore import QObject, Signal


class _Speaker(QObject):
    said = Signal(object)
    told = Signal(bool)


def test_emitting_and_calling_keeps_the_reference_counts_of_none_and_true() -> None:
    speaker = _Speaker()
    heard: list[object] = []
    speaker.said.connect(heard.append)
    speaker.told.connect(heard.append)
    before_none, before_true = sys.getrefcount(None), sys.getrefcount(True)
    for _ in range(2000):
        speaker.said.emit(None)
        speaker.told.emit(True)
        speaker.setObjectName("x")
        speaker.blockSignals(False)
    heard.clear()
    # An immortal object reports a constant; elsewhere a lost reference a call would show as thousands.
    assert abs(sys.getrefcount(None) - before_none) < 200
    assert abs(sys.getrefcount(True) - before_true) < 200
