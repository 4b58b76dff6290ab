"""What belongs together in the inbox: an umbrella and the skills it absorbs are one group, anything else is alone."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from app.history.values import Blob, Snapshot
from app.memory.values import Target
from app.proposals.codec import memory_fields
from app.proposals.decisions import strongest
from app.proposals.values import Change, Group, MemoryAction, MemoryStep, Step
from app.skills.values import Action

#: Characters of a memory entry in a title.
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Drafted:
    """One skill's net change as a fork left it.

    `base` is the git tree id of the folder before (None: a new skill), `result` its whole content after (None: an
    archive). `absorbed_into` and `into` are the umbrella's name and id, both empty for a prune. `base_files` is the
    folder before where no history entry may hold it. A wish to change a memory entry is made with `memory_change`.
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
    memory: MemoryStep | None = None
    base_files: Snapshot | None = None


def memory_change(step: MemoryStep, reason: str = "") -> Drafted:
    """A wish to change one memory entry. Its folder is the wish itself, so that its hash says what was displayed."""
    file = "USER.md" if step.target is Target.USER else "MEMORY.md"
    wish = json.dumps(memory_fields(step), indent=1).encode("ascii")
    return Drafted(f"memories/{file}", file, Action.EDIT, None, {"memory.json": Blob(wish)}, reason=reason, memory=step)


def make_changes(
    drafted: Sequence[Drafted], results: Sequence[str | None], taken: Collection[str] = ()
) -> tuple[Change, ...]:
    """Drafted changes as changes without a group; `results` holds the tree id of each one's result.

    Ids are c1, c2, … and go on after the highest one in `taken`.
    """
    first = _next(taken, "c")
    return tuple(
        _change(item, result, f"c{first + number}")
        for number, (item, result) in enumerate(zip(drafted, results, strict=True))
    )


def arrange(changes: Sequence[Change], taken: Collection[str] = ()) -> tuple[Group, ...]:
    """Put changes into groups: absorbed skills join the umbrella they go into, over chains too.

    Groups stand in the order of their first change; inside one the umbrella comes first. A group keeps the id that
    one of its changes had already; new ids are g1, g2, … after the highest one in `taken`.
    """
    found: dict[str, list[Change]] = {}
    roots = _roots(changes)
    for change in changes:
        found.setdefault(roots[change.id], []).append(change)
    number = _next([*taken, *(change.group for change in changes)], "g")
    groups = []
    for members in found.values():
        ordered = sorted(members, key=lambda change: change.action is Action.ARCHIVE)
        group_id = min((change.group for change in ordered if change.group), default="", key=lambda name: int(name[1:]))
        if not group_id:
            group_id = f"g{number}"
            number += 1
        named = tuple(replace(change, group=group_id) for change in ordered)
        decision = strongest({change.decision for change in named})
        groups.append(Group(group_id, group_title(named), named, decision))
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


def memory_title(step: MemoryStep) -> str:
    """A wish about memory in words."""
    where = "what is known of you" if step.target is Target.USER else "the notes"
    spoken = {MemoryAction.ADD: "Add to", MemoryAction.REPLACE: "Reword in", MemoryAction.REMOVE: "Remove from"}
    text = " ".join((step.text or step.old_text).split())
    return f"{spoken[step.action]} {where}: {text if len(text) <= _SHOWN else text[: _SHOWN - 1] + '…'}"


def words(names: Iterable[str], most: int = 3) -> str:
    """Names as an enumeration; past `most` the rest is counted."""
    listed = list(names)
    if len(listed) > most:
        listed = [*listed[: most - 1], f"{len(listed) - most + 1} more"]
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} and {listed[-1]}"


def _change(item: Drafted, result: str | None, change_id: str) -> Change:
    title = memory_title(item.memory) if item.memory else change_title(item.action, item.name, item.absorbed_into)
    return Change(
        id=change_id,
        skill=item.skill,
        action=item.action,
        group="",
        title=title,
        reason=item.reason,
        base=item.base,
        result=result,
        files=(),
        absorbed_into=item.absorbed_into,
        has_script=item.has_script,
        name=item.name,
        into=item.into,
        steps=item.steps,
        memory=item.memory,
    )


def _next(taken: Collection[str], letter: str) -> int:
    return 1 + max((int(name[1:]) for name in taken if name.startswith(letter)), default=0)


def _roots(changes: Sequence[Change]) -> dict[str, str]:
    """What each change belongs to, by change id: the end of its chain of `into` links. Loops end where they began."""
    into = {change.skill: change.into for change in changes if change.into}
    roots = {}
    for change in changes:
        here, passed = change.touches, {change.touches}
        while (following := into.get(here)) and following not in passed:
            passed.add(following)
            here = following
        roots[change.id] = here
    return roots
