"""The rollback service: the days there are, what going back to one would change, and going back."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import Signal, Slot

from app.bridge.service import Service
from app.cycles import rollback
from app.cycles.library import undo_many


class RollbackService(Service):
    """The way back for the whole library.

    Signals: days_ready((day, steps) pairs, oldest first); planned(RollbackPlan); rolled_back(Undone); undone(tuple of
    Undone) for several steps; changed() whenever the library was written.
    """

    days_ready = Signal(object)
    planned = Signal(object)
    rolled_back = Signal(object)
    undone = Signal(object)
    changed = Signal()

    @Slot()
    def list_days(self) -> None:
        """Read the days on which something was recorded."""
        self._ask("days of the history", rollback.days, self._on_days)

    def plan(self, when: datetime | str) -> None:
        """Work out what going back to a moment, or to right after a step (its id), would change."""
        self._ask("planning a rollback", lambda home: rollback.preview_rollback(home, when), self._on_planned)

    def go_back(self, when: datetime | str) -> None:
        """Bring the library back, as one step that can be undone."""
        self._ask("rolling back", lambda home: rollback.rollback(home, when), self._on_rolled_back)

    def undo(self, entries: Sequence[str]) -> None:
        """Take several steps back, newest first; what stands in the way of one does not stop the others."""
        wanted = tuple(entries)
        self._ask("undoing several steps", lambda home: undo_many(home, wanted), self._on_undone)

    @Slot(object)
    def _on_days(self, days: object) -> None:
        self.days_ready.emit(days)

    @Slot(object)
    def _on_planned(self, plan: object) -> None:
        self.planned.emit(plan)

    @Slot(object)
    def _on_rolled_back(self, result: object) -> None:
        self.rolled_back.emit(result)
        self.changed.emit()

    @Slot(object)
    def _on_undone(self, results: object) -> None:
        self.undone.emit(results)
        self.changed.emit()
