"""After a kill between the library's write and the proposal's: the ledger says what was approved."""

from typing import Any

from app.history.store import History
from app.history.values import Entry
from app.proposals.decisions import changes_of, decide
from app.proposals.store import ProposalStore
from app.proposals.values import Decision, Proposal, ProposalState

#: How many of the newest entries can belong to a write that was cut short.
_LOOK_BACK = 50


def settled(proposal: Proposal, history: History, entries: list[Entry] | None = None) -> Proposal:
    """The proposal with changes marked as approved that the ledger already shows as applied; itself when none is."""
    waiting = {change.id for change in changes_of(proposal).values() if change.waiting}
    result = proposal
    for entry in history.entries(_LOOK_BACK) if entries is None else entries:
        applied = waiting.intersection(_applied(entry, proposal.id))
        if applied:
            result = decide(result, applied, Decision.APPROVED, "", entry.at)
    return result


def settle_all(store: ProposalStore) -> tuple[str, ...]:
    """Settle every pending proposal, after the journal was recovered; returns the ids of those that changed."""
    entries = store.history.entries(_LOOK_BACK)
    changed = []
    for proposal in store.list(ProposalState.PENDING):
        result = settled(proposal, store.history, entries)
        if result is not proposal:
            store.save(result)
            changed.append(proposal.id)
    return tuple(changed)


def _applied(entry: Entry, proposal_id: str) -> list[Any]:
    detail = entry.record.detail
    changes = detail.get("changes")
    if entry.record.action != "apply" or detail.get("proposal") != proposal_id or not isinstance(changes, list):
        return []
    return changes
