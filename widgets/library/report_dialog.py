"""What an action for many skills did: what was done, and what was not with the reason of each."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QTreeWidget, QTreeWidgetItem, QWidget

from app.cycles.values import ActionReport
from widgets.common.parts import button, column, label, row
from widgets.common.theme import Theme


class ReportDialog(QDialog):
    """Shows an ActionReport of which a part was refused.

    Signals: undo_requested(entry ids) takes the done part back; select_requested(ids) selects what was refused.
    """

    undo_requested = Signal(object)
    select_requested = Signal(object)

    def __init__(self, theme: Theme, report: ActionReport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report = report
        title = self.tr("{done} done, {refused} not").format(done=len(report.done), refused=len(report.refused))
        self.setWindowTitle(f"{report.action.capitalize()}: {title}")
        self.resize(620, 400)
        self._list = QTreeWidget()
        self._list.setHeaderLabels([self.tr("Skill"), self.tr("Why not")])
        self._list.setRootIsDecorated(False)
        self._list.setWordWrap(True)
        self._list.setAccessibleName(self.tr("What was not done"))
        self._list.setColumnWidth(0, 200)
        self._list.ensurePolished()
        for name, why in report.refused:
            line = QTreeWidgetItem([name.rpartition("/")[2], why])
            line.setToolTip(1, why)
            self._list.addTopLevelItem(line)
        copy = button(theme, self.tr("Copy"), "quiet", "copy", self.tr("Put the list on the clipboard"))
        select = button(theme, self.tr("Select these"), tip=self.tr("Select in the list what was not done"))
        undo = button(theme, self.tr("Undo the rest"), "", "undo", self.tr("Take back what was done"))
        undo.setVisible(bool(report.entries))
        close = button(theme, self.tr("Close"), "primary")
        close.setDefault(True)
        copy.clicked.connect(self._on_copy)
        select.clicked.connect(self._on_select)
        undo.clicked.connect(self._on_undo)
        close.clicked.connect(self.accept)
        done = self._done_words(report.done)
        buttons = row(copy, select, None, undo, close)
        parts = (label(title, "title"), label(done, "muted", wrap=True), self._list, buttons)
        self.setLayout(column(*parts, margins=(16, 16, 16, 16), spacing=10))

    @property
    def reasons(self) -> tuple[str, ...]:
        """The sentences of the list."""
        return tuple(why for _, why in self._report.refused)

    def _done_words(self, done: Sequence[tuple[str, str]]) -> str:
        if not done:
            return self.tr("Nothing was changed.")
        names = ", ".join(name for name, _ in done[:12])
        more = self.tr(" and {} more").format(len(done) - 12) if len(done) > 12 else ""
        return self.tr("Done: {}").format(names + more)

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(f"{name}\t{why}" for name, why in self._report.refused))

    @Slot()
    def _on_select(self) -> None:
        self.select_requested.emit(tuple(name for name, _ in self._report.refused))
        self.accept()

    @Slot()
    def _on_undo(self) -> None:
        self.undo_requested.emit(self._report.entries)
        self.accept()
