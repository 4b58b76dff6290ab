"""One group on the page: what it is, why, its changes, and the chosen change as diff, text, loss and files."""

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QWidget

from app.proposals.values import Change, Group, Proposal
from widgets.common.ages import age_word, day_word, now_utc
from widgets.common.chips import Chip
from widgets.common.diff_panel import DiffPanel
from widgets.common.markdown_view import MarkdownView
from widgets.common.parts import bar, button, column, label, row
from widgets.common.theme import Theme
from widgets.review.banner import Banner
from widgets.review.changes import ChangeList
from widgets.review.choice import open_changes, toggled
from widgets.review.editor import ChangeEditor
from widgets.review.files_view import FilesView
from widgets.review.loss_view import LossView
from widgets.review.words import Row, decision_word, name_of, origin_word


class GroupPage(QWidget):
    """Signals: shown(change id) whenever a change's content is on the screen, choice_changed(), skill_selected(id),
    report_requested(run), turn_requested(session, turn), edit_saved(change, text).
    """

    shown = Signal(str)
    choice_changed = Signal()
    skill_selected = Signal(str)
    report_requested = Signal(str)
    turn_requested = Signal(str, str)
    edit_saved = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row: Row | None = None
        self._current = ""
        self._chosen: frozenset[str] = frozenset()
        self._seen: Mapping[str, str] = {}
        self._built = False

    def show_row(self, item: Row, seen: Mapping[str, str]) -> None:
        """Show a group. The same group again keeps the chosen change, the check boxes and the tab."""
        if not self._built:
            # The views are made for the first group only: most starts of the program never show one.
            self._build()
            self._connect()
            self._built = True
        same = self._row is not None and self._row.key == item.key
        opened = {change.id for change in open_changes(item.group)}
        self._chosen = frozenset(self._chosen & opened) if same else frozenset(opened)
        known = {change.id for change in item.group.changes}
        self._row, self._seen = item, seen
        if not same or self._current not in known:
            self._current = item.group.changes[0].id if item.group.changes else ""
        if not same:
            self._pages.setCurrentIndex(0)
        self._show_head(item.proposal, item.group)
        self._show_change()

    def set_seen(self, seen: Mapping[str, str]) -> None:
        """Mark what was seen."""
        self._seen = seen
        self._fill_list()

    def go_to(self, change: str) -> None:
        """Show another change of the group."""
        self._current = change
        self._fill_list()
        self._show_change()

    def edit(self) -> None:
        """Edit the proposed text of the shown change."""
        change = self.change
        if change is not None and change.after_text:
            self._editor.edit(change)
            self._pages.setCurrentWidget(self._editor)

    @property
    def change(self) -> Change | None:
        """The change on the screen."""
        group = self._row.group if self._row else None
        return next((item for item in group.changes if item.id == self._current), None) if group else None

    @property
    def chosen(self) -> frozenset[str]:
        """The ids whose boxes are checked."""
        return self._chosen

    @property
    def editing(self) -> bool:
        """Whether the editor is open."""
        return self._built and self._pages.currentWidget() is self._editor

    def _build(self) -> None:
        theme = self._theme
        self._title = label(role="title", wrap=True)
        self._origin, self._state = Chip(theme), Chip(theme)
        self._age = label(role="caption")
        self._why = label(role="muted", wrap=True)
        self._why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._turn = button(theme, self.tr("Go to the conversation"), "link")
        self._report = button(theme, self.tr("Read the report"), "link")
        self._skill = button(theme, "", "link")
        self._list = ChangeList(theme)
        self._banner = Banner(theme)
        facts = row(self._origin, self._state, self._age, None, spacing=8)
        links = row(self._turn, self._report, self._skill, None, spacing=12)
        head = column(
            self._title, facts, self._why, links, self._list, self._banner, margins=(16, 12, 16, 8), spacing=6
        )
        self._diff, self._proposed, self._present = DiffPanel(theme), MarkdownView(theme), MarkdownView(theme)
        self._loss, self._files = LossView(theme), FilesView()
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        words = (self.tr("Diff"), self.tr("Proposed"), self.tr("Current"), self.tr("Loss"), self.tr("Files"))
        for word, view in zip(words, (self._diff, self._proposed, self._present, self._loss, self._files), strict=True):
            self._tabs.addTab(view, word)
        self._editor = ChangeEditor(theme)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._tabs)
        self._pages.addWidget(self._editor)
        page = column(bar(head, "surface", ""), self._pages, spacing=0)
        page.setStretch(1, 1)
        self.setLayout(page)

    def _connect(self) -> None:
        self._list.chosen.connect(self.go_to)
        self._list.toggled.connect(self._toggle)
        self._turn.clicked.connect(self._ask_turn)
        self._report.clicked.connect(self._ask_report)
        self._skill.clicked.connect(self._ask_skill)
        self._tabs.currentChanged.connect(self._tell_shown)
        self._editor.saved.connect(self._save)
        self._editor.cancelled.connect(self._close_editor)

    def _show_head(self, proposal: Proposal, group: Group) -> None:
        self._title.setText(group.title)
        self._origin.show_fact(origin_word(proposal.origin), "accent")
        waiting = open_changes(group)
        self._state.show_fact("" if waiting else decision_word(group.decision), "muted")
        since = proposal.waiting_since or proposal.created_at
        age = age_word(since, now_utc())
        asked = self.tr("asked just now") if age == "now" else self.tr("asked {age} ago").format(age=age)
        self._age.setText(asked)
        self._age.setToolTip(day_word(since))
        self._turn.setVisible(bool(proposal.session))
        self._report.setVisible(bool(proposal.run))
        self._fill_list()
        self._list.setVisible(len(group.changes) > 1)

    def _fill_list(self) -> None:
        if self._row is not None:
            self._list.set_group(self._row.group, self._chosen, self._seen, self._current)

    def _show_change(self) -> None:
        change = self.change
        if change is None or self._row is None:
            return
        self._why.setText(change.decision_reason or change.reason or self._row.proposal.reason)
        self._why.setVisible(bool(self._why.text()))
        self._skill.setText(self.tr("Show {name}").format(name=name_of(change)))
        self._skill.setVisible(change.base is not None and change.memory is None)
        self._banner.set_change(self._row.proposal, change)
        self._diff.set_files(change.files)
        self._proposed.show_text(change.after_text)
        self._present.show_text(change.before_text)
        self._files.set_files(change.files)
        if change.loss is not None:
            self._loss.set_loss(change.loss)
        self._tabs.setTabVisible(1, bool(change.after_text))
        self._tabs.setTabVisible(2, bool(change.before_text))
        self._tabs.setTabVisible(3, change.loss is not None and bool(change.loss.units))
        self._tabs.setTabVisible(4, len(change.files) > 1 or any(file.binary for file in change.files))
        self._tell_shown()

    def _tell_shown(self) -> None:
        """Content counts as seen on the tabs that show what would be written, once it is really there."""
        change = self.change
        if change is not None and change.files and self._tabs.currentIndex() in (0, 1) and self.isVisible():
            self.shown.emit(change.id)

    def _toggle(self, change: str, on: bool) -> None:
        if self._row is not None:
            self._chosen = toggled(self._row.group, self._chosen, change, on=on)
            self._fill_list()
            self.choice_changed.emit()

    def _save(self, change: str, text: str) -> None:
        self._close_editor()
        self.edit_saved.emit(change, text)

    def _close_editor(self) -> None:
        self._pages.setCurrentIndex(0)

    def _ask_turn(self) -> None:
        if self._row is not None:
            self.turn_requested.emit(self._row.proposal.session or "", self._row.proposal.turn or "")

    def _ask_report(self) -> None:
        if self._row is not None:
            self.report_requested.emit(self._row.proposal.run or "")

    def _ask_skill(self) -> None:
        if self.change is not None:
            self.skill_selected.emit(self.change.skill)


def with_details(item: Row, full: Proposal) -> Row:
    """The same row with the full values of its proposal; as it is when the group is gone."""
    group = next((group for group in full.groups if group.id == item.group.id), None)
    return item if group is None else replace(item, proposal=full, group=group)
