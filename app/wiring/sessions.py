"""Joins the page of conversations, and what is read there, with the session service."""

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from app.bridge.services import Services
from app.cycles.values import Undone
from app.errors import AppError
from app.files import write_atomic
from app.sessions.values import SessionInfo, StoredMessage
from app.wiring.panes import Panes
from app.wiring.steering import Steering


class SessionWires(QObject):
    """The list of conversations, and the one that is read."""

    def __init__(self, services: Services, panes: Panes, steering: Steering) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        pane, reader, sessions = panes.sessions, panes.reader, services.sessions
        pane.search_requested.connect(sessions.search)
        pane.opened.connect(sessions.read)
        pane.continue_requested.connect(steering.go_on)
        pane.branch_requested.connect(sessions.branch)
        pane.export_requested.connect(sessions.export)
        pane.delete_requested.connect(sessions.delete)
        pane.rename_requested.connect(sessions.rename)
        pane.refresh_requested.connect(sessions.refresh)
        sessions.listed.connect(pane.set_sessions)
        sessions.listed.connect(self._on_first_list)
        sessions.found.connect(pane.set_hits)
        sessions.exported.connect(self._on_exported)
        sessions.was_read.connect(self._on_read)
        sessions.branched.connect(steering.go_on)
        sessions.removed.connect(self._on_removed)
        sessions.failed.connect(pane.show_failure)
        sessions.failed.connect(steering.tell_stopped_plan)
        services.chat.session_changed.connect(self._on_session)
        reader.marked.connect(pane.set_place)
        reader.link_activated.connect(steering.follow)
        reader.diff_requested.connect(steering.show_entry)
        reader.undo_requested.connect(services.skills.undo)
        reader.hold_requested.connect(panes.chat.hold_requested)
        reader.proposal_opened.connect(steering.show_proposal)
        reader.run_opened.connect(steering.show_report)
        reader.details_requested.connect(services.proposals.show)
        reader.approve_requested.connect(services.proposals.approve)
        reader.reject_requested.connect(services.proposals.reject)
        services.proposals.listed.connect(reader.set_proposals)
        services.proposals.shown.connect(reader.show_proposal)
        services.skills.undone.connect(self._on_undone)

    @Slot(object, object, int, object)
    def _on_read(
        self, info: SessionInfo, messages: tuple[StoredMessage, ...], message: int, words: tuple[str, ...]
    ) -> None:
        self._panes.frame.show_page("sessions")
        self._panes.sessions.show_reading(info)
        self._panes.reader.show_messages(messages, message, words)
        self._panes.reader.setFocus()

    @Slot(str, object)
    def _on_undone(self, entry: str, result: Undone) -> None:
        if result.entry is not None:
            self._panes.reader.set_undone(entry)

    @Slot(object)
    def _on_first_list(self, listed: tuple[SessionInfo, ...]) -> None:
        """The conversation the program broke off when it was killed is a click away at the next start."""
        self._services.sessions.listed.disconnect(self._on_first_list)
        if listed and listed[0].outcome == "interrupted" and self._services.chat.session is None:
            text = self.tr("“{}” was interrupted when the program ended.").format(listed[0].title)
            self._steering.offer(text, f"session:{listed[0].id}", self.tr("Go on"))

    @Slot(object)
    def _on_session(self, session: object) -> None:
        self._panes.sessions.set_current(getattr(session, "id", None))

    @Slot(str)
    def _on_removed(self, session: str) -> None:
        self._panes.sessions.stop_reading(session)
        if self._services.chat.session == session:
            self._services.chat.new_session()
        text = self.tr("The conversation was deleted.")
        self._steering.offer(text, f"restore-session:{session}", self.tr("Undo"))

    @Slot(str, str, str)
    def _on_exported(self, session: str, form: str, text: str) -> None:
        suffix = "md" if form == "markdown" else "jsonl"
        path, _ = QFileDialog.getSaveFileName(
            self._panes.frame, self.tr("Export the conversation"), str(Path.home() / f"{session}.{suffix}")
        )
        if not path:
            return
        try:
            write_atomic(Path(path), text.encode("utf-8", "replace"))
        except AppError as error:
            self._steering.warn(error.text)
            return
        self._steering.inform(self.tr("Written to {}.").format(path))
