"""The pure parts of the graph: places, docks, filters, camera, names, walking."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.graph.values import EdgeKind, Graph, Layout, Node
from app.skills.values import State
from widgets.graph.camera import LARGEST, SMALLEST, Camera, fitted
from widgets.graph.grouping import GroupBy, Mark, group_of, mark_of, tally
from widgets.graph.labels import Box, Labels, Wish, budget, place
from widgets.graph.picture import Filter, build_picture, unit_of
from widgets.graph.walking import Finder, next_neighbour, towards

numbers = st.floats(-1e4, 1e4, allow_nan=False)


def plain(name, category="c", state=State.ACTIVE, *, broken=False, pinned=False):
    return Node(name, name, category, state, pinned, broken)


def build(graph, layout, hidden=Filter()):  # noqa: B008 - a frozen value
    return build_picture(graph, layout, 1.0, GroupBy.CATEGORY, hidden)


@pytest.mark.parametrize(
    ("node", "mark"),
    [
        (plain("a"), Mark.ACTIVE),
        (plain("a", state=State.STALE), Mark.STALE),
        (plain("a", state=State.ARCHIVED), Mark.ARCHIVED),
        (plain("a", broken=True), Mark.BROKEN),
        (plain("a", state=State.ARCHIVED, broken=True), Mark.ARCHIVED),
    ],
)
def test_a_node_has_the_shape_of_its_state(node, mark):
    assert mark_of(node) is mark


def test_the_tally_counts_marks_pins_and_groups_largest_first():
    nodes = [plain("a", "x"), plain("b", "y", pinned=True), plain("c", "y", State.STALE)]
    counts = tally(nodes, GroupBy.CATEGORY)
    assert counts.marks[Mark.ACTIVE] == 2
    assert counts.marks[Mark.STALE] == 1
    assert counts.marks[Mark.BROKEN] == 0
    assert counts.pinned == 1
    assert counts.groups == (("y", 2), ("x", 1))


def test_groups_follow_what_is_chosen():
    node = Node("a", "a", "cat", State.STALE, False, author="agent")
    assert [group_of(node, by) for by in GroupBy] == ["cat", "stale", "agent"]


def test_connected_nodes_stand_where_the_layout_says(graph, layout):
    picture = build(graph, layout)
    at = picture.find("left")
    assert (picture.x[at], picture.y[at]) == (-10.0, 0.0)


def test_isolated_nodes_are_docked_below_the_rest(graph, layout):
    picture = build(graph, layout)
    at = picture.find("alone")
    assert picture.y[at] > max(picture.y[picture.find(name)] for name in ("hub", "left", "right", "gone"))
    assert [(dock.group, dock.count) for dock in picture.docks] == [(None, 1)]


def test_docks_of_many_have_a_heading_for_each_group():
    nodes = tuple(plain(f"{category}{number}", category) for category in "ab" for number in range(30))
    picture = build(Graph(nodes, ()), Layout((), tuple(node.id for node in nodes)))
    assert [(dock.group, dock.count) for dock in picture.docks] == [("a", 30), ("b", 30)]
    assert len(set(zip(picture.x, picture.y, strict=True))) == 60
    few = build(Graph(nodes[::3], ()), Layout((), tuple(node.id for node in nodes[::3])))
    assert [(dock.group, dock.count) for dock in few.docks] == [(None, 20)]


def test_docked_nodes_stand_far_enough_apart_for_a_name_beside_each():
    nodes = tuple(plain(f"skill-{number}", "a") for number in range(9))
    picture = build(Graph(nodes, ()), Layout((), tuple(node.id for node in nodes)))
    columns = sorted(set(picture.x))
    assert picture.first_docked == 0
    assert [right - left for left, right in pairwise(columns)] == [picture.dock_step] * 2
    assert picture.bounds()[2] > columns[-1]


def test_a_node_the_layout_does_not_know_is_docked(graph):
    picture = build(graph, Layout((("hub", 0.0, 0.0),), ()))
    assert picture.find("left") is not None


def test_a_hidden_mark_takes_its_nodes_and_their_edges_away(graph, layout):
    picture = build(graph, layout, Filter(marks=frozenset({Mark.ARCHIVED})))
    assert picture.find("gone") is None
    assert {kind for _a, _b, kind in picture.edges} == {EdgeKind.RELATED, EdgeKind.MENTION}


def test_pinned_only_leaves_the_pinned(graph, layout):
    picture = build(graph, layout, Filter(pinned_only=True))
    assert [node.id for node in picture.nodes] == ["hub"]


def test_far_outliers_do_not_press_a_large_picture_together():
    nodes = tuple(plain(f"n{number}") for number in range(300))
    places = tuple((node.id, float(number % 20), float(number // 20)) for number, node in enumerate(nodes[:-1]))
    layout = Layout((*places, ("n299", 5000.0, 5000.0)), ())
    picture = build(Graph(nodes, ()), layout)
    assert max(picture.x) < 40


def test_the_unit_gives_connected_nodes_the_same_room():
    assert unit_of(Layout((("a", 0.0, 0.0), ("b", 2.0, 0.0)), ())) == pytest.approx(84 * 2**0.5 / 2)
    assert unit_of(Layout()) == 1.0


@given(numbers, numbers, st.floats(0.05, 3.5), st.floats(0.3, 3))
def test_zooming_keeps_the_place_under_the_pointer(x, y, scale, factor):
    camera = Camera(scale, 12.0, -7.0)
    before = camera.to_world(x, y)
    after = camera.zoomed(factor, x, y).to_world(x, y)
    assert after == pytest.approx(before, abs=1e-3, rel=1e-6)


@given(numbers, numbers)
def test_screen_and_world_are_inverse(x, y):
    camera = Camera(0.7, 30.0, 40.0)
    assert camera.to_world(*camera.to_screen(x, y)) == pytest.approx((x, y), abs=1e-6)


def test_the_zoom_has_ends():
    assert Camera(1.0).zoomed(1e9, 0, 0).scale == LARGEST
    assert Camera(1.0).zoomed(1e-9, 0, 0).scale == SMALLEST


def test_fitting_shows_everything():
    camera = fitted((-500.0, -100.0, 500.0, 100.0), 800, 600)
    for corner in ((-500.0, -100.0), (500.0, 100.0)):
        x, y = camera.to_screen(*corner)
        assert 0 <= x <= 800
        assert 0 <= y <= 600


def test_names_that_would_overlap_take_another_place_or_are_left_out():
    box = Box(50, 10, 40, 12)
    other = Box(50, 40, 40, 12)
    kept = place([Wish(1, (box,)), Wish(2, (box, other)), Wish(3, (box, other))], 10)
    assert kept == [(1, box), (2, other)]


def test_taken_room_is_respected_and_the_limit_too():
    box, free = Box(50, 10, 40, 12), Box(250, 10, 40, 12)
    assert place([Wish(1, (box, free))], 5, [box]) == [(1, free)]
    assert place([Wish(1, (box,)), Wish(2, (free,))], 1) == [(1, box)]


def test_the_budget_grows_with_the_zoom():
    assert budget(Labels.NONE, 2.0) == 0
    assert budget(Labels.AUTO, 0.1) < budget(Labels.AUTO, 0.3) < budget(Labels.AUTO, 1.0) < budget(Labels.ALL, 1.0)


def test_the_finder_takes_the_nearest_within_reach(graph, layout):
    picture = build(graph, layout)
    finder = Finder(picture)
    assert picture.nodes[finder.at(-9.0, 0.5, 5.0)].id == "left"
    assert finder.at(-9.0, 300.0, 5.0) is None


def test_arrows_go_to_the_nearest_in_their_direction(graph, layout):
    picture = build(graph, layout)
    hub = picture.find("hub")
    assert picture.nodes[towards(picture, hub, 1, 0)].id == "right"
    assert picture.nodes[towards(picture, hub, -1, 0)].id == "left"
    assert picture.nodes[towards(picture, hub, 0, 1)].id == "gone"
    assert towards(picture, picture.find("right"), 1, 0) is None


def test_neighbours_are_visited_round_and_round(graph, layout):
    picture = build(graph, layout)
    hub = picture.find("hub")
    seen, current = [], hub
    for _ in range(4):
        current = next_neighbour(picture, hub, current, 1)
        seen.append(picture.nodes[current].id)
    assert seen == ["left", "right", "gone", "left"]
    assert next_neighbour(picture, picture.find("alone"), hub, 1) is None
