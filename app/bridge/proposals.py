"""The proposal service: what waits for a decision, shown in full one at a time, and decided."""

from collections.abc import Collection, Mapping

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.home_lane import HomeLane
from app.bridge.service import Service
from app.cycles import approval
from app.cycles.home import OpenHome
from app.history.values import Side
from app.proposals.values import Proposal


class ProposalService(Service):
    """The inbox.

    Signals: listed(proposals, light); waiting_changed() when other groups wait than before; shown(Proposal, in full);
    decided(Outcome) after approve or reject; changed() whenever the library may have changed; narrowed(proposal id,
    Change) a change with only the chosen parts; checked(change id, text, findings) while a text is written.
    """

    listed = Signal(object)
    waiting_changed = Signal()
    shown = Signal(object)
    decided = Signal(object)
    changed = Signal()
    narrowed = Signal(str, object)
    checked = Signal(str, str, object)

    def __init__(self, lane: HomeLane, parent: QObject | None = None) -> None:
        super().__init__(lane, parent)
        #: The proposals as they were listed last, light.
        self.inbox: tuple[Proposal, ...] = ()

    @Slot()
    def refresh(self) -> None:
        """Read the inbox again."""
        self._ask("reading the inbox", approval.inbox, self._on_listed)

    def show(self, proposal_id: str) -> None:
        """Read one proposal with its differences, against the library as it is now."""
        self._ask("reading a proposal", lambda home: approval.show(home, proposal_id), self._on_shown)

    def approve(
        self,
        proposal_id: str,
        changes: Collection[str],
        seen: Mapping[str, str],
        hunks: Mapping[str, Mapping[str, Collection[str]]] | None = None,
    ) -> None:
        """Apply these changes, if what was displayed is still what would be written; `hunks` narrows some to parts."""
        wanted, hashes, parts = tuple(changes), dict(seen), dict(hunks or {})
        self._ask("applying", lambda home: approval.approve(home, proposal_id, wanted, hashes, parts), self._on_decided)

    def reject(self, proposal_id: str, changes: Collection[str], reason: str) -> None:
        """Reject these changes."""
        wanted = tuple(changes)
        self._ask("rejecting", lambda home: approval.reject(home, proposal_id, wanted, reason), self._on_decided)

    def reopen(self, proposal_id: str, changes: Collection[str]) -> None:
        """Put rejected changes back into the inbox."""
        wanted = tuple(changes)
        self._ask("reopening", lambda home: approval.reopen(home, proposal_id, wanted), self._on_shown)

    def keep(self, proposal_id: str, change: str, units: Collection[int]) -> None:
        """Put dropped pieces of an absorbed skill back into its umbrella."""
        chosen = tuple(units)
        self._ask("keeping a part", lambda home: approval.keep(home, proposal_id, change, chosen), self._on_shown)

    def settle(self, proposal_id: str, change: str, take: str, files: Mapping[str, str] | None = None) -> None:
        """Settle a conflict: `take` is mine, theirs or empty; `files` are whole texts by path."""
        side = {"mine": Side.OURS, "theirs": Side.THEIRS}.get(take)
        given = {path: text.encode("utf-8", "surrogateescape") for path, text in (files or {}).items()}
        self._ask("settling", lambda home: approval.settle(home, proposal_id, change, side, given), self._on_shown)

    def narrow(self, proposal_id: str, change: str, hunks: Mapping[str, Collection[str]]) -> None:
        """Work out what one change is with only these parts; answered by `narrowed`."""
        parts = dict(hunks)

        def question(home: OpenHome) -> object:
            return proposal_id, approval.narrow(home, proposal_id, change, parts)

        self._ask("narrowing", question, self._on_narrowed)

    def check(self, proposal_id: str, change: str, text: str) -> None:
        """Find out what is wrong with a text for this change while it is written; answered by `checked`."""

        def question(home: OpenHome) -> object:
            return change, text, approval.check(home, proposal_id, change, text)

        self._ask("checking a text", question, self._on_checked)

    def edit(self, proposal_id: str, change: str, text: str, path: str = "") -> None:
        """Use another text for one change (for the file at `path`, else SKILL.md) before approving it."""
        self._ask("editing", lambda home: approval.edit(home, proposal_id, change, text, path), self._on_shown)

    @Slot(object)
    def _on_listed(self, proposals: tuple[Proposal, ...]) -> None:
        moved = [item.waiting for item in proposals] != [item.waiting for item in self.inbox]
        self.inbox = proposals
        self.listed.emit(proposals)
        if moved:
            self.waiting_changed.emit()

    @Slot(object)
    def _on_shown(self, proposal: object) -> None:
        self.shown.emit(proposal)
        self.refresh()

    @Slot(object)
    def _on_narrowed(self, answer: tuple[str, object]) -> None:
        self.narrowed.emit(*answer)

    @Slot(object)
    def _on_checked(self, answer: tuple[str, str, object]) -> None:
        self.checked.emit(*answer)

    @Slot(object)
    def _on_decided(self, outcome: object) -> None:
        self.decided.emit(outcome)
        self.changed.emit()
        self.refresh()
