"""Looking at what waits: each proposal against the library as it is now, with new revisions stored as they arise."""

from dataclasses import replace

from app.clock import Clock
from app.errors import AppError, Kind
from app.history.values import Blob
from app.proposals.alerts import alerts, text_alerts
from app.proposals.choosing import Hunks, with_hunks
from app.proposals.current import Current
from app.proposals.decisions import changes_of, waiting_changes, with_changes
from app.proposals.rebase import Revised, revise
from app.proposals.recovery import settled
from app.proposals.store import ProposalStore
from app.proposals.values import Change, Proposal, ProposalState
from app.proposals.view import marked, show, show_change, sides
from app.skills.content import skill_file
from app.skills.file_mentions import FileMentions
from app.skills.place import Place
from app.skills.validity import findings_of
from app.skills.values import Finding

#: How long a look waits for a writer before it goes on without remembering what was shown.
_GLANCE_S = 0.2


class Inbox:
    """The proposals of one home beside its live library. One per thread, like the store and the place.

    `mentions` remembers what was read of further Markdown files; one that lives longer than this spares reading again.
    """

    def __init__(self, store: ProposalStore, place: Place, clock: Clock, mentions: FileMentions | None = None) -> None:
        self._store = store
        self._place = place
        self._clock = clock
        self._mentions = mentions or FileMentions()

    def current(self) -> Current:
        """The live library as it is now."""
        place = self._place
        return Current(place.home, place.library(), self._store.history, place.file_limit, self._mentions)

    def refresh(self, proposal_id: str) -> Proposal:
        """The light proposal, brought up to date with the live library: new revisions and closings are stored.

        It does not count as displayed by this; `show` does that. Raises AppError(NOT_FOUND).
        """
        with self._place.hold("looking at a proposal"):
            proposal, _ = self.up_to_date(proposal_id, self.current())
            return proposal

    def sweep(self) -> tuple[str, ...]:
        """Bring every pending proposal up to date whose skills are not all there any more, so that the inbox does not
        count what is gone. Cheap: only rows are looked at, and while another process writes nothing is done: the next
        look does it. Returns the ids of the proposals that changed.
        """
        try:
            with self._store.hold("tidying the inbox", timeout=_GLANCE_S):
                return self._swept()
        except AppError as error:
            if error.kind is not Kind.BUSY:
                raise
            return ()

    def listed(self) -> tuple[Proposal, ...]:
        """All proposals, newest first, light, with `moved_on` of what waits: where the ledger holds another folder than
        the change was made from. Cheap: no folder is read.
        """
        found = self._store.list()
        if not any(proposal.waiting for proposal in found):
            return found
        standing = self._store.history.contents()
        return tuple(marked(proposal, standing) if proposal.waiting else proposal for proposal in found)

    def _swept(self) -> tuple[str, ...]:
        pending = self._store.list(ProposalState.PENDING)
        if not pending:
            return ()
        current = self.current()
        gone = [
            proposal
            for proposal in pending
            if any(change.base and current.skill(change.skill) is None for change in waiting_changes(proposal))
        ]
        return tuple(old.id for old in gone if self.up_to_date(old.id, current)[0] != old)

    def show(self, proposal_id: str) -> Proposal:
        """The full proposal for display, refreshed first; its hashes are what an approval has to carry.

        Looking waits for nobody: while another process writes, the picture is right but not remembered.
        """
        current = self.current()
        revised = self._revised(proposal_id, current)
        try:
            with self._store.hold("looking at a proposal", timeout=_GLANCE_S):
                revised = self._revised(proposal_id, current)
                self._remember(revised)
        except AppError as error:
            if error.kind is not Kind.BUSY:
                raise
        return show(revised.proposal, current, self._store.history)

    def show_part(self, proposal_id: str, change_id: str, hunks: Hunks) -> Change:
        """The full form of a change narrowed to chosen parts, for display before it is approved; stores nothing."""
        proposal, current = self._store.get(proposal_id), self.current()
        (name,) = self._store.waiting_ids(proposal, [change_id])
        part = with_hunks(changes_of(proposal)[name], hunks, self._store.history)
        return show_change(part, proposal, current, self._store.history)

    def check(self, proposal_id: str, change_id: str, text: str) -> tuple[Finding, ...]:
        """The findings a change would have with this text as SKILL.md; stores nothing. Raises AppError(USAGE)."""
        proposal, history = self._store.get(proposal_id), self._store.history
        (name,) = self._store.waiting_ids(proposal, [change_id])
        change = changes_of(proposal)[name]
        before, after = sides(change, history)
        if change.memory is not None:
            return text_alerts("", text)
        main = skill_file(after)
        files = {**after, main: Blob(text.encode("utf-8", "surrogateescape"))}
        return (*findings_of(files, change.skill.rpartition("/")[2]), *alerts(before, files))

    def up_to_date(self, proposal_id: str, current: Current) -> tuple[Proposal, list[str]]:
        """The proposal against this look at the library, stored; and the ids that got another revision.

        The caller holds the lock.
        """
        revised = self._revised(proposal_id, current)
        if revised.differs or revised.proposal != self._store.get(proposal_id):
            self._store.save(revised.proposal, revised.folders)
        return revised.proposal, revised.moved

    def _revised(self, proposal_id: str, current: Current) -> Revised:
        proposal = settled(self._store.get(proposal_id), self._store.history)
        return revise(proposal, current, self._store.history, self._clock())

    def _remember(self, revised: Revised) -> None:
        """Store what a look led to, and that it was displayed."""
        shown = {c.id: replace(c, displayed=c.seen) for c in waiting_changes(revised.proposal)}
        revised.proposal = with_changes(revised.proposal, shown)
        if revised.differs or revised.proposal != self._store.get(revised.proposal.id):
            self._store.save(revised.proposal, revised.folders)
