"""Deciding what waits: shown against the library as it is, approved with what was displayed, rejected, reopened."""

from collections.abc import Collection, Mapping

from app.cycles.home import OpenHome
from app.errors import AppError, Kind
from app.history.values import Side
from app.proposals.apply import Approval, seen_by_name
from app.proposals.decisions import changes_of
from app.proposals.values import Change, Outcome, Proposal
from app.skills.values import Finding
from app.text.values import Fate


def approval(open_home: OpenHome) -> Approval:
    """What approves in this home."""
    home = open_home
    return Approval(home.proposals, home.live, home.clock, home.memory_writer, home.file_mentions)


def inbox(open_home: OpenHome) -> tuple[Proposal, ...]:
    """All proposals, newest first, light, without what can no longer be decided; changes say whether they moved on."""
    work = approval(open_home)
    work.sweep()
    return work.listed()


def show(open_home: OpenHome, proposal_id: str) -> Proposal:
    """One proposal in full, brought up to date with the library first: what it shows is what approving would write."""
    return approval(open_home).show(proposal_id)


def approve(
    open_home: OpenHome,
    proposal_id: str,
    changes: Collection[str],
    seen: Mapping[str, str | None],
    hunks: Mapping[str, Mapping[str, Collection[str]]] | None = None,
) -> Outcome:
    """Apply these changes. `seen` holds the displayed hash of each; `hunks` the chosen parts of some."""
    return approval(open_home).approve(proposal_id, seen=seen, changes=changes, hunks=hunks)


def approve_named(
    open_home: OpenHome,
    proposal_id: str,
    groups: Collection[str] = (),
    changes: Collection[str] = (),
    *,
    everything: bool = False,
) -> Outcome:
    """Apply groups or changes by name, as a command line does: naming them (or everything) stands for having seen them.

    Raises AppError(USAGE) when nothing is named.
    """
    if not (groups or changes or everything):
        text = "Name groups or changes, or say --all. `melete proposals show` lists them."
        raise AppError(Kind.USAGE, "Nothing is named", text)
    proposal = open_home.proposals.get(proposal_id)
    seen = seen_by_name(proposal)
    return approval(open_home).approve(proposal.id, seen=seen, groups=groups, changes=changes, everything=everything)


def reject(open_home: OpenHome, proposal_id: str, changes: Collection[str], reason: str = "") -> Outcome:
    """Reject these changes (all that wait when none is named)."""
    proposal = open_home.proposals.reject(proposal_id, tuple(changes) or None, reason)
    return Outcome(proposal.id, proposal.state)


def reopen(open_home: OpenHome, proposal_id: str, changes: Collection[str] = ()) -> Proposal:
    """Put rejected changes back into the inbox."""
    proposal = open_home.proposals.reopen(proposal_id, tuple(changes) or None)
    return show(open_home, proposal.id)


def keep(open_home: OpenHome, proposal_id: str, change_id: str, units: Collection[int]) -> Proposal:
    """Put dropped pieces of an absorbed skill (numbers in its loss) back into its umbrella; to be displayed again."""
    return show(open_home, approval(open_home).keep(proposal_id, change_id, units).id)


def dropped(open_home: OpenHome, proposal_id: str, change_id: str) -> tuple[int, ...]:
    """The numbers of everything a merge would drop, as `keep` takes them."""
    change = changes_of(show(open_home, proposal_id)).get(change_id)
    units = change.loss.units if change is not None and change.loss is not None else ()
    return tuple(number for number, item in enumerate(units) if item.fate is Fate.DROPPED)


def settle(
    open_home: OpenHome, proposal_id: str, change_id: str, take: Side | None, given: Mapping[str, bytes]
) -> Proposal:
    """Settle a change's conflicts with one side's words, or with whole files; to be displayed again."""
    return show(open_home, approval(open_home).settle(proposal_id, change_id, take, given).id)


def narrow(open_home: OpenHome, proposal_id: str, change_id: str, hunks: Mapping[str, Collection[str]]) -> Change:
    """One change narrowed to chosen parts, in full, with the hash an approval of it carries; stores nothing."""
    return approval(open_home).show_part(proposal_id, change_id, hunks)


def check(open_home: OpenHome, proposal_id: str, change_id: str, text: str) -> tuple[Finding, ...]:
    """The findings a change would have with this text as its SKILL.md; nothing is stored."""
    return approval(open_home).check(proposal_id, change_id, text)


def edit(open_home: OpenHome, proposal_id: str, change_id: str, text: str, path: str = "") -> Proposal:
    """Use another SKILL.md (or file at `path`, or memory entry) for one change; it has to be displayed again before it
    is approved.
    """
    proposal = approval(open_home).edit(proposal_id, change_id, text, path)
    return show(open_home, proposal.id)
