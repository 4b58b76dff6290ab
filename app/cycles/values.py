"""Values of the cycles: what a turn, a review and a curator run say to whoever started them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from app.agent.values import TurnEnded
from app.history.values import Entry
from app.proposals.values import Proposal
from app.providers.values import Message, ToolSpec, Usage
from app.sessions.values import SessionInfo, StoredMessage
from app.skills.values import Finding, Skill
from app.text.values import FileDiff


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The user's message is stored and the turn begins; `again` when it was stored by an earlier try."""

    session: SessionInfo
    turn: str
    stored: StoredMessage
    again: bool = False


@dataclass(frozen=True, slots=True)
class ReviewSnapshot:
    """The frozen conversation a review fork replays: the same system prompt, tools and messages, byte for byte."""

    session: str
    turn: str
    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    untrusted: bool = False
    focus: str = ""


@dataclass(frozen=True, slots=True)
class ToolNote:
    """One call of a turn in short, for scripts: name, what it was about, whether it went well, and its verdict."""

    name: str
    target: str
    ok: bool
    entry: str | None = None
    proposal: str | None = None


@dataclass(frozen=True, slots=True)
class TurnResult:
    """How a turn ended, and the snapshot a review starts from (None when there is nothing to review).

    `told` is the line that says why it did not end well.
    """

    session: SessionInfo
    turn: str
    reply: str
    ended: TurnEnded
    calls: tuple[ToolNote, ...] = ()
    snapshot: ReviewSnapshot | None = None
    notice: str = ""
    told: StoredMessage | None = None


@dataclass(frozen=True, slots=True)
class ReviewOutcome:
    """What a review wrote. `line` is the one line for the chat, empty when nothing was learned."""

    session: str
    turn: str
    line: str = ""
    actions: tuple[Mapping[str, Any], ...] = ()
    entries: tuple[str, ...] = ()
    proposals: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    ended: TurnEnded | None = None
    stored: StoredMessage | None = None

    @property
    def error(self) -> str:
        """Why the review failed, empty when it did not."""
        return self.ended.reason if self.ended is not None and self.ended.failure is not None else ""


class Phase(StrEnum):
    """Where a curator run is."""

    AGES = "ages"
    MERGING = "merging"
    REPORT = "report"


@dataclass(frozen=True, slots=True)
class CuratorProgress:
    """One step of a running curator: the phase, the skill it is about, what it used so far, and a line for its log."""

    phase: Phase
    skill: str = ""
    calls: int = 0
    line: str = ""
    tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Revision:
    """What came of sending a proposal back: the new proposal (light), and what its maker said."""

    proposal: Proposal
    said: str = ""


@dataclass(frozen=True, slots=True)
class ActionReport:
    """What a bulk action did: `done` and `refused` pairs of (id, path or sentence), and the ledger entries."""

    action: str
    done: tuple[tuple[str, str], ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SkillDetail:
    """One skill opened: its text, files, where it came from, and what its ledger says."""

    skill: Skill
    text: str
    body: str
    frontmatter: Mapping[str, Any]
    files: tuple[str, ...]
    via: tuple[str, ...] = ()
    forwarded_from: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    base_hash: str = ""


@dataclass(frozen=True, slots=True)
class EntryDetail:
    """One ledger entry with the differences it made, by prefix (skill or memory file), and how many were left out."""

    entry: Entry
    files: tuple[tuple[str, tuple[FileDiff, ...]], ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo led to: the new ledger entry, or sentences about what stands in the way and nothing written.

    `files` shows the conflicts: from what stands there now to what stood there before the step. `kept` are sentences
    about what the step made and what stays, because somebody worked on it since.
    """

    entry: str | None
    conflicts: tuple[str, ...] = ()
    files: tuple[FileDiff, ...] = ()
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SkillThen:
    """One skill as it stood after a step: its id then, its folder's name, and its id now.

    `fate` is same, changed, moved, archived or gone. `description` is as it was then, where that was asked for.
    """

    id: str
    name: str
    archived: bool
    fate: str
    now: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class LibraryThen:
    """All skills as they stood after a step, and the ids that came later."""

    entry: Entry
    skills: tuple[SkillThen, ...]
    since: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RollbackStep:
    """One thing a rollback would do: `what` is archive, restore, bring back, move, change, pin, unpin, adopt, unadopt.

    `skill` is the id now (then, for what is gone by now), `to` the id after it.
    """

    what: str
    skill: str
    to: str
    name: str


@dataclass(frozen=True, slots=True)
class RollbackPlan:
    """What brings the library back to how it stood after `entry`, or sentences about what stands in the way."""

    entry: Entry
    steps: tuple[RollbackStep, ...] = ()
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recorded:
    """How far the first recording of a large library is, in skills."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class LostFile:
    """A file that the history does not hold: its skill, its path (empty: the whole folder), why, and its size."""

    skill: str
    path: str
    why: str
    size: int = 0


@dataclass(frozen=True, slots=True)
class Lookalike:
    """Two skills that say much the same: how alike (0 to 1), the words both turn on, and how many lines are equal."""

    one: str
    other: str
    score: float
    shared: tuple[str, ...] = ()
    equal_lines: int = 0
    lines: int = 0


@dataclass(frozen=True, slots=True)
class PurgeItem:
    """What deleting one archived skill takes away: its files, since when it is archived, and what history lacks."""

    id: str
    name: str
    archived_at: datetime | None
    files: tuple[str, ...]
    size: int
    into: str = ""
    not_kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunStep:
    """One ledger entry of a curator's run and its way back: `changes` are (action, skill id) pairs an undo would make.

    `undone` says that it was taken back already, `by` names the undo; `conflicts` are sentences about what stands in
    the way, `kept` about what stays because somebody worked on it since.
    """

    entry: str
    at: datetime
    title: str
    skills: tuple[str, ...]
    undone: bool = False
    changes: tuple[tuple[str, str], ...] = ()
    conflicts: tuple[str, ...] = ()
    by: str | None = None
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunUndo:
    """The way back from a run, or what came of going it: its entries, newest first."""

    run: str
    steps: tuple[RunStep, ...] = ()

    @property
    def conflicts(self) -> tuple[str, ...]:
        """Everything that stands in the way."""
        return tuple(why for step in self.steps for why in step.conflicts)


@dataclass(frozen=True, slots=True)
class UseDetail:
    """How one skill is used: uses per day (oldest first), how conversations with it ended, and the latest of them."""

    skill: str
    by_day: tuple[tuple[date, int], ...] = ()
    ended_well: int = 0
    ended_badly: int = 0
    sessions: tuple[SessionInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor: an id, whether it is well, and what to do if not."""

    id: str
    ok: bool
    message: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Tick:
    """What the curator's due check did, and when."""

    ran: bool
    gate: str
    run: str | None
    at: datetime
