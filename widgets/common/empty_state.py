"""What a page shows instead of content: nothing yet, loading, an error, or nothing left by a filter, and what to do."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QProgressBar, QStackedWidget, QVBoxLayout, QWidget

from app.errors import Failure
from widgets.common.parts import button, label, row
from widgets.common.theme import Theme

_ROOM_FOR_PICTURE = 190


class EmptyState(QWidget):
    """An icon, a title, a sentence, and up to two buttons."""

    #: The id given for the button that was pressed.
    action_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ids = ["", ""]
        self._icon = "info"
        self._token = "muted"
        self._picture = label()
        self._title = label(role="heading", wrap=True)
        self._text = label(role="muted", wrap=True)
        self._progress = QProgressBar()
        self._progress.setRange(0, 0)
        self._progress.setFixedWidth(180)
        self._progress.setTextVisible(False)
        self._first = button(theme, "", "primary")
        self._second = button(theme, "")
        for made in (self._first, self._second):
            made.hide()
        self._first.clicked.connect(self._on_first)
        self._second.clicked.connect(self._on_second)
        self._build()
        theme.changed.connect(self._draw)

    @Slot(str, str, str)
    def show_state(
        self,
        icon: str,
        title: str,
        text: str,
        action: tuple[str, str] = ("", ""),
        other: tuple[str, str] = ("", ""),
        *,
        busy: bool = False,
        token: str = "muted",
    ) -> None:
        """Say what there is. `action` and `other` are (id, text) of the buttons; `busy` shows an endless bar."""
        self._icon, self._token = icon, token
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._text.setMinimumHeight(max(0, self._text.heightForWidth(self._text.width())))
        self._progress.setVisible(busy)
        for index, (made, (name, shown)) in enumerate(((self._first, action), (self._second, other))):
            self._ids[index] = name
            made.setText(shown)
            made.setAccessibleName(shown)
            made.setToolTip(shown)
            made.setVisible(bool(name))
        self.setAccessibleName(f"{title}. {text}")
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Words break at a comfortable width; where there is little room, they matter more than the picture."""
        super().resizeEvent(event)
        width = max(120, min(420, self.width() - 32))
        self._text.setFixedWidth(width)
        self._text.setMinimumHeight(max(0, self._text.heightForWidth(width)))
        self._picture.setVisible(self.height() >= _ROOM_FOR_PICTURE)
        needed = self._first.sizeHint().width() + self._second.sizeHint().width() + 24
        beside = self._second.isHidden() or self.width() >= needed
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._buttons.setDirection(across if beside else down)

    @property
    def title(self) -> str:
        """The title shown."""
        return self._title.text()

    def _build(self) -> None:
        for part in (self._picture, self._title, self._text):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        centred = Qt.AlignmentFlag.AlignHCenter
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(8)
        layout.addStretch(2)
        layout.addWidget(self._picture)
        layout.addWidget(self._title)
        layout.addWidget(self._text, 0, centred)
        layout.addWidget(self._progress, 0, centred)
        layout.addSpacing(4)
        self._buttons = row(None, self._first, self._second, None)
        layout.addLayout(self._buttons)
        layout.addStretch(3)

    @Slot()
    def _draw(self) -> None:
        self._picture.setPixmap(self._theme.pixmap(self._icon, self._token, 32, self.devicePixelRatioF()))
        self._picture.setFixedHeight(QSize(32, 40).height())

    @Slot()
    def _on_first(self) -> None:
        self.action_requested.emit(self._ids[0])

    @Slot()
    def _on_second(self) -> None:
        self.action_requested.emit(self._ids[1])


class StatePages(QStackedWidget):
    """Content, or the one state that says why there is none."""

    #: The id of a state's button.
    action_requested = Signal(str)

    def __init__(self, theme: Theme, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self._kind = "content"
        self.setProperty("ground", "surface")
        self.state = EmptyState(theme)
        self.addWidget(content)
        self.addWidget(self.state)
        self.state.action_requested.connect(self.action_requested)

    @Slot()
    def show_content(self) -> None:
        """There is something to see."""
        self._kind = "content"
        self.setCurrentWidget(self._content)

    def show_loading(self, title: str, text: str = "", action: tuple[str, str] = ("", "")) -> None:
        """It is being read; `action` may be a Cancel."""
        self._show("loading", "loader", title, text, action, busy=True)

    def show_empty(
        self, icon: str, title: str, text: str, action: tuple[str, str] = ("", ""), other: tuple[str, str] = ("", "")
    ) -> None:
        """There is nothing yet."""
        self._show("empty", icon, title, text, action, other)

    def show_filtered(self, title: str, text: str, action: tuple[str, str]) -> None:
        """There is something, but the filter leaves none of it; `action` clears the filter."""
        self._show("filtered", "filter", title, text, action)

    def show_failure(self, failure: Failure, action: tuple[str, str] = ("retry", "Try again")) -> None:
        """It could not be read."""
        self._show("error", "error", failure.title, failure.text, action, token="danger")

    @property
    def kind(self) -> str:
        """`content`, `loading`, `empty`, `filtered` or `error`."""
        return self._kind

    def _show(
        self,
        kind: str,
        icon: str,
        title: str,
        text: str,
        action: tuple[str, str],
        other: tuple[str, str] = ("", ""),
        *,
        busy: bool = False,
        token: str = "muted",
    ) -> None:
        self._kind = kind
        self.state.show_state(icon, title, text, action, other, busy=busy, token=token)
        self.setCurrentWidget(self.state)
