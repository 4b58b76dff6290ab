"""The head of the chat: which conversation, which model and what it is, how full its context is, what it has cost."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.providers.values import Usage
from app.sessions.values import SessionInfo
from widgets.common.meter import Meter
from widgets.common.parts import ElidedLabel, bar, column, label, row, tool_button
from widgets.common.theme import Theme


class ChatHeader(QWidget):
    """Signals: new_requested(), connect_requested() (choose or connect a model)."""

    new_requested = Signal()
    connect_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = ElidedLabel(theme)
        self._title.set_text(self.tr("New conversation"))
        self._usage = label(role="caption")
        self._context = Meter(theme)
        self._context.setFixedWidth(48)
        self._context.hide()
        self._model = QPushButton()
        self._model.setProperty("kind", "chip")
        self._menu = QMenu(self._model)
        self._about = self._menu.addAction("")
        self._about.setEnabled(False)
        self._menu.addSeparator()
        self._connect = self._menu.addAction("")
        self._connect.triggered.connect(self.connect_requested)
        self._model.setMenu(self._menu)
        new = tool_button(theme, "plus", self.tr("New conversation"), self.tr("New conversation (/new)"))
        new.clicked.connect(self.new_requested)
        head = column(
            row(self._title, new, spacing=4),
            row(self._model, None, self._context, self._usage, spacing=8),
            margins=(16, 8, 8, 8),
            spacing=4,
        )
        outer = column(bar(head, "surface"), spacing=0)
        self.setLayout(outer)

    def set_session(self, session: SessionInfo | None) -> None:
        """Show which conversation it is."""
        title = session.title if session else ""
        self._title.set_text(title or self.tr("New conversation"))

    def set_model(self, name: str, text: str, *, basic: bool) -> None:
        """Show which model answers; `text` says what it is, in a sentence."""
        self._model.setText(name)
        self._model.setToolTip(text)
        self._model.setAccessibleName(self.tr("Model: {name}").format(name=name))
        self._about.setText(_wrapped(text))
        self._connect.setText(self.tr("Connect a model…") if basic else self.tr("Change the model…"))

    def set_context(self, tokens: int, window: int) -> None:
        """Show how much of what the model can read at once the conversation takes; 0 tokens when nobody counted."""
        self._context.setVisible(tokens > 0)
        told = self.tr("Context: {tokens} of {window} tokens").format(tokens=f"{tokens:,}", window=f"{window:,}")
        self._context.set_share(tokens / max(window, 1), told)

    def set_usage(self, usage: Usage) -> None:
        """Show tokens and cost of the conversation so far."""
        sent = usage.input + usage.cache_read + usage.cache_write
        if not sent and not usage.output:
            self._usage.setText("")
            return
        words = f"{_count(sent)} ↑  {_count(usage.output)} ↓"
        self._usage.setText(f"{words}  ${usage.cost:.2f}" if usage.cost else words)
        told = self.tr("{sent} tokens sent ({cached} from the cache), {got} received")
        self._usage.setToolTip(told.format(sent=f"{sent:,}", cached=f"{usage.cache_read:,}", got=f"{usage.output:,}"))


def _count(number: int) -> str:
    if number < 1_000:
        return str(number)
    return f"{number / 1_000:.1f}k" if number < 1_000_000 else f"{number / 1_000_000:.1f}M"


def _wrapped(text: str, width: int = 46) -> str:
    """A sentence in lines short enough for a menu."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)
