"""The shelf service: questions about the library as a whole, past and present, that take a while."""

from collections.abc import Generator, Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.home_lane import HomeLane
from app.bridge.lane import Job
from app.bridge.service import Service
from app.cancel import CancelToken
from app.cycles import care, editing, healing, versions
from app.cycles.home import OpenHome
from app.cycles.values import LibraryThen, Lookalike
from app.skills.read import read_skill_text
from app.skills.resolve import find


class ShelfService(Service):
    """Asks about all skills; what takes long has a lane of its own, so that nothing waits behind it.

    Signals: then_ready(LibraryThen); then_failed(Failure) when nothing is recorded of that day; then_compared(id,
    files); not_kept_ready(skill id or "", LostFiles); doubles_ready(Lookalikes); pair_compared(one, other, files);
    purge_listed(PurgeItems); healed(Proposal, or None when no skill names an old name); progress(skills so far) while
    a long question is answered.
    """

    then_ready = Signal(object)
    then_failed = Signal(object)
    then_compared = Signal(str, object)
    not_kept_ready = Signal(str, object)
    doubles_ready = Signal(object)
    pair_compared = Signal(str, str, object)
    purge_listed = Signal(object)
    healed = Signal(object)
    progress = Signal(int)

    def __init__(self, lane: HomeLane, slow: HomeLane, parent: QObject | None = None) -> None:
        super().__init__(lane, parent)
        self._slow = slow
        self._running: Job | None = None

    def library_on(self, moment: datetime) -> None:
        """All skills as they were at a moment."""
        job = self._lane.ask("looking at a day", lambda home: versions.library_on(home, moment))
        job.finished.connect(self._on_then)
        job.failed.connect(self._on_then_failed)

    def compare_then(self, then: str, entry: str) -> None:
        """What differs of one skill (its id then) between that step and now."""
        self._ask("comparing", lambda home: (then, versions.files_then(home, then, entry)), self._on_then_compared)

    def not_kept(self, skill_id: str = "") -> None:
        """What the history does not hold, of one skill or of all."""

        def look(home: OpenHome, token: CancelToken) -> Generator[Any, None, object]:
            return skill_id, (yield from versions.not_kept(home, token, skill_id))

        if skill_id:
            self._work("what is not kept", look, self._on_not_kept)
        else:
            self._long("looking for what is not kept", look, self._on_not_kept)

    def doubles(self) -> None:
        """Pairs of skills that say much the same."""

        def look(home: OpenHome, token: CancelToken) -> Generator[Any, None, object]:
            return (yield from care.near_duplicates(home, token))

        self._long("looking for near-duplicates", look, self._on_doubles)

    def heal(self) -> None:
        """File a proposal that rewrites old names in skills to where their content went."""
        job = self._slow.ask("healing old names", healing.heal_mentions)
        job.finished.connect(self._on_healed)
        job.failed.connect(self._on_failed)

    def compare_pair(self, one: str, other: str) -> None:
        """The difference of two skills' texts."""

        def question(home: OpenHome) -> object:
            library = home.library()
            texts = (read_skill_text(find(library, skill)) for skill in (one, other))
            return one, other, editing.difference(*texts)

        self._ask("comparing two skills", question, self._on_pair)

    def list_purge(self, ids: Sequence[str]) -> None:
        """What deleting these archived skills takes away."""
        wanted = tuple(ids)
        self._ask("listing what goes", lambda home: care.purge_preview(home, wanted), self._on_purge)

    @Slot()
    def cancel(self) -> None:
        """Give up a long question."""
        if self._running is not None:
            self._slow.cancel(self._running)

    def _long(self, name: str, make: Any, done: Any) -> None:  # noqa: ANN401 - a HomeJob and a slot
        self.cancel()
        self._running = self._slow.work(name, make)
        self._running.finished.connect(done)
        self._running.failed.connect(self._on_failed)
        self._running.produced.connect(self._on_progress)
        self._running.finished.connect(self._forget)
        self._running.failed.connect(self._forget)
        self._running.cancelled.connect(self._forget)

    @Slot()
    def _forget(self) -> None:
        self._running = None

    @Slot(object)
    def _on_progress(self, count: object) -> None:
        if isinstance(count, int):
            self.progress.emit(count)

    @Slot(object)
    def _on_then(self, then: LibraryThen) -> None:
        self.then_ready.emit(then)

    @Slot(object)
    def _on_then_failed(self, failure: object) -> None:
        self.then_failed.emit(failure)

    @Slot(object)
    def _on_then_compared(self, answer: tuple[str, object]) -> None:
        self.then_compared.emit(*answer)

    @Slot(object)
    def _on_not_kept(self, answer: tuple[str, object]) -> None:
        self.not_kept_ready.emit(*answer)

    @Slot(object)
    def _on_doubles(self, pairs: tuple[Lookalike, ...]) -> None:
        self.doubles_ready.emit(pairs)

    @Slot(object)
    def _on_healed(self, proposal: object) -> None:
        self.healed.emit(proposal)

    @Slot(object)
    def _on_pair(self, answer: tuple[str, str, object]) -> None:
        self.pair_compared.emit(*answer)

    @Slot(object)
    def _on_purge(self, items: object) -> None:
        self.purge_listed.emit(items)
