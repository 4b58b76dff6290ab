"""One group on the page: its head, and the chosen change as diff, text, loss, files and conflict, or in the editor."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QWidget

from app.proposals.values import Change, Proposal
from app.skills.values import Finding
from app.text.values import FileStatus
from widgets.common.diff_panel import DiffPanel
from widgets.common.markdown_view import MarkdownView
from widgets.common.parts import column
from widgets.common.theme import Theme
from widgets.review.choice import open_changes, toggled
from widgets.review.conflict_view import ConflictView, texts_of
from widgets.review.editor import ChangeEditor
from widgets.review.files_view import FilesView
from widgets.review.head import GroupHead
from widgets.review.loss_view import LossView
from widgets.review.narrowing import Narrowing
from widgets.review.words import Row

#: A page lower than this has a head of single lines.
_LOW = 520
#: Milliseconds after the last check box until the chosen parts are worked out.
_PARTS_MS = 150
DIFF, PROPOSED, CURRENT, LOSS, FILES, CONFLICT = range(6)


class GroupPage(QWidget):
    """Signals: shown(change id) whenever a change's content is on the screen, choice_changed(), editing_changed(on),
    part_asked(change, hunks) a moment after hunks were taken out, skill_selected(id), report_requested(run),
    turn_requested(session, turn), edit_saved(change, text), check_asked(change, text), keep_asked(change, units),
    settled(change, take, texts).
    """

    shown = Signal(str)
    choice_changed = Signal()
    editing_changed = Signal(bool)
    part_asked = Signal(str, object)
    skill_selected = Signal(str)
    report_requested = Signal(str)
    turn_requested = Signal(str, str)
    edit_saved = Signal(str, str)
    check_asked = Signal(str, str)
    keep_asked = Signal(str, object)
    settled = Signal(str, str, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row: Row | None = None
        self._current = ""
        self._chosen: frozenset[str] = frozenset()
        self._seen: Mapping[str, str] = {}
        self._texts: dict[int, str] = {}
        self._built = False
        self._filling = False
        self._still = QTimer(self)
        self._still.setSingleShot(True)
        self._still.setInterval(_PARTS_MS)
        self._still.timeout.connect(self._ask_part)
        self.parts = Narrowing()

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
        if not same:
            self.parts.clear()
        self._row, self._seen = item, seen
        if not same or self._current not in known:
            self._current = item.group.changes[0].id if item.group.changes else ""
        if not same:
            self._show_tabs()
            self._tabs.setCurrentIndex(DIFF)
        self._head.show_group(item.proposal, item.group)
        self._fill_list()
        self._show_change()

    def set_seen(self, seen: Mapping[str, str]) -> None:
        """Mark what was seen."""
        self._seen = seen
        self._fill_list()

    def take_part(self, narrowed: Change) -> None:
        """What the chosen parts of a change would write; shown when the choice is still that one."""
        if self._row is not None and self.parts.take(narrowed):
            self._show_change()

    def set_findings(self, change: str, text: str, findings: Sequence[Finding]) -> None:
        """What is wrong with the text in the editor."""
        if self._built:
            self._editor.set_findings(change, text, findings)

    def go_to(self, change: str) -> None:
        """Show another change of the group."""
        self._current = change
        self._fill_list()
        self._show_change()

    def step_change(self, by: int) -> None:
        """Show the next or the previous change of the group."""
        if self._built:
            self._head.list.step(by)

    def step_part(self, by: int) -> None:
        """Go to the next or the previous part of the difference."""
        if self._built:
            self._tabs.setCurrentIndex(DIFF)
            (self._diff.view.next_hunk if by > 0 else self._diff.view.previous_hunk)()

    def toggle_part(self) -> None:
        """Take the current part of the difference, or leave it."""
        if self._built:
            self._diff.view.toggle_current()

    def toggle_whole(self) -> None:
        """Show the unchanged lines, or fold them away."""
        if self._built:
            self._diff.view.set_all_opened(not self._diff.view.all_opened)

    def edit(self) -> None:
        """Edit the proposed text of the shown change."""
        change = self.change
        if change is not None and change.waiting and change.after_text:
            self._editor.edit(self.parts.effective(change))
            self._pages.setCurrentWidget(self._editor)
            self._head.set_editing(True)
            self.editing_changed.emit(True)

    @property
    def change(self) -> Change | None:
        """The change on the screen, whole."""
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A low page has a head of single lines."""
        super().resizeEvent(event)
        if self._built:
            self._head.set_low(event.size().height() < _LOW)

    def _build(self) -> None:
        theme = self._theme
        self._head = GroupHead(theme)
        self._head.set_low(self.height() < _LOW)
        self._diff, self._proposed, self._present = DiffPanel(theme), MarkdownView(theme), MarkdownView(theme)
        self._loss, self._files, self._conflict = LossView(theme), FilesView(), ConflictView(theme)
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        views = {
            self.tr("Diff"): self._diff,
            self.tr("Proposed"): self._proposed,
            self.tr("Current"): self._present,
            self.tr("Loss"): self._loss,
            self.tr("Files"): self._files,
            self.tr("Conflict"): self._conflict,
        }
        for word, view in views.items():
            self._tabs.addTab(view, word)
        self._editor = ChangeEditor(theme)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._tabs)
        self._pages.addWidget(self._editor)
        page = column(self._head, self._pages, spacing=0)
        page.setStretch(1, 1)
        self.setLayout(page)

    def _connect(self) -> None:
        self._head.change_chosen.connect(self.go_to)
        self._head.change_toggled.connect(self._toggle)
        self._head.turn_asked.connect(self._ask_turn)
        self._head.report_asked.connect(self._ask_report)
        self._head.skill_asked.connect(self._ask_skill)
        self._tabs.currentChanged.connect(self._on_tab)
        self._diff.chosen_changed.connect(self._on_parts)
        self._loss.keep_asked.connect(self._ask_keep)
        self._conflict.settled.connect(self.settled)
        self._editor.saved.connect(self._save)
        self._editor.cancelled.connect(self._close_editor)
        self._editor.check_asked.connect(self.check_asked)

    def _fill_list(self) -> None:
        if self._row is not None:
            group = self.parts.group(self._row.group)
            self._head.show_list(group, self._chosen, self._seen, self._current)

    def _show_change(self) -> None:
        change = self.change
        if change is None or self._row is None:
            return
        would = self.parts.effective(change)
        self._head.show_change(self._row.proposal, change, would)
        self._show_diff(change)
        self._texts = {PROPOSED: would.after_text, CURRENT: change.before_text}
        self._files.set_files(would.files)
        if change.loss is not None:
            self._loss.set_loss(change.loss, may_keep=change.waiting and self._has_umbrella(change))
        if change.conflicts:
            self._conflict.set_change(change)
        self._tabs.setTabVisible(PROPOSED, bool(would.after_text))
        self._tabs.setTabVisible(CURRENT, bool(change.before_text))
        self._tabs.setTabVisible(LOSS, change.loss is not None and bool(change.loss.units))
        self._tabs.setTabVisible(FILES, len(change.files) > 1 or any(file.binary for file in change.files))
        self._tabs.setTabVisible(CONFLICT, bool(change.conflicts) and texts_of(change.conflicts))
        self._on_tab()

    def _show_diff(self, change: Change) -> None:
        """The whole difference, with the parts that were taken out still taken out."""
        parts = [hunk for file in change.files for hunk in file.hunks]
        splits = any(file.status is FileStatus.MODIFIED for file in change.files) or len(change.files) > 1
        self._filling = True
        self._diff.set_checkable(
            change.waiting and change.result is not None and change.memory is None and len(parts) > 1 and splits
        )
        self._diff.set_files(change.files)
        hunks = self.parts.hunks(change)
        every = {file.path: frozenset(hunk.id for hunk in file.hunks) for file in change.files}
        wanted = every if hunks is None else dict(hunks)
        if self._diff.chosen() != wanted:
            self._diff.set_chosen(wanted)
        self._filling = False

    def _has_umbrella(self, change: Change) -> bool:
        """Whether the umbrella that takes a change's skill in can still be changed."""
        others = self._row.group.changes if self._row is not None else ()
        return any(other.skill == change.into and other.waiting and other.result is not None for other in others)

    def _on_tab(self) -> None:
        """Texts are laid out when their tab is looked at. Content counts as seen on the tabs that show what would be
        written, once it is really there.
        """
        tab, change = self._tabs.currentIndex(), self.change
        if tab in self._texts:
            view = self._proposed if tab == PROPOSED else self._present
            view.show_text(self._texts.pop(tab))
        if change is not None and change.files and tab in (DIFF, PROPOSED) and self.isVisible():
            self.shown.emit(change.id)

    def _on_parts(self) -> None:
        change = self.change
        if self._filling or change is None:
            return
        self.parts.choose(change, None if self._diff.view.all_chosen else self._diff.chosen())
        self._still.start()
        if self._diff.view.all_chosen:
            self._show_change()
        self.choice_changed.emit()

    def _ask_part(self) -> None:
        for change in self._row.group.changes if self._row is not None else ():
            hunks = self.parts.hunks(change)
            if hunks is not None and self.parts.pending(change) and not self.parts.empty(change):
                self.part_asked.emit(change.id, dict(hunks))

    def _toggle(self, change: str, on: bool) -> None:
        if self._row is not None:
            self._chosen = toggled(self._row.group, self._chosen, change, on=on)
            self._fill_list()
            self.choice_changed.emit()

    def _save(self, change: str, text: str) -> None:
        self._close_editor()
        self.edit_saved.emit(change, text)

    def _close_editor(self) -> None:
        self._show_tabs()
        self._diff.view.setFocus()

    def _show_tabs(self) -> None:
        self._pages.setCurrentIndex(0)
        self._head.set_editing(False)
        self.editing_changed.emit(False)

    def _ask_keep(self, units: tuple[int, ...]) -> None:
        if self.change is not None:
            self.keep_asked.emit(self.change.id, units)

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
