"""The agent's reasoning, folded to one line."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from widgets.chat.card import Fold
from widgets.chat.items import ThinkingItem
from widgets.chat.plain_text import PlainText
from widgets.common.theme import Theme


class ThinkingFold(Fold):
    """Folded reasoning; it can grow while it streams in, open or not."""

    def __init__(self, theme: Theme, item: ThinkingItem) -> None:
        super().__init__(theme, "thinking", "")
        self.head.setText(self.tr("Thinking"))
        self._text = item.text

    def append(self, text: str) -> None:
        """More reasoning arrived."""
        self._text += text
        if isinstance(self.body, PlainText):
            self.body.show_plain(self._text[-20_000:], muted=True)

    def copy(self) -> None:
        """Put the reasoning on the clipboard."""
        QGuiApplication.clipboard().setText(self._text)

    def build_body(self) -> QWidget:
        """The reasoning as plain text."""
        body = PlainText(self.theme)
        body.show_plain(self._text[-20_000:], muted=True)
        return body
