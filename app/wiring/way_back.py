"""Joins the ways back of the curator's and the graph's pages: undoing a run, rolling the library back to a moment."""

from datetime import date, datetime, time

from PySide6.QtCore import QObject, Slot

from app.bridge.services import Services
from app.cycles.values import RollbackPlan, RunUndo, Undone
from app.errors import Failure
from app.wiring.panes import Panes
from app.wiring.steering import Steering
from widgets.curator.rollback_dialog import RollbackDialog
from widgets.curator.undo_dialog import UndoDialog


class WayBackWires(QObject):
    """Dialogs with a preview first; what was done is told with its own undo."""

    def __init__(self, services: Services, panes: Panes, steering: Steering) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        self._dialog: RollbackDialog | None = None
        pane, curator, rollback = panes.curator, services.curator, services.rollback
        pane.undo_requested.connect(curator.preview_undo)
        pane.rollback_requested.connect(self._on_rollback)
        curator.undo_previewed.connect(self._on_undo_previewed)
        curator.run_undone.connect(self._on_run_undone)
        rollback.days_ready.connect(self._on_days)
        rollback.planned.connect(self._on_planned)
        rollback.rolled_back.connect(self._on_rolled_back)
        panes.review.undo_requested.connect(rollback.undo)
        rollback.undone.connect(self._on_undone)
        rollback.failed.connect(self._on_failed)
        rollback.changed.connect(services.library.rescan_all)

    @Slot(object)
    def _on_undo_previewed(self, plan: RunUndo) -> None:
        dialog = UndoDialog(self._panes.theme, plan, self._panes.frame)
        dialog.agreed.connect(self._services.curator.undo_run)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(object)
    def _on_run_undone(self, done: RunUndo) -> None:
        entries = tuple(step.by for step in done.steps if step.by)
        for why in done.conflicts:
            self._steering.warn(why)
        for why in (why for step in done.steps for why in step.kept):
            self._steering.inform(why)
        if entries:
            self._steering.tell_undoable(self.tr("Steps of the run taken back: {}").format(len(entries)), entries)
        self._services.proposals.refresh()
        self._services.library.rescan_all()

    @Slot()
    def _on_rollback(self) -> None:
        self._dialog = RollbackDialog(self._panes.theme, self._panes.frame)
        self._dialog.day_chosen.connect(self._on_day)
        self._dialog.agreed.connect(self._services.rollback.go_back)
        self._dialog.finished.connect(self._forget)
        self._services.rollback.list_days()
        self._dialog.open()

    @Slot()
    def _forget(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
            self._dialog = None

    @Slot(object)
    def _on_day(self, day: date) -> None:
        """A day means how the library stood at its end, in the reader's own zone."""
        self._services.rollback.plan(datetime.combine(day, time.max).astimezone())

    @Slot(object)
    def _on_days(self, days: tuple[tuple[date, int], ...]) -> None:
        if self._dialog is not None:
            self._dialog.set_days(days)

    @Slot(object)
    def _on_planned(self, plan: RollbackPlan) -> None:
        if self._dialog is not None:
            self._dialog.set_plan(plan)

    @Slot(object)
    def _on_rolled_back(self, result: Undone) -> None:
        if result.entry is None:
            self._steering.warn(self.tr("Nothing was rolled back. {}").format(" ".join(result.conflicts)))
        else:
            self._steering.tell_undoable(self.tr("The library was rolled back."), (result.entry,))

    @Slot(object)
    def _on_undone(self, results: tuple[Undone, ...]) -> None:
        entries = tuple(result.entry for result in reversed(results) if result.entry is not None)
        for result in results:
            if result.entry is None:
                self._steering.warn(self.tr("Not undone: {}").format(" ".join(result.conflicts)))
            for why in result.kept:
                self._steering.inform(why)
        if entries:
            self._steering.tell_undoable(self.tr("Undone: {} decisions.").format(len(entries)), entries)
        self._services.proposals.refresh()

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        if self._dialog is not None:
            self._dialog.show_failure(failure)
        else:
            self._steering.tell_failure(failure)
