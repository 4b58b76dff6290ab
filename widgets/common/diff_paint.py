"""Paint the rows of a difference: tints, line numbers, signs, words that differ, heads and check boxes."""

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from app.text.values import FileDiff, FileStatus, LineKind
from widgets.common.cells import width_of
from widgets.common.diff_layout import MARK, Metrics
from widgets.common.diff_rows import Half, Row
from widgets.common.theme import Theme

_TINT = {LineKind.ADDED: "added_tint", LineKind.REMOVED: "removed_tint"}
_WORD = {LineKind.ADDED: "added_word", LineKind.REMOVED: "removed_word"}
_INK = {LineKind.ADDED: "added", LineKind.REMOVED: "removed", LineKind.CONTEXT: "muted"}
_SIGN = {LineKind.ADDED: "+", LineKind.REMOVED: "−", LineKind.CONTEXT: ""}
_STATUS = {FileStatus.ADDED: "added", FileStatus.REMOVED: "removed", FileStatus.MODIFIED: "muted"}

#: Left of this, a click on a hunk's head is for its check box.
CHECK_END = 34

Parts = tuple[list[tuple[int, int]], list[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class HunkLook:
    """How a hunk's head is drawn: whether it can be chosen, is chosen, and has the keyboard; `fold` names the mark of
    the unchanged lines that a click opens or closes.
    """

    checkable: bool
    checked: bool
    current: bool
    fold: str = ""


class DiffPainter:
    """Paints single rows into a rectangle. One per repaint; holds pens and fonts, no state of the view."""

    def __init__(self, painter: QPainter, theme: Theme, metrics: Metrics, *, side_by_side: bool) -> None:
        self._painter = painter
        self._theme = theme
        self._metrics = metrics
        self._side = side_by_side
        self._code = theme.code_font()
        self._ui = theme.fonts.ui(small=True)

    def file_head(self, rect: QRect, file: FileDiff, counted: tuple[int, int], *, folded: bool) -> None:
        """The bar over a file: fold mark, path, what happened to it, and `counted` lines that come and go."""
        self._painter.fillRect(rect, self._colour("raised"))
        self._painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), self._colour("line"))
        self._mark("chevron-right" if folded else "chevron-down", rect.left() + 6, rect)
        counts = [(f"+{counted[0]}", "added"), (f"−{counted[1]}", "removed")] if file.hunks else []
        right = rect.right() - 12
        for text, token in reversed([(self._status(file), _STATUS[file.status]), *counts]):
            if text:
                right = self._right_text(rect, right, text, token) - 10
        box = QRect(rect.left() + 28, rect.top(), right - rect.left() - 34, rect.height())
        font = self._theme.fonts.ui(bold=True)
        self._painter.setFont(font)
        self._painter.setPen(self._colour("text"))
        shown = self._painter.fontMetrics().elidedText(file.path, Qt.TextElideMode.ElideMiddle, box.width())
        self._painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)

    def note(self, rect: QRect, text: str) -> None:
        """A muted line under a file's head."""
        self._painter.setFont(self._ui)
        self._painter.setPen(self._colour("muted"))
        self._painter.drawText(rect.adjusted(28, 0, -8, 0), Qt.AlignmentFlag.AlignVCenter, text)

    def hunk_head(self, rect: QRect, text: str, look: HunkLook) -> None:
        """The line between two runs of changes: what is folded away, and the check box."""
        self._painter.fillRect(rect, self._colour("accent_tint" if look.current else "bg"))
        if look.current:
            self._painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), self._colour("accent"))
        left = rect.left() + 12
        if look.checkable:
            self._check_box(check_rect(rect), look)
            left += 24
        if look.fold:
            self._mark(look.fold, left - 4, rect)
            left += 16
        self._painter.setFont(self._ui)
        self._painter.setPen(self._colour("muted"))
        self._painter.drawText(rect.adjusted(left, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)

    def line(self, rect: QRect, row: Row, parts: Parts) -> None:
        """One line: both halves side by side, or one over the whole width."""
        if row.alone:
            half = row.right if row.left is None else row.left
            if half is not None:
                self._half(rect, half, parts[1] if row.left is None else parts[0])
            return
        if self._side:
            middle = rect.left() + rect.width() // 2
            self._half(QRect(rect.left(), rect.top(), middle - rect.left(), rect.height()), row.left, parts[0])
            self._half(QRect(middle, rect.top(), rect.right() - middle + 1, rect.height()), row.right, parts[1])
            self._painter.fillRect(QRect(middle, rect.top(), 1, rect.height()), self._colour("line"))
            return
        half = row.right if row.left is None else row.left
        if half is None:
            return
        numbers = (row.left.number if row.left else 0, row.right.number if row.right else 0)
        self._ground(rect, half)
        self._number(rect.left(), rect.top(), numbers[0], half.kind)
        self._number(rect.left() + self._metrics.number_width, rect.top(), numbers[1], half.kind)
        self._text(rect, rect.left() + 2 * self._metrics.number_width, half, parts[1] if row.left is None else parts[0])

    def _half(self, rect: QRect, half: Half | None, parts: list[tuple[int, int]]) -> None:
        if half is None:
            self._painter.fillRect(rect, self._colour("bg"))
            return
        self._ground(rect, half)
        self._number(rect.left(), rect.top(), half.number, half.kind)
        self._text(rect, rect.left() + self._metrics.number_width, half, parts)

    def _ground(self, rect: QRect, half: Half) -> None:
        if half.kind in _TINT:
            self._painter.fillRect(rect, self._colour(_TINT[half.kind]))

    def _number(self, x: int, y: int, number: int, kind: LineKind) -> None:
        if not number:
            return
        box = QRect(x, y, self._metrics.number_width - round(self._metrics.cell), self._metrics.line)
        self._painter.setFont(self._code)
        self._painter.setPen(self._colour(_INK[kind]))
        self._painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))

    def _text(self, rect: QRect, x: int, half: Half, parts: list[tuple[int, int]]) -> None:
        self._painter.setFont(self._code)
        self._painter.setPen(self._colour(_INK[half.kind]))
        sign = QRect(x, rect.top(), MARK, self._metrics.line)
        self._painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, _SIGN[half.kind])
        left, top = x + MARK, rect.top()
        for start, end in parts:
            self._words(left, top, half, start, end)
            self._painter.setPen(self._colour("text"))
            self._run(left, top, half.text[start:end])
            top += self._metrics.line

    def _words(self, left: int, top: int, half: Half, start: int, end: int) -> None:
        if half.kind not in _WORD:
            return
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._colour(_WORD[half.kind]))
        for first, last in half.spans:
            first, last = max(first, start), min(last, end)
            if first < last:
                x = left + width_of(half.text[start:first]) * self._metrics.cell
                wide = width_of(half.text[first:last]) * self._metrics.cell
                self._painter.drawRoundedRect(QRectF(x, top + 1, wide, self._metrics.line - 2), 3, 3)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)

    def _run(self, left: int, top: int, text: str) -> None:
        """Draw text on the grid of cells; runs beyond ASCII are placed one by one so that columns stay true."""
        baseline = (
            top
            + (self._metrics.line + self._painter.fontMetrics().ascent() - self._painter.fontMetrics().descent()) // 2
        )
        if text.isascii():
            self._painter.drawText(left, baseline, text)
            return
        column = 0
        for piece in _runs(text):
            self._painter.drawText(round(left + column * self._metrics.cell), baseline, piece)
            column += width_of(piece)

    def _mark(self, name: str, x: int, rect: QRect) -> None:
        picture = self._theme.pixmap(name, "muted", 16, self._painter.device().devicePixelRatio())
        self._painter.drawPixmap(x, rect.center().y() - 7, picture)

    def veil(self, rect: QRect) -> None:
        """Make a line pale: its hunk was taken out of the choice."""
        ground = self._colour("surface")
        ground.setAlphaF(0.62)
        self._painter.fillRect(rect, ground)

    def _check_box(self, box: QRect, look: HunkLook) -> None:
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = self._colour("accent" if look.checked or look.current else "edge")
        self._painter.setPen(QPen(ink, 1))
        self._painter.setBrush(self._colour("accent" if look.checked else "surface"))
        self._painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        if look.checked:
            picture = self._theme.pixmap("check", "on_accent", 12, self._painter.device().devicePixelRatio())
            self._painter.drawPixmap(box.left() + 2, box.top() + 2, picture)

    def _right_text(self, rect: QRect, right: int, text: str, token: str) -> int:
        self._painter.setFont(self._ui)
        self._painter.setPen(self._colour(token))
        wide = self._painter.fontMetrics().horizontalAdvance(text)
        box = QRect(right - wide, rect.top(), wide + 2, rect.height())
        self._painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
        return right - wide

    @staticmethod
    def _status(file: FileDiff) -> str:
        return "" if file.status is FileStatus.MODIFIED else file.status.value

    def _colour(self, token: str) -> QColor:
        return self._theme.colour(token)


def check_rect(rect: QRect) -> QRect:
    """Where a hunk head's check box stands."""
    return QRect(rect.left() + 12, rect.center().y() - 7, 16, 16)


def code_metrics(font: QFont, width: int, digits: int, cell: float, height: int) -> Metrics:
    """Metrics for a view of `width` pixels."""
    return Metrics(cell=cell, line=max(height + 4, font.pixelSize() + 7), width=width, digits=max(2, digits))


def _runs(text: str) -> list[str]:
    """ASCII stretches whole, other characters with the marks that combine with them."""
    runs: list[str] = []
    for char in text:
        joins = runs and (
            width_of(char) == 0
            or (char.isascii() and runs[-1].isascii())
            or char in "\u200c\u200d\ufe0f"
            or runs[-1].endswith("\u200d")
        )
        if joins:
            runs[-1] += char
        else:
            runs.append(char)
    return runs
