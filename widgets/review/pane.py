"""The review page: inbox on one side, one group on the other, the action bar below, and a summary after the last."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.errors import Failure
from app.proposals.values import Outcome, Proposal
from widgets.common.empty_state import StatePages
from widgets.common.parts import column
from widgets.common.theme import Theme
from widgets.review.action_bar import ActionBar
from widgets.review.choice import unseen
from widgets.review.inbox import Inbox
from widgets.review.page import GroupPage, with_details
from widgets.review.readiness import readiness
from widgets.review.sides import Sides
from widgets.review.sitting import Sitting
from widgets.review.words import Row


class ReviewPane(QWidget):
    """Light proposals in by `set_proposals`, the full one of the shown row by `show_details`.

    details_requested(proposal); approve_requested(proposal, change ids, {change id: hash seen});
    reject_requested(proposal, change ids, reason); reopen_requested(proposal, change ids);
    edit_saved(proposal, change, text); undo_requested(entry ids, newest first); report_requested(run);
    turn_requested(session, turn); skill_selected(id); count_changed(waiting groups); refresh_requested().
    """

    details_requested = Signal(str)
    approve_requested = Signal(str, object, object)
    reject_requested = Signal(str, object, str)
    reopen_requested = Signal(str, object)
    edit_saved = Signal(str, str, str)
    undo_requested = Signal(object)
    report_requested = Signal(str)
    turn_requested = Signal(str, str)
    skill_selected = Signal(str)
    count_changed = Signal(int)
    refresh_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: Row | None = None
        self._full: Proposal | None = None
        self._seen: dict[str, dict[str, str]] = {}
        self._sitting = Sitting()
        self._inbox, self._page, self._bar = Inbox(theme), GroupPage(theme), ActionBar(theme)
        content = QWidget()
        inside = column(self._page, self._bar, spacing=0)
        inside.setStretch(0, 1)
        content.setLayout(inside)
        self._pages = StatePages(theme, content)
        self._sides = Sides(theme, self._inbox, self._pages)
        self.setLayout(column(self._sides, spacing=0))
        self._connect()
        self.set_loading()

    def set_loading(self) -> None:
        """Say that the inbox is being read."""
        self._pages.show_loading(self.tr("Reading the inbox…"))

    def set_proposals(self, proposals: Sequence[Proposal]) -> None:
        """Show the inbox. The shown group stays, and its details are asked for again when it was changed."""
        if self._full is not None:
            listed = next((item for item in proposals if item.id == self._full.id), None)
            if listed is None or _states(listed) != _states(self._full):
                self._full = None
        self._inbox.set_proposals(proposals)
        self._sides.set_back(self.tr("Inbox ({n})").format(n=self._inbox.waiting))
        self.count_changed.emit(self._inbox.waiting)
        if self._inbox.current is None:
            self._show_nothing()

    def show_proposal(self, proposal: str, group: str = "") -> None:
        """Go to a proposal, or to one of its groups."""
        self._inbox.go_to(proposal, group)
        self._sides.show_detail()

    def show_details(self, proposal: Proposal) -> None:
        """The full values of a proposal that was asked for."""
        self._full = proposal
        if self._row is not None and self._row.proposal.id == proposal.id:
            self._row = with_details(self._row, proposal)
            self._draw()

    def show_outcome(self, outcome: Outcome) -> None:
        """What a decision led to; it is kept for the summary."""
        self.set_busy(False)
        self._sitting.add(outcome)
        self._full = None
        self._bar.tell(" ".join(dict.fromkeys(why for _skill, why in outcome.refused)))

    def show_failure(self, failure: Failure) -> None:
        """A decision or a reading failed."""
        self.set_busy(False)
        self._pages.show_failure(failure)

    def set_busy(self, busy: bool) -> None:
        """A decision is being carried out."""
        self._bar.set_busy(busy)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A approves, E edits, R rejects, J and K walk; Esc closes the reason field."""
        if self._page.editing or event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            super().keyPressEvent(event)
            return
        keys = {
            Qt.Key.Key_A: self._approve_or_show,
            Qt.Key.Key_E: self._page.edit,
            Qt.Key.Key_R: self._bar.ask_reason,
            Qt.Key.Key_J: self._next,
            Qt.Key.Key_K: self._previous,
            Qt.Key.Key_Escape: self._bar.close_reason,
        }
        act = keys.get(Qt.Key(event.key()))
        if act is not None and self._bar.isEnabled() and self._pages.kind == "content":
            act()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """What was loaded while the page was hidden counts as seen from now on."""
        super().showEvent(event)
        if self._row is not None:
            self._draw()

    def _connect(self) -> None:
        self._inbox.chosen.connect(self._choose)
        self._inbox.view.clicked.connect(self._sides.show_detail)
        self._inbox.view.activated.connect(self._sides.show_detail)
        self._page.shown.connect(self._mark_seen)
        self._page.choice_changed.connect(self._update_bar)
        self._page.skill_selected.connect(self.skill_selected)
        self._page.report_requested.connect(self.report_requested)
        self._page.turn_requested.connect(self.turn_requested)
        self._page.edit_saved.connect(self._save_edit)
        self._bar.approved.connect(self._approve)
        self._bar.edited.connect(self._page.edit)
        self._bar.rejected.connect(self._reject)
        self._bar.later.connect(self._next)
        self._bar.reopened.connect(self._reopen)
        self._pages.action_requested.connect(self._act)

    def _choose(self, item: Row | None) -> None:
        if item is None or self._row is None or item.key != self._row.key:
            self._bar.tell("")
        self._row = item
        if item is None:
            self._show_nothing()
            return
        if self._full is not None and self._full.id == item.proposal.id:
            self._row = with_details(item, self._full)
        else:
            self.details_requested.emit(item.proposal.id)
        self._draw()

    def _draw(self) -> None:
        if self._row is not None:
            self._pages.show_content()
            self._page.show_row(self._row, self._seen_here())
            self._update_bar()

    def _seen_here(self) -> Mapping[str, str]:
        return self._seen.get(self._row.proposal.id, {}) if self._row is not None else {}

    def _mark_seen(self, change_id: str) -> None:
        change = self._page.change
        if self._row is None or change is None or change.id != change_id:
            return
        seen = self._seen.setdefault(self._row.proposal.id, {})
        if seen.get(change_id) != change.seen:
            seen[change_id] = change.seen
            self._page.set_seen(seen)
            self._update_bar()

    def _update_bar(self) -> None:
        if self._row is not None:
            seen = self._seen_here()
            self._bar.set_state(readiness(self._row.group, self._page.chosen, seen, self._page.change))
            self._bar.set_place(*self._inbox.place)

    def _approve_or_show(self) -> None:
        """A: approve, or go to what was not looked at yet."""
        if self._row is None:
            return
        first = unseen(self._row.group, self._page.chosen, self._seen_here())
        if first is not None and first.id != (self._page.change.id if self._page.change else ""):
            self._page.go_to(first.id)
        elif self._bar.approve.isEnabled():
            self._approve()

    def _approve(self) -> None:
        if self._row is None:
            return
        ids = self._chosen_ids()
        seen = {change: self._seen_here()[change] for change in ids}
        self.set_busy(True)
        self.approve_requested.emit(self._row.proposal.id, ids, seen)

    def _reject(self, reason: str) -> None:
        if self._row is not None:
            self.set_busy(True)
            self.reject_requested.emit(self._row.proposal.id, self._chosen_ids(), reason)

    def _reopen(self) -> None:
        if self._row is not None:
            ids = tuple(change.id for change in self._row.group.changes)
            self.reopen_requested.emit(self._row.proposal.id, ids)

    def _chosen_ids(self) -> tuple[str, ...]:
        changes = self._row.group.changes if self._row is not None else ()
        return tuple(change.id for change in changes if change.id in self._page.chosen)

    def _save_edit(self, change: str, text: str) -> None:
        if self._row is not None:
            self.edit_saved.emit(self._row.proposal.id, change, text)

    def _next(self) -> None:
        self._inbox.step(1)

    def _previous(self) -> None:
        self._inbox.step(-1)

    def _show_nothing(self) -> None:
        self._row = None
        if self._inbox.waiting:
            told = self.tr("No proposal fits the filter.")
            self._pages.show_filtered(told, "", ("waiting", self.tr("Show all that wait")))
        elif self._sitting.decided:
            undo = ("undo", self.tr("Undo all of it")) if self._sitting.entries else ("", "")
            self._pages.show_empty("success", self.tr("All decided"), self._sitting.words(), undo)
        else:
            text = self.tr("What a review or the curator wants to change waits here until you decide.")
            self._pages.show_empty("review", self.tr("Nothing waits"), text)

    def _act(self, action: str) -> None:
        if action == "undo":
            entries = self._sitting.entries
            self._sitting = Sitting()
            self.undo_requested.emit(entries)
        elif action == "waiting":
            self._inbox.show_waiting()
        else:
            self.refresh_requested.emit()


def _states(proposal: Proposal) -> tuple[tuple[str, str, str, bool], ...]:
    """What decides whether full values are still those of the listed proposal."""
    changes = [change for group in proposal.groups for change in group.changes]
    return tuple((item.id, item.seen, item.decision.value, item.moved_on) for item in changes)
