"""The changes of a group as a short list with check boxes: what happens to which skill, and what of it was seen."""

from collections.abc import Collection, Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QWidget

from app.proposals.values import Change, Group
from widgets.common.theme import Theme
from widgets.review.banner import is_alarming
from widgets.review.words import action_word, counts_word, decision_word, kept_word, name_of

_ID = Qt.ItemDataRole.UserRole
_ROW = 24


class ChangeList(QListWidget):
    """Signals: chosen(change id), toggled(change id, on)."""

    chosen = Signal(str)
    toggled = Signal(str, bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._filling = False
        self._most = 5
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(self.tr("Changes of this proposal"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.currentItemChanged.connect(self._tell_current)
        self.itemChanged.connect(self._tell_toggled)

    def set_most(self, rows: int) -> None:
        """At most this many rows are in sight; the others are scrolled to."""
        self._most = rows
        self._fit()

    def set_group(self, group: Group, chosen: Collection[str], seen: Mapping[str, str], current: str) -> None:
        """Show a group's changes; the list is as high as it needs, up to what `set_most` says."""
        self._filling = True
        self.clear()
        for change in group.changes:
            item = QListWidgetItem(self._text(change, seen))
            item.setData(_ID, change.id)
            item.setToolTip(self._tip(group, change))
            if is_alarming(change):
                item.setForeground(self._theme.colour("danger"))
            if change.waiting:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked if change.id in chosen else Qt.CheckState.Unchecked)
            item.setSizeHint(QSize(100, _ROW))
            self.addItem(item)
            if change.id == current:
                self.setCurrentItem(item)
        self._fit()
        self._filling = False

    def step(self, by: int) -> None:
        """Go to the next or the previous change."""
        if self.count():
            self.setCurrentRow(max(0, min(self.count() - 1, self.currentRow() + by)))

    def _fit(self) -> None:
        self.setFixedHeight(_ROW * max(1, min(self.count(), self._most)) + 4)
        if self.currentItem() is not None:
            self.scrollToItem(self.currentItem())

    def _tip(self, group: Group, change: Change) -> str:
        """The reason, and what goes only together with it."""
        lines = [change.reason] if change.reason else []
        if change.into and any(other.skill == change.into and other.waiting for other in group.changes):
            lines.append(self.tr("Goes only together with {name}.").format(name=change.absorbed_into))
        return "\n".join(lines)

    def _text(self, change: Change, seen: Mapping[str, str]) -> str:
        name = f"{name_of(change)} → {change.absorbed_into}" if change.absorbed_into else name_of(change)
        parts = [action_word(change), name, kept_word(change), counts_word(change)]
        if change.moved_on:
            parts.append(self.tr("moved on"))
        if change.conflicts:
            parts.append(self.tr("conflict"))
        if not change.waiting:
            parts.append(decision_word(change.decision))
        elif seen.get(change.id) == change.seen:
            parts.append(self.tr("seen"))
        return "   ".join(part for part in parts if part)

    def _tell_current(self, item: QListWidgetItem | None) -> None:
        if item is not None and not self._filling:
            self.chosen.emit(item.data(_ID))

    def _tell_toggled(self, item: QListWidgetItem) -> None:
        if not self._filling:
            self.toggled.emit(item.data(_ID), item.checkState() is Qt.CheckState.Checked)
