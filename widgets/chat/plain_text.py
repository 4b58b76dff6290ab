"""A text view inside a card: as high as its text, selectable, without scroll bars of its own."""

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QSizeF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QImage,
    QMouseEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QTextEdit, QWidget

from widgets.common.reveal import revealed
from widgets.common.theme import Theme

#: Found words lifted out in one view.
_MARKS = 200


class PlainText(QTextBrowser):
    """Shows text as it is. Signal: grown(), when the height changed."""

    grown = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._filling = False
        self.setProperty("ground", "none")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(20)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.setFixedHeight(18)

    def show_plain(self, text: str, *, code: bool = False, muted: bool = False) -> None:
        """Show this text, without any markup."""
        self.document().clear()
        QTextCursor(self.document()).insertText(revealed(text), self.look(code=code, muted=muted))

    def lift_out(self, words: Sequence[str]) -> None:
        """Put a ground under these words wherever they stand; none takes it away."""
        found: list[QTextCursor] = []
        for word in filter(str.strip, words):
            cursor = self.document().find(word, 0)
            while not cursor.isNull() and len(found) < _MARKS:
                found.append(cursor)
                cursor = self.document().find(word, cursor)
        look = QTextCharFormat()
        look.setBackground(self.theme.colour("mark"))
        marks = []
        for cursor in sorted(found, key=QTextCursor.selectionStart):
            mark = QTextEdit.ExtraSelection()
            mark.cursor, mark.format = cursor, look
            marks.append(mark)
        self.setExtraSelections(marks)

    def lifted_at(self) -> int | None:
        """Where the first word that was lifted out stands, in pixels from the top."""
        marks = self.extraSelections()
        return self.cursorRect(marks[0].cursor).top() if marks else None

    def look(self, *, code: bool = False, muted: bool = False) -> QTextCharFormat:
        """How plain text is drawn."""
        look = QTextCharFormat()
        look.setForeground(self.theme.colour("muted" if muted else "text"))
        if code:
            look.setFont(self.theme.code_font())
        return look

    def loadResource(self, kind: int, _name: QUrl | str) -> object:
        """Nothing is ever loaded: an empty object of the kind asked for."""
        return QImage() if kind == QTextDocument.ResourceType.ImageResource.value else QByteArray()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap to the new width and be as high as that needs."""
        super().resizeEvent(event)  # lays out again; to set the width once more would do it twice
        if event.size().width() != event.oldSize().width():
            self._fit(self.document().size())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Selecting begins here, and the transcript gets to know which card is meant."""
        super().mousePressEvent(event)
        event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The transcript scrolls, not the card."""
        event.ignore()

    def _fit(self, size: QSizeF) -> None:
        if self._filling:
            return
        lowest = QFontMetricsF(self.font()).height()
        height = round(max(size.height(), lowest)) + 1
        if height != self.height():
            self.setFixedHeight(height)
            self.grown.emit()
