"""Joins the History page, and the History tab's ways back, with the services that know the past."""

from dataclasses import replace

from PySide6.QtCore import QObject, Slot

from app.bridge.services import Services
from app.cycles.values import EntryDetail, LostFile, Undone
from app.history.values import Entry
from app.proposals.values import Proposal
from app.skills.values import Action, Receipt
from app.text.values import FileDiff
from app.wiring.panes import Panes
from app.wiring.steering import Steering


class HistoryWires(QObject):
    """Every step of the library, the library of a day, and what is not kept."""

    def __init__(self, services: Services, panes: Panes, steering: Steering) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        pane, tab, skills, shelf = panes.history, panes.skill.history, services.skills, services.shelf
        pane.entries_requested.connect(self._ask)
        pane.lost_requested.connect(shelf.not_kept)
        pane.steps.difference_requested.connect(skills.entry)
        pane.steps.undo_requested.connect(skills.undo)
        pane.steps.origin_requested.connect(steering.follow)
        pane.steps.skill_requested.connect(self._on_skill)
        pane.then.day_requested.connect(shelf.library_on)
        pane.then.difference_requested.connect(shelf.compare_then)
        pane.then.version_requested.connect(skills.restore_version)
        pane.then.restore_requested.connect(self._on_restore)
        pane.then.rollback_requested.connect(panes.curator.rollback_requested)
        pane.then.skill_requested.connect(self._on_skill)
        pane.lost.skill_requested.connect(self._on_skill)
        panes.skill.past_requested.connect(self._on_past)
        tab.comparison_requested.connect(self._on_compare)
        tab.version_requested.connect(self._on_version)
        skills.history_ready.connect(self._on_history)
        skills.entry_ready.connect(self._on_entry)
        skills.version_compared.connect(self._on_compared)
        skills.version_restored.connect(self._on_restored)
        skills.undone.connect(self._on_undone)
        skills.changed.connect(self._on_changed)
        shelf.then_ready.connect(pane.then.set_then)
        shelf.then_failed.connect(pane.then.set_failure)
        shelf.then_compared.connect(pane.then.set_difference)
        shelf.not_kept_ready.connect(self._on_lost)
        shelf.progress.connect(pane.lost.show_progress)
        shelf.healed.connect(self._on_healed)

    @Slot(str)
    def _on_past(self, skill_id: str) -> None:
        """What happened to a skill that is gone."""
        self._panes.frame.show_page("history")
        self._panes.history.look_for(skill_id)

    def show_view(self, name: str) -> None:
        """Bring the page to the front with one of its views: `steps`, `then`, `lost`."""
        self._panes.frame.show_page("history")
        self._panes.history.show_view(name)

    @Slot()
    def _ask(self) -> None:
        self._services.skills.history("")

    @Slot()
    def _on_changed(self) -> None:
        if self._panes.history.isVisible() and self._panes.history.view == "then":
            self._panes.history.then.ask()

    @Slot(str, object)
    def _on_history(self, skill_id: str, entries: tuple[Entry, ...]) -> None:
        if not skill_id:
            if self._panes.history.isVisible():  # else the page asks when it is turned to
                self._panes.history.set_entries(entries)
        elif skill_id == self._steering.current:
            self._services.shelf.not_kept(skill_id)

    @Slot(object)
    def _on_entry(self, detail: EntryDetail) -> None:
        several = len(detail.files) > 1
        files = tuple(_placed(prefix, file, several=several) for prefix, changed in detail.files for file in changed)
        self._panes.history.steps.set_difference(detail.entry.id, files, detail.more)

    @Slot(str, object)
    def _on_undone(self, entry: str, result: Undone) -> None:
        if result.entry is None:
            for tab in (self._panes.history.steps, self._panes.skill.history):
                tab.show_conflict(entry, result.conflicts, result.files)

    @Slot(str)
    def _on_compare(self, entry: str) -> None:
        if self._steering.current:
            self._services.skills.compare_version(self._steering.current, entry)

    @Slot(str, str, object)
    def _on_compared(self, skill_id: str, entry: str, files: tuple[FileDiff, ...]) -> None:
        if skill_id == self._steering.current:
            self._panes.skill.history.set_difference(entry, files)

    @Slot(str)
    def _on_version(self, entry: str) -> None:
        self._services.idle.touch()
        if self._steering.current:
            self._services.skills.restore_version(self._steering.current, entry)

    @Slot(object)
    def _on_restored(self, receipt: Receipt) -> None:
        told = self.tr("{} is as it was then.").format(receipt.name)
        self._steering.tell_undoable(told, (receipt.entry or "",))

    @Slot(object)
    def _on_healed(self, proposal: Proposal | None) -> None:
        if proposal is None:
            self._steering.inform(self.tr("No skill names one that was merged or renamed."))
        else:
            self._steering.show_proposal(proposal.id)

    @Slot(str)
    def _on_restore(self, skill_id: str) -> None:
        self._services.skills.act(Action.RESTORE, (skill_id,))

    @Slot(str)
    def _on_skill(self, skill_id: str) -> None:
        if self._steering.find(skill_id) is None:
            self._steering.inform(self.tr("{} is not in the library any more.").format(skill_id))
        else:
            self._steering.open_skill(skill_id)

    @Slot(str, object)
    def _on_lost(self, skill_id: str, lost: tuple[LostFile, ...]) -> None:
        if not skill_id:
            self._panes.history.lost.set_lost(lost)
        elif skill_id == self._steering.current:
            self._panes.skill.history.set_lost(lost)


def _placed(prefix: str, file: FileDiff, *, several: bool) -> FileDiff:
    """A file's difference with the skill in front of its path where a step is about more than one."""
    return replace(file, path=f"{prefix.rpartition('/')[2]}/{file.path}") if several else file
