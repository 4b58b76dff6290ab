"""Graphs and layouts as JSON, for the pipes to the layout process."""

import json
import math
from collections.abc import Mapping
from typing import Any

from app.graph.values import Edge, EdgeKind, Graph, Layout, Node
from app.skills.values import State


def question(graph: Graph, previous: Layout | None) -> bytes:
    """What the process is asked: ids, categories, edges, and the places so far."""
    index = {node.id: number for number, node in enumerate(graph.nodes)}
    return json.dumps(
        {
            "nodes": [[node.id, node.category] for node in graph.nodes],
            "edges": [[index[edge.start], index[edge.end]] for edge in graph.edges],
            "previous": answer_of(previous) if previous is not None else None,
        }
    ).encode()


def read_question(data: bytes) -> tuple[Graph, Layout | None]:
    """The other side of `question`: a graph that holds what a layout depends on."""
    asked = json.loads(data)
    nodes = tuple(Node(skill, skill, category, State.ACTIVE, False) for skill, category in asked["nodes"])
    edges = tuple(Edge(nodes[start].id, nodes[end].id, EdgeKind.RELATED) for start, end in asked["edges"])
    return Graph(nodes, edges), layout_from(asked["previous"]) if asked["previous"] is not None else None


def answer_of(layout: Layout) -> dict[str, Any]:
    """A layout as JSON values."""
    return {"places": [list(place) for place in layout.places], "isolated": list(layout.isolated)}


def layout_from(answer: Mapping[str, Any]) -> Layout:
    """A layout from JSON values. Raises ValueError when a place is no finite number."""
    places = tuple((str(skill), float(x), float(y)) for skill, x, y in answer["places"])
    if not all(math.isfinite(x) and math.isfinite(y) for _, x, y in places):
        raise ValueError("a place is not a finite number")
    return Layout(places, tuple(str(skill) for skill in answer["isolated"]))
