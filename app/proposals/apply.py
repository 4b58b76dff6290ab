"""Approving: a proposal's changes replayed on the live library, one group as one journal action with one entry.

Nothing is written that was not displayed as it is: the caller hands in the displayed hashes, and a change whose skill
has moved on gets a new revision instead, which has to be displayed first.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.clock import Clock
from app.errors import AppError, Kind
from app.history.values import Side, Snapshot
from app.memory.manager import MemoryWriter
from app.proposals.checks import Checked, Choice, check_group
from app.proposals.choosing import Hunks, uncovered, with_hunks
from app.proposals.decisions import changes_of, decide, with_changes, with_joined
from app.proposals.editing import edited, edited_text
from app.proposals.guard import GuardedPlace
from app.proposals.inbox import Inbox
from app.proposals.keeping import kept_in
from app.proposals.memory_wishes import write_wish
from app.proposals.settling import settled as settle_conflicts
from app.proposals.store import ProposalStore
from app.proposals.values import Change, Decision, Group, Outcome, Proposal
from app.skills.edit import Door
from app.skills.file_mentions import FileMentions
from app.skills.place import Place
from app.skills.values import Action, Receipt, Request, Verdict, Writer


@dataclass(slots=True)
class _Tally:
    applied: list[str] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    entries: list[str] = field(default_factory=list)

    def stopped(self, proposal: Proposal, chosen: Collection[str], error: AppError) -> None:
        """What the disk no longer took is refused with its reason; the groups before it stand and are told too."""
        told = {*self.applied, *self.conflicts, *(change_id for change_id, _ in self.refused)}
        left = [name for name in changes_of(proposal) if name in chosen and name not in told]
        self.refused += [(name, f"{error.title}. {error.text}") for name in left]

    def outcome(self, proposal: Proposal) -> Outcome:
        """All of it as the answer."""
        return Outcome(
            proposal.id,
            proposal.state,
            tuple(self.applied),
            tuple(self.refused),
            tuple(self.conflicts),
            tuple(self.entries),
        )


class Approval(Inbox):
    """Shows, edits and approves proposals of one home. One per thread, like what it works with."""

    def __init__(
        self,
        store: ProposalStore,
        place: Place,
        clock: Clock,
        memory: MemoryWriter | None = None,
        mentions: FileMentions | None = None,
    ) -> None:
        super().__init__(store, place, clock, mentions)
        self._memory = memory

    def edit(self, proposal_id: str, change_id: str, files: Snapshot | str | None, path: str = "") -> Proposal:
        """Replace a waiting change's result: a whole folder, a text for SKILL.md (or the file at `path`, or the memory
        entry), or None for an archive that shall go ahead as the folder is now. Raises AppError(INVALID, USAGE) as
        app.proposals.editing.
        """
        with self._place.hold("editing a proposal"):
            proposal = self._store.get(proposal_id)
            change, history = self._named(proposal, change_id), self._store.history
            if isinstance(files, str):
                return self._stored(proposal, edited_text(change, files, history, path))
            made = edited(change, files, history)
            return self._stored(proposal, made)

    def keep(self, proposal_id: str, change_id: str, units: Collection[int]) -> Proposal:
        """Put dropped pieces of an absorbed skill (numbers in its loss) into its umbrella, as a new revision of that.

        Raises AppError(USAGE, INVALID, REFUSED) as app.proposals.keeping.
        """
        with self._place.hold("keeping a part"):
            current = self.current()
            proposal, _ = self.up_to_date(proposal_id, current)
            made, new = kept_in(proposal, change_id, units, current, self._store.history)
            if new:
                proposal = with_joined(proposal, made)
            return self._stored(proposal, made)

    def settle(self, proposal_id: str, change_id: str, take: Side | None, given: Mapping[str, bytes]) -> Proposal:
        """Settle a change's conflicts, as a new revision. Raises AppError(USAGE, INVALID) as app.proposals.settling."""
        with self._place.hold("settling a conflict"):
            proposal, _ = self.up_to_date(proposal_id, self.current())
            change = self._named(proposal, change_id)
            return self._stored(proposal, settle_conflicts(change, self._store.history, take, given))

    def _stored(self, proposal: Proposal, made: Change) -> Proposal:
        load = self._store.history.load
        kept = {f"{made.id}/{made.revision}": load(made.result)} if made.result else {}
        if made.base:
            kept[f"{made.id}/{made.revision}-base"] = load(made.base)
        self._store.save(with_changes(proposal, {made.id: made}), kept)
        return self._store.get(proposal.id)

    @staticmethod
    def _named(proposal: Proposal, change_id: str) -> Change:
        change = changes_of(proposal).get(change_id)
        if change is None:
            text = f"Proposal {proposal.id} has no change {change_id!r}. Show the proposal to see its changes."
            raise AppError(Kind.USAGE, "No such change", text)
        return change

    def approve(
        self,
        proposal_id: str,
        *,
        seen: Mapping[str, str | None],
        groups: Collection[str] = (),
        changes: Collection[str] = (),
        everything: bool = False,
        hunks: Mapping[str, Hunks] | None = None,
    ) -> Outcome:
        """Write the chosen changes to the live library, group by group, each group all or nothing: one journal action
        with one ledger entry. After a kill between two groups the first stands and the rest still waits.

        `seen` holds the displayed hash of every chosen change. `hunks` narrows changes to chosen parts; their `seen`
        is the hash of that narrower result. With `everything` all waiting changes are chosen, scripts left out.
        Raises AppError(USAGE) for unknown names and an empty choice, AppError(BUSY, STORAGE) when the library cannot
        be written. When that happens after a group was applied, the outcome tells both.
        """
        with self._place.hold("approving a proposal"):
            current = self.current()
            proposal, moved = self.up_to_date(proposal_id, current)
            chosen = chosen_ids(proposal, groups, changes, everything=everything)
            narrowed, reopened = self._narrowed(proposal, chosen, hunks or {})
            choice = Choice(chosen - set(reopened), seen, batch=everything)
            tally = _Tally(refused=[(change_id, _REOPENED) for change_id in reopened if change_id in chosen])
            for group in proposal.groups:
                if chosen.isdisjoint(change.id for change in group.changes):
                    continue
                asked = replace(group, changes=tuple(narrowed.get(change.id, change) for change in group.changes))
                checked = check_group(asked, choice, moved, proposal, current, self._store.history)
                tally.refused += checked.refused
                tally.conflicts += checked.conflicts
                try:
                    proposal = self._apply_group(proposal, group, checked, tally)
                except AppError as error:
                    if not tally.applied:
                        raise
                    tally.stopped(proposal, chosen, error)
                    break
            return tally.outcome(proposal)

    def _narrowed(
        self, proposal: Proposal, chosen: Collection[str], hunks: Mapping[str, Hunks]
    ) -> tuple[dict[str, Change], tuple[str, ...]]:
        """The narrowed changes by id, and the archives they no longer cover."""
        known = changes_of(proposal)
        narrowed: dict[str, Change] = {}
        reopened: list[str] = []
        for change_id, parts in hunks.items():
            if change_id in chosen and known[change_id].waiting:
                narrowed[change_id] = with_hunks(known[change_id], parts, self._store.history)
                reopened += uncovered(narrowed[change_id], proposal, self._store.history)
        return narrowed, tuple(reopened)

    def _apply_group(self, proposal: Proposal, group: Group, checked: Checked, tally: _Tally) -> Proposal:
        if checked.blocked:
            tally.refused += [(change.id, _KEPT_BACK) for change in checked.ready]
            return proposal
        skills = [change for change in checked.ready if change.memory is None]
        done = self._apply_memory(proposal, [change for change in checked.ready if change.memory is not None], tally)
        done += self._apply_skills(proposal, group, skills, tally)
        if not done:
            return proposal
        proposal = with_changes(proposal, {change.id: change for change in checked.ready})
        proposal = decide(proposal, done, Decision.APPROVED, "", self._clock())
        load = self._store.history.load
        folders = {f"{change.id}/{change.revision}": load(change.result) for change in skills if change.result}
        self._store.save(proposal, folders)
        tally.applied += done
        return proposal

    def _apply_skills(self, proposal: Proposal, group: Group, changes: list[Change], tally: _Tally) -> list[str]:
        if not changes:
            return []
        ordered = in_order(changes)
        load = self._store.history.load
        bases = {change.skill: load(change.base) for change in ordered if change.base}
        door = Door(GuardedPlace(self._place, bases), self._clock)
        receipts = door.do_all(
            [self._request(change) for change in ordered],
            Writer(
                proposal.origin,
                proposal.session,
                proposal.turn,
                proposal.run,
                untrusted=proposal.untrusted,
                approved=True,
            ),
            action="apply",
            reason=group.title,
            detail={
                "proposal": proposal.id,
                "group": group.id,
                "changes": [change.id for change in ordered],
                "approved_by": "user",
            },
        )
        return _count(ordered, receipts, tally)

    def _request(self, change: Change) -> Request:
        if change.result is None:
            return Request(Action.ARCHIVE, change.skill, absorbed_into=change.absorbed_into or "", reason=change.reason)
        return Request(
            Action.PUT, change.skill, files=dict(self._store.history.load(change.result)), reason=change.reason
        )

    def _apply_memory(self, proposal: Proposal, changes: list[Change], tally: _Tally) -> list[str]:
        done = []
        for change in changes:
            receipt = write_wish(change, proposal, self._memory)
            if receipt.ok:
                done.append(change.id)
                tally.entries += [receipt.entry] if receipt.entry else []
            else:
                tally.refused.append((change.id, receipt.why))
        return done


_KEPT_BACK = "Not written, because another part of this group was not."
_REOPENED = "What this skill says is no longer in the chosen part of its umbrella, so it stays."


def chosen_ids(
    proposal: Proposal, groups: Collection[str], changes: Collection[str], *, everything: bool = False
) -> set[str]:
    """The change ids that a choice of groups and changes means. Raises AppError(USAGE) for unknown or no names."""
    known = changes_of(proposal)
    by_group = {group.id: group for group in proposal.groups}
    unknown = [name for name in changes if name not in known] + [name for name in groups if name not in by_group]
    if unknown:
        text = f"Proposal {proposal.id} has no {', '.join(unknown)}. Show the proposal to see its groups and changes."
        raise AppError(Kind.USAGE, "Not in this proposal", text)
    chosen = set(changes)
    for name in groups:
        chosen.update(change.id for change in by_group[name].changes if change.waiting)
    if everything:
        chosen.update(change.id for change in known.values() if change.waiting)
    if not chosen:
        text = "Name the groups or changes to approve, or say that all are meant."
        raise AppError(Kind.USAGE, "Nothing chosen", text)
    return chosen


def seen_by_name(proposal: Proposal) -> dict[str, str]:
    """What naming a change on a command line stands for: its content as filed, or the revision that was last shown.

    A revision that came from a moved-on library and was never shown cannot be approved by name.
    """
    return {
        change.id: change.displayed if change.displayed or change.ancestor else change.seen
        for change in changes_of(proposal).values()
    }


def in_order(changes: Sequence[Change]) -> list[Change]:
    """Contents first, then archives, the far end of a chain of umbrellas last."""
    into = {change.skill: change.into for change in changes if change.action is Action.ARCHIVE and change.into}

    def depth(change: Change) -> int:
        here, steps = change.skill, 0
        while here in into and steps <= len(into):
            here, steps = into[here], steps + 1
        return steps

    return sorted(changes, key=lambda change: (change.action is Action.ARCHIVE, -depth(change)))


def _count(ordered: Sequence[Change], receipts: Sequence[Receipt], tally: _Tally) -> list[str]:
    if any(receipt.verdict is not Verdict.ALLOW for receipt in receipts):
        tally.refused += [(change.id, receipt.why) for change, receipt in zip(ordered, receipts, strict=True)]
        return []
    entries = dict.fromkeys(receipt.entry for receipt in receipts if receipt.entry)
    tally.entries += list(entries)
    return [change.id for change in ordered]
