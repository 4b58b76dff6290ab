"""The review page: inbox on one side, one group on the other, the action bar below, and a summary after the last."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from app.errors import Failure
from app.proposals.values import Change, Outcome, Proposal
from app.skills.values import Finding
from widgets.common.actions import ActionSet
from widgets.common.empty_state import StatePages
from widgets.common.parts import column
from widgets.common.theme import Theme
from widgets.review.action_bar import ActionBar
from widgets.review.actions import REVIEW_ACTIONS, REVIEW_MENU
from widgets.review.batch import Batch, BatchDialog, aged_rows, opened_rows
from widgets.review.choice import unseen
from widgets.review.inbox import Inbox
from widgets.review.page import GroupPage, with_details
from widgets.review.readiness import readiness
from widgets.review.requests import ReviewRequests
from widgets.review.sides import Sides
from widgets.review.sitting import Sitting
from widgets.review.words import Row

#: Milliseconds after a change of the library until the shown proposal is compared with it anew.
_AGAIN_MS = 400


class ReviewPane(ReviewRequests):
    """Light proposals in by `set_proposals`, the full one of the shown row by `show_details`. The signals are those of
    ReviewRequests.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._full: Proposal | None = None
        self._seen: dict[str, dict[str, str]] = {}
        self._awaited = 0
        self._wanted: tuple[str, ...] = ()
        self._sitting = Sitting()
        self.actions_here = ActionSet(theme, REVIEW_ACTIONS, self)
        self._inbox, self._page, self._bar = Inbox(theme), GroupPage(theme), ActionBar(theme)
        self._bar.set_actions(self.actions_here)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self._ask_again)
        self._stale = False
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
        self._update_bar()

    def set_proposals(self, proposals: Sequence[Proposal]) -> None:
        """Show the inbox. The shown group stays, and its details are asked for again when it was changed."""
        if self._full is not None:
            listed = next((item for item in proposals if item.id == self._full.id), None)
            if listed is None or _states(listed) != _states(self._full):
                self._full = None
        self._inbox.set_proposals(proposals)
        if self._wanted and self._inbox.go_to(*self._wanted):
            self._wanted = ()
        if not self._awaited:
            # Only now does the page show what is left: pressing A twice must not approve the same group again.
            self.set_busy(False)
        self._sides.set_back(self.tr("Inbox ({n})").format(n=self._inbox.waiting))
        self.count_changed.emit(self._inbox.waiting)
        if self._inbox.current is None:
            self._show_nothing()

    def show_proposal(self, proposal: str, group: str = "") -> None:
        """Go to a proposal, or to one of its groups; one that is not listed yet is shown as soon as it is."""
        self._wanted = () if self._inbox.go_to(proposal, group) else (proposal, group)
        self._sides.show_detail()

    def look_again(self) -> None:
        """The library has changed: what is shown may have moved on. Asked for in a moment, or when the page is seen."""
        self._again.start()

    def show_details(self, proposal: Proposal) -> None:
        """The full values of a proposal that was asked for."""
        self._full = proposal
        if self._row is not None and self._row.proposal.id == proposal.id:
            self._row = with_details(self._row, proposal)
            self._draw()

    def show_part(self, proposal: str, narrowed: Change) -> None:
        """What the chosen parts of a change would write."""
        if self._row is not None and self._row.proposal.id == proposal:
            self._page.take_part(narrowed)
            self._update_bar()

    def show_findings(self, change: str, text: str, findings: Sequence[Finding]) -> None:
        """What is wrong with the text that is being edited."""
        self._page.set_findings(change, text, findings)

    def show_outcome(self, outcome: Outcome) -> None:
        """What a decision led to, kept for the summary. The page can be used again when the inbox was read anew."""
        self._sitting.add(outcome, self._inbox.rows)
        self._awaited = max(0, self._awaited - 1)
        self._full = None
        self._bar.tell(" ".join(dict.fromkeys(why for _skill, why in outcome.refused)))

    def show_failure(self, failure: Failure) -> None:
        """A decision or a reading failed. What is on the screen stays, with the sentence at the actions."""
        self._awaited = 0
        self.set_busy(False)
        if self._full is not None and self._pages.kind == "content":
            self._bar.tell(f"{failure.title}. {failure.text}")
        else:
            self._pages.show_failure(failure)

    def set_busy(self, busy: bool) -> None:
        """A decision is being carried out."""
        self._bar.set_busy(busy)
        self._update_bar()

    def set_revising(self, revising: bool) -> None:
        """A fork works on a group again."""
        self._bar.set_revising(revising)
        self._update_bar()

    def show_step(self, text: str) -> None:
        """What the fork that works on a group again does."""
        self._bar.show_step(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes the line that asks for a reason or a note."""
        if event.key() == Qt.Key.Key_Escape and self._bar.asking:
            self._bar.close_reason()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """What was loaded while the page was hidden counts as seen from now on."""
        super().showEvent(event)
        if self._row is not None:
            self._draw()
        if self._stale:
            self._again.start()

    def _connect(self) -> None:
        self._inbox.chosen.connect(self._choose)
        self._inbox.batch_asked.connect(self._open_batch)
        self._inbox.menu_asked.connect(self._open_menu)
        self._inbox.view.clicked.connect(self._sides.show_detail)
        self._inbox.view.activated.connect(self._sides.show_detail)
        self._page.shown.connect(self._mark_seen)
        self._page.choice_changed.connect(self._update_bar)
        self._page.editing_changed.connect(self._bar.setHidden)
        self._page.part_asked.connect(self._ask_part)
        self._page.skill_selected.connect(self.skill_selected)
        self._page.report_requested.connect(self.report_requested)
        self._page.turn_requested.connect(self.turn_requested)
        self._page.edit_saved.connect(self._save_edit)
        self._page.check_asked.connect(self._ask_check)
        self._page.keep_asked.connect(self._ask_keep)
        self._page.settled.connect(self._ask_settle)
        self._bar.approved.connect(self._approve)
        self._bar.edited.connect(self._page.edit)
        self._bar.rejected.connect(self._reject)
        self._bar.revised.connect(self._revise)
        self._bar.later.connect(self._next)
        self._bar.reopened.connect(self._reopen)
        self._bar.cancelled.connect(self.revise_cancelled)
        self._pages.action_requested.connect(self._act)
        self.actions_here.triggered.connect(self.carry_out)

    def carry_out(self, action: str) -> None:
        """Do what one of the page's actions says, wherever it was picked."""
        if self._page.editing:
            return
        does = {
            "review.approve": self._approve_or_show,
            "review.edit": self._page.edit,
            "review.reject": self._bar.ask_reason,
            "review.revise": self._bar.ask_note,
            "review.reopen": self._reopen,
            "review.batch": self._open_batch,
            "review.next": self._next,
            "review.previous": self._previous,
            "review.next_change": lambda: self._page.step_change(1),
            "review.previous_change": lambda: self._page.step_change(-1),
            "review.next_part": lambda: self._page.step_part(1),
            "review.previous_part": lambda: self._page.step_part(-1),
            "review.part": self._page.toggle_part,
            "review.whole": self._page.toggle_whole,
        }
        does[action]()

    def _choose(self, item: Row | None) -> None:
        if item is None or self._row is None or item.key != self._row.key:
            self._bar.tell("")
            self._bar.close_reason()
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
        wanted = self._page.parts.effective(change).seen
        if seen.get(change_id) != wanted:
            seen[change_id] = wanted
            self._page.set_seen(seen)
            self._update_bar()

    def _update_bar(self) -> None:
        """Buttons and actions offer what can be done now."""
        shown = self._row is not None and self._pages.kind == "content"
        enabled = {"review.batch": self._inbox.waiting > 1}
        if self._row is not None and shown:
            group, page = self._row.group, self._page
            forked = self._row.proposal.run is not None or self._row.proposal.session is not None
            ready = readiness(group, page.chosen, self._seen_here(), page.change, page.parts, forked=forked)
            self._bar.set_state(ready)
            self._bar.set_place(*self._inbox.place)
            self._sides.set_place(*self._inbox.place)
            enabled |= {
                "review.approve": ready.waiting,
                "review.edit": ready.may_edit,
                "review.reject": ready.waiting,
                "review.revise": ready.may_revise,
                "review.reopen": ready.may_reopen,
            }
        always = {"review.next", "review.previous"}
        for name in REVIEW_MENU:
            on = enabled.get(name, shown or name in always) and self._bar.isEnabled() and not self._bar.revising
            self.actions_here.enable((name,), on=on)

    def _approve_or_show(self) -> None:
        """Approve, or go to what was not looked at yet."""
        if self._row is None:
            return
        first = unseen(self._page.parts.group(self._row.group), self._page.chosen, self._seen_here())
        if first is not None and first.id != (self._page.change.id if self._page.change else ""):
            self._page.go_to(first.id)
        elif self._bar.approve.isEnabled():
            self._approve()

    def _approve(self) -> None:
        if self._row is None:
            return
        ids = self._chosen_ids()
        seen = {change: self._seen_here()[change] for change in ids}
        changes = {change.id: change for change in self._row.group.changes}
        parts = {change: self._page.parts.hunks(changes[change]) for change in ids}
        hunks = {change: dict(found) for change, found in parts.items() if found is not None}
        self._send((Batch(self._row.proposal.id, ids, seen),), hunks)

    def _send(self, wanted: Sequence[Batch], hunks: Mapping[str, object] | None = None) -> None:
        self._awaited = len(wanted)
        self.set_busy(True)
        for batch in wanted:
            self.approve_requested.emit(batch.proposal, batch.changes, dict(batch.seen), dict(hunks or {}))

    def _open_batch(self) -> None:
        rows = self._inbox.rows
        dialog = BatchDialog(self._theme, opened_rows(rows, self._seen), aged_rows(rows), self)
        dialog.approved.connect(self._send)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _open_menu(self, place: QPoint) -> None:
        menu: QMenu = self.actions_here.menu(REVIEW_MENU, "", self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    def _ask_again(self) -> None:
        self._stale = not self.isVisible()
        busy = self._awaited or self._page.editing or self._bar.revising
        if self._row is not None and not self._stale and not busy:
            self.details_requested.emit(self._row.proposal.id)

    def _reject(self, reason: str) -> None:
        if self._row is not None:
            self._awaited = 1
            self.set_busy(True)
            self.reject_requested.emit(self._row.proposal.id, self._chosen_ids(), reason)

    def _chosen_ids(self) -> tuple[str, ...]:
        changes = self._row.group.changes if self._row is not None else ()
        return tuple(change.id for change in changes if change.id in self._page.chosen)

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
        self._update_bar()

    def _act(self, action: str) -> None:
        if action == "undo":
            entries = self._sitting.entries
            self._sitting = Sitting()
            self.undo_requested.emit(entries)
        elif action == "waiting":
            self._inbox.show_waiting()
        else:
            self.refresh_requested.emit()


def _states(proposal: Proposal) -> tuple[tuple[str, str, str], ...]:
    """What decides whether full values are still those of the listed proposal."""
    changes = [change for group in proposal.groups for change in group.changes]
    return tuple((item.id, item.seen, item.decision.value) for item in changes)
