"""Builds the graph from the library: who absorbed whom, who names whom, and which merges are proposed.

Targets that lead nowhere are dropped; a name of an absorbed skill leads to the umbrella at the end of its chain. Each
edge stands once, and everything is sorted, so that equal libraries give equal graphs.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from app.graph.values import Edge, EdgeKind, Graph, Node
from app.skills.resolve import Names
from app.skills.values import Library, Skill, State


class ProposedChange(Protocol):
    """What the graph needs to know of one proposed change: the skill, and the umbrella it would go into."""

    @property
    def skill(self) -> str:
        """The id of the skill."""

    @property
    def absorbed_into(self) -> str | None:
        """The umbrella's name, empty or None when there is none."""

    @property
    def into(self) -> str | None:
        """The umbrella's id, when it is known."""


class ProposedGroup(Protocol):
    """Changes that are decided together."""

    @property
    def changes(self) -> Sequence[ProposedChange]:
        """Its changes."""


class Pending(Protocol):
    """A proposal, as far as the graph looks at it."""

    @property
    def waiting(self) -> Sequence[ProposedGroup]:
        """The groups that are still to be decided."""


def build_graph(library: Library, proposals: Iterable[Pending] = ()) -> Graph:
    """The graph of all un-shadowed skills and of the archived ones, with the merges that wait for a decision."""
    names = Names(library)
    waiting = tuple(proposals)
    shown = [skill for skill in library.skills if skill.shadowed_by is None]
    most = max((skill.usage.uses + skill.usage.views for skill in shown), default=0)
    nodes = {skill.id: _node(skill, names, most) for skill in reversed(shown)}
    edges: set[Edge] = set()
    for skill in shown:
        if skill.id in nodes:
            edges.update(_edges(skill, nodes[skill.id], names))
    nodes.update({ghost.id: ghost for ghost in _ghosts(waiting, names) if ghost.id not in nodes})
    edges.update(_proposed(waiting, names, nodes))
    kept = _without_doubles(edge for edge in edges if edge.start in nodes and edge.end in nodes)
    return Graph(
        tuple(nodes[key] for key in sorted(nodes)),
        tuple(sorted(kept, key=lambda edge: (edge.start, edge.end, edge.kind.value))),
    )


def _node(skill: Skill, names: Names, most: int) -> Node:
    activity = skill.usage.uses + skill.usage.views
    return Node(
        id=skill.id,
        name=skill.name,
        category=skill.category,
        state=skill.state,
        pinned=skill.pinned,
        broken=skill.broken,
        author=skill.author.value,
        uses=skill.usage.uses,
        weight=math.log1p(activity) / math.log1p(most) if most else 0.0,
        absorbed_into=_umbrella(skill, names),
    )


def _umbrella(skill: Skill, names: Names) -> str | None:
    """The id of the live skill that took over an archived one, at the end of all forwards."""
    if skill.state is not State.ARCHIVED or not skill.absorbed_into:
        return None
    return _live(skill.absorbed_into, names)


def _live(name: str, names: Names) -> str | None:
    found = names.resolve(name)
    return found.skill.id if found is not None and found.skill.live else None


def _edges(skill: Skill, node: Node, names: Names) -> Iterable[Edge]:
    if node.absorbed_into is not None:
        yield Edge(skill.id, node.absorbed_into, EdgeKind.ABSORBED)
    if not skill.live:
        return
    for kind, targets in ((EdgeKind.RELATED, skill.related), (EdgeKind.MENTION, skill.mentions)):
        for target in targets:
            end = _live(target, names)
            if end is not None and end != skill.id:
                yield Edge(skill.id, end, kind)


def _ghosts(proposals: Iterable[Pending], names: Names) -> Iterable[Node]:
    """The umbrellas that waiting merges would make: they are drawn, so that one sees what would come together."""
    for proposal in proposals:
        for group in proposal.waiting:
            for change in group.changes:
                if change.into and change.absorbed_into and _live(change.into, names) is None:
                    category = change.into.rpartition("/")[0]
                    yield Node(
                        change.into, change.absorbed_into, category, State.ACTIVE, False, weight=0.5, proposed=True
                    )


def _proposed(proposals: Iterable[Pending], names: Names, nodes: Mapping[str, Node]) -> Iterable[Edge]:
    for proposal in proposals:
        for group in proposal.waiting:
            for change in group.changes:
                target = change.into or change.absorbed_into
                end = (_live(target, names) if target else None) or target
                if end is not None and end in nodes and end != change.skill:
                    yield Edge(change.skill, end, EdgeKind.PROPOSED)


def _without_doubles(edges: Iterable[Edge]) -> list[Edge]:
    """One edge for each pair in one direction: a stated relation says more than a mention."""
    every = list(edges)
    related = {(edge.start, edge.end) for edge in every if edge.kind is EdgeKind.RELATED}
    return [edge for edge in every if edge.kind is not EdgeKind.MENTION or (edge.start, edge.end) not in related]
