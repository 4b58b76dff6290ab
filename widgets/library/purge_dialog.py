"""The question before archived skills are deleted: each with its date, its files, and what is lost for good."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QPushButton, QTreeWidget, QTreeWidgetItem, QWidget

from app.cycles.values import PurgeItem
from widgets.common.parts import button, column, label, restyle, row
from widgets.common.theme import Theme
from widgets.common.times import file_size, local_date


class PurgeDialog(QDialog):
    """Shows PurgeItems. Nothing is deleted unless the box is ticked and the button pressed.

    Signals: confirmed(ids as a tuple, whether past the trash).
    """

    confirmed = Signal(object, bool)

    def __init__(self, theme: Theme, items: Sequence[PurgeItem], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ids = tuple(item.id for item in items)
        count = len(items)
        title = (
            self.tr("Delete 1 archived skill?") if count == 1 else self.tr("Delete {} archived skills?").format(count)
        )
        self.setWindowTitle(title)
        self.resize(620, 420)
        self._list = self._filled(items)
        lost = sum(len(item.not_kept) for item in items)
        told = self.tr(
            "The texts stay in the history and an undo brings them back, for as long as the history is kept."
        )
        if lost:
            told += " " + self.tr("{} of the files below are not in the history: these are gone for good.").format(lost)
        self._past_trash = QCheckBox(self.tr("Do not keep them in the system's trash either"))
        self._sure = QCheckBox(self.tr("I have read the list"))
        self._delete = button(theme, title.rstrip("?"), "danger", "trash")
        self._delete.setEnabled(False)
        cancel = button(theme, self.tr("Cancel"))
        cancel.setDefault(True)
        self._sure.toggled.connect(self._delete.setEnabled)
        self._delete.clicked.connect(self._on_delete)
        cancel.clicked.connect(self.reject)
        words = label(told, wrap=True)
        restyle(words, "role", "warn" if lost else "muted")
        buttons = row(None, cancel, self._delete)
        parts = (label(title, "title"), words, self._list, self._past_trash, self._sure, buttons)
        self.setLayout(column(*parts, margins=(16, 16, 16, 16), spacing=10))

    @property
    def delete_button(self) -> QPushButton:
        """The button that confirms."""
        return self._delete

    @property
    def sure(self) -> QCheckBox:
        """The box that has to be ticked."""
        return self._sure

    @property
    def lines(self) -> tuple[str, ...]:
        """The skills of the list as they are told: name, date, files, size."""
        rows = (self._list.topLevelItem(place) for place in range(self._list.topLevelItemCount()))
        return tuple("  ".join(item.text(part) for part in range(4)) for item in rows if item is not None)

    def _filled(self, items: Sequence[PurgeItem]) -> QTreeWidget:
        made = QTreeWidget()
        made.setHeaderLabels([self.tr("Skill"), self.tr("Archived"), self.tr("Files"), self.tr("Size")])
        made.setAccessibleName(self.tr("What is deleted"))
        made.setUniformRowHeights(True)
        made.ensurePolished()  # rows are measured once, and must be measured in the style they are drawn in
        for item in items:
            when = local_date(item.archived_at, self.tr("unknown"))
            top = QTreeWidgetItem([item.name, when, str(len(item.files)), file_size(item.size)])
            if item.into:
                top.addChild(QTreeWidgetItem([self.tr("its content went into {}").format(item.into)]))
            for path in item.not_kept:
                top.addChild(QTreeWidgetItem([self.tr("lost for good: {}").format(path)]))
            for path in item.files:
                top.addChild(QTreeWidgetItem([path]))
            made.addTopLevelItem(top)
            top.setExpanded(len(items) == 1 or bool(item.not_kept))
        for place, width in enumerate((300, 110, 60)):
            made.setColumnWidth(place, width)
        return made

    @Slot()
    def _on_delete(self) -> None:
        self.confirmed.emit(self._ids, self._past_trash.isChecked())
        self.accept()
