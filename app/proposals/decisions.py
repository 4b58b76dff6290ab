"""What a decision does: the states of changes, groups and proposals, as pure functions over values.

A group's decision follows from its changes and a proposal's state from its groups, so the two can never disagree.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime

from app.proposals.values import Change, Decision, Group, Proposal, ProposalState

#: What a finished group counts as, strongest first.
_ORDER = (Decision.WAITING, Decision.APPROVED, Decision.REJECTED, Decision.REPLACED, Decision.CLOSED)

_STATES = {
    Decision.WAITING: ProposalState.PENDING,
    Decision.APPROVED: ProposalState.APPLIED,
    Decision.REJECTED: ProposalState.REJECTED,
    Decision.REPLACED: ProposalState.REPLACED,
    Decision.CLOSED: ProposalState.CLOSED,
}


def strongest(decisions: Collection[Decision]) -> Decision:
    """What several decisions amount to: waiting while one waits, then approved, rejected, replaced, closed."""
    return next((decision for decision in _ORDER if decision in decisions), Decision.CLOSED)


def with_changes(proposal: Proposal, changed: Mapping[str, Change]) -> Proposal:
    """The proposal with these changes (by id) put in, and groups and state worked out anew."""
    groups = tuple(_with_changes(group, changed) for group in proposal.groups)
    return replace(proposal, groups=groups, state=_STATES[strongest({group.decision for group in groups})])


def with_joined(proposal: Proposal, change: Change) -> Proposal:
    """The proposal with one more change, in the group the change names; contents stand before archives there."""
    groups = tuple(
        replace(group, changes=(change, *group.changes)) if group.id == change.group else group
        for group in proposal.groups
    )
    return with_changes(replace(proposal, groups=groups), {})


def decide(
    proposal: Proposal, ids: Collection[str], decision: Decision, reason: str = "", at: datetime | None = None
) -> Proposal:
    """Give the changes with these ids a decision; with WAITING they are open again, without reason and time."""
    open_again = decision is Decision.WAITING
    return _map(
        proposal,
        ids,
        lambda change: replace(
            change,
            decision=decision,
            decision_reason="" if open_again else reason,
            decided_at=None if open_again else at,
        ),
    )


def changes_of(proposal: Proposal) -> dict[str, Change]:
    """All changes of a proposal by id."""
    return {change.id: change for group in proposal.groups for change in group.changes}


def waiting_changes(proposal: Proposal) -> tuple[Change, ...]:
    """The changes still to be decided, in order."""
    return tuple(change for group in proposal.groups for change in group.changes if change.waiting)


def _map(proposal: Proposal, ids: Collection[str], change_one: Callable[[Change], Change]) -> Proposal:
    known = changes_of(proposal)
    return with_changes(proposal, {name: change_one(known[name]) for name in ids})


def _with_changes(group: Group, changed: Mapping[str, Change]) -> Group:
    changes = tuple(changed.get(change.id, change) for change in group.changes)
    return replace(group, changes=changes, decision=strongest({change.decision for change in changes}))
