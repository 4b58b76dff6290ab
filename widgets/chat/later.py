"""The newer entries of a conversation that is read from somewhere in it: they come as the reader nears the end."""

from collections.abc import Callable
from itertools import islice

from PySide6.QtCore import QObject, QTimer

from widgets.chat.items import Item
from widgets.chat.transcript import Transcript

#: Entries added in one turn of the event loop.
_AT_ONCE = 2


class Later(QObject):
    """Adds cards at the end while less than two views of text are left below."""

    def __init__(self, transcript: Transcript, add: Callable[[tuple[Item, ...]], object], parent: QObject) -> None:
        super().__init__(parent)
        self._transcript, self._add = transcript, add
        self._newer: tuple[Item, ...] = ()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._add_some)
        transcript.verticalScrollBar().valueChanged.connect(self._look)

    def set_items(self, items: tuple[Item, ...]) -> None:
        """What is newer than the last card."""
        self._newer = items
        self._timer.stop()
        self._look()

    def _look(self) -> None:
        bar = self._transcript.verticalScrollBar()
        if self._newer and bar.maximum() - bar.value() < 2 * self._transcript.viewport().height():
            self._timer.start()

    def _add_some(self) -> None:
        self._add(tuple(islice(self._newer, _AT_ONCE)))
        self._newer = self._newer[_AT_ONCE:]
        self._look()
