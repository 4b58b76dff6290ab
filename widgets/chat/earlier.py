"""The older entries of a conversation: a few more right after it was opened, the rest when they are asked for."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from widgets.chat.card import Card
from widgets.chat.items import Item
from widgets.chat.transcript import Transcript

#: How many entries are shown at once when a conversation is opened, how many shortly after, how many more each time.
FIRST = 8
_SOON, _MORE = 32, 60


class Earlier(QObject):
    """Puts older cards on top of a transcript, one per turn of the event loop, so that opening never stalls."""

    def __init__(self, transcript: Transcript, build: Callable[[Item], Card], parent: QObject) -> None:
        super().__init__(parent)
        self._transcript, self._build = transcript, build
        self._older: tuple[Item, ...] = ()
        self._left = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._add_one)
        transcript.earlier_requested.connect(self.show_more)

    def set_items(self, items: tuple[Item, ...]) -> None:
        """What is older than the first card; the newest of it is added by itself."""
        self._older = items
        self._transcript.set_earlier(len(items))
        self._start(_SOON)

    def show_more(self) -> None:
        """The reader wants to see more."""
        self._start(_MORE)

    @property
    def busy(self) -> bool:
        """Whether cards are still being added."""
        return self._timer.isActive()

    def _start(self, count: int) -> None:
        self._left = min(count, len(self._older))
        if self._left:
            self._timer.start()
        else:
            self._timer.stop()

    def _add_one(self) -> None:
        self._older, item = self._older[:-1], self._older[-1]
        self._transcript.add_on_top([self._build(item)])
        self._transcript.set_earlier(len(self._older))
        self._left -= 1
        if self._left > 0:
            self._timer.start()
