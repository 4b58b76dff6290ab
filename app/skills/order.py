"""Who wins when several skills have one name, and under which key a skill's usage is kept.

The first usable skill wins: the home's library before the folders of the settings in their order, inside one root by
path. Names count as the same when they differ only in case or composition. Archived and broken skills shadow nobody.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from app.skills.names import folded
from app.skills.values import Skill, State

#: Name (NFC), folded name, id, whether it is archived, whether it is broken: what order and keys depend on.
Row = tuple[str, str, str, bool, bool]


def shadows(rows: Sequence[Row]) -> list[str | None]:
    """For each row the id of the skill that shadows it, None for the winner and for rows nobody competes with."""
    winner: dict[str, str] = {}
    taken: set[str] = set()
    found: list[str | None] = []
    for _, key, skill_id, archived, broken in rows:
        if archived or broken:
            found.append(None)
        elif key in winner:
            found.append(winner[key])
        else:
            winner[key] = skill_id
            found.append(skill_id if skill_id in taken else None)
            taken.add(skill_id)
    return found


def usage_keys(rows: Sequence[Row]) -> list[str]:
    """For each row the key of its usage record: the name while no other skill has it, else the id.

    An archived skill keeps its name as key as long as no live skill and no other archived one has the name. A name with
    a slash could be taken for an id, so the folder's name stands for it.
    """
    names = [name if "/" not in name else skill_id.rpartition("/")[2] for name, _, skill_id, _, _ in rows]
    live = Counter(name for name, row in zip(names, rows, strict=True) if not row[3])
    gone = Counter(name for name, row in zip(names, rows, strict=True) if row[3])
    keys = []
    for name, (_, _, skill_id, archived, _) in zip(names, rows, strict=True):
        alone = live[name] == (0 if archived else 1) and (not archived or gone[name] == 1)
        keys.append(name if alone else skill_id)
    return keys


def row_of(skill: Skill) -> Row:
    """A skill of a library as a row."""
    return skill.name, folded(skill.name), skill.id, skill.state is State.ARCHIVED, skill.broken


def keys_of(skills: Sequence[Skill]) -> dict[str, str]:
    """The keys of the usage records of all skills of a library, by id; of several with one id the first's."""
    keys = usage_keys([row_of(skill) for skill in skills])
    return {skill.id: key for skill, key in reversed([*zip(skills, keys, strict=True)])}


def usage_key(skills: Sequence[Skill], skill_id: str) -> str:
    """The key of one skill's usage record among all skills of a library; the id itself when it is unknown."""
    return keys_of(skills).get(skill_id, skill_id)


def collisions(rows: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Groups of paths, from (path, name) pairs, whose skills have the same name, or which some disks take for the same
    path because they differ in case or composition only. Sorted.
    """
    groups: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for path, name in rows:
        groups["name", folded(name)].add(path)
        groups["path", folded(path)].add(path)
    return [list(group) for group in sorted({tuple(sorted(paths)) for paths in groups.values() if len(paths) > 1})]
