"""Joins the review, curator, memory and settings panes with their services."""

from collections.abc import Collection, Mapping

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from app.bridge.services import Services
from app.curator.values import CuratorStatus, Report
from app.cycles.values import CuratorProgress, Revision
from app.memory.values import Target
from app.proposals.values import Outcome, Proposal
from app.providers.address import OFFICIAL
from app.settings import Settings
from app.wiring.panes import Panes
from app.wiring.steering import Steering


class ReviewWires(QObject):
    """The inbox."""

    def __init__(self, services: Services, panes: Panes, steering: Steering) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        pane, proposals = panes.review, services.proposals
        pane.details_requested.connect(proposals.show)
        pane.approve_requested.connect(self._on_approve)
        pane.reject_requested.connect(proposals.reject)
        pane.reopen_requested.connect(proposals.reopen)
        pane.edit_saved.connect(proposals.edit)
        pane.narrow_requested.connect(proposals.narrow)
        pane.check_requested.connect(proposals.check)
        pane.keep_requested.connect(proposals.keep)
        pane.settle_requested.connect(proposals.settle)
        pane.report_requested.connect(steering.show_report)
        pane.turn_requested.connect(steering.show_turn)
        pane.skill_selected.connect(steering.open_skill)
        pane.count_changed.connect(self._on_count)
        pane.refresh_requested.connect(proposals.refresh)
        pane.revise_requested.connect(services.revising.revise)
        pane.revise_cancelled.connect(services.revising.cancel)
        services.revising.busy_changed.connect(pane.set_revising)
        services.revising.progressed.connect(self._on_step)
        services.revising.revised.connect(self._on_revised)
        services.revising.failed.connect(pane.show_failure)
        proposals.listed.connect(pane.set_proposals)
        proposals.shown.connect(pane.show_details)
        proposals.shown.connect(panes.chat.show_proposal)
        proposals.narrowed.connect(pane.show_part)
        proposals.checked.connect(pane.show_findings)
        proposals.decided.connect(self._on_decided)
        proposals.failed.connect(pane.show_failure)
        proposals.failed.connect(steering.tell_stopped_plan)
        proposals.changed.connect(services.library.rescan_all)
        services.library.library_changed.connect(pane.look_again)

    @Slot(str, object, object, object)
    def _on_approve(
        self,
        proposal: str,
        changes: Collection[str],
        seen: Mapping[str, str],
        hunks: Mapping[str, Mapping[str, Collection[str]]],
    ) -> None:
        self._services.idle.touch()
        self._services.proposals.approve(proposal, changes, seen, hunks)

    @Slot(object)
    def _on_step(self, progress: CuratorProgress) -> None:
        self._panes.review.show_step(progress.line or progress.skill)

    @Slot(object)
    def _on_revised(self, revision: Revision) -> None:
        """The new proposal takes the old one's place on the page."""
        self._steering.show_proposal(revision.proposal.id)
        if revision.said:
            self._steering.inform(revision.said)

    @Slot(int)
    def _on_count(self, count: int) -> None:
        self._panes.frame.set_badge("review", count)
        self._panes.frame.set_status(
            "waiting", self.tr("{} waiting").format(count) if count else self.tr("none waiting")
        )

    @Slot(object)
    def _on_decided(self, outcome: Outcome) -> None:
        self._panes.review.show_outcome(outcome)
        if outcome.entries:
            self._steering.tell_undoable(self.tr("Applied to the library."), outcome.entries)
        for change, why in outcome.refused:
            self._steering.warn(f"{change}: {why}")


class CuratorWires(QObject):
    """The curator's page."""

    def __init__(self, services: Services, panes: Panes, steering: Steering) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        pane, curator = panes.curator, services.curator
        pane.run_requested.connect(self._on_run)
        pane.cancel_requested.connect(curator.cancel)
        pane.pause_requested.connect(curator.pause)
        pane.report_requested.connect(curator.read_report)
        pane.skill_selected.connect(steering.open_skill)
        pane.proposal_opened.connect(steering.show_proposal)
        pane.link_activated.connect(steering.follow)
        pane.settings_requested.connect(self._on_settings)
        pane.review_requested.connect(self._on_review)
        services.proposals.waiting_changed.connect(curator.refresh)  # the list of runs says the inbox's numbers
        curator.status_ready.connect(pane.set_status)
        curator.status_ready.connect(self._on_status)
        curator.runs_ready.connect(pane.set_runs)
        curator.progressed.connect(self._on_progress)
        curator.run_ended.connect(self._on_ended)
        curator.report_ready.connect(pane.show_report)
        curator.failed.connect(pane.show_failure)
        curator.failed.connect(steering.tell_stopped_plan)

    @Slot(bool)
    def _on_run(self, dry_run: bool) -> None:
        self._services.idle.touch()
        self._services.curator.run(dry_run=dry_run)

    @Slot(object)
    def _on_progress(self, progress: CuratorProgress) -> None:
        self._panes.curator.set_progress(
            str(progress.phase), progress.skill, progress.calls, progress.tokens, progress.cost
        )
        if progress.line:
            self._panes.curator.add_log(progress.line)

    @Slot(object)
    def _on_ended(self, report: Report) -> None:
        self._panes.curator.open_run(report.run)
        self._services.proposals.refresh()
        self._services.library.rescan_all()
        self._steering.reload_chat()
        if report.proposals:
            text = self.tr("The curator has finished. Its changes wait for you.")
            self._steering.offer(text, f"proposal:{report.proposals[0]}", self.tr("Review"))

    @Slot(object)
    def _on_status(self, status: CuratorStatus) -> None:
        if status.running:
            text = self.tr("curator running")
        elif status.next_run_at is not None:
            text = self.tr("next curator run {}").format(f"{status.next_run_at.astimezone():%a %d %b}")
        else:
            text = self.tr("curator paused") if status.paused else self.tr("curator off")
        self._panes.frame.set_status("curator", text, status.why)

    @Slot()
    def _on_settings(self) -> None:
        self._panes.settings.open_section("curator")

    @Slot(str)
    def _on_review(self, run: str) -> None:
        found = next((item for item in self._services.proposals.inbox if item.run == run and item.waiting), None)
        if found is not None:
            self._steering.show_proposal(found.id, found.waiting[0].id)


class MemoryWires(QObject):
    """Both memory stores."""

    def __init__(self, services: Services, panes: Panes, steering: Steering) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        pane, memory = panes.memory, services.memory
        self._pane = pane
        pane.add_requested.connect(self._on_add)
        pane.replace_requested.connect(memory.replace)
        pane.remove_requested.connect(memory.remove)
        pane.turn_requested.connect(steering.show_turn)
        pane.review_opened.connect(self._on_review)
        pane.refresh_requested.connect(memory.refresh)
        memory.viewed.connect(pane.set_view)
        memory.refused.connect(pane.show_refused)
        memory.failed.connect(steering.tell_failure)
        services.skills.undone.connect(memory.refresh)
        services.proposals.listed.connect(self._on_proposals)
        memory.written.connect(self._on_written)

    @Slot(object, str)
    def _on_add(self, target: Target, text: str) -> None:
        self._services.idle.touch()
        self._services.memory.add(target, text)

    @Slot(str)
    def _on_written(self, entry: str) -> None:
        self._steering.tell_undoable(self.tr("Memory was changed."), (entry,))

    @Slot(object)
    def _on_proposals(self, proposals: tuple[Proposal, ...]) -> None:
        waiting = [group for item in proposals for group in item.waiting]
        self._pane.set_waiting(sum(skill.startswith("memories/") for group in waiting for skill in group.skills))

    @Slot()
    def _on_review(self) -> None:
        self._panes.frame.show_page("review")


class SettingsWires(QObject):
    """The settings dialog, the theme and the folders."""

    def __init__(self, services: Services, panes: Panes, steering: Steering) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        dialog, preferences = panes.settings, services.preferences
        dialog.change_requested.connect(preferences.set_value)
        dialog.key_entered.connect(self._on_key)
        dialog.key_forget_requested.connect(self._on_forget)
        dialog.test_requested.connect(self._on_test)
        dialog.file_requested.connect(self._on_file)
        preferences.changed.connect(self._on_changed)
        preferences.refused.connect(dialog.show_problem)
        preferences.failed.connect(steering.tell_failure)
        services.model.tested.connect(dialog.show_test)
        services.model.key_known.connect(dialog.set_key)
        services.model.failed.connect(steering.tell_failure)
        dialog.shown.connect(self._look_for_key)
        dialog.set_settings(preferences.settings)
        dialog.set_path(str(services.key.home.settings))
        dialog.set_hint("trajectories", "folder", str(services.key.home.trajectories))
        dialog.set_hint("model", "base_url", OFFICIAL)
        for problem in preferences.settings.problems:
            steering.warn(problem)

    @Slot(object, str)
    def _on_changed(self, settings: Settings, section: str) -> None:
        self._panes.settings.set_settings(settings)
        if section == "appearance":
            self._panes.theme.set_choice(settings.appearance.theme)
        if section == "library":
            self._services.library.set_settings(settings.library)
        if section in {"curator", "model"}:
            self._services.curator.refresh()
        if section == "model":
            self._look_for_key()

    @Slot(str)
    def _on_key(self, key: str) -> None:
        self._services.model.store_key(self._services.preferences.settings, key)

    @Slot()
    def _on_forget(self) -> None:
        self._services.model.forget_key(self._services.preferences.settings)

    @Slot()
    def _on_test(self) -> None:
        self._services.model.test(self._services.preferences.settings)

    @Slot()
    def _on_file(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._services.key.home.root)))

    @Slot()
    def _look_for_key(self) -> None:
        self._services.model.look_for_key(self._services.preferences.settings)
