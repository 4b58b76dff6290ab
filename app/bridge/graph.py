"""The graph service: builds the graph from the library and the inbox, or of a past moment, and has it laid out."""

from collections.abc import Callable, Generator
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.home_lane import HomeLane
from app.bridge.lane import Job, Lane
from app.cancel import CancelToken
from app.cycles.home import OpenHome
from app.errors import Failure
from app.graph.build import build_graph
from app.graph.layout import layout_in_child
from app.graph.values import Graph, Layout
from app.history.values import Entry
from app.proposals.values import Proposal
from app.skills.file_mentions import FileMentions
from app.skills.then import Past
from app.skills.values import Library


class _Memory:
    """Knows the library's past, opened in the lane at the first question and used only there."""

    def __init__(self) -> None:
        self._past: Past | None = None

    def library(self, home: OpenHome, entry: str) -> Library:
        """The library right after a step."""
        if self._past is None:
            self._past = Past(home.home, home.settings.library, home.history)
        return self._past.library(entry)


class GraphService(QObject):
    """The picture of the library.

    Signals: graph_ready(Graph); layout_ready(Layout); failed(Failure); moments_ready(entries, oldest first);
    then_ready(entry id, Graph); then_failed(Failure) when a past moment could not be read.
    """

    graph_ready = Signal(object)
    layout_ready = Signal(object)
    moments_ready = Signal(object)
    then_ready = Signal(str, object)
    then_failed = Signal(object)
    failed = Signal(object)

    def __init__(self, opener: Callable[[], OpenHome], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = HomeLane("graph", opener, self)
        self._memory = _Memory()
        self._then_job: Job | None = None
        self._then_due = ""
        self._library = Library()
        self._proposals: tuple[Proposal, ...] = ()
        self._graph: Graph | None = None
        self._layout: Layout | None = None
        self._mentions = FileMentions()
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

    @Slot()
    def list_moments(self) -> None:
        """Read the steps of the history."""
        job = self._lane.ask("steps of the history", _moments)
        job.finished.connect(self._on_moments)
        job.failed.connect(self._on_failed_then)

    @Slot(str)
    def show_then(self, entry: str) -> None:
        """Build the graph as it was right after a step; of several asked for meanwhile, the last one."""
        if self._then_job is not None:
            self._then_due = entry
            return
        memory = self._memory
        self._then_due = ""
        self._then_job = self._lane.ask("a past graph", lambda home: (entry, build_graph(memory.library(home, entry))))
        self._then_job.finished.connect(self._on_then)
        self._then_job.failed.connect(self._on_failed_then)
        self._then_job.cancelled.connect(self._on_cancelled_then)

    @property
    def lane(self) -> Lane:
        """The lane this works on, for whoever ends it."""
        return self._lane

    def _draw(self) -> None:
        if self._job is not None:
            self._due = True
            return
        library, proposals, before, layout = self._library, self._proposals, self._graph, self._layout
        mentions = self._mentions  # only the lane's jobs use it, and they run one after another

        def play(token: CancelToken) -> Generator[Graph, None, Layout | None]:
            graph = build_graph(mentions.completed(library, token, quick=True), proposals)
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

    @Slot(object)
    def _on_moments(self, entries: tuple[Entry, ...]) -> None:
        self.moments_ready.emit(entries)

    @Slot(object)
    def _on_then(self, answer: tuple[str, Graph]) -> None:
        self._then_job = None
        self.then_ready.emit(*answer)
        if self._then_due:
            self.show_then(self._then_due)

    @Slot(object)
    def _on_failed_then(self, failure: Failure) -> None:
        self._then_job = None
        self.then_failed.emit(failure)

    @Slot()
    def _on_cancelled_then(self) -> None:
        self._then_job = None


def _moments(home: OpenHome) -> tuple[Entry, ...]:
    """Every step that changed a skill, oldest first."""
    found = (entry for entry in home.history.entries() if entry.record.action != "memory")
    return tuple(reversed(tuple(found)))
