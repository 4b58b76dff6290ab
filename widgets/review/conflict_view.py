"""A conflict settled by hand: mine, the common base and theirs beside each other, and the result below."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QSplitter, QTabWidget, QWidget

from app.history.values import Conflict
from app.proposals.values import Change
from app.skills.values import Action
from widgets.common.code_editor import CodeEditor
from widgets.common.parts import bar, button, column, label, row
from widgets.common.reveal import revealed
from widgets.common.theme import Theme

#: Three columns of text need this much.
_WIDE = 720
#: How git marks lines both sides changed.
_MARK = "<<<<<<<"


class ConflictView(QWidget):
    """Shows the conflicts of one change, one file at a time.

    Signals: settled(change id, "mine" | "theirs" | "", {path: text}): take one side whole, or these texts.
    """

    settled = Signal(str, str, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._change = ""
        self._after = ""
        self._conflicts: tuple[Conflict, ...] = ()
        self._texts: dict[str, str] = {}
        self._file = QComboBox()
        self._file.setAccessibleName(self.tr("File in conflict"))
        self._mine = button(theme, self.tr("Take mine"), "", "", self.tr("Keep the library's file as it is"))
        self._theirs = button(theme, "")
        self._save = button(theme, self.tr("Use this result"), "primary", "check")
        names = (self.tr("Mine, now"), self.tr("Base"), self.tr("Proposed"))
        self._sides = [self._pane(theme, name) for name in names]
        self._names = names
        self._result = CodeEditor(theme, self.tr("Result"))
        self._left = label(role="caption")
        self._top = QWidget()
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        self._beside = QSplitter()
        self._columns = [column(label(name, "caption"), margins=(8, 4, 0, 0), spacing=2) for name in names]
        for inside in self._columns:
            holder = QWidget()
            holder.setLayout(inside)
            self._beside.addWidget(holder)
            self._beside.setStretchFactor(self._beside.count() - 1, 1)
        self._split.addWidget(self._beside)
        self._split.addWidget(self._tabs)
        self._below = below = QWidget()
        below.setLayout(
            column(
                bar(
                    row(label(self.tr("Result"), "heading"), self._left, None, self._save, margins=(16, 3, 8, 3)), "bg"
                ),
                self._result,
                spacing=0,
            )
        )
        self._split.addWidget(below)
        self._split.setChildrenCollapsible(False)
        head = bar(row(self._file, None, self._mine, self._theirs, margins=(12, 3, 8, 3)), "surface")
        page = column(head, self._split, spacing=0)
        page.setStretch(1, 1)
        self.setLayout(page)
        self._mine.clicked.connect(self._take_mine)
        self._theirs.clicked.connect(self._take_theirs)
        self._save.clicked.connect(self._take_result)
        self._file.currentIndexChanged.connect(self._show_file)
        self._result.textChanged.connect(self._keep)
        self._wide: bool | None = None
        self._place(wide=False)

    def set_change(self, change: Change) -> None:
        """Show a change's conflicts; a result that is being written for the same ones stays."""
        if change.id == self._change and change.conflicts == self._conflicts:
            return
        self._change, self._conflicts, self._after = change.id, change.conflicts, change.after_text
        self._texts = {}
        with QSignalBlocker(self._file):
            self._file.clear()
            self._file.addItems([revealed(conflict.path) for conflict in change.conflicts])
        self._file.setVisible(len(change.conflicts) > 1)
        self._offer(archive=change.action is Action.ARCHIVE)
        self._show_file()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Three columns where there is room, else three tabs."""
        super().resizeEvent(event)
        self._place(wide=event.size().width() >= _WIDE)

    def minimumSizeHint(self) -> QSize:
        """Three columns become tabs where there is no room, so they never make the page wide."""
        return QSize(280, super().minimumSizeHint().height())

    @property
    def result(self) -> str:
        """The text of the result as it is now."""
        return self._result.text

    def _pane(self, theme: Theme, name: str) -> CodeEditor:
        made = CodeEditor(theme, name)
        made.setReadOnly(True)
        return made

    def _place(self, *, wide: bool) -> None:
        if wide is self._wide:
            return
        self._wide = wide
        for inside, pane, name in zip(self._columns, self._sides, self._names, strict=True):
            if wide:
                inside.addWidget(pane, 1)
                pane.show()
            else:
                self._tabs.addTab(pane, name)
        self._beside.setVisible(wide)
        self._beside.setSizes([1000, 1000, 1000])
        self._tabs.setVisible(not wide)

    def _offer(self, *, archive: bool) -> None:
        """A skill that was edited since is archived as it is now, or kept by rejecting: there is no mixture."""
        word = self.tr("Archive it as it is now") if archive else self.tr("Take the proposal's")
        self._theirs.setText(word)
        self._theirs.setAccessibleName(word)
        self._theirs.setToolTip(
            self.tr("With what was edited since; Reject keeps the skill")
            if archive
            else self.tr("Take the proposed file")
        )
        self._mine.setVisible(not archive)
        self._below.setVisible(not archive)

    def _show_file(self) -> None:
        at = self._file.currentIndex()
        if not 0 <= at < len(self._conflicts):
            return
        conflict = self._conflicts[at]
        for pane, side in zip(self._sides, (conflict.ours, conflict.base, conflict.theirs), strict=True):
            pane.setPlainText(_text(side))
            pane.setPlaceholderText(self.tr("The file does not exist here.") if side is None else "")
        text = self._texts.get(conflict.path, self._begin_with(conflict))
        with QSignalBlocker(self._result):
            self._result.setPlainText(text)
        self._refresh()

    def _begin_with(self, conflict: Conflict) -> str:
        """The merged text with its marks where there is one, else the library's file."""
        merged = self._after if _MARK in self._after and len(self._conflicts) == 1 else ""
        return merged or _text(conflict.ours) or _text(conflict.theirs)

    def _keep(self) -> None:
        at = self._file.currentIndex()
        if 0 <= at < len(self._conflicts):
            self._texts[self._conflicts[at].path] = self._result.text
        self._refresh()

    def _refresh(self) -> None:
        marks = self._result.text.count(_MARK)
        open_files = [item.path for item in self._conflicts if item.path not in self._texts]
        if marks:
            told = self.tr("still marked: {n}").format(n=marks)
        elif len(self._conflicts) > 1 and open_files:
            told = self.tr("{n} of {all} files to look at").format(n=len(open_files), all=len(self._conflicts))
        else:
            told = ""
        self._left.setText(told)
        self._save.setEnabled(not marks)

    def _take_mine(self) -> None:
        self.settled.emit(self._change, "mine", {})

    def _take_theirs(self) -> None:
        self.settled.emit(self._change, "theirs", {})

    def _take_result(self) -> None:
        texts = {item.path: self._texts.get(item.path, self._begin_with(item)) for item in self._conflicts}
        self.settled.emit(self._change, "", texts)


def _text(side: bytes | None) -> str:
    return "" if side is None else side.decode("utf-8", "replace")


def texts_of(conflicts: Sequence[Conflict]) -> bool:
    """Whether every side of every conflict is text that can be edited here."""
    return not any(
        side is not None and b"\0" in side for item in conflicts for side in (item.base, item.ours, item.theirs)
    )
