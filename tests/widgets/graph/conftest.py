"""A small graph with every state, and a pane that shows it."""

import pytest

from app.graph.values import Edge, EdgeKind, Graph, Layout, Node
from app.skills.values import State
from widgets.graph.pane import GraphPane


def node(skill, category="testing", state=State.ACTIVE, **more):
    return Node(skill, skill.rsplit("/", 1)[-1], category, state, more.pop("pinned", False), **more)


@pytest.fixture
def graph():
    nodes = (
        node("hub", pinned=True, weight=1.0, uses=9, author="user"),
        node("left"),
        node("right", state=State.STALE),
        node("gone", state=State.ARCHIVED, absorbed_into="hub"),
        node("alone", category="data", broken=True),
    )
    edges = (
        Edge("gone", "hub", EdgeKind.ABSORBED),
        Edge("left", "hub", EdgeKind.RELATED),
        Edge("right", "hub", EdgeKind.MENTION),
    )
    return Graph(nodes, edges)


@pytest.fixture
def layout():
    places = (("hub", 0.0, 0.0), ("left", -10.0, 0.0), ("right", 10.0, 0.0), ("gone", 0.0, 10.0), ("alone", 0.0, 0.0))
    return Layout(places, ("alone",))


@pytest.fixture
def pane(qtbot, theme, graph, layout):
    with theme.undressed():  # half the time
        made = GraphPane(theme)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.set_graph(graph)
    made.set_layout(layout)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close()
