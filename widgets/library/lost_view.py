"""Files that the history does not hold: no undo brings them back, so they are listed with the reason."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from app.cycles.values import LostFile
from widgets.common.empty_state import StatePages
from widgets.common.parts import bar, column, label
from widgets.common.theme import Theme
from widgets.common.times import file_size

_SKILL = Qt.ItemDataRole.UserRole + 1


class LostView(QWidget):
    """Shows LostFiles of all skills; a double click opens the skill."""

    skill_requested = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._list = QTreeWidget()
        self._list.setHeaderLabels([self.tr("Skill"), self.tr("File"), self.tr("Why"), self.tr("Size")])
        self._list.setRootIsDecorated(False)
        self._list.setUniformRowHeights(True)
        self._list.setSortingEnabled(True)
        self._list.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self._list.setAccessibleName(self.tr("Files that are not kept"))
        for place, width in enumerate((110, 130, 110)):
            self._list.setColumnWidth(place, width)
        self._list.itemActivated.connect(self._on_activated)
        self._pages = StatePages(theme, self._list)
        told = self.tr(
            "The history keeps files of a skill up to a size, and no generated folders. These it does not keep:"
        )
        self.setLayout(
            column(bar(column(label(told, "muted", wrap=True), margins=(12, 8, 12, 8))), self._pages, spacing=0)
        )
        self.show_progress(0)

    @Slot(int)
    def show_progress(self, count: int) -> None:
        """So many skills were looked at."""
        self._pages.show_loading(self.tr("Looking at all skills…"), f"{count:,}" if count else "")

    def set_lost(self, lost: Sequence[LostFile]) -> None:
        """Show these."""
        self._list.clear()
        for one in lost:
            size = file_size(one.size) if one.size else ""
            item = QTreeWidgetItem([one.skill.rpartition("/")[2], one.path or self.tr("the folder"), one.why, size])
            item.setData(0, _SKILL, one.skill)
            for place in range(3):
                item.setToolTip(place, f"{one.skill}/{one.path}\n{one.why}")
            self._list.addTopLevelItem(item)
        if lost:
            self._pages.show_content()
        else:
            self._pages.show_empty("success", self.tr("Everything is kept"), self.tr("No file was left out."))

    @property
    def count(self) -> int:
        """How many files are listed."""
        return self._list.topLevelItemCount()

    @Slot(QTreeWidgetItem)
    def _on_activated(self, item: QTreeWidgetItem) -> None:
        self.skill_requested.emit(item.data(0, _SKILL))
