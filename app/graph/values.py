"""Values of the graph room: nodes, edges and places. Coordinates are unitless, centred on 0, y grows downwards."""

from dataclasses import dataclass
from enum import StrEnum

from app.skills.values import State


class EdgeKind(StrEnum):
    """Why two skills are joined."""

    ABSORBED = "absorbed"
    RELATED = "related"
    MENTION = "mention"
    PROPOSED = "proposed"


@dataclass(frozen=True, slots=True)
class Node:
    """One skill in the picture. `weight` 0 to 1 grows with use; a `proposed` one exists only in a waiting proposal."""

    id: str
    name: str
    category: str
    state: State
    pinned: bool
    broken: bool = False
    author: str = ""
    uses: int = 0
    weight: float = 0.0
    absorbed_into: str | None = None
    proposed: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow from one id to another."""

    start: str
    end: str
    kind: EdgeKind


@dataclass(frozen=True, slots=True)
class Graph:
    """All nodes and edges, sorted, each once."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """A place for each node id; `isolated` are docked in rows below and have places too."""

    places: tuple[tuple[str, float, float], ...] = ()
    isolated: tuple[str, ...] = ()
