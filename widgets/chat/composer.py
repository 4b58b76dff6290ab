"""Where the user writes: grows to eight lines, Enter sends, Shift+Enter breaks, Up brings back what was sent."""

from PySide6.QtCore import QEvent, QMimeData, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from widgets.chat.completion import Choice, CompletionList, matching, typed_in

_LINES = 8
_KEPT = 100


class Composer(QPlainTextEdit):
    """Signals: submitted(text) for Enter on text that is not blank. The text stays until `accept` is called.
    focused(whether the field has the keyboard); files_dropped(paths) for local files, dropped or pasted.
    """

    submitted = Signal(str)
    focused = Signal(bool)
    files_dropped = Signal(object)

    def __init__(self, overlay: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices: dict[str, tuple[Choice, ...]] = {"/": (), "@": ()}
        self._sent: list[str] = []
        self._recalled = 0
        self._draft = ""
        self._overlay = overlay
        self._list = CompletionList(overlay)
        self._list.chosen.connect(self._put_in)
        self.setPlaceholderText(self.tr("Message…  /  commands  @  skills"))
        self.setAccessibleName(self.tr("Message"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("kind", "plain")
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(self._changed)
        self.document().documentLayout().documentSizeChanged.connect(self._grow)
        self._grow()

    def set_choices(self, sign: str, choices: tuple[Choice, ...]) -> None:
        """What '/' or '@' offers."""
        self._choices[sign] = choices

    def accept(self, text: str) -> None:
        """The text was taken: remember it for Up and empty the field."""
        if not self._sent or self._sent[-1] != text:
            self._sent = [*self._sent, text][-_KEPT:]
        self._recalled = len(self._sent)
        self._draft = ""
        self.clear()

    def set_sent(self, texts: tuple[str, ...]) -> None:
        """What was sent earlier in this conversation, for Up."""
        self._sent = list(texts[-_KEPT:])
        self._recalled = len(self._sent)

    def submit(self) -> None:
        """Send what is written, unless it is blank."""
        text = self.toPlainText().strip()
        if text:
            self.submitted.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of the class description; the list of suggestions comes first."""
        key = Qt.Key(event.key())
        if self._list.isVisible() and self._steer(key):
            return
        enter = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        breaks = event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier)
        if enter and not breaks:
            self.submit()
        elif (key is Qt.Key.Key_Up and self._on_edge(QTextCursor.MoveOperation.Up) and self._recall(-1)) or (
            key is Qt.Key.Key_Down and self._on_edge(QTextCursor.MoveOperation.Down) and self._recall(1)
        ):
            return
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keyboard is."""
        self.focused.emit(True)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Suggestions are for writing only."""
        self._list.hide()
        self.focused.emit(False)
        super().focusOutEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps into other lines."""
        super().resizeEvent(event)
        self._grow()

    def changeEvent(self, event: QEvent) -> None:
        """Another font needs another height."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._grow()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Pasted text is plain text; files are asked for by their paths."""
        paths = tuple(url.toLocalFile() for url in source.urls() if url.isLocalFile())
        if paths:
            self.files_dropped.emit(paths)
        else:
            self.insertPlainText(source.text())

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Text, and files of this machine."""
        return source.hasText() or any(url.isLocalFile() for url in source.urls())

    def sizeHint(self) -> QSize:
        """The height is fixed by the text."""
        return QSize(200, self.height())

    def _grow(self) -> None:
        lines = min(max(round(self.document().size().height()), 1), _LINES)
        high = lines * self.fontMetrics().lineSpacing() + 2 * round(self.document().documentMargin()) + 2
        if high != self.height():
            self.setFixedHeight(high)

    def _changed(self) -> None:
        cursor = self.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        if cursor.blockNumber() and before.startswith("/"):
            before = ""
        typed = typed_in(before)
        found = matching(self._choices[typed.sign], typed.letters) if typed else []
        place = self._overlay.mapFromGlobal(self.mapToGlobal(QPoint(0, -6)))
        self._list.offer(found if self.hasFocus() else [], place, min(self.width(), 420))

    def _steer(self, key: Qt.Key) -> bool:
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._list.step(-1 if key is Qt.Key.Key_Up else 1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
            self._list.take()
        elif key is Qt.Key.Key_Escape:
            self._list.hide()
        else:
            return False
        return True

    def _put_in(self, text: str) -> None:
        cursor = self.textCursor()
        typed = typed_in(cursor.block().text()[: cursor.positionInBlock()])
        if typed is None:
            return
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(typed.letters))
        cursor.insertText(f"{text} ")
        self._list.hide()

    def _on_edge(self, direction: QTextCursor.MoveOperation) -> bool:
        """Whether the cursor cannot move on inside the text."""
        return not QTextCursor(self.textCursor()).movePosition(direction)

    def _recall(self, by: int) -> bool:
        """Show an earlier or later sent text; the draft comes back after the last."""
        place = self._recalled + by
        if not 0 <= place <= len(self._sent):
            return False
        if self._recalled == len(self._sent):
            self._draft = self.toPlainText()
        self._recalled = place
        self.setPlainText(self._draft if place == len(self._sent) else self._sent[place])
        self.moveCursor(QTextCursor.MoveOperation.End)
        return True
