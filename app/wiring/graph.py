"""Joins the graph's slider with the history, and what it lights up with the runs it is about."""

from PySide6.QtCore import QObject, Slot

from app.bridge.services import Services
from app.history.values import Entry
from app.skills.values import Action, State
from app.wiring.panes import Panes
from app.wiring.steering import Steering
from widgets.common.times import local_time
from widgets.graph.timeline import Moment
from widgets.library import step_words


class GraphWires(QObject):
    """The past in the graph, a run's skills, and ghosts that lead to their proposal."""

    def __init__(self, services: Services, panes: Panes, steering: Steering) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        pane, graph = panes.graph, services.graph
        pane.moments_requested.connect(graph.list_moments)
        pane.moment_requested.connect(graph.show_then)
        pane.proposal_asked.connect(self._on_ghost)
        panes.curator.graph_requested.connect(services.curator.find_changed)
        services.curator.changed_ready.connect(self._on_run)
        panes.notices.stood.connect(pane.make_room)
        panes.frame.page_changed.connect(self._on_page)
        self._on_page(panes.frame.page)
        graph.moments_ready.connect(self._on_moments)
        graph.then_ready.connect(pane.set_then)
        graph.then_failed.connect(steering.tell_failure)

    @Slot(object)
    def _on_moments(self, entries: tuple[Entry, ...]) -> None:
        self._panes.graph.set_moments([_moment(entry) for entry in entries])

    @Slot(str)
    def _on_page(self, page: str) -> None:
        """The graph has no bar of buttons at its bottom and makes room; elsewhere such bars stay free."""
        self._panes.notices.set_foot(bar=page != "graph")

    @Slot(str, object)
    def _on_run(self, run: str, changed: frozenset[str]) -> None:
        """Light up every skill a run changed or proposed something about, wherever it stands by now."""
        about = [item for item in self._services.proposals.inbox if item.run == run]
        changes = [change for item in about for group in item.groups for change in group.changes]
        skills = changed | {skill for change in changes for skill in (change.skill, change.into) if skill}
        names = {change.name for change in changes if change.action is Action.ARCHIVE}
        gone = (skill for skill in self._services.library.library.skills if skill.state is State.ARCHIVED)
        skills |= {skill.id for skill in gone if skill.name in names}
        if not skills:
            self._steering.inform(self.tr("This run changed nothing and proposed nothing."))
            return
        told = self.tr("Run {run}: {n} skills it is about").format(run=run, n=len(skills))
        self._panes.graph.light_up(skills, told)
        self._panes.frame.show_page("graph")

    @Slot(str)
    def _on_ghost(self, umbrella: str) -> None:
        """A proposed umbrella was opened: it leads to the group that would make it."""
        for item in self._services.proposals.inbox:
            for group in item.waiting:
                if umbrella in group.skills:
                    self._steering.show_proposal(item.id, group.id)
                    return


def _moment(entry: Entry) -> Moment:
    return Moment(entry.id, local_time(entry.at), step_words.headline(entry))
