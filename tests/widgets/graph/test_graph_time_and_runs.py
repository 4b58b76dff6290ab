"""The graph through time, a run lit up, ghosts, and where legend and table stand."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QRect, Qt

from app.graph.values import Edge, EdgeKind, Graph, Node
from app.skills.values import State
from widgets.graph.grouping import Mark, mark_of
from widgets.graph.timeline import Moment, Timeline

MOMENTS = tuple(Moment(f"e{n}", f"day {n}", "something") for n in range(3))


@pytest.fixture
def timeline(qtbot, theme):
    made = Timeline(theme)
    qtbot.addWidget(made)
    made.set_moments(MOMENTS)
    return made


def test_the_slider_stands_at_now_until_it_is_moved(qtbot, timeline):
    assert timeline.moment is None
    with qtbot.waitSignal(timeline.moment_chosen) as told:
        timeline._slider.setValue(1)
    assert told.args == ["e1"]
    assert timeline._told.text == "day 1 · something"
    with qtbot.waitSignal(timeline.moment_chosen) as told:
        timeline.go_to_now()
    assert told.args == [""]


def test_a_playing_history_waits_for_each_picture_and_ends_at_now(qtbot, timeline, monkeypatch):
    timeline._next.setInterval(1)
    asked = []
    timeline.moment_chosen.connect(asked.append)
    timeline.moment_chosen.connect(lambda _entry: timeline.arrived())
    timeline.toggle_play()
    qtbot.waitUntil(lambda: not timeline.playing, timeout=5000)
    qtbot.waitUntil(lambda: asked[-1:] == [""])
    assert asked == ["e0", "e1", "e2", ""]


def test_new_steps_leave_the_shown_moment_alone(timeline):
    timeline._slider.setValue(1)
    timeline.set_moments((*MOMENTS, Moment("e3", "day 3", "more")))
    assert timeline.moment == MOMENTS[1]


def test_a_past_picture_is_shown_and_a_late_one_is_not(qtbot, pane, graph):
    with qtbot.waitSignal(pane.moments_requested):
        pane.carry_out("graph.time")
    pane.set_moments(MOMENTS)
    with qtbot.waitSignal(pane.moment_requested):
        pane._time._slider.setValue(1)
    only = next(node for node in graph.nodes if node.id == "hub")
    pane.set_then("e0", Graph(()))
    assert pane._canvas.picture.find("left") is not None
    pane.set_then("e1", Graph((only,)))
    assert [node.id for node in pane._canvas.picture.nodes] == ["hub"]
    pane.carry_out("graph.time")
    qtbot.waitUntil(lambda: pane._canvas.picture.find("left") is not None)


def test_what_a_run_is_about_is_lit_until_one_lets_go(qtbot, pane):
    pane.light_up({"hub", "left", "nowhere"}, "Run x: 3 skills")
    picture = pane._canvas.picture
    assert pane._look().lit == {picture.find("hub"), picture.find("left")}
    assert pane._strip.isVisible()
    pane._canvas.grab()
    pane._canvas.setFocus()
    qtbot.keyClick(pane._canvas, Qt.Key.Key_Escape)
    assert pane._look().lit == frozenset()
    assert not pane._strip.isVisible()


def test_a_proposed_umbrella_is_drawn_and_leads_to_its_proposal(qtbot, pane, graph):
    ghost = Node("new", "new", "testing", State.ACTIVE, False, proposed=True)
    pane.set_graph(Graph((*graph.nodes, ghost), (*graph.edges, Edge("left", "new", EdgeKind.PROPOSED))))
    assert mark_of(ghost) is Mark.PROPOSED
    with qtbot.assertNotEmitted(pane.skill_selected):
        pane._choose("new")
    with qtbot.waitSignal(pane.proposal_asked) as told:
        pane._open_skill("new")
    assert told.args == ["new"]
    pane._canvas.grab()


@pytest.mark.parametrize(("width", "beside"), [(413, False), (1000, True)])
def test_legend_and_table_never_lie_over_the_picture(qtbot, pane, width, beside):
    pane.resize(width, 520)
    for action, part in (("graph.table", pane._table), ("graph.legend", pane._legend)):
        if not part.isVisible():
            pane.carry_out(action)
        qtbot.waitUntil(part.isVisible)
    places = [QRect(part.mapTo(pane, part.rect().topLeft()), part.size()) for part in (pane._legend, pane._table)]
    canvas = QRect(pane._canvas.mapTo(pane, pane._canvas.rect().topLeft()), pane._canvas.size())
    assert not any(canvas.intersects(place) for place in places)
    assert (places[0].right() < canvas.left()) is beside
    assert pane.width() == width


def test_actions_say_what_is_on_and_switch_it(pane):
    actions = pane.actions_here
    assert actions.action("graph.mention").isChecked()
    actions.action("graph.mention").trigger()
    assert not actions.action("graph.mention").isChecked()
    assert EdgeKind.MENTION not in {kind for _, _, kind in pane._canvas.picture.edges}
    actions.action("graph.group").trigger()
    assert pane._by.value == "state"
    actions.action("graph.labels").trigger()
    assert pane._labels.value == "all"


def test_the_ghosts_of_decided_proposals_are_gone(pane, graph):
    ghost = Node("new", "new", "testing", State.ACTIVE, False, proposed=True)
    pane.set_graph(Graph((*graph.nodes, ghost), graph.edges))
    assert pane._canvas.picture.find("new") is not None
    pane.set_graph(replace(graph))
    assert pane._canvas.picture.find("new") is None
