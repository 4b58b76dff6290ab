"""Undoing a run: its steps with what taking each back would do, to choose from."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QTreeWidget, QTreeWidgetItem, QWidget

from app.cycles.values import RunStep, RunUndo
from widgets.common.parts import button, column, label, row
from widgets.common.theme import Theme

#: Skills of one step that are named.
_NAMED = 4
_ENTRY = Qt.ItemDataRole.UserRole


class UndoDialog(QDialog):
    """One step a line; what stands in the way of one is said below it. Signals: agreed(run, entry ids)."""

    agreed = Signal(str, object)

    def __init__(self, theme: Theme, plan: RunUndo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run = plan.run
        self.setWindowTitle(self.tr("Undo a run"))
        self.resize(620, 440)
        self.setMinimumSize(440, 320)
        self._tree = QTreeWidget()
        self._tree.setHeaderHidden(True)
        self._tree.setAccessibleName(self.tr("Steps of the run"))
        for step in plan.steps:
            item = QTreeWidgetItem([_words(step)])
            item.setData(0, _ENTRY, step.entry)
            self._tree.addTopLevelItem(item)
            if step.undone:
                item.addChild(QTreeWidgetItem([self.tr("was taken back already")]))
                item.setDisabled(True)
                continue
            free = not step.conflicts
            item.setCheckState(0, Qt.CheckState.Checked if free else Qt.CheckState.Unchecked)
            for text in (*step.conflicts, *step.kept, *(f"{action}: {skill}" for action, skill in step.changes)):
                line = QTreeWidgetItem([text])
                item.addChild(line)
            item.setExpanded(not free)
        left = [step for step in plan.steps if not step.undone]
        if not plan.steps:
            told = self.tr("This run changed nothing so far: nothing of it was approved.")
        elif not left:
            told = self.tr("Everything this run led to was taken back already.")
        else:
            told = self.tr("What the run led to, newest first. Later edits stay; what they touch is said.")
        self._yes = button(theme, self.tr("Undo the chosen"), "primary", "undo")
        no = button(theme, self.tr("Cancel"), "quiet")
        self._yes.clicked.connect(self._agree)
        no.clicked.connect(self.reject)
        self._tree.itemChanged.connect(self._refresh)
        page = column(
            label(told, "muted", wrap=True), self._tree, row(None, no, self._yes), margins=(16, 14, 16, 12), spacing=10
        )
        page.setStretch(1, 1)
        self.setLayout(page)
        self._refresh()

    def chosen(self) -> tuple[str, ...]:
        """The entries that are checked, newest first."""
        items = (self._tree.topLevelItem(at) for at in range(self._tree.topLevelItemCount()))
        return tuple(
            item.data(0, _ENTRY)
            for item in items
            if item is not None and not item.isDisabled() and item.checkState(0) is Qt.CheckState.Checked
        )

    def _refresh(self) -> None:
        self._yes.setEnabled(bool(self.chosen()))

    def _agree(self) -> None:
        self.agreed.emit(self._run, self.chosen())
        self.accept()


def _words(step: RunStep) -> str:
    """What a step was about: its title, and the skills where the title does not name them."""
    names = [skill.rpartition("/")[2] for skill in step.skills]
    shown = ", ".join(names[:_NAMED]) + (f" +{len(names) - _NAMED}" if len(names) > _NAMED else "")
    if not step.title or any(name in step.title for name in names):
        return step.title or shown
    return f"{step.title}: {shown}"
