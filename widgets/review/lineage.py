"""The rows of the inbox: waiting ones first, newest on top, with older revisions of the same idea folded below them."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import StrEnum

from app.history.values import Origin
from app.proposals.values import Decision, Proposal
from widgets.review.words import Row


class Shown(StrEnum):
    """What the inbox is filtered to."""

    WAITING = "waiting"
    REVIEW = "review"
    CURATOR = "curator"
    MOVED = "moved"
    REJECTED = "rejected"
    DECIDED = "decided"


def rows_of(proposals: Sequence[Proposal]) -> list[Row]:
    """All groups: waiting ones first, then by age, newest first; what was replaced hangs below what replaced it."""
    rows = [Row(proposal, group) for proposal in proposals for group in proposal.groups]
    rows.sort(key=lambda item: item.proposal.created_at, reverse=True)
    rows.sort(key=lambda item: not item.waiting)
    newest: dict[str, tuple[str, str]] = {}
    for item in rows:
        if item.group.decision is not Decision.REPLACED:
            for skill in item.group.skills:
                newest.setdefault(skill, item.key)
    older: dict[tuple[str, str], list[Row]] = {}
    top: list[Row] = []
    for item in rows:
        parent = _parent(item, newest)
        if parent is None:
            top.append(item)
        else:
            older.setdefault(parent, []).append(replace(item, depth=1))
    return [replace(item, older=tuple(older.get(item.key, ()))) for item in top]


def fits(item: Row, shown: Shown) -> bool:
    """Whether a row passes a filter; all but REJECTED and DECIDED show only what waits."""
    if shown is Shown.DECIDED:
        return not item.waiting
    if shown is Shown.REJECTED:
        return item.group.decision is Decision.REJECTED
    origin = {Shown.REVIEW: (Origin.REVIEW, Origin.CHAT), Shown.CURATOR: (Origin.CURATOR,)}.get(shown)
    if origin is not None and item.proposal.origin not in origin:
        return False
    return item.waiting and (shown is not Shown.MOVED or item.moved_on)


def unfolded(rows: Sequence[Row], shown: Shown, opened: Collection[tuple[str, str]]) -> list[Row]:
    """The rows that pass the filter, each followed by its older revisions where these are opened."""
    found: list[Row] = []
    for item in rows:
        if fits(item, shown):
            found.append(item)
            if item.key in opened:
                found.extend(item.older)
    return found


def _parent(item: Row, newest: dict[str, tuple[str, str]]) -> tuple[str, str] | None:
    if item.group.decision is not Decision.REPLACED:
        return None
    found = (newest[skill] for skill in item.group.skills if skill in newest)
    return next(found, None)
