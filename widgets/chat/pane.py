"""The chat: head, transcript, status, composer. It shows what it is given and asks for everything else."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.agent.values import AgentEvent, MessageAdded, TurnEnded
from app.errors import Failure
from app.proposals.values import Proposal
from app.providers.values import Role, Usage
from app.sessions.values import SessionInfo, StoredMessage
from widgets.chat.board import Board
from widgets.chat.commands import Command, choices, command_in, help_text
from widgets.chat.completion import Choice
from widgets.chat.composer_bar import ComposerBar
from widgets.chat.deck import CardHost, Deck
from widgets.chat.earlier import FIRST, Earlier
from widgets.chat.header import ChatHeader
from widgets.chat.items import AnswerItem, ErrorItem, YouItem, items_of, opened
from widgets.chat.live import LiveTurn
from widgets.chat.queued import Queued
from widgets.chat.transcript import Transcript
from widgets.common.empty_state import StatePages
from widgets.common.parts import column, label
from widgets.common.theme import Theme


class ChatPane(CardHost):
    """Values in by `set_…`, `add_message`, `start_turn` and `apply`; wishes out by signals.

    send_requested(text), files_dropped(paths), stop_requested(), retry_requested(), new_requested(),
    review_requested(), diff_requested(entry), undo_requested(entry), hold_requested(), proposal_opened(id),
    run_opened(id), approve_requested(proposal, change ids, {change: hash seen}),
    reject_requested(proposal, change ids, reason), details_requested(proposal), link_activated(kind, target),
    connect_requested(), action_requested(action id).
    """

    send_requested = Signal(str)
    files_dropped = Signal(object)
    stop_requested = Signal()
    retry_requested = Signal()
    new_requested = Signal()
    review_requested = Signal()
    connect_requested = Signal()
    action_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._usage = Usage()
        self._window = 0
        self._running = False
        self._basic = ""
        self._deck = Deck(theme, self)
        self._header, self._transcript = ChatHeader(theme), Transcript(theme)
        self._pages = StatePages(theme, self._transcript)
        self._foot = ComposerBar(theme, self)
        self._composer = self._foot.composer
        self._board = Board(self._deck, self._transcript, self)
        self._queued = Queued(self._board, self._transcript)
        self._earlier = Earlier(self._transcript, self._deck.build, self)
        self._live = LiveTurn(self._deck, self._transcript, self)
        self._build()
        self._connect()
        self._composer.set_choices("/", choices())
        self.set_session(None)

    def set_session(self, session: SessionInfo | None) -> None:
        """Show which conversation it is; None is a new one, without messages."""
        self._header.set_session(session)
        self.set_usage(session.usage if session else Usage())
        if session is None:
            self._header.set_context(0, self._window)
            self.set_messages(())

    def set_messages(self, messages: tuple[StoredMessage, ...]) -> None:
        """Show a stored conversation from its end; older entries are a click away."""
        self._live.reset()
        self._header.set_context(0, self._window)
        self._queued.clear()
        self._transcript.clear()
        self._set_running(False)
        items = opened(items_of(messages))
        self._board.add(items[-FIRST:])
        self._earlier.set_items(items[:-FIRST])
        self._composer.set_sent(tuple(item.text for item in items if isinstance(item, YouItem)))
        self._show_state()
        self._transcript.jump()

    def add_message(self, message: StoredMessage) -> None:
        """Add a line that came later: a review, a curator run, a failure."""
        self._board.add(items_of((message,)))
        self._show_state()

    def start_turn(self, text: str) -> None:
        """The service took the text: show it, empty the composer, offer Stop."""
        if not self._queued.begins(text):
            self._board.add((YouItem(text),))
            self._composer.accept(text)
        self._begin()

    def queue_text(self, text: str) -> None:
        """The service keeps the text for the running turn, or for the next one: show it at once."""
        self._queued.add(text)
        self._composer.accept(text)

    def take_back(self, text: str) -> None:
        """What was kept is not sent after all: it goes back into the composer, before what is written there now."""
        self._queued.take_back()
        self.set_draft(f"{text}\n\n{self.draft}" if self.draft.strip() else text)

    def resume_turn(self) -> None:
        """The last text is sent again, after Retry: its card stands there already."""
        self._begin()

    def show_failure(self, failure: Failure, text: str = "") -> None:
        """A turn could not begin. What was written goes back into the composer unless something else is in it."""
        self._set_running(False)
        self._board.add((ErrorItem(failure.title, failure.text, failure.detail, failure.retry, failure.action),))
        self._show_state()
        if text and not self.draft:
            self.set_draft(text)

    def apply(self, event: AgentEvent) -> None:
        """Show one event of the running turn."""
        if isinstance(event, MessageAdded) and event.message.role is Role.USER:
            self._queued.join(event.message)
        self._live.apply(event)

    def set_model(self, name: str, text: str, *, basic: bool = False) -> None:
        """Which model answers and what it is; `basic` marks the built-in engine, which is no language model."""
        self._basic = text if basic else ""
        self._header.set_model(name, text, basic=basic)
        self._show_state()

    def set_window(self, tokens: int) -> None:
        """How many tokens the model can read at once."""
        self._window = tokens

    def set_skills(self, names: tuple[str, ...]) -> None:
        """The skills '@' offers."""
        self._composer.set_choices("@", tuple(Choice(name) for name in names))

    def set_proposals(self, proposals: Sequence[Proposal]) -> None:
        """What is known of proposals, light: cards in the transcript follow it."""
        self._board.set_proposals(proposals)

    def show_proposal(self, proposal: Proposal) -> None:
        """The full values of a proposal whose diff was asked for."""
        self._board.show_proposal(proposal)

    def set_usage(self, usage: Usage) -> None:
        """Tokens and cost of the conversation so far."""
        self._usage = usage
        self._header.set_usage(usage)

    def set_undone(self, entry: str) -> None:
        """A change was taken back: say so where it was told."""
        self._board.set_undone(entry)

    def set_draft(self, text: str) -> None:
        """Put text into the composer, for example what could not be sent."""
        self._composer.setPlainText(text)
        self._composer.setFocus()

    @Slot(str)
    def insert_text(self, text: str) -> None:
        """Put text where the cursor of the composer is, for example a dropped file's."""
        self._composer.insertPlainText(text)
        self._composer.setFocus()

    @property
    def draft(self) -> str:
        """What is written and not sent."""
        return self._composer.toPlainText()

    @property
    def running(self) -> bool:
        """Whether a turn is running."""
        return self._running

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc stops a running turn."""
        if Qt.Key(event.key()) is Qt.Key.Key_Escape and self._running:
            self.stop_requested.emit()
        else:
            super().keyPressEvent(event)

    def _build(self) -> None:
        self._status = label(role="caption", wrap=True)
        self._status.setContentsMargins(16, 4, 16, 4)
        self._status.hide()
        page = column(self._header, self._pages, self._status, self._foot, spacing=0)
        page.setStretch(1, 1)
        self.setLayout(page)
        self.setFocusProxy(self._composer)
        self.setProperty("ground", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def _connect(self) -> None:
        deck = self._deck
        self.pass_on(deck)
        deck.retry_requested.connect(self.retry_requested)
        deck.action_requested.connect(self.action_requested)
        self._header.new_requested.connect(self.new_requested)
        self._header.connect_requested.connect(self.connect_requested)
        self._pages.action_requested.connect(self._connect_model)
        self._composer.submitted.connect(self._submit)
        self._composer.files_dropped.connect(self.files_dropped)
        self._foot.stop_requested.connect(self.stop_requested)
        self._live.status_changed.connect(self._tell)
        self._live.ended.connect(self._end)
        self._live.proposed.connect(self._board.propose)

    def _submit(self, text: str) -> None:
        command = command_in(text)
        if command is Command.MESSAGE:
            self.send_requested.emit(text)
            return
        if command is Command.UNKNOWN:
            self._tell(self.tr("There is no command {name}. /help lists them.").format(name=text))
            return
        self._composer.clear()
        if command is Command.NEW:
            self.new_requested.emit()
        elif command is Command.REVIEW:
            self.review_requested.emit()
        elif command is Command.MODEL:
            self.connect_requested.emit()
        else:
            self._board.add((AnswerItem(help_text()),))
            self._show_state()
            self._transcript.jump()

    def _begin(self) -> None:
        self._board.set_past()
        self._set_running(True)
        self._show_state()
        self._tell(self.tr("Answering…"))
        self._transcript.jump()

    def _end(self, event: TurnEnded) -> None:
        self._set_running(False)
        self.set_usage(self._usage + event.usage)
        self._header.set_context(event.context, self._window)

    def _set_running(self, running: bool) -> None:
        self._running = running
        self._foot.set_running(running)
        if not running:
            self._tell("")

    def _tell(self, text: str) -> None:
        self._status.setText(text)
        self._status.setVisible(bool(text))

    def _show_state(self) -> None:
        """Cards, or what a conversation without any says."""
        if self._transcript.cards:
            self._pages.show_content()
        elif self._basic:
            self._pages.show_empty("chat", self.tr("Basic mode"), self._basic, ("connect", self.tr("Connect a model")))
        else:
            text = self.tr("What is learned from it appears in the library and below the answer.")
            self._pages.show_empty("chat", self.tr("Ask something"), text)

    def _connect_model(self, _action: str) -> None:
        self.connect_requested.emit()
