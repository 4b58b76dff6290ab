"""Proposals on disk: one ref each, `proposals/<id>`, whose tree holds the drafted folders and `proposal.json`.

Every decision is a further commit on the ref, so nothing that was ever shown is lost. What is handed out is light:
no differences, no loss, no texts; `app.proposals.view` fills those in for one proposal.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime

from app.clock import Clock
from app.errors import AppError, Kind
from app.history.store import History
from app.history.values import Snapshot
from app.locks import HomeLock
from app.proposals.codec import decode, encode
from app.proposals.decisions import changes_of, decide
from app.proposals.filing import About, open_proposal_of, prepare
from app.proposals.grouping import Drafted
from app.proposals.hygiene import (
    in_the_way,
    over_the_cap,
    rejected_ideas,
    replace_older,
    to_forget,
)
from app.proposals.values import Decision, Proposal, ProposalState

_REFS = "proposals/"
_JSON = "proposal.json"
_log = logging.getLogger(__name__)


class ProposalStore:
    """The proposals of one home. One per thread, like its History; writing takes the home's lock."""

    def __init__(self, history: History, clock: Clock, lock: HomeLock) -> None:
        self._history = history
        self._clock = clock
        self._lock = lock
        self._unreadable: set[str] = set()

    @property
    def history(self) -> History:
        """The history that holds the proposals' folders."""
        return self._history

    def hold(self, purpose: str, timeout: float | None = None) -> AbstractContextManager[None]:
        """The home's lock. Raises AppError(BUSY) when it cannot be had in `timeout` seconds (None: the usual ten)."""
        return self._lock.hold(purpose, timeout)

    def file(self, drafted: Sequence[Drafted], about: About, *, apart: bool = False) -> Proposal | None:
        """Store what a fork wants to change and put the queue in order around it.

        A fork (origin, session and turn) with a pending proposal gets that one enlarged, unless this one stands
        `apart` (a revision). Open groups of older proposals that touch the same skills become *replaced*; what was
        rejected before is left out. Returns None, and stores nothing, when nothing is left to ask.
        """
        with self._lock.hold("filing a proposal"):
            now = self._clock()
            known = self.list()
            mine = None if apart else open_proposal_of(about, known)
            filing = prepare(drafted, about, mine, rejected_ideas(known), self._history, now)
            if filing is None:
                return None
            proposal = filing.proposal
            replaced = replace_older([item for item in known if item.waiting], proposal)
            since = [item.waiting_since or item.created_at for item in replaced]
            if proposal.waiting_since is None:
                proposal = replace(proposal, waiting_since=min(since, default=None))
            self._put(proposal, filing.folders)
            for item in replaced:
                self.save(item)
            self._tidy(now)
            return self.get(proposal.id)

    def list(self, state: ProposalState | None = None) -> tuple[Proposal, ...]:
        """All readable proposals, newest first, light; with `state` only those."""
        found = []
        for name in self._history.refs(_REFS):
            try:
                proposal = self._read(name)
            except AppError as error:
                if name not in self._unreadable:
                    _log.warning("%s is left out: %s", name, error.detail or error.text)
                self._unreadable.add(name)
                continue
            if state is None or proposal.state is state:
                found.append(proposal)
        return tuple(sorted(found, key=lambda item: (item.created_at, item.id), reverse=True))

    def get(self, proposal_id: str) -> Proposal:
        """One light proposal by its id or the only one that begins so.

        Raises AppError(NOT_FOUND) with the next step, AppError(CORRUPT) when it cannot be read.
        """
        names = self._history.refs(_REFS)
        matches = [name for name in names if name == _REFS + proposal_id]
        matches = matches or [name for name in names if proposal_id and name.startswith(_REFS + proposal_id)]
        if len(matches) != 1:
            text = f"There is no single proposal {proposal_id!r}. List the proposals to see their ids."
            raise AppError(Kind.NOT_FOUND, "No such proposal", text)
        return self._read(matches[0])

    def save(self, proposal: Proposal, folders: Mapping[str, Snapshot] | None = None) -> None:
        """Write a proposal's new state as a further commit.

        `folders` holds what new revisions need kept (`<change>/<what>` → files), on top of what the ref keeps already.
        """
        with self._lock.hold("deciding a proposal"):
            self._put(proposal, folders or {})

    def reject(self, proposal_id: str, changes: Collection[str] | None = None, reason: str = "") -> Proposal:
        """Reject these waiting changes, or all that wait. Absorbed skills go with their umbrella's change.

        Raises AppError(USAGE) for a change that is not in the proposal or was decided already.
        """
        with self._lock.hold("rejecting a proposal"):
            proposal = self.get(proposal_id)
            ids = self.waiting_ids(proposal, changes)
            self.save(decide(proposal, _with_absorbed(proposal, ids), Decision.REJECTED, reason, self._clock()))
            return self.get(proposal.id)

    def reopen(self, proposal_id: str, changes: Collection[str] | None = None) -> Proposal:
        """Let rejected or closed changes (all of them by default) wait again.

        Raises AppError(REFUSED) when there is none, or a newer proposal waits on the same skill.
        """
        with self._lock.hold("reopening a proposal"):
            proposal = self.get(proposal_id)
            wanted = None if changes is None else set(changes)
            ids = [
                change.id
                for change in changes_of(proposal).values()
                if change.decision in {Decision.REJECTED, Decision.CLOSED} and (wanted is None or change.id in wanted)
            ]
            other = in_the_way(proposal, ids, self.list(ProposalState.PENDING))
            if not ids:
                text = "Nothing in this proposal was rejected or closed, so there is nothing to reopen."
                raise AppError(Kind.REFUSED, "Nothing to reopen", text)
            if other is not None:
                text = f"Proposal {other.id} waits on the same skill. Decide it first, then reopen this one."
                raise AppError(Kind.REFUSED, "A newer proposal waits", text)
            self.save(decide(proposal, ids, Decision.WAITING))
            return self.get(proposal.id)

    def waiting_ids(self, proposal: Proposal, changes: Collection[str] | None) -> tuple[str, ...]:
        """The named changes, checked to be waiting; None stands for all that wait. Raises AppError(USAGE)."""
        known = changes_of(proposal)
        if changes is None:
            return tuple(change.id for change in known.values() if change.waiting)
        for name in changes:
            if name not in known:
                text = f"Proposal {proposal.id} has no change {name!r}. Show the proposal to see its changes."
                raise AppError(Kind.USAGE, "No such change", text)
            if not known[name].waiting:
                text = f"Change {name} of {proposal.id} was decided already: {known[name].decision.value}."
                raise AppError(Kind.USAGE, "Already decided", text)
        return tuple(changes)

    def _read(self, name: str) -> Proposal:
        files = self._history.read_ref(name) or {}
        return decode(files.get(_JSON, b""))

    def _put(self, proposal: Proposal, folders: Mapping[str, Snapshot]) -> None:
        name = _REFS + proposal.id
        tree = self._history.ref_tree(name)
        if folders:
            kept = dict(self._history.load(tree)) if tree else {}
            for folder, files in folders.items():
                kept.update({f"{folder}/{path}": blob for path, blob in files.items()})
            tree = self._history.store(kept)
        self._history.put_ref(name, {_JSON: encode(proposal)}, tree)

    def _tidy(self, now: datetime) -> None:
        for proposal in over_the_cap(self.list(ProposalState.PENDING), now):
            self.save(proposal)
        for proposal_id in to_forget(self.list()):
            self._history.drop_ref(_REFS + proposal_id)


def _with_absorbed(proposal: Proposal, ids: Collection[str]) -> tuple[str, ...]:
    """These changes, and the waiting archives of what would have gone into them."""
    known = changes_of(proposal)
    lost = {known[name].skill for name in ids if known[name].result is not None}
    absorbed = [change.id for change in known.values() if change.waiting and change.into in lost]
    return tuple(dict.fromkeys([*ids, *absorbed]))
