"""A tool call as one line: name, what it is about, its result, its time; opened, arguments and the whole result."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.providers.values import ToolResult
from widgets.chat.card import Fold
from widgets.chat.items import ToolItem
from widgets.chat.plain_text import PlainText
from widgets.chat.words import arguments, cut, size_word, summary_of, time_word
from widgets.common.parts import button, card, column, label, restyle, row
from widgets.common.theme import Theme

_ICONS = {"skill_view": "skill", "skills_list": "library", "skill_manage": "edit", "memory": "memory"}


class ToolLine(Fold):
    """`diff_requested` and `undo_requested` carry the ledger entry the call led to."""

    diff_requested = Signal(str)
    undo_requested = Signal(str)

    def __init__(self, theme: Theme, item: ToolItem) -> None:
        icon = "search" if "search" in item.call.name else _ICONS.get(item.call.name, "tool")
        super().__init__(theme, icon, "")
        self._item = item
        self._buttons: list[QPushButton] = []
        self.set_item(item)

    def set_item(self, item: ToolItem) -> None:
        """Show what is known of the call now."""
        self._item = item
        self.head.setText(self._name())
        failed = item.result is not None and item.result.is_error
        restyle(self.facts, "role", "danger" if failed else "caption")
        self._write_facts()
        if item.entry and not self._buttons:
            self._offer()

    def set_result(self, result: ToolResult, seconds: float, entry: str | None, proposal: str | None) -> None:
        """The call has its answer."""
        self.set_item(
            replace(self._item, result=result, seconds=seconds, entry=entry, proposal=proposal, running=False)
        )

    def set_over(self) -> None:
        """The turn is over: a call without a result gets none any more."""
        if self._item.result is None:
            self.set_item(replace(self._item, running=False))

    def set_undone(self) -> None:
        """The change was taken back."""
        for made in self._buttons:
            made.hide()
        self.facts.setText(self.tr("undone"))

    @property
    def entry(self) -> str | None:
        """The ledger entry the call led to."""
        return self._item.entry

    @property
    def proposal(self) -> str | None:
        """The proposal the call led to."""
        return self._item.proposal

    def stands_for(self, message: int) -> bool:
        """The message with the call, or the one that brought its result."""
        return message in (self.message, self._item.answered)

    def lift_out(self, words: tuple[str, ...]) -> None:
        """What is folded away is opened first."""
        self.head.setChecked(True)
        super().lift_out(words)

    def build_body(self) -> QWidget:
        """Arguments and result."""
        given = arguments(self._item.call.input, self._item.call.raw)
        result = self._item.result.content if self._item.result else ""
        parts = []
        if given:
            parts.append(self._part(self.tr("Asked"), given, self._copy_given))
        if result:
            parts.append(self._part(self.tr("Answered"), result, self.copy))
        return card(column(*parts, margins=(10, 6, 10, 8), spacing=6))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The facts are elided to the room there is."""
        super().resizeEvent(event)
        self._write_facts()

    def _name(self) -> str:
        words = {
            "skills_list": self.tr("Skills"),
            "skill_view": self.tr("Skill"),
            "skill_manage": self.tr("Skill change"),
            "memory": self.tr("Memory"),
            "session_search": self.tr("Search"),
        }
        name = words.get(self._item.call.name, self._item.call.name)
        return f"{name}  {self._item.target}" if self._item.target else name

    def _write_facts(self) -> None:
        item = self._item
        if item.result is None:
            said = self.tr("running…") if item.running else self.tr("no result")
        else:
            said = summary_of(item.result)
        text = " · ".join(part for part in (said, time_word(item.seconds)) if part)
        room = max(self.facts.width(), 60)
        self.facts.setText(self.facts.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room))
        self.facts.setToolTip(text if len(text) < 400 else "")

    def _offer(self) -> None:
        diff = button(self.theme, self.tr("Diff"), "link", tip=self.tr("Show what this changed"))
        undo = button(self.theme, self.tr("Undo"), "link", tip=self.tr("Take this change back"))
        diff.clicked.connect(self._ask_diff)
        undo.clicked.connect(self._ask_undo)
        self._buttons = [diff, undo]
        for made in self._buttons:
            self.row.addWidget(made)

    def _part(self, title: str, text: str, copy: Callable[[], None]) -> QVBoxLayout:
        """A heading with a copy button, and the text below it, cut where a view would choke."""
        copy_button = button(self.theme, self.tr("Copy"), "link")
        copy_button.clicked.connect(copy)
        view = PlainText(self.theme)
        shown, shortened = cut(text)
        note = self.tr("… {size} in all, Copy gives everything").format(size=size_word(len(text)))
        view.show_plain(f"{shown}\n{note}" if shortened else shown, code=True)
        return column(row(label(title, "section"), None, copy_button), view, spacing=4)

    def _ask_diff(self) -> None:
        self.diff_requested.emit(self._item.entry or "")

    def _ask_undo(self) -> None:
        self.undo_requested.emit(self._item.entry or "")

    def _copy_given(self) -> None:
        QGuiApplication.clipboard().setText(arguments(self._item.call.input, self._item.call.raw))

    def copy(self) -> None:
        """Put the whole result on the clipboard."""
        if self._item.result is not None:
            QGuiApplication.clipboard().setText(self._item.result.content)
