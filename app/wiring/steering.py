"""Where the window goes: one selection everywhere, pages brought to the front, and what the user is told."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from app.bridge.services import Services
from app.cycles.values import EntryDetail
from app.errors import Failure
from app.skills.resolve import resolve
from app.skills.values import Notice, Skill
from app.wiring.panes import Panes
from widgets.common.bug_dialog import BugDialog
from widgets.common.notices import ToastText

_WEB = ("https://", "http://", "mailto:")
UNDO = "undo:"
PUT_ASIDE = "journal:put-aside"
#: How the keys of notices about an interrupted action begin.
_JOURNAL = "journal:"


class Steering(QObject):
    """Selects, shows and tells on behalf of all wires.

    Signals: selected(skill id) when the one selection moved.
    """

    selected = Signal(str)

    def __init__(self, services: Services, panes: Panes, parent: QObject) -> None:
        super().__init__(parent)
        self._services = services
        self._panes = panes
        self._current = ""
        self._wanted_step = ""
        panes.notices.action_requested.connect(self._on_notice)

    @property
    def current(self) -> str:
        """The selected skill's id, empty when none is."""
        return self._current

    def find(self, name: str) -> Skill | None:
        """A skill by id, by name, through forwards, or by its path below the library."""
        library = self._services.library.library
        found = library.get(name)
        if found is not None:
            return found
        resolution = resolve(library, name)
        if resolution is not None:
            return resolution.skill
        above = (name.rsplit("/", cut)[0] for cut in range(1, name.count("/") + 1))
        return next((skill for skill in map(library.get, above) if skill is not None), None)

    @Slot(str)
    def select(self, name: str) -> None:
        """Select a skill everywhere; an absorbed name leads to its umbrella."""
        found = self.find(name)
        if found is None:
            self.inform(self.tr("There is no skill called {}.").format(name))
        elif found.id != self._current:
            self._current = found.id
            self._panes.library.select_skill(found.id)
            self._panes.graph.select(found.id)
            self._services.skills.open(name if resolve(self._services.library.library, name) else found.id)
            self.selected.emit(found.id)

    @Slot()
    def forget(self) -> None:
        """The selected skill is gone."""
        self._current = ""

    @Slot(str)
    def open_skill(self, name: str) -> None:
        """Select a skill and bring its page to the front."""
        self.select(name)
        self._panes.frame.show_page("skill")

    @Slot(str)
    def show_proposal(self, proposal: str, group: str = "") -> None:
        """Bring the review page to the front with this proposal."""
        self._panes.review.show_proposal(proposal, group)
        self._services.proposals.refresh()
        self._panes.frame.show_page("review")

    @Slot(str)
    def show_entry(self, entry: str) -> None:
        """Ask for one step of the ledger; `show_step` shows it."""
        self._wanted_step = entry
        self._services.skills.entry(entry)

    def show_step(self, detail: EntryDetail) -> None:
        """Bring a step that was asked for to the front: the skill's history, or memory."""
        if detail.entry.id != self._wanted_step:
            return
        self._wanted_step = ""
        if detail.entry.record.action == "memory":
            self._panes.frame.show_page("memory")
            return
        skill = next((self.find(item) for item in detail.entry.record.ids if self.find(item)), None)
        if skill is None:
            self.inform(self.tr("The skill of this step is no longer in the library."))
        elif self._panes.frame.page != "skill" or self._current != skill.id:
            self.open_skill(skill.id)
            self._panes.skill.show_tab("history")

    @Slot(str)
    def show_report(self, run: str) -> None:
        """Bring a run's report to the front."""
        self._panes.curator.open_run(run)
        self._panes.frame.show_page("curator")

    @Slot(str, str)
    def show_turn(self, session: str, turn: str) -> None:
        """Show the conversation something came from, to read, at that turn."""
        self._services.sessions.read(session, turn=turn)

    @Slot(str)
    def go_on(self, session: str) -> None:
        """Open a conversation in the chat; what is being answered there comes first."""
        chat = self._services.chat
        if chat.busy and session != chat.session:
            self.inform(self.tr("An answer is being written. Stop it, or wait for its end, then continue here."))
        else:
            chat.open_session(session)
            self.show_chat()

    @Slot()
    def show_chat(self) -> None:
        """Give the chat the focus."""
        self._panes.chat.setFocus()

    @Slot()
    def reload_chat(self) -> None:
        """Show lines that were added to the open conversation by others."""
        session = self._services.chat.session
        if session is not None and not self._services.chat.busy:
            self._services.chat.open_session(session)

    @Slot(str, str)
    def follow(self, kind: str, target: str) -> None:
        """Follow a link of a text: skills and pages inside, web addresses in the browser, everything else nowhere."""
        if kind == "web" and target.lower().startswith(_WEB):
            QDesktopServices.openUrl(QUrl(target))
        elif kind in {"skill", "library", "file"}:
            self.open_skill(target.partition("#")[0])
        elif kind == "proposal":
            self.show_proposal(target)
        elif kind == "session":
            self._services.sessions.read(target)
        elif kind == "run":
            self.show_report(target)
        elif kind == "entry":
            self.show_entry(target)
        elif kind == "memory":
            self._panes.frame.show_page("memory")
        else:
            self.inform(self.tr("This link is not opened: {}").format(target))

    @Slot()
    def open_model_settings(self) -> None:
        """Open the settings where a model is connected."""
        self._panes.settings.open_section("model")

    @Slot(str)
    def inform(self, text: str) -> None:
        """Say something."""
        self._panes.notices.post(ToastText(text))

    @Slot(str)
    def warn(self, text: str) -> None:
        """Say something that needs attention; it stays until it is closed."""
        self._panes.notices.post(ToastText(text, "warn", lasting=True, key=text))

    @Slot(object)
    def tell_notice(self, notice: Notice) -> None:
        """Say what the library noticed; an interrupted action can be put aside from there."""
        self._panes.notices.post(self._toast(notice))

    @Slot(object)
    def amend_notice(self, notice: Notice) -> None:
        """Say it anew where it is still in sight; who closed it is not bothered again."""
        self._panes.notices.amend(self._toast(notice))

    def _toast(self, notice: Notice) -> ToastText:
        waits = notice.key.startswith(_JOURNAL)
        action, words = (PUT_ASIDE, self.tr("Put it aside")) if waits else ("", "")
        return ToastText(f"{notice.title}. {notice.text}", "warn", action, words, notice.key, lasting=True)

    def tell_undoable(self, text: str, entries: Sequence[str]) -> None:
        """Say that something was done, with a way back."""
        steps = tuple(entry for entry in entries if entry)
        if steps:
            action = UNDO + ",".join(steps)
            self._panes.notices.post(ToastText(text, "success", action, self.tr("Undo"), about=steps))
        else:
            self._panes.notices.post(ToastText(text, "success"))

    def offer(self, text: str, action: str, words: str) -> None:
        """Say something with a button that leads on: `undo:…`, `proposal:…`, or an action of the window."""
        self._panes.notices.post(ToastText(text, "info", action, words))

    @Slot(object)
    def tell_failure(self, failure: Failure) -> None:
        """Say what did not work; a bug opens a dialog that can be copied."""
        if failure.is_bug:
            dialog = BugDialog(self._panes.theme, failure, self._services.recent_log(), self._panes.frame)
            dialog.open()
            return
        text = f"{failure.title}. {failure.text}"
        if failure.action == "journal":
            aside = self.tr("Put it aside")
            self._panes.notices.post(ToastText(text, "warn", PUT_ASIDE, aside, _JOURNAL, lasting=True))
            return
        self._panes.notices.post(ToastText(text, "danger", key=failure.title, lasting=True))

    @Slot(object)
    def tell_stopped_plan(self, failure: Failure) -> None:
        """For panes that show their own failures: what only the window can solve is said by the window, too."""
        if failure.action == "journal":
            self.tell_failure(failure)

    @Slot(str)
    def _on_notice(self, action: str) -> None:
        kind, _, rest = action.partition(":")
        if kind == "undo":
            for entry in reversed(rest.split(",")):
                self._services.skills.undo(entry)
        elif kind == "proposal":
            self.show_proposal(rest)
        elif kind == "entry":
            self.show_entry(rest)
        elif kind == "session":
            self.go_on(rest)
        elif kind == "restore-session":
            self._services.sessions.restore(rest)
        elif action == PUT_ASIDE:
            self._services.skills.put_aside()
