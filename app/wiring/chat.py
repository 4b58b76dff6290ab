"""Joins the chat pane with the chat, review and proposal services."""

from PySide6.QtCore import QObject, Slot

from app.bridge.services import Services
from app.cycles.attach import quote_files
from app.cycles.model import is_basic, model_label
from app.cycles.values import ReviewOutcome, TurnResult, TurnStarted, Undone
from app.errors import Failure
from app.sessions.values import SessionInfo, StoredMessage
from app.skills.values import Library
from app.wiring.panes import Panes
from app.wiring.steering import Steering


class ChatWires(QObject):
    """What the chat pane asks goes to the services; what they tell goes into the pane."""

    def __init__(self, services: Services, panes: Panes, steering: Steering) -> None:
        super().__init__(steering)
        self._names: list[str] = []
        self._services = services
        self._panes = panes
        self._pane = panes.chat
        self._steering = steering
        self._shown = ""
        self._asked: set[str] = set()
        chat, review, pane = services.chat, services.review, panes.chat
        pane.send_requested.connect(self._on_send)
        pane.stop_requested.connect(chat.stop)
        pane.retry_requested.connect(self._on_retry)
        pane.new_requested.connect(chat.new_session)
        pane.files_dropped.connect(self._on_files)
        pane.review_requested.connect(self._on_review_now)
        pane.diff_requested.connect(steering.show_entry)
        pane.undo_requested.connect(services.skills.undo)
        pane.hold_requested.connect(self._on_hold)
        pane.proposal_opened.connect(steering.show_proposal)
        pane.run_opened.connect(steering.show_report)
        pane.details_requested.connect(services.proposals.show)
        pane.approve_requested.connect(services.proposals.approve)
        pane.reject_requested.connect(services.proposals.reject)
        pane.link_activated.connect(steering.follow)
        pane.action_requested.connect(self._on_action)
        pane.connect_requested.connect(steering.open_model_settings)
        chat.turn_started.connect(self._on_started)
        chat.turn_started.connect(review.yield_to_turn)
        chat.event_arrived.connect(pane.apply)
        chat.turn_ended.connect(self._on_ended)
        chat.unsent.connect(pane.take_back)
        chat.failed.connect(self._on_failed)
        chat.session_changed.connect(self._on_session)
        chat.session_loaded.connect(self._on_loaded)
        review.reviewed.connect(self._on_reviewed)
        review.failed.connect(steering.tell_failure)
        services.proposals.listed.connect(pane.set_proposals)
        services.library.library_changed.connect(self._on_library)
        services.preferences.changed.connect(self._on_settings)
        services.skills.undone.connect(self._on_undone)
        self._on_settings()

    @Slot(str)
    def _on_send(self, text: str) -> None:
        self._services.idle.touch()
        if self._services.chat.busy:
            self._pane.queue_text(text)
        self._services.chat.send(text)

    @Slot()
    def _on_retry(self) -> None:
        self._services.idle.touch()
        self._services.chat.retry()

    @Slot(object)
    def _on_files(self, paths: tuple[str, ...]) -> None:
        job = self._services.ask("reading a dropped file", lambda _home: quote_files(paths))
        job.finished.connect(self._pane.insert_text)
        job.failed.connect(self._steering.tell_failure)

    @Slot(str)
    def _on_action(self, action: str) -> None:
        if action.startswith("settings"):
            self._panes.settings.open_section(action.partition(".")[2] or "model")

    @Slot(object)
    def _on_started(self, started: TurnStarted) -> None:
        if started.again:
            self._pane.resume_turn()
        else:
            self._pane.start_turn(started.stored.message.text)

    @Slot(object)
    def _on_ended(self, result: TurnResult) -> None:
        if result.told is not None and result.session.id == self._services.chat.session:
            self._pane.add_message(result.told)
        self._services.review.consider(result)
        self._services.sessions.refresh()
        if result.notice:
            self._steering.warn(result.notice)

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self._services.review.release()
        self._pane.show_failure(failure, self._services.chat.last_text)

    @Slot(object)
    def _on_session(self, session: SessionInfo | None) -> None:
        self._pane.set_session(session)
        self._shown = session.id if session is not None else ""
        if session is None:
            self._pane.set_messages(())
        else:
            self._pane.set_usage(session.usage)

    @Slot(object, object)
    def _on_loaded(self, session: SessionInfo, messages: tuple[StoredMessage, ...]) -> None:
        self._pane.set_session(session)
        self._pane.set_messages(messages)
        if session.id != self._shown:  # lines added to the open conversation take the focus from nobody
            self._steering.show_chat()

    @Slot(object)
    def _on_reviewed(self, outcome: ReviewOutcome) -> None:
        if outcome.stored is not None and outcome.session == self._services.chat.session:
            self._pane.add_message(outcome.stored)
        if outcome.entries:
            self._services.memory.refresh()
        if outcome.proposals:
            self._services.proposals.refresh()
        asked = outcome.session in self._asked
        self._asked.discard(outcome.session)
        if outcome.error:
            self._steering.warn(self.tr("The review stopped: {}").format(outcome.error))
        elif asked and not outcome.line:
            self._steering.inform(self.tr("The review found nothing new to keep."))

    @Slot()
    def _on_review_now(self) -> None:
        session = self._services.chat.session
        if session is None:
            self._steering.inform(self.tr("There is nothing to review yet. Send a message first."))
            return
        self._services.idle.touch()
        self._asked.add(session)
        self._services.review.review_session(session)
        self._steering.inform(self.tr("The conversation is being reviewed."))

    @Slot()
    def _on_hold(self) -> None:
        self._services.preferences.set_value("review", "mode", "hold")
        self._steering.inform(self.tr("From now on what a review learns waits for your approval."))

    @Slot(object)
    def _on_library(self, library: Library) -> None:
        names = sorted({skill.name for skill in library.skills if skill.live and skill.shadowed_by is None})
        if names != self._names:
            self._names = names
            self._pane.set_skills(tuple(names))

    @Slot()
    def _on_settings(self) -> None:
        settings = self._services.preferences.settings
        self._pane.set_window(settings.model.context_tokens)
        label, text = model_label(settings, self._services.keys)
        self._pane.set_model(label, text, basic=is_basic(settings, self._services.keys))

    @Slot(str, object)
    def _on_undone(self, entry: str, result: Undone) -> None:
        if result.entry is not None:  # what stood in the way is told by the window; the change still stands
            self._pane.set_undone(entry)
