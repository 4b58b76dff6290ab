"""The proposal service: what waits for a decision, shown in full one at a time, and decided."""

from collections.abc import Collection, Mapping

from PySide6.QtCore import Signal, Slot

from app.bridge.service import Service
from app.cycles import approval
from app.cycles.home import OpenHome


class ProposalService(Service):
    """The inbox.

    Signals: listed(proposals, light); shown(Proposal, in full); decided(Outcome) after approve or reject; changed()
    whenever the library may have changed.
    """

    listed = Signal(object)
    shown = Signal(object)
    decided = Signal(object)
    changed = Signal()

    @Slot()
    def refresh(self) -> None:
        """Read the inbox again."""
        self._ask("reading the inbox", _list, self._on_listed)

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

    def edit(self, proposal_id: str, change: str, text: str) -> None:
        """Use another text for one change before approving it."""
        self._ask("editing", lambda home: approval.edit(home, proposal_id, change, text), self._on_shown)

    @Slot(object)
    def _on_listed(self, proposals: object) -> None:
        self.listed.emit(proposals)

    @Slot(object)
    def _on_shown(self, proposal: object) -> None:
        self.shown.emit(proposal)
        self.refresh()

    @Slot(object)
    def _on_decided(self, outcome: object) -> None:
        self.decided.emit(outcome)
        self.changed.emit()
        self.refresh()


def _list(home: OpenHome) -> object:
    approval.sweep(home)
    return home.proposals.list()
