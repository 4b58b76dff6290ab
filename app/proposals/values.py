"""Values of the proposals room: what one fork wants to change, in groups a person can decide."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.history.values import Conflict, Origin
from app.memory.values import Target
from app.skills.values import Action, Finding
from app.text.values import FileDiff, Loss


class ProposalState(StrEnum):
    """Where a proposal stands. PENDING as long as one group waits."""

    PENDING = "pending"
    APPLIED = "applied"
    REJECTED = "rejected"
    REPLACED = "replaced"
    CLOSED = "closed"


class Decision(StrEnum):
    """What was decided about one group or change."""

    WAITING = "waiting"
    APPROVED = "approved"
    REJECTED = "rejected"
    REPLACED = "replaced"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Step:
    """One allowed action of the fork, kept as evidence of how the change came about. `file` is below the skill."""

    action: Action
    skill: str
    file: str | None = None
    reason: str = ""
    absorbed_into: str | None = None


class MemoryAction(StrEnum):
    """What can be done to a memory store."""

    ADD = "add"
    REPLACE = "replace"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class MemoryStep:
    """One wish to change a memory store: `text` comes, `old_text` goes; `span` is the user's words it rests on."""

    action: MemoryAction
    target: Target
    text: str = ""
    old_text: str = ""
    span: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where another skill names an absorbed one: skill id, file below it, 1-based line and that line."""

    skill: str
    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """One skill's part of a proposal, against a known base.

    A change out of a list is light: it has no `files`, `loss`, texts, `mentions` and no bytes in `conflicts`.
    `id` is the change's own id inside the proposal, `skill` the skill id it lands on, `base` the tree hash of the
    skill's folder in the base (None for a new skill), `result` the tree hash of what approving writes (None for an
    archive): the hash the user has to have seen. `moved_on` says that the live folder is not what was drafted from;
    `revision` grows with each re-base or edit. `conflicts` must be empty before it can be approved. `absorbed_into` is
    the umbrella's name ("" for a prune), `into` its id. `ancestor` and `theirs` are the trees the last three-way merge
    started from. A change of a memory entry has `memory` set, its file (`memories/USER.md`) as `skill`, and as `result`
    the hash of that wish; it has moved on when the text it takes away is no longer there. `displayed` is the hash that
    was last shown in full, for a command line, which cannot hand the displayed hash back.
    """

    id: str
    skill: str
    action: Action
    group: str
    title: str
    reason: str
    base: str | None
    result: str | None
    files: tuple[FileDiff, ...]
    absorbed_into: str | None = None
    loss: Loss | None = None
    decision: Decision = Decision.WAITING
    decision_reason: str = ""
    moved_on: bool = False
    revision: int = 0
    conflicts: tuple[Conflict, ...] = ()
    findings: tuple[Finding, ...] = ()
    has_script: bool = False
    before_text: str = ""
    after_text: str = ""
    mentioned_by: tuple[str, ...] = ()
    name: str = ""
    into: str | None = None
    steps: tuple[Step, ...] = ()
    mentions: tuple[Mention, ...] = ()
    ancestor: str | None = None
    theirs: str | None = None
    decided_at: datetime | None = None
    memory: MemoryStep | None = None
    displayed: str = ""

    @property
    def touches(self) -> str:
        """What two changes may not both wait for: the skill, or the one memory entry."""
        if self.memory is None:
            return self.skill
        return f"{self.skill}#{self.memory.old_text or self.memory.text}"

    @property
    def seen(self) -> str:
        """The hash an approval must carry: of what gets written, for an archive of the folder that goes."""
        return self.result or self.base or ""

    @property
    def waiting(self) -> bool:
        """Whether it is still to be decided."""
        return self.decision is Decision.WAITING


@dataclass(frozen=True, slots=True)
class Group:
    """What one line of the inbox shows: an umbrella with its absorbed skills, or a single change."""

    id: str
    title: str
    changes: tuple[Change, ...]
    decision: Decision = Decision.WAITING

    @property
    def skills(self) -> tuple[str, ...]:
        """The ids this group touches."""
        return tuple(change.skill for change in self.changes)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one fork wants to change. `base` is the commit it was drawn from, `turn` and `session` lead to the why.

    `waiting_since` is when the same skills were first asked about, in an older proposal that this one replaced.
    """

    id: str
    origin: Origin
    state: ProposalState
    created_at: datetime
    title: str
    reason: str
    groups: tuple[Group, ...]
    base: str
    run: str | None = None
    session: str | None = None
    turn: str | None = None
    untrusted: bool = False
    replaced_by: str | None = None
    waiting_since: datetime | None = None

    @property
    def waiting(self) -> tuple[Group, ...]:
        """The groups still to be decided."""
        return tuple(group for group in self.groups if group.decision is Decision.WAITING)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What deciding led to: the ids applied, the changes that moved on or conflict, the ledger entries."""

    proposal: str
    state: ProposalState
    applied: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    conflicts: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
