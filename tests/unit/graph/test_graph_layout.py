"""Where nodes go: laid out in a child process, the same every time, and staying put when few are new."""

import itertools
import math
import threading

import pytest

from app.cancel import Cancelled, CancelToken
from app.graph.apart import apart, spacing
from app.graph.layout import layout_in_child
from app.graph.placing import place_few
from app.graph.values import Edge, EdgeKind, Graph, Layout, Node
from app.graph.wire import layout_from
from app.skills.values import State

Places = dict[str, tuple[float, float]]


def node(skill: str) -> Node:
    return Node(skill, skill, skill[0], State.ACTIVE, False)


def ring(count: int, alone: int = 0) -> Graph:
    names = [f"{'abc'[number % 3]}{number:04d}" for number in range(count)]
    edges = [Edge(one, other, EdgeKind.RELATED) for one, other in itertools.pairwise([*names, names[0]])]
    nodes = [*names, *(f"z{number:04d}" for number in range(alone))]
    return Graph(tuple(node(name) for name in sorted(nodes)), tuple(edges))


def places(layout: Layout) -> Places:
    return {skill: (x, y) for skill, x, y in layout.places}


def test_every_node_gets_a_finite_place_of_its_own_and_lonely_ones_are_docked_below() -> None:
    graph = ring(40, alone=9)
    found = layout_in_child(graph, None, CancelToken())
    spots = places(found)
    assert spots.keys() == {one.id for one in graph.nodes}
    assert found.isolated == tuple(f"z{number:04d}" for number in range(9))
    assert len({(round(x, 6), round(y, 6)) for x, y in spots.values()}) == 49
    lowest = max(y for skill, (x, y) in spots.items() if skill not in found.isolated)
    assert all(spots[skill][1] > lowest for skill in found.isolated)


def test_the_same_graph_is_laid_out_the_same_way_every_time() -> None:
    graph = ring(60)
    assert layout_in_child(graph, None, CancelToken()) == layout_in_child(graph, None, CancelToken())


def test_double_edges_and_circles_of_one_are_harmless() -> None:
    graph = Graph(
        (node("a"), node("b")),
        (
            Edge("a", "b", EdgeKind.RELATED),
            Edge("b", "a", EdgeKind.MENTION),
            Edge("a", "a", EdgeKind.MENTION),
        ),
    )
    spots = places(layout_in_child(graph, None, CancelToken()))
    assert math.dist(spots["a"], spots["b"]) > 0


def test_a_new_node_goes_near_its_neighbour_and_moves_nobody() -> None:
    before = layout_in_child(ring(60), None, CancelToken())
    bigger = Graph((*ring(60).nodes, node("new")), (*ring(60).edges, Edge("new", "a0000", EdgeKind.RELATED)))
    after = places(layout_in_child(bigger, before, CancelToken()))
    old = places(before)
    assert {skill: after[skill] for skill in old} == old
    room = spacing(list(old.values()))
    assert math.dist(after["new"], after["a0000"]) < 4 * room
    assert min(math.dist(after["new"], spot) for spot in old.values()) > 0.3 * room


def test_a_removed_node_leaves_the_others_where_they_are() -> None:
    before = layout_in_child(ring(60), None, CancelToken())
    smaller = Graph(
        tuple(one for one in ring(60).nodes if one.id != "a0000"),
        tuple(edge for edge in ring(60).edges if "a0000" not in (edge.start, edge.end)),
    )
    assert places(layout_in_child(smaller, before, CancelToken())) == {
        skill: spot for skill, spot in places(before).items() if skill != "a0000"
    }


def test_a_docked_node_that_gets_an_edge_joins_the_picture() -> None:
    before = layout_in_child(ring(60, alone=1), None, CancelToken())
    joined = Graph(ring(60, alone=1).nodes, (*ring(60).edges, Edge("z0000", "b0001", EdgeKind.RELATED)))
    after = layout_in_child(joined, before, CancelToken())
    assert after.isolated == ()
    spots = places(after)
    assert math.dist(spots["z0000"], spots["b0001"]) < 4 * spacing(list(spots.values()))


def test_too_many_new_nodes_ask_for_a_new_picture() -> None:
    before = layout_in_child(ring(20), None, CancelToken())
    assert place_few(ring(40), before) is None
    assert place_few(ring(20), None) is None


def test_a_graph_without_edges_needs_no_process() -> None:
    graph = Graph((node("a"), node("b")), ())
    found = place_few(graph, None)
    assert found is not None
    assert found.isolated == ("a", "b")


def test_cancelling_kills_the_process_at_once() -> None:
    token = CancelToken()
    timer = threading.Timer(0.05, token.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        layout_in_child(ring(20_000), None, token)
    timer.join()


def test_a_place_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        layout_from({"places": [["a", float("nan"), 0]], "isolated": []})


def test_nodes_on_one_spot_are_moved_apart() -> None:
    points = [(0.0, 0.0), (0.0, 0.0), (10.0, 10.0), (20.0, 0.0)]
    moved = apart(points)
    assert min(math.dist(one, other) for one, other in itertools.combinations(moved, 2)) > 0.4 * spacing(points)
    assert moved[2:] == points[2:]
