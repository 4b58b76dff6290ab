"""The library as it was on a day: all skills of then, what became of each, and a way to bring one back."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QDate, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QDateEdit, QTreeWidget, QTreeWidgetItem, QWidget

from app.cycles.values import LibraryThen, SkillThen
from app.errors import Failure
from app.text.values import FileDiff
from widgets.common.diff_panel import DiffPanel
from widgets.common.empty_state import StatePages
from widgets.common.flow import FlowLayout
from widgets.common.parts import bar, button, column, label
from widgets.common.split import Split
from widgets.common.theme import Theme
from widgets.common.times import local_time
from widgets.library import step_words

_SKILL = Qt.ItemDataRole.UserRole + 1
#: What may have become of a skill, the most telling first; the empty one stands for all.
FATES = ("", "changed", "archived", "gone", "moved", "same")


class ThenView(QWidget):
    """Asks for a day and shows LibraryThen."""

    #: The end of the wanted day, in UTC: answer with `set_then` or `set_failure`.
    day_requested = Signal(object)
    #: Id then and the entry: answer with `set_difference`.
    difference_requested = Signal(str, str)
    #: Id now and the entry: bring this version back.
    version_requested = Signal(str, str)
    #: Id in the archive: restore it.
    restore_requested = Signal(str)
    skill_requested = Signal(str)
    #: Bring the whole library back to a day: preview first.
    rollback_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._then: LibraryThen | None = None
        self._current: SkillThen | None = None
        self._day = QDateEdit(QDate.currentDate())
        self._day.setCalendarPopup(True)
        self._day.setMaximumDate(QDate.currentDate())
        self._day.setAccessibleName(self.tr("Day"))
        self._fate = QComboBox()
        self._fate.setAccessibleName(self.tr("What became of them"))
        for fate in FATES:
            self._fate.addItem(self._words(fate) if fate else self.tr("All skills"), fate)
        self._told = label(role="caption", wrap=True)
        self._list = QTreeWidget()
        self._list.setHeaderLabels([self.tr("Skill"), self.tr("Since then")])
        self._list.setRootIsDecorated(False)
        self._list.setUniformRowHeights(True)
        self._list.setColumnWidth(0, 190)
        self._list.setAccessibleName(self.tr("Skills of that day"))
        self._diff = DiffPanel(theme)
        self._right = StatePages(theme, self._diff)
        self._bring = button(theme, self.tr("Bring this version back"), "primary", "restore")
        self._open = button(theme, self.tr("Show the skill"), "quiet", "skill")
        self._all = button(theme, self.tr("Roll the whole library back…"), "quiet", "history")
        self._all.clicked.connect(self.rollback_requested)
        self._pages = StatePages(theme, self._build())
        self.setLayout(column(self._head(), self._pages, spacing=0))
        self._day.dateChanged.connect(self.ask)
        self._fate.currentIndexChanged.connect(self._fill)
        self._list.currentItemChanged.connect(self._on_current)
        self._bring.clicked.connect(self._on_bring)
        self._open.clicked.connect(self._on_open)

    @Slot()
    def ask(self) -> None:
        """Ask for the day that is set."""
        self._pages.show_loading(self.tr("Reading that day…"))
        self.day_requested.emit(end_of(self._day.date()))

    def set_day(self, day: QDate) -> None:
        """Choose a day."""
        self._day.setDate(day)

    @Slot(object)
    def set_then(self, then: LibraryThen) -> None:
        """Show the skills of that day."""
        self._then = then
        told = self.tr("{count} skills after the last step of {when}: {what}. {since} came later.")
        what = f"{step_words.subjects(then.entry)} – {step_words.what(then.entry)}"
        count, since = len(then.skills), len(then.since)
        self._told.setText(told.format(count=count, when=local_time(then.entry.at), what=what, since=since))
        self._fill()

    @Slot(object)
    def set_failure(self, failure: Failure) -> None:
        """Nothing is known of that day."""
        self._then = None
        self._told.clear()
        self._pages.show_empty("history", failure.title, failure.text)

    def set_difference(self, then: str, files: Sequence[FileDiff]) -> None:
        """What changed of the chosen skill from then to now."""
        if self._current is None or self._current.id != then:
            return
        if files:
            self._diff.set_files(files)
            self._right.show_content()
        else:
            self._right.show_empty("success", self.tr("The same today"), self.tr("Its text did not change since."))

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """Names and fates as shown."""
        items = (self._list.topLevelItem(place) for place in range(self._list.topLevelItemCount()))
        return tuple((item.text(0), item.text(1)) for item in items if item is not None)

    @property
    def bring_button(self) -> QWidget:
        """The button that brings a version back."""
        return self._bring

    def choose(self, name: str) -> None:
        """Choose a row by its name."""
        found = self._list.findItems(name, Qt.MatchFlag.MatchExactly)
        if found:
            self._list.setCurrentItem(found[0])

    def _head(self) -> QWidget:
        line = FlowLayout(spacing=8)
        for part in (label(self.tr("The library as it was on"), "heading"), self._day, self._fate):
            line.addWidget(part)
        return bar(column(line, self._told, margins=(12, 8, 12, 8), spacing=6), "surface")

    def _build(self) -> QWidget:
        right, actions = QWidget(), FlowLayout(spacing=4)
        actions.addWidget(self._bring)
        actions.addWidget(self._open)
        actions.addWidget(self._all)
        foot = column(actions, margins=(12, 6, 12, 6))
        right.setLayout(column(self._right, bar(foot, "bg", "top"), spacing=0))
        return Split(self._list, right, 320, 130)

    @Slot()
    def _fill(self) -> None:
        self._list.clear()
        if self._then is None:
            return
        wanted = self._fate.currentData()
        rank = {fate: place for place, fate in enumerate(FATES)}
        shown = [row for row in self._then.skills if wanted in {"", row.fate}]
        shown.sort(key=lambda row: (rank[row.fate], row.name))
        first: QTreeWidgetItem | None = None
        for row in shown:
            item = QTreeWidgetItem([row.name, self._words(row.fate)])
            item.setData(0, _SKILL, row)
            item.setToolTip(0, row.id)
            self._list.addTopLevelItem(item)
            first = first or item
        if first is not None:
            self._pages.show_content()
            self._list.setCurrentItem(first)
        else:
            self._pages.show_empty("history", self.tr("None of these"), self.tr("Choose another fate or day."))

    def _words(self, fate: str) -> str:
        return {
            "same": self.tr("unchanged"),
            "changed": self.tr("changed"),
            "moved": self.tr("moved"),
            "archived": self.tr("in the archive"),
            "gone": self.tr("gone"),
        }.get(fate, fate)

    @Slot()
    def _on_current(self) -> None:
        item = self._list.currentItem()
        self._current = item.data(0, _SKILL) if item is not None else None
        row = self._current
        if row is None or self._then is None:
            return
        self._bring.setVisible(row.fate != "same" and row.fate != "moved")
        archived = row.fate == "archived"
        self._bring.setText(self.tr("Restore it") if archived else self.tr("Bring this version back"))
        self._open.setVisible(row.fate != "gone")
        self._right.show_loading(self.tr("Comparing…"))
        self.difference_requested.emit(row.id, self._then.entry.id)

    @Slot()
    def _on_bring(self) -> None:
        if self._current is None or self._then is None:
            return
        if self._current.fate == "archived":
            self.restore_requested.emit(self._current.now)
        else:
            self.version_requested.emit(self._current.now, self._then.entry.id)

    @Slot()
    def _on_open(self) -> None:
        if self._current is not None:
            self.skill_requested.emit(self._current.now)


def end_of(day: QDate) -> datetime:
    """The last moment of a day in the reader's own zone, in UTC."""
    local = datetime(day.year(), day.month(), day.day()).astimezone()
    return (local + timedelta(days=1) - timedelta(microseconds=1)).astimezone(UTC)
