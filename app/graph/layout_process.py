"""The layout process: `python -m app.graph.layout_process` reads a graph from its input and answers with places."""

import json
import sys

from app.graph.placing import place_all
from app.graph.wire import answer_of, read_question


def main() -> None:
    """Lay out one graph and end."""
    graph, previous = read_question(sys.stdin.buffer.read())
    sys.stdout.buffer.write(json.dumps(answer_of(place_all(graph, previous))).encode())


if __name__ == "__main__":
    main()
