"""The files of a change: what is added, removed or changed, with sizes and, for binary files, hashes."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.text.values import FileDiff, FileStatus
from widgets.common.reveal import revealed

#: Below this width a hash is in the tooltip only.
_ROOM_FOR_HASHES = 560


class FilesView(QTreeWidget):
    """A flat table of files."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRootIsDecorated(False)
        self.setColumnCount(5)
        titles = [self.tr("File"), self.tr("What"), self.tr("Lines"), self.tr("Size"), self.tr("Hash")]
        self.setHeaderLabels(titles)
        self.setAccessibleName(self.tr("Files of this change"))
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, width in ((1, 88), (2, 80), (3, 112), (4, 176)):
            self.setColumnWidth(column, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow table leaves out what the tooltip says."""
        super().resizeEvent(event)
        self.setColumnHidden(4, event.size().width() < _ROOM_FOR_HASHES)

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
            item = QTreeWidgetItem([revealed(file.path), what, lines, _sizes(file), _hashes(file, 8)])
            item.setToolTip(0, file.path)
            for column in (3, 4):
                item.setToolTip(column, _hashes(file, 64))
            item.setTextAlignment(3, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.addTopLevelItem(item)


def _hashes(file: FileDiff, digits: int) -> str:
    """The hashes of a binary file, the only thing two versions of it can be told apart by; a text needs none."""
    if not file.binary:
        return ""
    sides = [side[:digits] for side in (file.old_hash, file.new_hash) if side]
    return " → ".join(sides)


def _sizes(file: FileDiff) -> str:
    if file.status is FileStatus.ADDED:
        return f"{file.new_size:,}"
    if file.status is FileStatus.REMOVED:
        return f"{file.old_size:,}"
    return f"{file.old_size:,} → {file.new_size:,}"
