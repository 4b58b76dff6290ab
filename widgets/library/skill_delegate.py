"""Paints the library's rows: group heads, and state glyph, name, muted description, pin and waiting badge."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from widgets.common.glyphs import TOKENS, paint_glyph
from widgets.common.theme import Theme
from widgets.library.skill_model import ENTRY_ROLE, GROUP_ROLE
from widgets.library.tree_rows import Entry, Group, glyph_of, reason_of

Index = QModelIndex | QPersistentModelIndex
ROW_HEIGHT = 28
#: A description shorter than this tells nothing; a pane narrower than the second gives the names all the room.
_LEAST_DESCRIPTION = 90
_NARROW = 240
_CENTRE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class SkillDelegate(QStyledItemDelegate):
    """One height for all rows, no widget per row."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """28 pixels at 100 per cent."""
        return QSize(120, max(ROW_HEIGHT, self._theme.fonts.base * 2 + 2))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        painter.save()
        group = index.data(GROUP_ROLE)
        if group is not None:
            self._group(painter, option, group, str(index.data()))
        else:
            self._ground(painter, option)
            self._skill(painter, option, index.data(ENTRY_ROLE))
        painter.restore()

    def _group(self, painter: QPainter, option: QStyleOptionViewItem, group: Group, title: str) -> None:
        rect: QRect = option.rect
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, self._theme.colour("hover"))
        is_open = bool(option.state & QStyle.StateFlag.State_Open)
        self._icon(painter, "chevron-down" if is_open else "chevron-right", "muted", rect.left() + 6, rect, 14)
        count = str(len(group.entries))
        painter.setFont(self._theme.fonts.ui(small=True))
        wide = painter.fontMetrics().horizontalAdvance(count)
        right = rect.right() - 12 - wide
        painter.setPen(self._theme.colour("muted"))
        painter.drawText(QRect(right, rect.top(), wide + 2, rect.height()), _CENTRE, count)
        painter.setFont(self._theme.fonts.ui(small=True, bold=True))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._theme.colour("accent"))
        self._text(painter, title, QRect(rect.left() + 26, rect.top(), right - rect.left() - 34, rect.height()))

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        rect: QRect = option.rect
        active = bool(option.state & QStyle.StateFlag.State_Active)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self._theme.colour("selected" if active else "selected_idle"))
            if option.state & QStyle.StateFlag.State_HasFocus:
                painter.fillRect(QRect(rect.left(), rect.top(), 2, rect.height()), self._theme.colour("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, self._theme.colour("hover"))
        elif option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._theme.colour("accent"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _skill(self, painter: QPainter, option: QStyleOptionViewItem, entry: Entry) -> None:
        rect: QRect = option.rect
        skill = entry.skill
        glyph = glyph_of(skill)
        start = rect.left() + (12 if rect.width() < _NARROW else 25)
        box = QRectF(start, rect.center().y() - 5.5, 12, 12)
        paint_glyph(painter, box, glyph, self._theme.colour(TOKENS[glyph]))
        right = self._marks(painter, rect, entry)
        left = start + 21
        pale = not skill.live or skill.shadowed_by is not None or not skill.enabled
        painter.setFont(self._theme.fonts.ui())
        painter.setPen(self._theme.colour("muted" if pale else "text"))
        used = self._text(painter, skill.name, QRect(left, rect.top(), right - left, rect.height()))
        left += used + 8
        if right - left < _LEAST_DESCRIPTION and not reason_of(skill):
            return
        painter.setFont(self._theme.fonts.ui(small=True))
        reason = reason_of(skill)
        painter.setPen(self._theme.colour("danger" if reason else "muted"))
        self._text(painter, reason or skill.description, QRect(left, rect.top() + 1, right - left, rect.height()))

    def _marks(self, painter: QPainter, rect: QRect, entry: Entry) -> int:
        """Paint what stands at the right end and say where it begins."""
        skill = entry.skill
        right = rect.right() - 10
        if entry.waiting:
            right = self._badge(painter, rect, right, entry.waiting) - 6
        marks = (
            ("pin", "pinned", skill.pinned),
            ("link", "muted", skill.linked),
            ("eye-off", "muted", not skill.enabled),
        )
        for name, token, wanted in marks:
            if wanted:
                right -= 14
                self._icon(painter, name, token, right, rect, 14)
                right -= 4
        return right - 4

    def _badge(self, painter: QPainter, rect: QRect, right: int, count: int) -> int:
        text = str(count)
        painter.setFont(self._theme.fonts.ui(small=True, bold=True))
        wide = max(18, painter.fontMetrics().horizontalAdvance(text) + 10)
        box = QRectF(right - wide, rect.center().y() - 7.5, wide, 16)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("accent"))
        painter.drawRoundedRect(box, 8, 8)
        painter.setPen(self._theme.colour("on_accent"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        return right - wide

    def _icon(self, painter: QPainter, name: str, token: str, left: int, rect: QRect, size: int) -> None:
        picture = self._theme.pixmap(name, token, size, painter.device().devicePixelRatio())
        painter.drawPixmap(left, rect.center().y() - size // 2 + 1, picture)

    @staticmethod
    def _text(painter: QPainter, text: str, box: QRect) -> int:
        """Paint one line, cut where it must be, and say how wide it came out."""
        line = " ".join(text[:300].split())
        shown = painter.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, _CENTRE, shown)
        return painter.fontMetrics().horizontalAdvance(shown)
