"""A change that waits for the user, shown where the agent asked for it: the diff, Approve, Reject."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QLineEdit

from app.proposals.values import Change, Proposal, ProposalState
from app.text.values import FileDiff
from widgets.chat.card import Card
from widgets.common.chips import Chip
from widgets.common.diff_view import DiffView
from widgets.common.parts import button, column, label, row
from widgets.common.theme import Theme

_DIFF_HEIGHT = 220


class ProposalCard(Card):
    """Approve is possible once the diff was on the screen.

    Signals: approve_requested(id, change ids, {change id: hash of what was shown}), reject_requested(id, change ids,
    reason), opened(id), details_requested(id) when the diff is wanted and only the light proposal is known.
    """

    approve_requested = Signal(str, object, object)
    reject_requested = Signal(str, object, str)
    opened = Signal(str)
    details_requested = Signal(str)

    def __init__(self, theme: Theme, proposal: Proposal) -> None:
        super().__init__(theme)
        self._proposal = proposal
        self._files: tuple[FileDiff, ...] = ()
        self._wanted = False
        self.setProperty("card", "true")
        self.column.setContentsMargins(12, 10, 12, 10)
        self.column.setSpacing(6)
        self._title = label(role="heading", wrap=True)
        self._state = Chip(theme)
        self._why = label(role="caption", wrap=True)
        self._diff = DiffView(theme)
        self._diff.setFixedHeight(_DIFF_HEIGHT)
        self._diff.hide()
        self._show = button(theme, self.tr("Diff"), icon="diff", tip=self.tr("Show what would change"))
        self._approve = button(theme, self.tr("Approve"), "primary", "check")
        self._reject = button(theme, self.tr("Reject"), icon="close")
        self._open = button(theme, self.tr("Open in Review"), "link")
        self._reason = QLineEdit()
        self._reason.setPlaceholderText(self.tr("Why not? Optional. Enter rejects."))
        self._reason.hide()
        self._show.clicked.connect(self._show_diff)
        self._approve.clicked.connect(self._ask_approve)
        self._reject.clicked.connect(self._ask_reason)
        self._reason.returnPressed.connect(self._ask_reject)
        self._open.clicked.connect(self._ask_open)
        self.column.addLayout(row(self._title, self._state))
        self.column.addWidget(self._why)
        self.column.addWidget(self._diff)
        self.column.addLayout(
            column(row(self._show, self._approve, self._reject, None), self._reason, row(self._open, None), spacing=6)
        )
        self.set_proposal(proposal)

    @property
    def proposal(self) -> str:
        """The proposal's id."""
        return self._proposal.id

    def set_proposal(self, proposal: Proposal) -> None:
        """Show where the proposal stands now. A new revision has to be looked at again."""
        revised = _hashes(proposal) != _hashes(self._proposal)
        self._proposal = proposal
        files = tuple(file for change in self._changes() for file in change.files)
        if revised:
            self._files = ()
            self._diff.hide()
        if files:
            self._files = files
        self._title.setText(proposal.title)
        self._why.setText(proposal.reason)
        self._why.setVisible(bool(proposal.reason))
        words = {
            ProposalState.PENDING: (self.tr("waiting for you"), "accent"),
            ProposalState.APPLIED: (self.tr("applied"), "success"),
            ProposalState.REJECTED: (self.tr("rejected"), "muted"),
            ProposalState.REPLACED: (self.tr("replaced"), "muted"),
            ProposalState.CLOSED: (self.tr("closed"), "muted"),
        }
        self._state.show_fact(*words[proposal.state])
        open_still = proposal.state is ProposalState.PENDING
        for part in (self._approve, self._reject):
            part.setVisible(open_still)
        if not open_still:
            self._reason.hide()
        if self._wanted and self._files:
            self._show_diff()
        self._mark_seen()

    def changeEvent(self, event: QEvent) -> None:
        """Keep the approve button honest when the card is enabled again."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.EnabledChange:
            self._mark_seen()

    def _changes(self) -> list[Change]:
        return [change for group in self._proposal.groups for change in group.changes]

    def _mark_seen(self) -> None:
        seen = self._diff.isVisibleTo(self)
        self._show.setVisible(not seen and bool(self._changes()))
        blocked = any(change.conflicts for change in self._changes())
        self._approve.setEnabled(seen and not blocked)
        tip = self.tr("Look at the diff first") if not seen else self.tr("Write this change")
        self._approve.setToolTip(self.tr("Solve the conflict in Review first") if blocked else tip)

    def _show_diff(self) -> None:
        if not self._files:
            self._wanted = True
            self.details_requested.emit(self._proposal.id)
            return
        self._wanted = False
        self._diff.set_files(self._files)
        self._diff.show()
        self._mark_seen()

    def _ask_approve(self) -> None:
        seen = _hashes(self._proposal)
        self.approve_requested.emit(self._proposal.id, tuple(seen), seen)

    def _ask_reason(self) -> None:
        if self._reason.isVisibleTo(self):
            self._ask_reject()
            return
        self._reason.show()
        self._reason.setFocus()

    def _ask_reject(self) -> None:
        self.reject_requested.emit(self._proposal.id, tuple(_hashes(self._proposal)), self._reason.text().strip())

    def _ask_open(self) -> None:
        self.opened.emit(self._proposal.id)


def _hashes(proposal: Proposal) -> dict[str, str]:
    """What has to be seen of every change that waits."""
    return {change.id: change.seen for group in proposal.groups for change in group.changes if change.waiting}
