"""The Use tab: counters, uses per day, how conversations ended, what the skill costs, and the latest sessions."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QLabel, QListWidget, QListWidgetItem, QWidget

from app.skills.values import Skill
from widgets.common.bar_chart import BarChart
from widgets.common.flow import FlowLayout
from widgets.common.meter import Meter
from widgets.common.parts import card, column, label, scroll_area, set_ground
from widgets.common.theme import Theme
from widgets.common.times import local_date, number
from widgets.library.page_values import UseFacts

_CARD = 118
_SESSION = Qt.ItemDataRole.UserRole + 1


class UseTab(QWidget):
    """Shows numbers of one skill; a session in the list can be opened."""

    session_requested = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._numbers = {name: label("–", "number") for name in ("uses", "views", "patches", "last", "line", "body")}
        self._unknown = label(role="muted", wrap=True)
        self._chart = BarChart(theme)
        self._karma = Meter(theme)
        self._karma_text = label(role="caption", wrap=True)
        self._sessions = QListWidget()
        self._sessions.setAccessibleName(self.tr("Sessions that used it"))
        self._none = label(self.tr("No session has used it yet."), "muted")
        self._sessions.itemActivated.connect(self._on_session)
        self._build()

    @Slot(object)
    def set_skill(self, skill: Skill) -> None:
        """Show the skill's own counters and cost."""
        usage = skill.usage
        nothing = "–"
        shown = {
            "uses": number(usage.uses) if usage.known else nothing,
            "views": number(usage.views) if usage.known else nothing,
            "patches": number(usage.patches) if usage.known else nothing,
            "last": local_date(usage.last_activity_at, self.tr("never") if usage.known else nothing),
            "line": number(skill.catalogue_tokens),
            "body": number(skill.body_tokens),
        }
        for name, text in shown.items():
            self._numbers[name].setText(text)
        self._unknown.setVisible(not usage.known)
        self._unknown.setText(
            self.tr("No usage data: nothing is recorded about this skill. That does not mean it was never used.")
        )

    @Slot(object)
    def set_use(self, facts: UseFacts) -> None:
        """Show what sessions say about it."""
        self._chart.set_days(facts.by_day)
        known = facts.ended_well + facts.ended_badly
        if known:
            share = facts.ended_well / known
            told = self.tr("{well} of {all} conversations that used it ended well.").format(
                well=facts.ended_well, all=known
            )
            self._karma.set_parts(((share, "active"), (1 - share, "danger")), told)
        else:
            told = self.tr("No finished conversation has used it yet.")
            self._karma.set_parts((), told)
        self._karma_text.setText(told)
        self._sessions.clear()
        for session in facts.sessions:
            item = QListWidgetItem(f"{session.title}   {local_date(session.updated_at)}")
            item.setData(_SESSION, session.id)
            item.setToolTip(session.title)
            self._sessions.addItem(item)
        self._sessions.setVisible(bool(facts.sessions))
        self._none.setVisible(not facts.sessions)

    def _build(self) -> None:
        names = {
            "uses": self.tr("uses"),
            "views": self.tr("views"),
            "patches": self.tr("improvements"),
            "last": self.tr("last activity"),
            "line": self.tr("catalogue tokens"),
            "body": self.tr("tokens when read"),
        }
        grid = FlowLayout(spacing=8)
        for name, text in names.items():
            grid.addWidget(_number_card(self._numbers[name], text))
        self._sessions.setMinimumHeight(140)
        inside = QWidget()
        inside.setProperty("ground", "surface")
        inside.setLayout(
            column(
                self._unknown,
                grid,
                label(self.tr("Uses per day"), "section"),
                self._chart,
                label(self.tr("How conversations ended"), "section"),
                self._karma,
                self._karma_text,
                label(self.tr("Latest sessions"), "section"),
                self._sessions,
                self._none,
                None,
                margins=(16, 16, 16, 16),
                spacing=10,
            )
        )
        inside.setMaximumWidth(860)
        scroll = scroll_area(inside, self.tr("Use"))
        set_ground(self, "surface")
        self.setLayout(column(scroll, spacing=0))

    @Slot(QListWidgetItem)
    def _on_session(self, item: QListWidgetItem) -> None:
        self.session_requested.emit(item.data(_SESSION))


def _number_card(value: QLabel, text: str) -> QFrame:
    made = card(column(value, label(text, "caption"), margins=(12, 8, 12, 8), spacing=0))
    made.setMinimumWidth(_CARD)
    return made
