"""The graph service: builds the graph from the library and the inbox, and has it laid out in a child process."""

from collections.abc import Generator
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.lane import Job, Lane
from app.cancel import CancelToken
from app.errors import Failure
from app.graph.build import build_graph
from app.graph.layout import layout_in_child
from app.graph.values import Graph, Layout
from app.proposals.values import Proposal
from app.skills.values import Library


class GraphService(QObject):
    """The picture of the library.

    Signals: graph_ready(Graph); layout_ready(Layout); failed(Failure).
    """

    graph_ready = Signal(object)
    layout_ready = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = Lane("graph", self)
        self._library = Library()
        self._proposals: tuple[Proposal, ...] = ()
        self._graph: Graph | None = None
        self._layout: Layout | None = None
        self._job: Job | None = None
        self._due = False

    @Slot(object)
    def set_library(self, library: Library) -> None:
        """The skills changed."""
        self._library = library
        self._draw()

    @Slot(object)
    def set_proposals(self, proposals: tuple[Proposal, ...]) -> None:
        """The inbox changed: proposed merges are ghost edges."""
        self._proposals = proposals
        self._draw()

    @property
    def lane(self) -> Lane:
        """The lane this works on, for whoever ends it."""
        return self._lane

    def _draw(self) -> None:
        if self._job is not None:
            self._due = True
            return
        library, proposals, before, layout = self._library, self._proposals, self._graph, self._layout

        def play(token: CancelToken) -> Generator[Graph, None, Layout | None]:
            graph = build_graph(library, proposals)
            if graph == before:
                return None
            yield graph
            placed: Layout = layout_in_child(graph, layout, token)
            return placed

        self._due = False
        self._job = self._lane.submit("graph", play)
        self._job.produced.connect(self._on_graph)
        self._job.finished.connect(self._on_layout)
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._on_cancelled)

    @Slot(object)
    def _on_graph(self, graph: Graph) -> None:
        self._graph = graph
        self.graph_ready.emit(graph)

    @Slot(object)
    def _on_layout(self, layout: Any) -> None:  # noqa: ANN401 - a Layout or None through a signal
        self._job = None
        if layout is not None:
            self._layout = layout
            self.layout_ready.emit(layout)
        if self._due:
            self._draw()

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self._job = None
        self.failed.emit(failure)

    @Slot()
    def _on_cancelled(self) -> None:
        self._job = None
