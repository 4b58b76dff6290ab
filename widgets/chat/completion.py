"""The short list above the composer: commands after '/', skills after '@'."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QWidget

_MOST = 8
_SKILL = re.compile(r"(?:^|\s)@([^\s@]*)$")
_COMMAND = re.compile(r"^/(\S*)$")


@dataclass(frozen=True, slots=True)
class Typed:
    """What is being completed: the sign ('/' or '@') and the letters after it."""

    sign: str
    letters: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose: the text that is put in, and a few words beside it."""

    text: str
    hint: str = ""


def typed_in(before: str) -> Typed | None:
    """What the text before the cursor asks to complete, None for ordinary text."""
    command = _COMMAND.search(before)
    if command:
        return Typed("/", command[1])
    skill = _SKILL.search(before)
    return Typed("@", skill[1]) if skill else None


def matching(choices: Sequence[Choice], letters: str) -> list[Choice]:
    """The choices that fit: beginnings first, then anything that contains the letters."""
    wanted = letters.casefold()
    begins = [choice for choice in choices if choice.text.casefold().startswith(wanted)]
    holds = [choice for choice in choices if wanted in choice.text.casefold() and choice not in begins]
    return (begins + holds)[:_MOST]


class CompletionList(QListWidget):
    """A list without the keyboard: the composer moves it. `chosen` carries the text to put in."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("popup", True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Suggestions"))
        self.itemClicked.connect(self._take_item)
        self.hide()

    def offer(self, choices: Sequence[Choice], corner: QPoint, width: int) -> None:
        """Show choices with the list's lower left at `corner` (in pixels of the parent); none hides it."""
        self.clear()
        for choice in choices:
            item = QListWidgetItem(f"{choice.text}    {choice.hint}" if choice.hint else choice.text)
            item.setData(Qt.ItemDataRole.UserRole, choice.text)
            self.addItem(item)
        if not choices:
            self.hide()
            return
        self.setCurrentRow(0)
        high = self.sizeHintForRow(0) * len(choices) + 2 * self.frameWidth() + 4
        self.setGeometry(corner.x(), corner.y() - high, width, high)
        self.raise_()
        self.show()

    def step(self, by: int) -> None:
        """Move the choice, round and round."""
        self.setCurrentRow((self.currentRow() + by) % self.count())

    def take(self) -> None:
        """Choose the current one."""
        item = self.currentItem()
        if item is not None:
            self._take_item(item)

    def _take_item(self, item: QListWidgetItem) -> None:
        self.hide()
        self.chosen.emit(item.data(Qt.ItemDataRole.UserRole))
