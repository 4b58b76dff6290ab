"""From drafted changes to a proposal's groups: what was rejected before stays out, and one fork has one proposal.

What a fork asks for piece by piece joins the proposal it has open already; a second wish for the same skill is merged
with the first, or takes its place where the two cannot be merged.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from app.history.store import History
from app.history.values import Origin, Snapshot
from app.proposals.decisions import changes_of, with_changes
from app.proposals.grouping import Drafted, arrange, make_changes
from app.proposals.hygiene import Idea, without_rejected
from app.proposals.values import Change, Group, Proposal, ProposalState


@dataclass(frozen=True, slots=True)
class About:
    """Where a proposal comes from. `base` is the history commit its changes were drawn from."""

    origin: Origin
    base: str
    title: str = ""
    reason: str = ""
    run: str | None = None
    session: str | None = None
    turn: str | None = None
    untrusted: bool = False


@dataclass(frozen=True, slots=True)
class Filing:
    """A proposal ready to be stored, with the folders its ref has to keep (`<change>/<revision>` → files)."""

    proposal: Proposal
    folders: Mapping[str, Snapshot]


def open_proposal_of(about: About, known: Sequence[Proposal]) -> Proposal | None:
    """The pending proposal of the same fork: same origin, session and turn."""
    if about.session is None or about.turn is None:
        return None
    fork = (about.origin, about.session, about.turn)
    return next((item for item in known if item.waiting and (item.origin, item.session, item.turn) == fork), None)


def prepare(
    drafted: Sequence[Drafted],
    about: About,
    mine: Proposal | None,
    rejected: Mapping[Idea, str],
    history: History,
    at: datetime,
) -> Filing | None:
    """The proposal to store for these changes, `mine` enlarged or a new one; None when nothing is left to ask."""
    known = changes_of(mine) if mine else {}
    results = [None if item.result is None else history.store(item.result) for item in drafted]
    bases = {history.store(item.base_files): item.base_files for item in drafted if item.base_files is not None}
    fresh = make_changes(drafted, results, tuple(known))
    fresh = _flat(without_rejected(arrange(fresh), rejected, at))
    if not fresh:
        return None
    folders = {f"{change.id}/0": history.load(change.result) for change in fresh if change.result}
    folders.update({f"{change.id}/0-base": bases[change.base] for change in fresh if change.base in bases})
    for change in fresh:
        first = next((item for item in known.values() if item.waiting and item.touches == change.touches), None)
        if first is None:
            known[change.id] = replace(change, group="")
            continue
        known[first.id] = joined = _join(first, change, history)
        folders.pop(f"{change.id}/0", None)
        if joined.result:
            folders[f"{joined.id}/{joined.revision}"] = history.load(joined.result)
    groups = arrange(tuple(known.values()))
    return Filing(_enlarged(mine, groups, about) if mine else _new(groups, about, at), folders)


def _flat(groups: Sequence[Group]) -> tuple[Change, ...]:
    return tuple(change for group in groups for change in group.changes)


def _join(first: Change, second: Change, history: History) -> Change:
    """Two wishes of one fork for the same skill as one: merged where both change the same base, else the second."""
    merged = None
    if first.memory is None and first.result and second.result and first.base == second.base:
        base = history.load(first.base) if first.base else {}
        merge = history.merge(base, history.load(first.result), history.load(second.result))
        merged = history.store(merge.files) if merge.clean else None
    reasons = dict.fromkeys(reason for reason in (first.reason, second.reason) if reason)
    return replace(
        second,
        id=first.id,
        group=first.group,
        result=merged or second.result,
        reason=" ".join(reasons) if merged else second.reason,
        steps=first.steps + second.steps if merged else second.steps,
        has_script=second.has_script or (bool(merged) and first.has_script),
        revision=first.revision + 1,
    )


def _new(groups: tuple[Group, ...], about: About, at: datetime) -> Proposal:
    bare = Proposal(
        id=f"{at:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}",
        origin=about.origin,
        state=ProposalState.PENDING,
        created_at=at,
        title=about.title or _title(groups),
        reason=about.reason,
        groups=groups,
        base=about.base,
        run=about.run,
        session=about.session,
        turn=about.turn,
        untrusted=about.untrusted,
    )
    return with_changes(bare, {})


def _enlarged(mine: Proposal, groups: tuple[Group, ...], about: About) -> Proposal:
    own_title = mine.title if mine.title != _title(mine.groups) else ""
    larger = replace(
        mine,
        groups=groups,
        title=about.title or own_title or _title(groups),
        reason=mine.reason or about.reason,
        untrusted=mine.untrusted or about.untrusted,
    )
    return with_changes(larger, {})


def _title(groups: Sequence[Group]) -> str:
    more = f" and {len(groups) - 1} more" if len(groups) > 1 else ""
    return f"{groups[0].title}{more}"
