"""How the nodes of the graph are grouped: by category, state or author, with words and order for the legend."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from app.graph.values import Node
from app.skills.values import State


class GroupBy(StrEnum):
    """What gives a node its hue and its row in the dock."""

    CATEGORY = "category"
    STATE = "state"
    AUTHOR = "author"


class Mark(StrEnum):
    """What a node is drawn as. Broken wins over the state, because a broken skill has no usable one."""

    ACTIVE = "active"
    STALE = "stale"
    ARCHIVED = "archived"
    BROKEN = "broken"
    PROPOSED = "proposed"


@dataclass(frozen=True, slots=True)
class Tally:
    """The numbers of the legend: nodes per mark, pinned ones, and (group, nodes) with the largest group first."""

    marks: dict[Mark, int]
    pinned: int
    groups: tuple[tuple[str, int], ...]


def mark_of(node: Node) -> Mark:
    """The shape a node is drawn with."""
    if node.proposed:
        return Mark.PROPOSED
    if node.state is State.ARCHIVED:
        return Mark.ARCHIVED
    if node.broken:
        return Mark.BROKEN
    return Mark.STALE if node.state is State.STALE else Mark.ACTIVE


def group_of(node: Node, by: GroupBy) -> str:
    """The group a node belongs to; the empty text stands for skills without category or author."""
    if by is GroupBy.CATEGORY:
        return node.category
    return node.state.value if by is GroupBy.STATE else node.author


def tally(nodes: Iterable[Node], by: GroupBy) -> Tally:
    """Count what the legend shows, over all nodes, hidden or not."""
    listed = tuple(nodes)
    groups = Counter(group_of(node, by) for node in listed)
    ordered = sorted(groups.items(), key=lambda item: (-item[1], item[0]))
    marks = Counter(mark_of(node) for node in listed)
    return Tally({mark: marks.get(mark, 0) for mark in Mark}, sum(node.pinned for node in listed), tuple(ordered))
