"""The bar over the editor when the file changed on disk meanwhile: both versions stay within reach."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame

from widgets.common.flow import FlowLayout
from widgets.common.parts import button, column, label
from widgets.common.theme import Theme


class ConflictBar(QFrame):
    """Says what happened and offers the ways on. It keeps the version that was not chosen until `clear`."""

    mine_chosen = Signal()
    theirs_chosen = Signal()
    compare_requested = Signal()
    merge_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._other = ""
        self._text = label(wrap=True)
        self._compare = button(theme, self.tr("Compare"), "", "diff", self.tr("Show the difference of both versions"))
        self._mine = button(theme, self.tr("Keep mine"), tip=self.tr("Go on with my text; saving replaces the other"))
        self._theirs = button(theme, self.tr("Take theirs"), tip=self.tr("Show the text on disk; mine can be copied"))
        self._merge = button(
            theme, self.tr("Merge"), "", "merge", self.tr("Put both into one text; nothing is saved yet")
        )
        self._copy = button(theme, self.tr("Copy the other version"), "", "copy")
        self._done = button(theme, self.tr("Done"), "quiet", tip=self.tr("Forget the other version"))
        for made, slot in (
            (self._compare, self.compare_requested),
            (self._merge, self.merge_requested),
            (self._mine, self.mine_chosen),
            (self._theirs, self.theirs_chosen),
        ):
            made.clicked.connect(slot)
        self._copy.clicked.connect(self.copy_other)
        self._done.clicked.connect(self.clear)
        actions = FlowLayout(spacing=6)
        for made in (self._merge, self._mine, self._theirs, self._compare, self._copy, self._done):
            actions.addWidget(made)
        self.setProperty("ground", "raised")
        self.setProperty("edge", "bottom")
        self.setLayout(column(self._text, actions, margins=(16, 8, 12, 8), spacing=6))
        self.hide()

    def ask(self, theirs: str) -> None:
        """The file has another text now."""
        self._other = theirs
        self._text.setText(self.tr("This file changed on disk while you were editing it. Which text goes on?"))
        self._offer(question=True)

    def keep_other(self, other: str, text: str) -> None:
        """A choice was made; the other version can still be copied."""
        self._other = other
        self._text.setText(text)
        self._offer(question=False)

    def say_gone(self) -> None:
        """The folder was deleted."""
        self._other = ""
        self._text.setText(self.tr("This skill was deleted on disk. Your text is kept; saving creates it again."))
        self._offer(question=False)

    @property
    def other(self) -> str:
        """The version that is not in the editor."""
        return self._other

    @property
    def asking(self) -> bool:
        """Whether a choice is still to be made."""
        return self._mine.isVisibleTo(self)

    @Slot()
    def clear(self) -> None:
        """There is nothing to choose any more."""
        self._other = ""
        self._mine.hide()
        self.hide()

    @Slot()
    def copy_other(self) -> None:
        """Put the other version on the clipboard."""
        QGuiApplication.clipboard().setText(self._other)

    def _offer(self, *, question: bool) -> None:
        for made in (self._compare, self._merge, self._mine, self._theirs):
            made.setVisible(question)
        self._copy.setVisible(bool(self._other))
        self._done.setVisible(not question)
        self.show()
