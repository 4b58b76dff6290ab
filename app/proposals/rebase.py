"""When the live library has moved on: a change is made anew against what stands there now, or closed with a reason.

A new revision comes from a three-way merge of one skill's folder (the old base, the live folder, the draft) without
rename detection. It has another hash than what was displayed before, so nothing can be approved unseen.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime

from app.history.store import History
from app.history.values import Conflict, Snapshot
from app.proposals.current import Current
from app.proposals.decisions import changes_of, waiting_changes, with_changes
from app.proposals.grouping import change_title, group_title
from app.proposals.memory_wishes import memory_sides
from app.proposals.values import Change, Decision, Group, Proposal
from app.skills.values import Action


@dataclass(slots=True)
class Revised:
    """A proposal after a look at the live library: the changes with a new revision, those closed, and new folders."""

    proposal: Proposal
    moved: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    folders: dict[str, Snapshot] = field(default_factory=dict)

    @property
    def differs(self) -> bool:
        """Whether anything has to be written and shown again."""
        return bool(self.moved or self.closed)


def revise(proposal: Proposal, current: Current, history: History, at: datetime) -> Revised:
    """Compare each waiting change with the live folder and make it anew where that is no longer its base.

    Writes objects only, so that the result can be shown; the caller saves it. Umbrellas come first, since what they
    absorb depends on them.
    """
    revised = Revised(proposal)
    for change in sorted(waiting_changes(proposal), key=lambda item: item.result is None):
        made = _revise_one(change, revised, current, history)
        if made is change:
            continue
        if made.decision is Decision.CLOSED:
            made = replace(made, decided_at=at)
            revised.closed.append(made.id)
        else:
            revised.moved.append(made.id)
        revised.proposal = with_changes(revised.proposal, {made.id: made})
    if revised.differs:
        touched = {*revised.moved, *revised.closed}
        groups = tuple(_retitled(group, touched) for group in revised.proposal.groups)
        revised.proposal = replace(revised.proposal, groups=groups)
    return revised


def _retitled(group: Group, touched: set[str]) -> Group:
    """A group whose changes were closed or lead elsewhere now says what is left of it."""
    left = [change for change in group.changes if change.waiting]
    if not left or touched.isdisjoint(change.id for change in group.changes):
        return group
    return replace(group, title=group_title(left))


def _revise_one(change: Change, revised: Revised, current: Current, history: History) -> Change:
    if change.memory is not None:
        _, _, fits = memory_sides(change, current)
        return change if fits else _closed(change, "The memory entry is no longer as it was, or is stored already.")
    if change.action is Action.ARCHIVE:
        return _revise_archive(change, revised, current, history)
    live = current.files(change.skill)
    if change.base is None:
        return change if live is None else _merged(change, change.skill, live, revised, history)
    if live is not None:
        same = history.hash_files(live) == change.base
        return change if same else _merged(change, change.skill, live, revised, history)
    target = current.named(change.name)
    if target is None:
        return _closed(change, f"{change.name} is no longer in the library.")
    files = current.files(target.id)
    if files is None:
        return _closed(change, f"{change.name} is no longer in the library.")
    title = change_title(change.action, target.name, None)
    return _merged(replace(change, name=target.name, title=title), target.id, files, revised, history)


def _merged(change: Change, skill: str, live: Snapshot, revised: Revised, history: History) -> Change:
    # A revision with conflicts holds conflict marks; the next one starts from its clean sides again.
    ancestor = change.ancestor if change.conflicts else change.base
    theirs = change.theirs if change.conflicts else change.result
    merge = history.merge(_load(history, ancestor), live, _load(history, theirs))
    base, result = history.store(live), history.store(merge.files)
    if merge.clean and base == result:
        return _closed(change, "The library already holds what this would change.")
    revision = change.revision + 1
    action = Action.EDIT if change.action is Action.CREATE else change.action
    for name, files in (("", merge.files), ("-base", live)):
        revised.folders[f"{change.id}/{revision}{name}"] = files
    return replace(
        change,
        skill=skill,
        action=action,
        title=change.title if action is change.action else change_title(action, change.name, None),
        base=base,
        result=result,
        revision=revision,
        conflicts=merge.conflicts,
        ancestor=ancestor,
        theirs=theirs,
    )


def _revise_archive(change: Change, revised: Revised, current: Current, history: History) -> Change:
    live = current.files(change.skill)
    if live is None and (moved := current.named(change.name)) is not None and moved.name == change.name:
        live = current.files(moved.id)
        change = replace(change, skill=moved.id)
    if live is None:
        return _closed(change, f"{change.name} is no longer among the live skills.")
    if change.into is not None:
        target = _umbrella(change, revised.proposal, current)
        if target is None:
            return _closed(change, f"{change.absorbed_into}, which should absorb it, is no longer in the library.")
        if target[0] == change.skill:  # the umbrella itself was merged into it meanwhile
            return _closed(change, f"{change.absorbed_into}, which should absorb it, was merged into {change.name}.")
        if target != (change.into, change.absorbed_into):
            title = change_title(change.action, change.name, target[1])
            change = replace(change, into=target[0], absorbed_into=target[1], title=title, revision=change.revision + 1)
    base = history.hash_files(live)
    if base == change.base:
        return change
    revision = change.revision + 1
    history.store(live)
    revised.folders[f"{change.id}/{revision}-base"] = live
    ancestor = change.ancestor if change.conflicts else change.base
    before = _load(history, ancestor)
    edited = sorted(path for path in {*before, *live} if before.get(path) != live.get(path))
    conflicts = tuple(Conflict(path, _data(before, path), _data(live, path), None) for path in edited)
    return replace(change, base=base, revision=revision, conflicts=conflicts, ancestor=ancestor)


def _umbrella(change: Change, proposal: Proposal, current: Current) -> tuple[str, str] | None:
    """Where the absorbed skill would go now, as (id, name): the proposal's own umbrella or a live skill."""
    for other in changes_of(proposal).values():
        if other.skill == change.into and other.result is not None and other.waiting:
            return (other.skill, other.name)
    skill = current.skill(change.into or "") or current.named(change.absorbed_into or "")
    return None if skill is None else (skill.id, skill.name)


def _closed(change: Change, reason: str) -> Change:
    return replace(change, decision=Decision.CLOSED, decision_reason=reason)


def _load(history: History, tree: str | None) -> Snapshot:
    return history.load(tree) if tree else {}


def _data(files: Snapshot, path: str) -> bytes | None:
    return files[path].data if path in files else None
