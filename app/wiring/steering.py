"""Where the window goes: one selection everywhere, pages brought to the front, and what the user is told."""

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from app.bridge.services import Services
from app.errors import Failure
from app.proposals.values import Proposal
from app.skills.resolve import resolve
from app.skills.values import Notice
from app.wiring.panes import Panes
from widgets.common.bug_dialog import BugDialog
from widgets.common.notices import ToastText

_OPENED = frozenset({"http", "https", "mailto"})
UNDO = "undo:"


class Steering(QObject):
    """Selects, shows and tells on behalf of all wires.

    Signals: selected(skill id) when the one selection moved.
    """

    selected = Signal(str)

    def __init__(self, services: Services, panes: Panes, log_lines: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._services = services
        self._panes = panes
        self._log_lines = log_lines
        self._current = ""
        self._shown: dict[str, Proposal] = {}
        services.proposals.shown.connect(self._remember)

    @property
    def current(self) -> str:
        """The selected skill's id, empty when none is."""
        return self._current

    @Slot(str)
    def select(self, name: str) -> None:
        """Select a skill by id or name everywhere; an absorbed name leads to its umbrella."""
        library = self._services.library.library
        found = library.get(name)
        if found is None:
            resolution = resolve(library, name)
            found = resolution.skill if resolution else None
        if found is None:
            self.inform(self.tr("There is no skill called {}.").format(name))
            return
        if found.id == self._current:
            return
        self._current = found.id
        self._panes.library.select(found.id)
        self._panes.graph.select(found.id)
        self._services.skills.open(name)
        self.selected.emit(found.id)

    @Slot(str)
    def open_skill(self, name: str) -> None:
        """Select a skill and bring its page to the front."""
        self.select(name)
        self._panes.frame.show_page("skill")

    @Slot(str)
    def show_proposal(self, proposal: str, group: str = "") -> None:
        """Bring the review page to the front with this proposal."""
        self._services.proposals.show(proposal)
        self._panes.review.show_proposal(proposal, group)
        self._panes.frame.show_page("review")

    @Slot(str)
    def show_entry(self, entry: str) -> None:
        """Show one step of the ledger with its difference."""
        self._services.skills.entry(entry)
        self._panes.frame.show_page("skill")

    @Slot(str)
    def show_report(self, run: str) -> None:
        """Bring a run's report to the front."""
        self._services.curator.read_report(run)
        self._panes.frame.show_page("curator")

    @Slot()
    def show_chat(self) -> None:
        """Give the chat the focus."""
        self._panes.chat.focus_composer()

    @Slot(str)
    def approve_seen(self, proposal_id: str) -> None:
        """Approve a small proposal from its card, where its whole difference was shown."""
        proposal = self._shown.get(proposal_id)
        if proposal is None:
            self.show_proposal(proposal_id)
            return
        changes = [change for group in proposal.waiting for change in group.changes]
        seen = {change.id: change.seen or "" for change in changes}
        self._services.proposals.approve(proposal_id, list(seen), seen)

    @Slot(str)
    def reject_all(self, proposal_id: str) -> None:
        """Reject everything that waits in a proposal."""
        self._services.proposals.reject(proposal_id, (), "")

    @Slot(str)
    def follow_link(self, address: str) -> None:
        """Follow a link of a text: skills inside, web addresses in the browser, everything else nowhere."""
        kind, _, rest = address.partition(":")
        if kind in _OPENED:
            QDesktopServices.openUrl(QUrl(address))
        elif kind == "skill":
            self.open_skill(rest)
        elif not rest and resolve(self._services.library.library, address) is not None:
            self.open_skill(address)
        else:
            self.inform(self.tr("This link is not opened: {}").format(address))

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
        """Say what the library noticed."""
        self._panes.notices.post(ToastText(f"{notice.title}. {notice.text}", "warn", key=notice.key, lasting=True))

    def tell_undoable(self, text: str, entry: str) -> None:
        """Say that something was done, with a way back."""
        self._panes.notices.post(ToastText(text, "success", UNDO + entry, self.tr("Undo")))

    @Slot(object)
    def tell_failure(self, failure: Failure) -> None:
        """Say what did not work; a bug opens a dialog that can be copied."""
        if failure.is_bug:
            dialog = BugDialog(self._panes.theme, failure, "\n".join(self._log_lines))
            dialog.setParent(self._panes.frame, dialog.windowFlags())
            dialog.open()
            return
        self._panes.notices.post(
            ToastText(f"{failure.title}. {failure.text}", "danger", key=failure.title, lasting=True)
        )

    @Slot(object)
    def _remember(self, proposal: Proposal) -> None:
        self._shown = {proposal.id: proposal}
