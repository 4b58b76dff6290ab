"""What a proposal, a group and a change are called in the inbox and on the page."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.history.values import Origin
from app.proposals.values import Change, Decision, Group, Proposal
from app.skills.values import Action
from app.text.values import Fate, Loss


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the inbox: a group with the proposal it belongs to.

    `older` are the revisions of the same idea that it replaced, newest first; those have a `depth` of 1.
    """

    proposal: Proposal
    group: Group
    depth: int = 0
    older: tuple["Row", ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """What the line is known by."""
        return self.proposal.id, self.group.id

    @property
    def waiting(self) -> bool:
        """Whether it is still to be decided."""
        return self.group.decision is Decision.WAITING

    @property
    def moved_on(self) -> bool:
        """Whether a skill in it was changed since, so that a new revision has to be looked at."""
        return any(change.moved_on for change in self.group.changes)


def tr(text: str) -> str:
    """Translate in the context of the review page."""
    return QCoreApplication.translate("Review", text)


def origin_word(origin: Origin) -> str:
    """Who wants it."""
    return {
        Origin.REVIEW: tr("Review"),
        Origin.CURATOR: tr("Curator"),
        Origin.CHAT: tr("Chat"),
        Origin.USER: tr("You"),
        Origin.IMPORT: tr("Import"),
        Origin.OUTSIDE: tr("Outside"),
    }[origin]


def action_word(change: Change) -> str:
    """What happens to the skill, in one word."""
    if change.memory is not None:
        return tr("Remember")
    if change.base is None and change.action is not Action.ARCHIVE:
        return tr("New")
    words = {
        Action.CREATE: tr("New"),
        Action.ARCHIVE: tr("Absorb") if change.absorbed_into else tr("Archive"),
        Action.RENAME: tr("Rename"),
        Action.MOVE: tr("Move"),
        Action.REMOVE_FILE: tr("Remove file"),
    }
    return words.get(change.action, tr("Change"))


def decision_word(decision: Decision) -> str:
    """Where a group or change stands."""
    return {
        Decision.WAITING: tr("waiting"),
        Decision.APPROVED: tr("applied"),
        Decision.REJECTED: tr("rejected"),
        Decision.REPLACED: tr("replaced"),
        Decision.CLOSED: tr("closed"),
    }[decision]


def name_of(change: Change) -> str:
    """The skill's name, or the memory file."""
    return change.name or change.skill.rsplit("/", 1)[-1]


def counts_word(change: Change) -> str:
    """Lines that come and go; empty for a light change."""
    added, removed = sum(file.added for file in change.files), sum(file.removed for file in change.files)
    return " ".join(part for part in (f"+{added}" if added else "", f"−{removed}" if removed else "") if part)


def kept_word(change: Change) -> str:
    """How much of an absorbed skill stays, empty when nobody measured it."""
    if change.loss is None or not change.loss.units:
        return ""
    dropped = change.loss.count(Fate.DROPPED)
    return tr("nothing lost") if not dropped else tr("{n} dropped").format(n=dropped)


def skills_word(group: Group) -> str:
    """How many skills a group touches."""
    count = len(set(group.skills))
    return tr("1 skill") if count == 1 else tr("{n} skills").format(n=count)


def share_kept(loss: Loss) -> str:
    """The share of units kept or reworded, never rounded up to all of them."""
    return f"{int(loss.kept_share * 100)} %"
