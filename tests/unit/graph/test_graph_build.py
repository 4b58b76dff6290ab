"""What becomes a node and an edge of the graph."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.graph.build import build_graph
from app.graph.values import Edge, EdgeKind, Graph
from app.skills.values import Forward, Library, Skill, State, Usage


def skill(skill_id: str, **more: Any) -> Skill:
    state = State.ARCHIVED if skill_id.startswith(".archive/") else State.ACTIVE
    folder = Path("/library") / skill_id
    return Skill(skill_id, folder.name, "", "d", folder, Path("/library"), state=state, **more)


def library(*skills: Skill, **forwards: str) -> Library:
    return Library(skills, {name: Forward(name, into, "", None, None) for name, into in forwards.items()})


def edges(graph: Graph) -> list[tuple[str, str, str]]:
    return [(edge.start, edge.end, edge.kind.value) for edge in graph.edges]


def test_related_names_and_mentions_are_edges_and_unknown_ones_are_dropped() -> None:
    graph = build_graph(library(skill("a", related=("b", "gone")), skill("b", mentions=("c", "b")), skill("c")))
    assert edges(graph) == [("a", "b", "related"), ("b", "c", "mention")]


def test_a_relation_to_an_absorbed_skill_leads_once_to_its_umbrella() -> None:
    graph = build_graph(
        library(skill("user", related=("alpha", "umbrella")), skill("umbrella"), alpha="umbrella"),
    )
    assert edges(graph) == [("user", "umbrella", "related")]


def test_an_absorbed_skill_points_to_the_end_of_its_chain() -> None:
    found = library(
        skill("top"),
        skill(".archive/a", absorbed_into="b"),
        skill(".archive/b", absorbed_into="top"),
        a="b",
        b="top",
    )
    graph = build_graph(found)
    assert edges(graph) == [(".archive/a", "top", "absorbed"), (".archive/b", "top", "absorbed")]
    assert {node.id: node.absorbed_into for node in graph.nodes}[".archive/a"] == "top"


def test_a_stated_relation_swallows_a_mention_of_the_same_skill() -> None:
    graph = build_graph(library(skill("a", related=("b",), mentions=("b",)), skill("b")))
    assert edges(graph) == [("a", "b", "related")]


def test_shadowed_skills_are_no_nodes_and_archived_ones_are() -> None:
    graph = build_graph(library(skill("x/a"), skill("y/a", shadowed_by="x/a"), skill(".archive/z")))
    assert [node.id for node in graph.nodes] == [".archive/z", "x/a"]


def test_weight_grows_with_use_from_zero_to_one() -> None:
    graph = build_graph(library(skill("a", usage=Usage(uses=8)), skill("b", usage=Usage(uses=2)), skill("c")))
    a, b, c = (node.weight for node in graph.nodes)
    assert (a, c) == (1.0, 0.0)
    assert 0 < b < 1


@dataclass(frozen=True)
class Change:
    skill: str
    absorbed_into: str | None
    into: str | None = None


@dataclass(frozen=True)
class Group:
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Waiting:
    waiting: tuple[Group, ...]


def test_waiting_merges_are_proposed_edges_and_unborn_umbrellas_are_left_out() -> None:
    changes = (Change("a", "top"), Change("b", "new-umbrella"), Change("top", None))
    graph = build_graph(library(skill("a"), skill("b"), skill("top")), [Waiting((Group(changes),))])
    assert graph.edges == (Edge("a", "top", EdgeKind.PROPOSED),)


def test_an_umbrella_that_a_merge_would_make_is_a_ghost_with_its_edges() -> None:
    changes = (Change("a", "new-umbrella", "web/new-umbrella"), Change("b", "new-umbrella", "web/new-umbrella"))
    graph = build_graph(library(skill("a"), skill("b")), [Waiting((Group(changes),))])
    assert [node.id for node in graph.nodes if node.proposed] == ["web/new-umbrella"]
    assert {(edge.start, edge.end) for edge in graph.edges} == {("a", "web/new-umbrella"), ("b", "web/new-umbrella")}


NAMES = st.sampled_from("abcdef")


@given(
    st.dictionaries(NAMES, st.tuples(st.lists(NAMES, max_size=3), st.lists(NAMES, max_size=3)), min_size=1),
    st.dictionaries(NAMES, NAMES),
    st.randoms(),
)
def test_every_edge_joins_two_nodes_once_and_order_does_not_matter(rows: Any, forwards: Any, random: Any) -> None:
    skills = [skill(name, related=tuple(one), mentions=tuple(two)) for name, (one, two) in rows.items()]
    graph = build_graph(library(*skills, **forwards))
    nodes = {node.id for node in graph.nodes}
    assert all(edge.start in nodes and edge.end in nodes and edge.start != edge.end for edge in graph.edges)
    assert len(set(graph.edges)) == len(graph.edges)
    random.shuffle(skills)
    assert build_graph(library(*skills, **forwards)) == graph
