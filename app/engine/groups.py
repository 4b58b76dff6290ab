"""Which candidates a curator run folds together, and into what: only siblings that share a word of their names.

Likeness of wording alone joins strangers (measured precision 0.6), so a hint becomes a group only when the names say
the same, or when two skills are nearly the same text.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.text.similarity import Similarity, catalogue_text

#: From this likeness on two skills with different names are versions of one.
_VERSIONS = 0.6
#: Words that make a name wide; a member whose name has only these and the shared words is a target already.
_WIDE_WORDS = frozenset(
    {
        "all",
        "basics",
        "daily",
        "guide",
        "handbook",
        "howto",
        "practices",
        "tasks",
        "toolbox",
        "with",
        "work",
        "workflow",
    }
    | {"workflows", "working", "and", "for", "the"}
)
#: Words of names that tell nothing about the class of task.
_EMPTY_WORDS = _WIDE_WORDS | {
    "skill",
    "skills",
    "agent",
    "new",
    "old",
    "my",
    "use",
    "using",
    "test",
    "a",
    "to",
    "of",
    "in",
    "on",
}


@dataclass(frozen=True, slots=True)
class Member:
    """A candidate that was read: its listed fields, the whole SKILL.md, and the paths of its other files."""

    name: str
    description: str
    category: str
    pinned: bool
    uses: int
    content: str
    files: tuple[str, ...] = ()

    @property
    def portable(self) -> bool:
        """Whether the package can be carried whole: scripts and unusual places stay where they are."""
        return all(path.split("/", 1)[0] in {"references", "templates", "assets"} for path in self.files)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the name."""
        return tuple(word for word in self.name.casefold().replace("_", "-").replace(".", "-").split("-") if word)


@dataclass(frozen=True, slots=True)
class Group:
    """What is folded: the absorbed members, the target (None: a new skill called `name`), and the words all names share
    (none for versions of one text).
    """

    name: str
    absorbed: tuple[Member, ...]
    target: Member | None
    shared: tuple[str, ...]

    @property
    def members(self) -> tuple[Member, ...]:
        """Target first, then the absorbed ones."""
        return ((self.target,) if self.target else ()) + self.absorbed

    @property
    def wide(self) -> bool:
        """Whether the target's name says no more than the class of task."""
        return self.target is not None and not set(self.target.words) - set(self.shared) - _WIDE_WORDS


def member_of(row: Mapping[str, Any], content: str, files: Sequence[object]) -> Member:
    """A member from its row in the candidate list and what was read."""
    identity = str(row.get("id") or row.get("name") or "")
    uses = row.get("uses")
    return Member(
        name=str(row.get("name", "")),
        description=str(row.get("description") or ""),
        category=identity.rsplit("/", 1)[0] if "/" in identity else "",
        pinned=row.get("pinned") is True,
        uses=uses if isinstance(uses, int) else 0,
        content=content,
        files=tuple(sorted(str(path) for path in files if str(path) != "SKILL.md")),
    )


def groups_of(clusters: Sequence[Sequence[Member]]) -> tuple[Group, ...]:
    """The groups to fold, from the hinted clusters; groups that would get the same name become one."""
    by_name: dict[str, list[Member]] = {}
    shared_words: dict[str, tuple[str, ...]] = {}
    groups: list[Group] = []
    for cluster in clusters:
        for words, members in _families(cluster):
            key = "-".join(words)
            known = by_name.setdefault(key, [])
            known += [member for member in members if member not in known]
            shared_words[key] = words
    for key, members in by_name.items():
        group = _group(shared_words[key], members)
        if group is not None:
            groups.append(group)
    taken = {member.name for group in groups for member in group.members}
    for cluster in clusters:
        group = _versions([member for member in cluster if member.name not in taken])
        if group is not None:
            taken |= {member.name for member in group.members}
            groups.append(group)
    return tuple(groups)


def _families(cluster: Sequence[Member]) -> Iterator[tuple[tuple[str, ...], list[Member]]]:
    """Members that share a telling word of their names, largest family first, each member once."""
    left = list(cluster)
    while len(left) > 1:
        counts = Counter(word for member in left for word in dict.fromkeys(member.words) if word not in _EMPTY_WORDS)
        firsts = Counter(member.words[0] for member in left if member.words)
        best = max(counts, key=lambda word: (counts[word], firsts[word], word), default="")
        if not best or counts[best] < 2:
            return
        family = [member for member in left if best in member.words]
        common = [word for word in family[0].words if all(word in member.words for member in family)]
        yield tuple(word for word in dict.fromkeys(common) if word not in _EMPTY_WORDS), family
        left = [member for member in left if member not in family]


def _group(words: tuple[str, ...], members: Sequence[Member]) -> Group | None:
    target = _wide_member(words, members)
    fixed = [member for member in members if not member.portable and member is not target]
    if target is None and len(fixed) == 1 and not fixed[0].pinned:
        # One package that cannot be carried takes the others in instead of moving itself.
        target, fixed = fixed[0], []
    absorbed = tuple(m for m in members if m is not target and m not in fixed and not m.pinned)
    if not absorbed or (target is None and len(absorbed) < 2):
        return None
    name = target.name if target else umbrella_name(words, [member.name for member in members])
    return Group(name, absorbed, target, words)


def _wide_member(words: Sequence[str], members: Sequence[Member]) -> Member | None:
    wide = [member for member in members if not set(member.words) - set(words) - _WIDE_WORDS]
    return max(wide, key=lambda member: (member.pinned, member.uses, member.name), default=None)


def umbrella_name(words: Sequence[str], taken: Sequence[str]) -> str:
    """The name of a new class-level skill: the shared words, and `workflows` when they are few or taken."""
    base = "-".join(words)
    return base if len(words) > 1 and base not in taken else f"{base}-workflows"


def _versions(members: Sequence[Member]) -> Group | None:
    """Two or more skills that are nearly one text: the most used one (a pinned one first) takes the others in."""
    movable = [member for member in members if member.portable or member.pinned]
    if len(movable) < 2:
        return None
    index = Similarity({m.name: catalogue_text(m.name, m.description, m.content) for m in movable})
    target = max(movable, key=lambda member: (member.pinned, member.uses, len(member.content), member.name))
    alike = [near.id for near in index.neighbours(target.name, _VERSIONS)]
    absorbed = tuple(member for member in movable if member.name in alike and not member.pinned)
    return Group(target.name, absorbed, target, ()) if absorbed else None
