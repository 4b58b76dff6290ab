"""What may be approved: displayed as it is, whole, valid, and never an absorbed skill without its umbrella."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from app.history.store import History
from app.proposals.current import Current
from app.proposals.decisions import changes_of
from app.proposals.values import Change, Decision, Group, Proposal
from app.proposals.view import sides
from app.skills.naming import name_problem
from app.skills.validity import result_problem
from app.skills.values import Action


@dataclass(frozen=True, slots=True)
class Choice:
    """What the user decided to approve. `seen` is the displayed hash by change id (see Change.seen).

    `batch` holds the ids that were not named one by one (`--all`): scripts among them are left out.
    """

    ids: Collection[str]
    seen: Mapping[str, str | None]
    batch: bool = False


@dataclass(slots=True)
class Checked:
    """One group's chosen changes, sorted: ready to be written, left out, and what keeps all of them back."""

    ready: list[Change] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    blocked: bool = False

    def leave_out(self, change: Change, why: str) -> None:
        """Leave one change waiting; the rest of the group may go on."""
        self.refused.append((change.id, why))

    def block(self, change: Change, why: str) -> None:
        """Keep the whole group back: what the user saw is not what would be written."""
        self.leave_out(change, why)
        self.blocked = True


def check_group(
    group: Group, choice: Choice, moved: Collection[str], proposal: Proposal, current: Current, history: History
) -> Checked:
    """Sort the chosen changes of one group. `moved` are the ids that just got another revision."""
    checked = Checked()
    chosen = [change for change in group.changes if change.id in choice.ids]
    for change in sorted(chosen, key=lambda item: item.action is Action.ARCHIVE):
        if not change.waiting:
            checked.leave_out(change, change.decision_reason or f"Decided already: {change.decision.value}.")
        elif change.conflicts:
            checked.conflicts.append(change.id)
            checked.block(change, _conflict(change))
        elif change.id in moved and not (change.result and was_seen(change, choice.seen)):
            checked.conflicts.append(change.id)
            checked.block(change, f"{change.name} has moved on. Look at the new revision, then approve it.")
        elif not was_seen(change, choice.seen):
            checked.block(change, f"This is not the version of {change.name} that was displayed. Look at it again.")
        elif choice.batch and change.has_script:
            checked.leave_out(change, f"{change.name} brings a script. Approve it by itself, after reading it.")
        elif problem := _problem(change, current, history) or _without_umbrella(change, checked, proposal, current):
            checked.leave_out(change, problem)
        else:
            checked.ready.append(change)
    return checked


def was_seen(change: Change, seen: Mapping[str, str | None]) -> bool:
    """Whether the displayed hash is the one that would be written; an archive writes none."""
    if change.id not in seen:
        return False
    shown = seen[change.id] or ""
    return shown == change.seen or (change.action is Action.ARCHIVE and shown == "")


def result_trouble(change: Change, history: History) -> str:
    """Why a change's result would be no valid skill, empty when it would."""
    before, after = sides(change, history)
    return result_problem(before or None, after, change.skill.rpartition("/")[2])


def _conflict(change: Change) -> str:
    if change.action is Action.ARCHIVE:
        return f"{change.name} was edited since. Settle that first: archive it as it is now, or reject it."
    return f"{change.name} was changed meanwhile in the same places. Settle the conflict first."


def _problem(change: Change, current: Current, history: History) -> str:
    if change.memory is not None or change.result is None:
        return ""
    if change.base is None and (taken := name_problem(change.name, current.library)):
        return taken
    return result_trouble(change, history)


def _without_umbrella(change: Change, checked: Checked, proposal: Proposal, current: Current) -> str:
    """Why an absorbed skill may not be archived yet, empty when its umbrella goes along or stands there already."""
    if change.action is not Action.ARCHIVE or not change.into:
        return ""
    if any(ready.skill == change.into and ready.result is not None for ready in checked.ready):
        return ""
    own = [other for other in changes_of(proposal).values() if other.skill == change.into and other.result is not None]
    if any(other.waiting for other in own):
        return f"{change.name} goes into {change.absorbed_into}. Approve that change first, or both together."
    if any(other.decision is Decision.REJECTED for other in own):
        return f"The change of {change.absorbed_into}, which should absorb {change.name}, was rejected."
    if current.skill(change.into) is None:
        return f"{change.absorbed_into}, which should absorb {change.name}, is not in the library."
    return ""
