"""The link sheet: the agents that are here, who reads which folder, and one skill linked into them or not."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QDialog, QFrame, QLayout, QVBoxLayout, QWidget

from app.exchange.values import AgentView, LinkMode, LinkState
from widgets.common.chips import Chip
from widgets.common.empty_state import StatePages
from widgets.common.parts import ElidedLabel, bar, button, card, column, label, row, scroll_area
from widgets.common.theme import Theme
from widgets.exchange.words import link_words

_RENEWED = (LinkState.OUTDATED, LinkState.BROKEN, LinkState.MISSING)


class AgentRow(QFrame):
    """One agent. Signals: link_clicked(agent id), unlink_clicked(agent id)."""

    link_clicked = Signal(str)
    unlink_clicked = Signal(str)

    def __init__(self, theme: Theme, view: AgentView) -> None:
        super().__init__()
        self._agent = view.agent.id
        #: How the skill stands there, None when it does not.
        self.state = view.placed.state if view.placed is not None else None
        head: list[QWidget] = [label(view.agent.name, "heading")]
        if view.placed is not None:
            head.append(Chip(theme, *link_words(view.placed.mode, view.placed.state)))
        folder = ElidedLabel(theme, "muted")
        folder.set_text(str(view.agent.folder))
        words: list[QWidget | QLayout | None] = [row(*head, None), folder]
        if view.also_read_by:
            words.append(label(self.tr("Also read by {}").format(", ".join(view.also_read_by)), "caption", wrap=True))
        if view.problem:
            words.append(label(view.problem, "warn", wrap=True))
        self.act = button(theme, self.tr("Unlink") if view.placed is not None else self.tr("Link"))
        self.act.setEnabled(not view.problem or view.placed is not None)
        self.act.setMinimumWidth(88)
        self.renew = button(theme, self.tr("Renew"), tip=self.tr("Put it there again as it is in the library"))
        self.renew.setVisible(self.state in _RENEWED)
        self.renew.clicked.connect(self._on_link)
        self.act.setAccessibleName(f"{self.act.text()}: {view.agent.name}")
        self.act.clicked.connect(self._on_unlink if view.placed is not None else self._on_link)
        inside = row(column(*words, spacing=4), self.renew, self.act, margins=(12, 10, 12, 10), spacing=12)
        inside.setStretch(0, 1)
        self.setLayout(column(card(inside)))

    @Slot()
    def _on_link(self) -> None:
        self.link_clicked.emit(self._agent)

    @Slot()
    def _on_unlink(self) -> None:
        self.unlink_clicked.emit(self._agent)


class LinkSheet(QDialog):
    """One skill and the agents that are here.

    Signals: link_requested(skill id, agent id, LinkMode), unlink_requested(skill id, agent id). Nothing is replaced in
    an agent's folder, and only what was linked from here is taken away.
    """

    link_requested = Signal(str, str, object)
    unlink_requested = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._skill = ""
        self.setWindowTitle(self.tr("Link into other agents"))
        self.resize(640, 520)
        self._title = label(role="title", wrap=True)
        self._mode = QComboBox()
        self._mode.setAccessibleName(self.tr("How"))
        self._mode.addItem(self.tr("Link, or copy where links are not followed"), LinkMode.AUTO)
        self._mode.addItem(self.tr("Always link"), LinkMode.LINK)
        self._mode.addItem(self.tr("Always copy"), LinkMode.COPY)
        told = self.tr("The skill stays one folder in the library; the agents read it from there.")
        self._inside = QWidget()
        self._area = scroll_area(self._inside, self.tr("Agents"))
        self._pages = StatePages(theme, self._area)
        self._pages.action_requested.connect(self.reject)
        close = button(theme, self.tr("Close"))
        close.clicked.connect(self.reject)
        head = column(self._title, label(told, "muted", wrap=True), self._mode, margins=(16, 16, 16, 12), spacing=8)
        foot = bar(row(None, close, margins=(16, 10, 16, 10)), "bg", "top")
        self.setLayout(column(bar(head, "surface"), self._pages, foot, spacing=0))
        self._pages.show_loading(self.tr("Looking for agents…"))

    @property
    def skill(self) -> str:
        """The id of the skill it is about."""
        return self._skill

    @property
    def rows(self) -> tuple[AgentRow, ...]:
        """The agents, from top to bottom."""
        return tuple(self._inside.findChildren(AgentRow))

    def begin(self, skill_id: str, name: str) -> None:
        """Wait for the agents of this skill."""
        self._skill = skill_id
        self._title.setText(self.tr("Where should {} be read, too?").format(name))

    @Slot(str, object)
    def set_views(self, skill_id: str, views: Sequence[AgentView]) -> None:
        """Show the agents; an answer about another skill is not for this sheet."""
        if skill_id != self._skill:
            return
        self._inside = QWidget()
        lines = QVBoxLayout(self._inside)
        lines.setContentsMargins(16, 12, 16, 16)
        lines.setSpacing(8)
        for view in views:
            made = AgentRow(self._theme, view)
            made.link_clicked.connect(self._on_link)
            made.unlink_clicked.connect(self._on_unlink)
            lines.addWidget(made)
        lines.addStretch(1)
        self._area.setWidget(self._inside)
        self._inside.setAutoFillBackground(False)
        if views:
            self._pages.show_content()
        else:
            told = self.tr("None of the known agents has a folder here. You can add others in melete.agents.toml.")
            self._pages.show_empty("agent", self.tr("No agents found"), told, ("close", self.tr("Close")))

    @Slot(str)
    def _on_link(self, agent: str) -> None:
        self.link_requested.emit(self._skill, agent, LinkMode(self._mode.currentData()))

    @Slot(str)
    def _on_unlink(self, agent: str) -> None:
        self.unlink_requested.emit(self._skill, agent)
