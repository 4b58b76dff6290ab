"""Which changes of a group are chosen, and what belongs together: an archive never goes without its umbrella."""

from collections.abc import Collection, Mapping

from app.proposals.values import Change, Group


def open_changes(group: Group) -> tuple[Change, ...]:
    """The changes still to be decided."""
    return tuple(change for change in group.changes if change.waiting)


def toggled(group: Group, chosen: Collection[str], change: str, *, on: bool) -> frozenset[str]:
    """The choice after one check box was clicked: taking an absorbed skill takes its umbrella, and the reverse."""
    result = set(chosen)
    clicked = next(item for item in group.changes if item.id == change)
    if on:
        result.add(change)
        result.update(item.id for item in open_changes(group) if item.skill == clicked.into)
    else:
        result.discard(change)
        result.difference_update(item.id for item in group.changes if item.into == clicked.skill)
    return frozenset(result)


def unseen(group: Group, chosen: Collection[str], seen: Mapping[str, str]) -> Change | None:
    """The first chosen change whose present content was not on the screen yet."""
    return next(
        (item for item in open_changes(group) if item.id in chosen and seen.get(item.id) != item.seen),
        None,
    )


def blocked(group: Group, chosen: Collection[str]) -> Change | None:
    """The first chosen change with a conflict: it has to be edited before it can be approved."""
    return next((item for item in open_changes(group) if item.id in chosen and item.conflicts), None)
