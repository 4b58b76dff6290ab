"""The exchange service: reads sources, imports, updates, exports and links for the window, on a lane of its own."""

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.home_lane import HomeLane
from app.bridge.lane import Job
from app.bridge.service import Service
from app.cancel import CancelToken
from app.cycles import exchange as cycle
from app.cycles.exchange_links import agent_views, link, unlink
from app.cycles.exchange_out import export
from app.cycles.exchange_update import Survey, survey, update
from app.cycles.home import OpenHome
from app.errors import Failure
from app.exchange.values import Keep, LinkMode, Look, Pick, Progress


class ExchangeService(Service):
    """Answers what the import, update and link sheets ask for.

    Signals: progressed(Progress) while a source is read; looked(Look), look_failed(Failure) and stopped() are how that
    ends. imported(ImportReport), take_failed(Failure); surveyed(Renewals), survey_failed(Failure);
    updated(UpdateReport); exported(ExportReport); agents_ready(skill id, AgentViews), linked(LinkReport),
    unlinked(LinkReport). changed() when something was written into the library.
    """

    progressed = Signal(object)
    looked = Signal(object)
    look_failed = Signal(object)
    stopped = Signal()
    imported = Signal(object)
    take_failed = Signal(object)
    surveyed = Signal(object)
    survey_failed = Signal(object)
    updated = Signal(object)
    exported = Signal(object)
    agents_ready = Signal(str, object)
    linked = Signal(object)
    unlinked = Signal(object)
    changed = Signal()

    def __init__(self, lane: HomeLane, parent: QObject | None = None) -> None:
        super().__init__(lane, parent)
        self._reading: Job | None = None
        self._survey = Survey(())

    def look(self, source: str, *, insecure: bool = False, only: Sequence[str] = ()) -> None:
        """Read and judge a source; a reading that is under way is stopped. `only` are places in the source."""
        wanted = tuple(only)

        def make(home: OpenHome, token: CancelToken) -> Generator[Any, None, Look]:
            home.reload_settings()
            return (yield from cycle.look(home, source, token, insecure=insecure, only=wanted))

        self._read("reading a source", make, self._on_looked).failed.connect(self._on_look_failed)

    def take(self, seen: Look, picks: Sequence[Pick]) -> None:
        """Import what was picked."""
        wanted = tuple(picks)
        job = self._lane.ask("importing", lambda home: cycle.take(home, seen, wanted))
        job.finished.connect(self._on_imported)
        job.failed.connect(self._on_take_failed)

    def survey(self) -> None:
        """Look at the sources of all imported skills."""

        def make(home: OpenHome, token: CancelToken) -> Generator[Any, None, Survey]:
            home.reload_settings()
            return (yield from survey(home, (), token))

        self._read("looking for updates", make, self._on_surveyed).failed.connect(self._on_survey_failed)

    def update(self, ids: Sequence[str], keep: Keep, *, accept: bool) -> None:
        """Write the new versions of these skills, as they were last surveyed."""
        found = self._survey.only(frozenset(ids))
        self._ask("updating", lambda home: update(home, found, keep=keep, accept=accept), self._on_updated)

    def export(self, ids: Sequence[str], dest: str, *, replace: bool) -> None:
        """Write skills out; the destination's ending says as what."""
        wanted = tuple(ids)
        self._ask("exporting", lambda home: export(home, wanted, Path(dest), replace=replace), self._on_exported)

    def agents(self, skill_id: str) -> None:
        """Which agents are here, and how they stand to a skill."""
        self._ask("looking for agents", lambda home: (skill_id, agent_views(home, skill_id)), self._on_agents)

    def link(self, skill_id: str, agent: str, mode: LinkMode) -> None:
        """Link (or copy) a skill into an agent's folder."""
        self._ask("linking", lambda home: link(home, skill_id, (agent,), mode), self._on_linked)

    def unlink(self, skill_id: str, agent: str) -> None:
        """Take a skill out of an agent's folder."""
        self._ask("unlinking", lambda home: unlink(home, skill_id, (agent,)), self._on_unlinked)

    @Slot()
    def cancel(self) -> None:
        """Stop reading."""
        if self._reading is not None:
            self._lane.cancel(self._reading)

    def _read(self, name: str, make: Any, done: Any) -> Job:  # noqa: ANN401 - a HomeJob and a slot
        self.cancel()
        job = self._lane.work(name, make)
        self._reading = job
        job.produced.connect(self._on_progress)
        job.finished.connect(done)
        job.cancelled.connect(self._on_stopped)
        return job

    @Slot(object)
    def _on_progress(self, progress: Progress) -> None:
        self.progressed.emit(progress)

    @Slot(object)
    def _on_looked(self, seen: Look) -> None:
        self._reading = None
        self.looked.emit(seen)

    @Slot(object)
    def _on_look_failed(self, failure: Failure) -> None:
        self._reading = None
        self.look_failed.emit(failure)

    @Slot(object)
    def _on_survey_failed(self, failure: Failure) -> None:
        self._reading = None
        self.survey_failed.emit(failure)

    @Slot()
    def _on_stopped(self) -> None:
        # A reading that was stopped for another one says nothing: the other one is under way.
        if self._reading is None or self._reading.token.cancelled:
            self._reading = None
            self.stopped.emit()

    @Slot(object)
    def _on_imported(self, report: object) -> None:
        self.imported.emit(report)
        self.changed.emit()

    @Slot(object)
    def _on_take_failed(self, failure: Failure) -> None:
        self.take_failed.emit(failure)

    @Slot(object)
    def _on_surveyed(self, found: Survey) -> None:
        self._reading = None
        self._survey = found
        self.surveyed.emit(found.renewals)

    @Slot(object)
    def _on_updated(self, report: object) -> None:
        self.updated.emit(report)
        self.changed.emit()

    @Slot(object)
    def _on_exported(self, report: object) -> None:
        self.exported.emit(report)

    @Slot(object)
    def _on_agents(self, answer: tuple[str, object]) -> None:
        self.agents_ready.emit(*answer)

    @Slot(object)
    def _on_linked(self, report: object) -> None:
        self.linked.emit(report)

    @Slot(object)
    def _on_unlinked(self, report: object) -> None:
        self.unlinked.emit(report)
