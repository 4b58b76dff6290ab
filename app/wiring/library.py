"""Joins the library pane, the skill page and the graph with the library and skill services."""

from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from app.bridge.services import Services
from app.cycles.values import EntryDetail, SkillDetail, Undone, UseDetail
from app.errors import Failure
from app.history.log import moves_of
from app.history.values import Entry
from app.proposals.values import Decision, Proposal
from app.skills.values import Finding, Library, Receipt
from app.wiring.panes import Panes
from app.wiring.skill_acts import SkillActs
from app.wiring.steering import Steering
from widgets.library.page_values import Checked, UseFacts


class LibraryWires(QObject):
    """Selection, actions and the skill page's tabs."""

    def __init__(self, services: Services, panes: Panes, steering: Steering) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        self.acts = SkillActs(services, panes, steering)
        self._saving = ("", "")
        self._gone = ""
        self._tip: str | None = None
        self._moved: dict[str, str] = {}
        self._join_library()
        self._join_page()
        self._join_graph()

    def _join_library(self) -> None:
        pane, library, skills = self._panes.library, self._services.library, self._services.skills
        pane.skill_selected.connect(self._steering.select)
        pane.skill_opened.connect(self._steering.open_skill)
        pane.action_requested.connect(self.acts.act)
        library.library_changed.connect(pane.set_library)
        library.library_changed.connect(self._on_library)
        library.noticed.connect(self._steering.tell_notice)
        library.amended.connect(self._steering.amend_notice)
        library.settled.connect(self._panes.notices.withdraw)
        library.recorded.connect(self._on_recorded)
        library.failed.connect(pane.show_failure)
        self._services.proposals.listed.connect(self._on_proposals)
        skills.changed.connect(library.rescan_all)
        skills.undone.connect(self._on_undone)
        skills.plan_put_aside.connect(self._on_put_aside)
        skills.fixed.connect(self._on_fixed)
        skills.failed.connect(self._steering.tell_failure)

    def _join_page(self) -> None:
        page, skills = self._panes.skill, self._services.skills
        page.action_requested.connect(self.acts.act)
        page.file_requested.connect(skills.read_file)
        page.external_requested.connect(self._on_external)
        page.link_activated.connect(self._steering.follow)
        page.files_requested.connect(skills.files)
        page.history_requested.connect(skills.history)
        page.use_requested.connect(skills.use)
        page.fix_requested.connect(self._on_fix)
        page.fix_all_requested.connect(skills.fix_all)
        page.edit.text_changed.connect(skills.check)
        page.edit.field_edited.connect(skills.set_field)
        page.edit.difference_requested.connect(skills.difference)
        page.edit.save_requested.connect(self._on_save)
        page.history.difference_requested.connect(self._on_step)
        page.history.undo_requested.connect(skills.undo)
        page.file_add_requested.connect(skills.add_file)
        page.file_rename_requested.connect(skills.rename_file)
        page.file_remove_requested.connect(skills.remove_file)
        page.file_drop_requested.connect(skills.copy_in)
        skills.file_changed.connect(self._on_file_changed)
        skills.opened.connect(self._on_opened)
        skills.files_ready.connect(self._on_files)
        skills.file_ready.connect(page.set_file)
        skills.file_missing.connect(page.set_file_missing)
        skills.checked.connect(self._on_checked)
        skills.field_set.connect(page.edit.set_edited)
        page.edit.merge_requested.connect(skills.merge)
        skills.merged.connect(page.edit.set_merged)
        skills.difference_ready.connect(page.edit.set_difference)
        skills.saved.connect(self._on_saved)
        skills.save_failed.connect(self._on_save_failed)
        skills.history_ready.connect(self._on_history)
        skills.entry_ready.connect(self._on_entry)
        skills.use_ready.connect(self._on_use)

    def _join_graph(self) -> None:
        pane, graph = self._panes.graph, self._services.graph
        pane.skill_selected.connect(self._steering.select)
        pane.skill_opened.connect(self._steering.open_skill)
        pane.menu_requested.connect(self._on_menu)
        pane.refresh_requested.connect(self._services.library.refresh)
        self._services.library.library_changed.connect(graph.set_library)
        self._services.proposals.listed.connect(graph.set_proposals)
        graph.graph_ready.connect(pane.set_graph)
        graph.layout_ready.connect(pane.set_layout)
        graph.failed.connect(pane.show_failure)

    @Slot(object)
    def _on_library(self, library: Library) -> None:
        current = self._steering.current
        shown = library.get(current) if current else None
        if shown is not None:
            self._services.skills.open(current)
        elif current:
            self._gone = current
            self._steering.forget()
            self._return()
            if not self._steering.current:
                self._panes.skill.set_gone(current)
        else:
            self._return()
        none_shown = not self._steering.current and self._panes.skill.skill is None
        if none_shown and not self._gone:  # else the page says which one is gone
            self._panes.skill.set_nothing(empty=not library.skills)

    @Slot()
    def _return(self) -> None:
        """What was open goes on being open where it stands now."""
        if self._gone and not self._steering.current:
            again = self._where_now(self._gone, self._services.library.library)
            if again:
                self._panes.skill.edit.carry(self._gone, again)
                self._gone = ""
                self._steering.select(again)

    def _where_now(self, gone: str, library: Library) -> str:
        """Where a skill that left its place stands: moved, or exactly one row with its name and text."""
        here, passed = self._moved.get(gone, ""), {gone}
        while here in self._moved and here not in passed and library.get(here) is None:
            passed.add(here)
            here = self._moved[here]
        shown = self._panes.skill.skill
        if library.get(here) is not None:
            return here
        if shown is None or shown.id != gone or not shown.body_hash:
            return ""
        rows = [one for one in library.skills if (one.name, one.body_hash) == (shown.name, shown.body_hash)]
        return rows[0].id if len(rows) == 1 else ""

    def _learn(self, entries: Sequence[Entry]) -> None:
        """Remember what the newest steps moved; a skill that stands at an old place again is not followed."""
        library = self._services.library.library
        known = self._tip is not None  # the first time everything is old
        fresh = list(takewhile(lambda entry: entry.id != self._tip, entries)) if known else []
        self._tip = entries[0].id if entries else ""
        for entry in reversed(fresh):
            self._moved.update(moves_of(entry))
        self._moved = {
            old: new for old, new in self._moved.items() if library.get(old) is None or library.get(new) is None
        }
        self._return()

    @Slot(object)
    def _on_opened(self, detail: SkillDetail) -> None:
        if detail.skill.id != self._steering.current:
            return
        self._panes.skill.set_skill(detail.skill)
        self._panes.skill.set_text(detail.skill.id, detail.text, detail.base_hash)
        if detail.via:
            told = self.tr("{} was merged into {}.").format(detail.via[0], detail.skill.name)
            self._steering.inform(told)

    @Slot(str)
    def _on_put_aside(self, folder: str) -> None:
        if folder:
            self._steering.inform(
                self.tr("The interrupted action was put aside. What was left of it is in {}.").format(folder)
            )

    @Slot(object)
    def _on_recorded(self, entries: Sequence[Entry]) -> None:
        """A folder that was open and was renamed outside is followed to its new place."""
        for entry in entries:
            self._moved.update(moves_of(entry))
        self._return()
        if self._steering.current:
            self._services.skills.history(self._steering.current)

    @Slot(str, object)
    def _on_files(self, skill_id: str, files: tuple[str, ...]) -> None:
        if skill_id == self._steering.current:
            self._panes.skill.files.set_files(files)

    @Slot(object)
    def _on_proposals(self, proposals: tuple[Proposal, ...]) -> None:
        waiting: dict[str, int] = {}
        for proposal in proposals:
            for group in proposal.groups:
                if group.decision is Decision.WAITING:
                    for change in group.changes:
                        waiting[change.skill] = waiting.get(change.skill, 0) + 1
        self._panes.library.set_waiting(waiting)

    @Slot(str, object)
    def _on_file_changed(self, skill_id: str, receipt: Receipt) -> None:
        if skill_id == self._steering.current:
            self._services.skills.files(skill_id)
        self._steering.tell_undoable(self.tr("Files of {} changed.").format(receipt.name), (receipt.entry or "",))

    @Slot(object)
    def _on_fixed(self, receipt: Receipt | None) -> None:
        if receipt is None:
            self._steering.inform(self.tr("There was nothing to mend any more."))
            return
        self._steering.tell_undoable(self.tr("Mended {}.").format(receipt.name), (receipt.entry or "",))

    @Slot(str, object)
    def _on_undone(self, entry: str, result: Undone) -> None:
        if result.entry is None:
            tabs = (self._panes.skill.history, self._panes.history.steps)
            if not any(tab.isVisible() and tab.current == entry for tab in tabs):  # these show it themselves
                told = self.tr("Nothing was undone. {}").format(" ".join(result.conflicts))
                self._steering.offer(told, f"entry:{entry}", self.tr("Show"))
        else:
            self._steering.tell_undoable(" ".join((self.tr("Undone."), *result.kept)), (result.entry,))

    @Slot(str, object)
    def _on_checked(self, skill_id: str, checked: tuple[str, dict[str, str], tuple[Finding, ...]]) -> None:
        self._panes.skill.set_checked(skill_id, Checked(*checked))

    @Slot(str, str, str)
    def _on_save(self, skill_id: str, text: str, base_hash: str) -> None:
        self._services.idle.touch()
        self._saving = (skill_id, text)
        self._services.skills.save(skill_id, text, base_hash)

    @Slot(object, str)
    def _on_saved(self, receipt: Receipt, text_hash: str) -> None:
        skill_id, text = self._saving
        self._panes.skill.edit.set_saved(skill_id, text, text_hash)
        self._steering.tell_undoable(self.tr("Saved {}.").format(receipt.name), (receipt.entry or "",))

    @Slot(object)
    def _on_save_failed(self, failure: Failure) -> None:
        self._panes.skill.edit.set_save_failed(failure)
        self._services.library.rescan_all()

    @Slot(str, object)
    def _on_history(self, skill_id: str, entries: tuple[Entry, ...]) -> None:
        if not skill_id:
            self._learn(entries)
        elif skill_id == self._steering.current:
            self._panes.skill.history.set_entries(entries)

    @Slot(str)
    def _on_step(self, entry: str) -> None:
        self._services.skills.entry(entry, self._steering.current)

    @Slot(object)
    def _on_entry(self, detail: EntryDetail) -> None:
        own = f"skills/{self._steering.current}"
        mine = [changed for prefix, changed in detail.files if prefix == own]
        shown = mine or [changed for _, changed in detail.files]
        files = tuple(file for changed in shown for file in changed)
        self._panes.skill.history.set_difference(detail.entry.id, files)
        self._steering.show_step(detail)

    @Slot(object)
    def _on_use(self, detail: UseDetail) -> None:
        if detail.skill == self._steering.current:
            facts = UseFacts(detail.by_day, detail.ended_well, detail.ended_badly, detail.sessions)
            self._panes.skill.use.set_use(facts)

    @Slot(str, object)
    def _on_fix(self, skill_id: str, finding: Finding) -> None:
        self._services.skills.fix(skill_id, finding)

    @Slot(str, str)
    def _on_external(self, skill_id: str, path: str) -> None:
        skill = self._services.library.library.get(skill_id)
        if skill is not None:
            place: Path = skill.folder / path
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(place)))

    @Slot(str, QPoint)
    def _on_menu(self, skill_id: str, place: QPoint) -> None:
        self._steering.select(skill_id)
        self._panes.library.popup_menu(place)
