"""Short messages in the corner of the window, with a way back where there is one."""

from collections.abc import Collection
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QEnterEvent
from PySide6.QtWidgets import QFrame, QWidget

from widgets.common.parts import button, card, column, label, row, tool_button
from widgets.common.theme import Theme

_SHOWN_MS = 8_000
_AT_ONCE = 3
#: In a host lower than this, so many fewer: the rest of the page stays to be read.
_LOW, _AT_ONCE_LOW = 560, 2
#: Pixels left free below the messages: there stand the bars with the buttons of a page.
_FOOT = 76
_GAP = 8
_ICONS = {"info": "info", "success": "success", "warn": "warning", "danger": "error"}


@dataclass(frozen=True, slots=True)
class ToastText:
    """One message.

    `kind` is info, success, warn or danger. A message with the same non-empty `key` replaces the one shown before.
    `action` is the id emitted when the button with `action_text` is pressed, such as an undo with the entry's id.
    Warnings with `lasting` stay until they are closed. `about` are ids of the steps it offers to take back: the message
    goes when one of them is taken back otherwise.
    """

    text: str
    kind: str = "info"
    action: str = ""
    action_text: str = ""
    key: str = ""
    lasting: bool = False
    about: tuple[str, ...] = ()


class Toast(QFrame):
    """One message on a card; it stays as long as the pointer is over it or it has the keyboard."""

    closed = Signal(object)
    action_requested = Signal(str)

    def __init__(self, theme: Theme, shown: ToastText, parent: QWidget) -> None:
        super().__init__(parent)
        self.shown = shown
        self._picture = label()
        self._picture.setPixmap(theme.pixmap(_ICONS[shown.kind], shown.kind, 16, parent.devicePixelRatioF()))
        text = label(shown.text, wrap=True)
        text.setMinimumWidth(200)
        action = button(theme, shown.action_text, "link")
        action.setVisible(bool(shown.action))
        close = tool_button(theme, "close", self.tr("Close"))
        for made in (action, close):
            made.installEventFilter(self)
        action.clicked.connect(self._on_action)
        close.clicked.connect(self.close_now)
        line = row(self._picture, text, action, close, margins=(12, 8, 6, 8))
        line.setStretch(1, 1)
        self.setLayout(column(card(line)))
        self.setAccessibleName(shown.text)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SHOWN_MS)
        self._timer.timeout.connect(self.close_now)
        if not shown.lasting:
            self._timer.start()

    @Slot()
    def close_now(self) -> None:
        """Take the message away."""
        self._timer.stop()
        self.closed.emit(self)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Reading takes as long as it takes."""
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Count again once the pointer has gone."""
        if not self.shown.lasting:
            self._timer.start()
        super().leaveEvent(event)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """With the keyboard on one of its buttons it stays, too."""
        if event.type() is QEvent.Type.FocusIn:
            self._timer.stop()
        elif event.type() is QEvent.Type.FocusOut and not self.shown.lasting:
            self._timer.start()
        return False

    @Slot()
    def _on_action(self) -> None:
        self.action_requested.emit(self.shown.action)
        self.close_now()


class Notices(QObject):
    """Places messages at the bottom right of a host widget, newest lowest, at most three at once.

    Where there are more, what would pass by itself goes first. Signals: action_requested(action of a message);
    stood(pixels) what the messages cover at the host's bottom, 0 for none.
    """

    action_requested = Signal(str)
    stood = Signal(int)

    def __init__(self, theme: Theme, host: QWidget) -> None:
        super().__init__(host)
        self._theme = theme
        self._host = host
        self._toasts: list[Toast] = []
        self._foot = _FOOT
        self._covered = 0
        host.installEventFilter(self)

    @Slot(object)
    def post(self, shown: ToastText) -> None:
        """Show a message and let screen readers say it."""
        for toast in list(self._toasts):
            same = (toast.shown.text, toast.shown.action) == (shown.text, shown.action)  # found out at two places
            if same or (shown.key and toast.shown.key == shown.key):
                self._drop(toast)
        toast = Toast(self._theme, shown, self._host)
        toast.closed.connect(self._drop)
        toast.action_requested.connect(self.action_requested)
        self._toasts.append(toast)
        while len(self._toasts) > (_AT_ONCE if self._host.height() >= _LOW else _AT_ONCE_LOW):
            passing = [toast for toast in self._toasts[:-1] if not toast.shown.lasting]
            self._drop((passing or self._toasts)[0])
        toast.show()
        self._place()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(toast, shown.text))

    @Slot(object)
    def amend(self, shown: ToastText) -> None:
        """Replace the message with the same key where it is in sight; else nothing appears."""
        if any(toast.shown.key == shown.key for toast in self._toasts):
            self.post(shown)

    @Slot(str)
    def withdraw(self, key: str) -> None:
        """Take the message with this key away, because what it said is over."""
        for toast in list(self._toasts):
            if toast.shown.key == key:
                self._drop(toast)

    def withdraw_undo(self, entries: Collection[str]) -> None:
        """Take away what offers to take one of these steps back, because that was done already."""
        for toast in list(self._toasts):
            if not set(toast.shown.about).isdisjoint(entries):
                self._drop(toast)

    def set_foot(self, *, bar: bool) -> None:
        """Whether there is a bar with buttons at the bottom, which stays free."""
        self._foot = _FOOT if bar else _GAP
        self._place()

    @Slot()
    def clear(self) -> None:
        """Take all messages away."""
        for toast in list(self._toasts):
            self._drop(toast)

    @property
    def texts(self) -> tuple[str, ...]:
        """The messages in sight, oldest first."""
        return tuple(toast.shown.text for toast in self._toasts)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the corner when the host is resized."""
        if event.type() is QEvent.Type.Resize and watched is self.parent():
            self._place()
        return False

    @Slot(object)
    def _drop(self, toast: Toast) -> None:
        if toast in self._toasts:
            self._toasts.remove(toast)
            toast.hide()
            toast.deleteLater()
            self._place()

    def _place(self) -> None:
        width = min(420, self._host.width() - 32)
        bottom = self._host.height() - self._foot
        for toast in reversed(self._toasts):
            toast.setFixedWidth(width)
            height = max(toast.heightForWidth(width), toast.sizeHint().height())
            toast.resize(width, height)
            bottom -= height
            toast.move(self._host.width() - width - 16, bottom)
            toast.raise_()
            bottom -= _GAP
        covered = self._host.height() - bottom if self._toasts else 0
        if covered != self._covered:
            self._covered = covered
            self.stood.emit(covered)
