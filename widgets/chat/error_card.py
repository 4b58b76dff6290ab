"""Why a turn failed, in words, with what can be done about it."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication

from widgets.chat.card import Card
from widgets.chat.items import ErrorItem
from widgets.chat.plain_text import PlainText
from widgets.common.flow import FlowLayout
from widgets.common.parts import button, label
from widgets.common.theme import Theme


class ErrorCard(Card):
    """Signals: retry_requested(), action_requested(id of an action of the window)."""

    retry_requested = Signal()
    action_requested = Signal(str)

    def __init__(self, theme: Theme, item: ErrorItem) -> None:
        super().__init__(theme)
        self._item = item
        self.setProperty("card", "danger")
        self.setAccessibleName(f"{item.title}. {item.text}")
        self.column.setContentsMargins(12, 8, 12, 8)
        self.column.addWidget(label(item.title or self.tr("The answer failed"), "heading", wrap=True))
        self.column.addWidget(label(item.text, wrap=True))
        self._detail = PlainText(theme)
        self._detail.hide()
        buttons = FlowLayout(spacing=8)
        if item.retry:
            self._retry = button(theme, self.tr("Try again"), icon="refresh")
            self._retry.clicked.connect(self._ask_retry)
            buttons.addWidget(self._retry)
        if item.action:
            act = button(theme, self.tr("Open settings") if "settings" in item.action else self.tr("What to do"))
            act.clicked.connect(self._ask_action)
            buttons.addWidget(act)
        if item.detail:
            self._more = button(theme, self.tr("Details"), "link")
            self._more.setCheckable(True)
            self._more.toggled.connect(self._show_detail)
            copy = button(theme, self.tr("Copy"), "link", tip=self.tr("Copy title, text and details"))
            copy.clicked.connect(self.copy)
            buttons.addWidget(self._more)
            buttons.addWidget(copy)
        self.column.addLayout(buttons)
        self.column.addWidget(self._detail)

    def set_past(self) -> None:
        """A later turn has begun: trying this one again makes no sense any more."""
        if self._item.retry:
            self._retry.hide()

    def _show_detail(self, shown: bool) -> None:
        self._detail.show_plain(self._item.detail[:20_000], code=True, muted=True)
        self._detail.setVisible(shown)

    def _ask_retry(self) -> None:
        self._retry.setEnabled(False)
        self.retry_requested.emit()

    def _ask_action(self) -> None:
        self.action_requested.emit(self._item.action)

    def copy(self) -> None:
        """Put everything that is known on the clipboard."""
        QGuiApplication.clipboard().setText(f"{self._item.title}\n{self._item.text}\n\n{self._item.detail}")
