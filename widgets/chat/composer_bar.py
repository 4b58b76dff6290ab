"""The foot of the chat: the composer in its frame, with Send or, while an answer is being written, Stop."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from widgets.chat.composer import Composer
from widgets.common.parts import bar, card, column, restyle, row, tool_button
from widgets.common.theme import Theme


class ComposerBar(QWidget):
    """Signals: stop_requested(). What is sent is told by the composer itself."""

    stop_requested = Signal()

    def __init__(self, theme: Theme, overlay: QWidget) -> None:
        super().__init__()
        self.composer = Composer(overlay)
        self._send = tool_button(theme, "send", self.tr("Send"), self.tr("Send (Enter)"))
        self._stop = tool_button(theme, "stop", self.tr("Stop"), self.tr("Stop (Esc)"))
        self._stop.hide()
        box = row(self.composer, margins=(8, 6, 5, 5), spacing=4)
        for made in (self._send, self._stop):
            box.addWidget(made, 0, Qt.AlignmentFlag.AlignBottom)
        self._frame = card(box)
        restyle(self._frame, "card", "field")
        self.setLayout(column(bar(column(self._frame, margins=(12, 8, 12, 12)), "surface", ""), spacing=0))
        self._send.clicked.connect(self.composer.submit)
        self._stop.clicked.connect(self.stop_requested)
        self.composer.focused.connect(self._show_focus)

    def set_running(self, running: bool) -> None:
        """Offer Stop instead of Send; the composer can be written in all the time."""
        self._send.setVisible(not running)
        self._stop.setVisible(running)

    def _show_focus(self, focused: bool) -> None:
        restyle(self._frame, "card", "focused" if focused else "field")
