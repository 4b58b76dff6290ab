"""What can be done with a group now, and the sentence that says why approving cannot be done yet."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from app.proposals.values import Change, Decision, Group
from widgets.review.choice import blocked, open_changes, unseen
from widgets.review.narrowing import Narrowing
from widgets.review.words import name_of, tr


@dataclass(frozen=True, slots=True)
class Readiness:
    """The state of the action bar. `hint` is empty when nothing stands in the way."""

    waiting: bool
    may_approve: bool
    may_edit: bool
    may_reopen: bool
    may_revise: bool = False
    hint: str = ""


def readiness(
    group: Group,
    chosen: Collection[str],
    seen: Mapping[str, str],
    shown: Change | None,
    parts: Narrowing | None = None,
    *,
    forked: bool = True,
) -> Readiness:
    """Judge a group: `chosen` are the checked changes, `seen` the hashes that were on the screen, `parts` what was
    taken out of them. `forked` says that a fork made the proposal, which can be asked to revise it.
    """
    parts = parts or Narrowing()
    waiting = bool(open_changes(group))
    told = _part_hint(group, chosen, parts)
    group = parts.group(group)
    first, stuck = unseen(group, chosen, seen), blocked(group, chosen)
    return Readiness(
        waiting=waiting,
        may_approve=bool(chosen) and first is None and stuck is None and not told,
        may_edit=shown is not None and shown.waiting and bool(shown.after_text) and shown.memory is None,
        may_reopen=not waiting and group.decision is Decision.REJECTED,
        may_revise=waiting and forked and all(change.memory is None for change in group.changes),
        hint=(told or _hint(group, chosen, first, stuck)) if waiting else "",
    )


def _part_hint(group: Group, chosen: Collection[str], parts: Narrowing) -> str:
    for change in open_changes(group):
        if change.id not in chosen:
            continue
        if parts.empty(change):
            return tr("No part of {name} is chosen: take one, or uncheck the whole change.").format(
                name=name_of(change)
            )
        if parts.pending(change):
            return tr("Working out the chosen parts of {name}…").format(name=name_of(change))
    return ""


def _hint(group: Group, chosen: Collection[str], first: Change | None, stuck: Change | None) -> str:
    if not chosen:
        return tr("Check at least one change to decide about it.")
    if stuck is not None:
        return tr("{name} has a conflict: settle it first.").format(name=name_of(stuck))
    if first is not None and len(group.changes) > 1:
        return tr("Look at {name} before approving.").format(name=name_of(first))
    return ""
