"""The files of a change: what is added, removed or changed, with sizes and, for binary files, hashes."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.text.values import FileDiff, FileStatus
from widgets.common.reveal import revealed


class FilesView(QTreeWidget):
    """A flat table of files."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRootIsDecorated(False)
        self.setColumnCount(4)
        self.setHeaderLabels([self.tr("File"), self.tr("What"), self.tr("Lines"), self.tr("Size")])
        self.setAccessibleName(self.tr("Files of this change"))
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, width in ((1, 96), (2, 88), (3, 130)):
            self.setColumnWidth(column, width)

    def set_files(self, files: Sequence[FileDiff]) -> None:
        """Show these files."""
        words = {
            FileStatus.ADDED: self.tr("added"),
            FileStatus.REMOVED: self.tr("removed"),
            FileStatus.MODIFIED: self.tr("changed"),
        }
        self.clear()
        for file in files:
            what = f"{words[file.status]}, {file.mode}" if file.mode else words[file.status]
            lines = self.tr("binary") if file.binary else f"+{file.added} −{file.removed}"
            item = QTreeWidgetItem([revealed(file.path), what, lines, _sizes(file)])
            item.setToolTip(0, file.path)
            if file.binary:
                item.setToolTip(3, f"{file.old_hash or '–'} → {file.new_hash or '–'}")
            item.setTextAlignment(3, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.addTopLevelItem(item)


def _sizes(file: FileDiff) -> str:
    if file.status is FileStatus.ADDED:
        return f"{file.new_size:,}"
    if file.status is FileStatus.REMOVED:
        return f"{file.old_size:,}"
    return f"{file.old_size:,} → {file.new_size:,}"
