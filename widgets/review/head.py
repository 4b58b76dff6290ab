"""The head of a group: what it is, who wants it and why, what it costs, its changes, and what is special about them."""

from collections.abc import Collection, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.proposals.values import Change, Decision, Group, Proposal
from widgets.common.ages import age_word, now_utc
from widgets.common.chips import Chip
from widgets.common.flow import FlowLayout
from widgets.common.parts import ElidedLabel, button, column, label
from widgets.common.theme import Theme
from widgets.common.times import local_time
from widgets.review.banner import Banner
from widgets.review.changes import ChangeList
from widgets.review.choice import open_changes
from widgets.review.cost import cost_word
from widgets.review.words import decision_word, name_of, origin_word

_MOST_ROWS = 5
_LOW_ROWS = 2


class GroupHead(QFrame):
    """Signals: turn_asked(), report_asked(), skill_asked(), change_chosen(id), change_toggled(id, on)."""

    turn_asked = Signal()
    report_asked = Signal()
    skill_asked = Signal()
    change_chosen = Signal(str)
    change_toggled = Signal(str, bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._low = self._editing = False
        self._name = ""
        self.setProperty("ground", "surface")
        self.setProperty("edge", "")
        self.title = label(role="title", wrap=True)
        self._short = ElidedLabel(theme)
        self._short.set_bold(True)
        self._origin, self._state, self._revision = Chip(theme), Chip(theme), Chip(theme)
        self._age = label(role="caption")
        self.why = label(role="muted", wrap=True)
        self.why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._why_short = ElidedLabel(theme, "muted")
        self._cost = ElidedLabel(theme, "muted")
        self._cost.set_small(True)
        self.turn = button(theme, self.tr("Go to the conversation"), "link")
        self.report = button(theme, self.tr("Read the report"), "link")
        self.skill = button(theme, "", "link")
        self.list, self.banner = ChangeList(theme), Banner(theme)
        self._facts = QWidget()
        flow = FlowLayout(self._facts, spacing=8)
        for part in (self._origin, self._state, self._revision, self._age, self.turn, self.report, self.skill):
            flow.addWidget(part)
        self._column = column(
            self.title,
            self._short,
            self._facts,
            self.why,
            self._why_short,
            self._cost,
            self.list,
            self.banner,
            margins=(16, 10, 16, 6),
            spacing=5,
        )
        self.setLayout(self._column)
        self.turn.clicked.connect(self.turn_asked)
        self.report.clicked.connect(self.report_asked)
        self.skill.clicked.connect(self.skill_asked)
        self.list.chosen.connect(self.change_chosen)
        self.list.toggled.connect(self.change_toggled)
        self._arrange()

    def set_low(self, low: bool) -> None:
        """In a low page every line is one line, so that the difference has room."""
        if low != self._low:
            self._low = low
            self._arrange()

    def set_editing(self, editing: bool) -> None:
        """The editor needs the room: only the title stays."""
        self._editing = editing
        self._arrange()

    def show_group(self, proposal: Proposal, group: Group) -> None:
        """Show what does not change from one change to the next."""
        self.title.setText(group.title)
        self._short.set_text(group.title)
        self._origin.show_fact(origin_word(proposal.origin), "accent")
        waiting = open_changes(group)
        token = "warn" if group.decision is Decision.REJECTED else "muted"
        self._state.show_fact("" if waiting else decision_word(group.decision), token)
        since = proposal.waiting_since or proposal.created_at
        age = age_word(since, now_utc())
        asked = self.tr("asked just now") if age == "now" else self.tr("asked {age} ago").format(age=age)
        self._age.setText(asked)
        self._age.setToolTip(local_time(since, ""))
        self.turn.setVisible(bool(proposal.session))
        self.report.setVisible(bool(proposal.run))
        self._cost.set_text(cost_word(group))
        self._arrange()

    def show_change(self, proposal: Proposal, change: Change, shown: Change) -> None:
        """Show one change; `shown` is what of it would be written."""
        why = change.decision_reason or change.reason or proposal.reason
        self.why.setText(why)
        self._why_short.set_text(why)
        self._name = name_of(change)
        self.skill.setVisible(change.base is not None and change.memory is None)
        told = self.tr("moved on · revision {n}") if change.moved_on else self.tr("revision {n}")
        fact = told.format(n=change.revision) if change.revision or change.moved_on else ""
        self._revision.show_fact(fact, "warn" if change.moved_on else "muted")
        self.banner.set_change(proposal, shown)
        self._arrange()

    def show_list(self, group: Group, chosen: Collection[str], seen: Mapping[str, str], current: str) -> None:
        """Fill the list of changes; a group of one change needs none."""
        self.list.set_group(group, chosen, seen, current)
        self._arrange()

    def _arrange(self) -> None:
        low = self._low
        self.turn.setText(self.tr("Conversation") if low else self.tr("Go to the conversation"))
        self.report.setText(self.tr("Report") if low else self.tr("Read the report"))
        self.skill.setText(self.tr("Skill") if low else self.tr("Show {name}").format(name=self._name))
        self.skill.setToolTip(self.tr("Show {name}").format(name=self._name))
        self.title.setVisible(not low)
        self._short.setVisible(low)
        self._facts.setVisible(not self._editing)
        self.why.setVisible(not low and not self._editing and bool(self.why.text()))
        self._why_short.setVisible(low and not self._editing and bool(self._why_short.text))
        self._cost.setVisible(not low and not self._editing and bool(self._cost.text))
        self._short.setToolTip(f"{self.title.text()}\n{self._cost.text}".strip() if low else "")
        self.list.setVisible(self.list.count() > 1 and not self._editing)
        self.list.set_most(_LOW_ROWS if low else _MOST_ROWS)
        self.banner.set_low(low)
        self.banner.setVisible(self.banner.speaks and not self._editing)
        self._column.setContentsMargins(16, 4 if low else 10, 16, 4 if low else 6)
        self._column.setSpacing(3 if low else 5)
