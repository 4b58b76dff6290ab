"""The one door to igraph: a force-directed layout of an undirected graph without loops and double edges.

Only `layout_fruchterman_reingold` is called; igraph's layered and Kamada-Kawai layouts crash on multi-edges. It holds
the interpreter's lock while it works (0.4 s at 5,000 nodes), so it belongs into a child process.
"""

import random
from collections.abc import Sequence

#: A place in the picture, unitless.
Point = tuple[float, float]

#: Rounds of the layout for small and for large graphs; more rounds hardly change a large picture.
_ROUNDS, _ROUNDS_LARGE, _LARGE = 500, 200, 1500
_SEED = 7
#: How strongly a component is held at the centre, compared with an edge.
_HOLD = 0.08


def force_layout(count: int, edges: Sequence[tuple[int, int]], start: Sequence[Point]) -> list[Point]:
    """Places for the nodes 0 … count - 1, starting from `start`; equal input gives equal places.

    Every component is tied by one weak edge to a node in the middle that is not part of the answer: without it,
    components push each other away without end.
    """
    import igraph  # noqa: PLC0415 - heavy optional library, needed in the child process only

    igraph.set_random_number_generator(random.Random(_SEED))
    pairs = sorted({(min(pair), max(pair)) for pair in edges if pair[0] != pair[1]})
    components = igraph.Graph(count, pairs).connected_components()
    degree = [0] * count
    for one, other in pairs:
        degree[one] += 1
        degree[other] += 1
    ties = [(max(part, key=lambda node: (degree[node], -node)), count) for part in components] if count else []
    graph = igraph.Graph(count + 1, [*pairs, *ties])
    weights = [1.0] * len(pairs) + [_HOLD] * len(ties)
    seeds = [*[list(point) for point in start], [0.0, 0.0]]
    rounds = _ROUNDS if count < _LARGE else _ROUNDS_LARGE
    found = graph.layout_fruchterman_reingold(weights=weights, niter=rounds, seed=seeds, grid=True)
    return [(float(x), float(y)) for x, y in found.coords[:count]]
