"""What belongs together in the inbox: an umbrella and the skills it absorbs are one group, anything else is alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.history.values import Snapshot
from app.proposals.values import Change, Group, Step
from app.skills.values import Action


@dataclass(frozen=True, slots=True)
class Drafted:
    """One skill's net change as a fork left it.

    `base` is the git tree id of the folder before (None: a new skill), `result` its whole content after (None: an
    archive). `absorbed_into` and `into` are the umbrella's name and id, both empty for a prune.
    """

    skill: str
    name: str
    action: Action
    base: str | None
    result: Snapshot | None
    absorbed_into: str | None = None
    into: str | None = None
    reason: str = ""
    steps: tuple[Step, ...] = ()
    has_script: bool = False


def group_changes(drafted: Sequence[Drafted], results: Sequence[str | None]) -> tuple[Group, ...]:
    """Turn drafted changes into groups; `results` holds the tree id of each one's result.

    Absorbed skills join the umbrella they go into, over chains too. Groups stand in the order of their first change;
    inside one the umbrella comes first. Change ids are c1, c2, …, group ids g1, g2, ….
    """
    found: dict[str, list[int]] = {}
    roots = _roots(drafted)
    for index, item in enumerate(drafted):
        found.setdefault(roots[item.skill], []).append(index)
    groups = []
    number = 0
    for position, indexes in enumerate(found.values(), 1):
        ordered = sorted(indexes, key=lambda index: drafted[index].action is Action.ARCHIVE)
        changes = []
        for index in ordered:
            number += 1
            changes.append(_change(drafted[index], results[index], f"c{number}", f"g{position}"))
        groups.append(Group(f"g{position}", group_title(changes), tuple(changes)))
    return tuple(groups)


def group_title(changes: Sequence[Change]) -> str:
    """A group in words: "Fold a and b into c", or the one change's own title."""
    absorbed = [change for change in changes if change.absorbed_into]
    if absorbed:
        sources = [change.name for change in absorbed]
        targets = dict.fromkeys(change.absorbed_into or "" for change in absorbed)
        ends = [name for name in targets if name not in sources]
        return f"Fold {words(sources)} into {words(ends or targets)}"
    return changes[0].title


def change_title(action: Action, name: str, absorbed_into: str | None) -> str:
    """One change in words."""
    if action is Action.ARCHIVE:
        return f"Archive {name}, absorbed into {absorbed_into}" if absorbed_into else f"Archive {name}"
    if action is Action.CREATE:
        return f"Create {name}"
    return f"Change {name}"


def words(names: Iterable[str], most: int = 3) -> str:
    """Names as an enumeration; past `most` the rest is counted."""
    listed = list(names)
    if len(listed) > most:
        listed = [*listed[: most - 1], f"{len(listed) - most + 1} more"]
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} and {listed[-1]}"


def _change(item: Drafted, result: str | None, change_id: str, group: str) -> Change:
    return Change(
        id=change_id,
        skill=item.skill,
        action=item.action,
        group=group,
        title=change_title(item.action, item.name, item.absorbed_into),
        reason=item.reason,
        base=item.base,
        result=result,
        files=(),
        absorbed_into=item.absorbed_into,
        has_script=item.has_script,
        name=item.name,
        into=item.into,
        steps=item.steps,
    )


def _roots(drafted: Sequence[Drafted]) -> dict[str, str]:
    """Each skill's last umbrella: the end of the chain of `into` links, by skill id. Loops end where they began."""
    into = {item.skill: item.into for item in drafted if item.into}
    roots = {}
    for item in drafted:
        here, passed = item.skill, {item.skill}
        while (following := into.get(here)) and following not in passed:
            passed.add(following)
            here = following
        roots[item.skill] = here
    return roots
