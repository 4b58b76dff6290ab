"""A text editor with line numbers and remarks at their lines; read-only it shows files."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Slot
from PySide6.QtGui import (
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QToolTip, QWidget

from app.skills.values import Severity
from widgets.common.theme import Theme

_TOKENS = {Severity.ERROR: "danger", Severity.WARNING: "warn", Severity.INFO: "info"}
_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said at one line."""

    severity: Severity
    text: str


class CodeEditor(QPlainTextEdit):
    """Plain text in the code font. Lines are numbered from 1."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._remarks: dict[int, list[Remark]] = {}
        self.setProperty("kind", "page")
        self.setProperty("mono", True)
        self.setAccessibleName(name)
        self.setTabChangesFocus(False)
        self._margin = _Margin(self)
        self.blockCountChanged.connect(self._fit_margin)
        self.updateRequest.connect(self._scroll_margin)
        self.cursorPositionChanged.connect(self._mark)
        theme.changed.connect(self._on_theme)
        self._on_theme()

    def set_remarks(self, remarks: Mapping[int, list[Remark]]) -> None:
        """Show remarks by line."""
        self._remarks = {line: sorted(found, key=lambda item: _RANK[item.severity]) for line, found in remarks.items()}
        self._mark()
        self._margin.update()

    def replace_text(self, text: str) -> None:
        """Replace everything as one step that Undo takes back; the cursor stays at its line."""
        line = self.textCursor().blockNumber()
        place = self.verticalScrollBar().value()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        cursor.endEditBlock()
        self.go_to_line(line + 1)
        self.verticalScrollBar().setValue(place)

    @Slot(int)
    def go_to_line(self, line: int) -> None:
        """Put the cursor at the start of a line and show it."""
        block = self.document().findBlockByNumber(min(max(line, 1), self.blockCount()) - 1)
        self.setTextCursor(QTextCursor(block))
        self.centerCursor()

    @property
    def text(self) -> str:
        """The text as it is, lines ended by `\\n`. Qt's own `toPlainText` turns no-break spaces into blanks."""
        return self.document().toRawText().replace("\u2029", "\n")

    @property
    def line(self) -> int:
        """The line of the cursor."""
        return self.textCursor().blockNumber() + 1

    @property
    def margin_width(self) -> int:
        """Pixels of the strip with the line numbers."""
        digits = max(3, len(str(self.blockCount())))
        return self.fontMetrics().horizontalAdvance("0") * digits + 26

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the strip as high as the text."""
        super().resizeEvent(event)
        inside = self.contentsRect()
        self._margin.setGeometry(QRect(inside.left(), inside.top(), self.margin_width, inside.height()))

    def viewportEvent(self, event: QEvent) -> bool:
        """A tooltip says the remark of the line under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            self.show_remark(event.pos(), event.globalPos())
            return True
        return super().viewportEvent(event)

    def show_remark(self, place: QPoint, at: QPoint) -> None:
        """Show the remark at a height of the viewport as a tooltip, or none."""
        line = self.cursorForPosition(QPoint(0, place.y())).blockNumber() + 1
        QToolTip.showText(at, "\n".join(remark.text for remark in self._remarks.get(line, [])), self)

    def paint_margin(self, event: QPaintEvent) -> None:
        """Paint numbers and marks of the lines in sight."""
        painter = QPainter(self._margin)
        painter.fillRect(event.rect(), self._theme.colour("surface"))
        painter.setFont(self.font())
        block = self.firstVisibleBlock()
        current = self.textCursor().blockNumber()
        top = round(self.blockBoundingGeometry(block).translated(self.contentOffset()).top())
        while block.isValid() and top <= event.rect().bottom():
            height = round(self.blockBoundingRect(block).height())
            if block.isVisible() and top + height >= event.rect().top():
                self._paint_number(painter, block, top, is_current=block.blockNumber() == current)
            block, top = block.next(), top + height

    def _paint_number(self, painter: QPainter, block: QTextBlock, top: int, *, is_current: bool) -> None:
        line = block.blockNumber() + 1
        high = self.fontMetrics().height()
        remarks = self._remarks.get(line)
        if remarks:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour(_TOKENS[remarks[0].severity]))
            painter.drawEllipse(QPoint(9, top + high // 2), 3, 3)
        painter.setPen(self._theme.colour("text" if is_current else "muted"))
        box = QRect(0, top, self._margin.width() - 10, high)
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(line))

    @Slot()
    def _mark(self) -> None:
        shown: list[QTextEdit.ExtraSelection] = []
        if not self.isReadOnly():
            shown.append(self._selection(self.textCursor().block(), "hover", whole=True))
        for line, remarks in self._remarks.items():
            block = self.document().findBlockByNumber(line - 1)
            if block.isValid():
                shown.append(self._selection(block, _TOKENS[remarks[0].severity], whole=False))
        self.setExtraSelections(shown)

    def _selection(self, block: QTextBlock, token: str, *, whole: bool) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        made.cursor = QTextCursor(block)
        style = QTextCharFormat()
        if whole:
            style.setBackground(self._theme.colour(token))
            style.setProperty(QTextFormat.Property.FullWidthSelection, True)
        else:
            made.cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            style.setUnderlineColor(self._theme.colour(token))
        made.format = style
        return made

    @Slot()
    def _fit_margin(self) -> None:
        self.setViewportMargins(self.margin_width, 0, 0, 0)

    @Slot(QRect, int)
    def _scroll_margin(self, rect: QRect, moved: int) -> None:
        if moved:
            self._margin.scroll(0, moved)
        else:
            self._margin.update(0, rect.y(), self._margin.width(), rect.height())

    @Slot()
    def _on_theme(self) -> None:
        self.setFont(self._theme.code_font())
        self.setTabStopDistance(self.fontMetrics().horizontalAdvance(" ") * 4)
        self._fit_margin()
        self._mark()


class _Margin(QWidget):
    """The strip at the left."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self.setAccessibleName(editor.tr("Line numbers"))

    def sizeHint(self) -> QSize:
        """As wide as the editor says."""
        return QSize(self._editor.margin_width, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The editor knows the lines."""
        self._editor.paint_margin(event)
