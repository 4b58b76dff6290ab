"""Keeping the queue answerable: newer replaces older, a rejected idea is not asked again, and the queue has an end."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from app.proposals.decisions import changes_of, decide, strongest
from app.proposals.values import Change, Decision, Group, Proposal, ProposalState
from app.skills.values import Action

#: How many groups may wait at once; the badge counts groups too.
MAX_WAITING_GROUPS = 200

#: How many proposals that ended without an answer (replaced, closed) are kept for their lineage.
MAX_ENDED = 200

#: An idea by what would be done to which content; two proposals of the same idea have the same key.
Idea = tuple[str, ...]


def idea_of(change: Change, created: Collection[str] = ()) -> Idea:
    """What a change wants, so that the same wish is known again.

    An archive is the same idea while the skill's content and the umbrella are the same; all umbrellas that the
    proposal itself creates (names in `created`) count as one, since a model names them anew each time. Any other
    change is the same idea when the same skill would get the same content.
    """
    if change.action is Action.ARCHIVE:
        into = change.absorbed_into or ""
        return ("archive", change.skill, change.base or "", "(new)" if into in created else into)
    return ("content", change.skill, change.result or "")


def ideas_of(group: Group) -> dict[str, Idea]:
    """The ideas a group stands for, by change id: its archives if it has any, else its changes of content."""
    created = {change.name for change in group.changes if change.base is None}
    archives = [change for change in group.changes if change.action is Action.ARCHIVE]
    return {change.id: idea_of(change, created) for change in archives or group.changes}


def rejected_ideas(proposals: Iterable[Proposal]) -> dict[Idea, str]:
    """Every idea that was rejected and not approved since, with the reason given for it."""
    found: dict[Idea, str] = {}
    for proposal in sorted(proposals, key=lambda item: item.created_at):
        known = changes_of(proposal)
        for group in proposal.groups:
            for change_id, idea in ideas_of(group).items():
                change = known[change_id]
                if change.decision is Decision.REJECTED:
                    found[idea] = change.decision_reason
                elif change.decision is Decision.APPROVED:
                    found.pop(idea, None)
    return found


def without_rejected(groups: Sequence[Group], rejected: Mapping[Idea, str], at: datetime) -> tuple[Group, ...]:
    """Leave out groups whose every idea was rejected before.

    In a group with something new, the parts rejected before are filed as rejected: shown, and open to reopening.
    """
    kept = []
    for group in groups:
        ideas = ideas_of(group)
        old = {change_id: rejected[idea] for change_id, idea in ideas.items() if idea in rejected}
        if len(old) < len(ideas):
            kept.append(_with_rejected(group, old, at))
    return tuple(kept)


def replace_older(older: Iterable[Proposal], newer: Proposal) -> tuple[Proposal, ...]:
    """The older proposals that change because `newer` touches skills of their open groups."""
    touched = {change.touches for group in newer.waiting for change in group.changes}
    replaced = []
    for proposal in older:
        ids = [
            change.id
            for group in proposal.waiting
            if touched.intersection(change.touches for change in group.changes)
            for change in group.changes
            if change.waiting
        ]
        if ids and proposal.id != newer.id:
            reason = f"Replaced by the newer proposal {newer.id}."
            ended = decide(proposal, ids, Decision.REPLACED, reason, newer.created_at)
            replaced.append(replace(ended, replaced_by=newer.id))
    return tuple(replaced)


def over_the_cap(waiting: Iterable[Proposal], at: datetime, most: int = MAX_WAITING_GROUPS) -> tuple[Proposal, ...]:
    """The proposals that change because more than `most` groups wait: the oldest groups are closed, reopenable."""
    ordered = sorted(waiting, key=lambda item: (item.created_at, item.id))
    surplus = sum(len(proposal.waiting) for proposal in ordered) - most
    changed = []
    for proposal in ordered:
        groups = proposal.waiting[: max(surplus, 0)]
        if not groups:
            break
        surplus -= len(groups)
        ids = [change.id for group in groups for change in group.changes if change.waiting]
        reason = f"Closed unanswered: no more than {most} items wait at once and this was the oldest."
        changed.append(decide(proposal, ids, Decision.CLOSED, reason, at))
    return tuple(changed)


def to_forget(proposals: Iterable[Proposal], most: int = MAX_ENDED) -> tuple[str, ...]:
    """Ids of the oldest proposals that ended without any answer, past the `most` newest of them."""
    ended = [item for item in proposals if item.state in {ProposalState.REPLACED, ProposalState.CLOSED}]
    newest_first = sorted(ended, key=lambda item: (item.created_at, item.id), reverse=True)
    return tuple(item.id for item in newest_first[most:])


def in_the_way(proposal: Proposal, ids: Collection[str], others: Iterable[Proposal]) -> Proposal | None:
    """Another proposal with an open group on a skill of these changes; reopening them would ask twice."""
    wanted = {change.touches for change in changes_of(proposal).values() if change.id in ids}
    for other in others:
        touched = {change.touches for group in other.waiting for change in group.changes}
        if other.id != proposal.id and wanted & touched:
            return other
    return None


def _with_rejected(group: Group, old: Mapping[str, str], at: datetime) -> Group:
    changes = tuple(
        replace(
            change,
            decision=Decision.REJECTED,
            decision_reason=old[change.id] or "Rejected before.",
            decided_at=at,
        )
        if change.id in old
        else change
        for change in group.changes
    )
    return replace(group, changes=changes, decision=strongest({change.decision for change in changes}))
