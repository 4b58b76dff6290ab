"""Values of the curator room: its gate, transitions by age, what a run did, and its report."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from app.skills.values import State


class Gate(StrEnum):
    """What holds a scheduled run back; OPEN when nothing does."""

    OPEN = "open"
    DISABLED = "disabled"
    PAUSED = "paused"
    FIRST_RUN_DEFERRED = "first_run_deferred"
    NOT_DUE = "not_due"
    NOT_IDLE = "not_idle"
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Days and hours of the ageing rules, already cleaned: never zero or negative."""

    interval_hours: float = 168
    min_idle_hours: float = 2
    stale_after_days: float = 30
    archive_after_days: float = 90
    min_age_days: float = 14


@dataclass(frozen=True, slots=True)
class Budget:
    """What one run may use: answers of the model, tokens in and out, US dollars. No tokens or dollars: no limit."""

    steps: int = 200
    tokens: int = 0
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class CuratorStatus:
    """What the curator page's card shows. `why` is the sentence for `gate`.

    `last_run_at` is what the next run is counted from, also before the first one; `ran_at` is when one really was.
    `cut_short` names the last run when it did not come to its end.
    """

    enabled: bool
    paused: bool
    gate: Gate
    why: str
    last_run_at: datetime | None
    next_run_at: datetime | None
    idle_s: float
    run_count: int
    thresholds: Thresholds
    last_summary: str = ""
    last_report: str | None = None
    running: bool = False
    budget: Budget = Budget()
    cut_short: str = ""

    @property
    def ran_at(self) -> datetime | None:
        """When the last run began; None as long as there was none."""
        return self.last_run_at if self.run_count else None


@dataclass(frozen=True, slots=True)
class Transition:
    """One change of state by age. `applied` is False for what waits for approval or belongs to a dry run."""

    skill: str
    before: State
    after: State
    reason: str
    applied: bool = False


@dataclass(frozen=True, slots=True)
class Consolidated:
    """An absorbed skill.

    `source` names the evidence that decided; `contradiction` is a sentence when evidence disagrees. `kept` is the
    share (0 to 1) of its pieces that the umbrella keeps or rewords (None: not measured), `dropped` how many it drops.
    """

    name: str
    into: str
    source: str
    reason: str = ""
    evidence: str = ""
    contradiction: str = ""
    kept: float | None = None
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Pruned:
    """A skill archived without a successor."""

    name: str
    source: str
    reason: str = ""
    contradiction: str = ""


@dataclass(frozen=True, slots=True)
class RefusedCall:
    """A call the door refused during the run, with its sentence."""

    tool: str
    action: str
    skill: str
    why: str


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one run knows; `run.json` and REPORT.md are written from it and nothing else.

    `unasked` are names and ids whose change is not proposed: rejected before, or (those in `crowded`) no place is left
    in the inbox until something is decided; `decisions` counts what the run put into the inbox; `meanwhile`
    tells the steps of the ledger that were taken while it ran, its own left out.
    """

    run: str
    started_at: datetime
    duration_s: float
    model: str
    provider: str
    dry_run: bool
    before: int
    after: int
    transitions: tuple[Transition, ...] = ()
    consolidated: tuple[Consolidated, ...] = ()
    pruned: tuple[Pruned, ...] = ()
    added: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    refused: tuple[RefusedCall, ...] = ()
    proposals: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    mentions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    references: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    tool_calls: tuple[tuple[str, str], ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    final: str = ""
    summary: str = ""
    error: str = ""
    tree_before: str = ""
    tree_after: str = ""
    unasked: tuple[str, ...] = ()
    crowded: tuple[str, ...] = ()
    decisions: int = 0
    budget: Budget = Budget()
    meanwhile: tuple[str, ...] = ()

    @property
    def aged(self) -> tuple[Transition, ...]:
        """The archives by age, applied or not."""
        return tuple(item for item in self.transitions if item.after is State.ARCHIVED)

    @property
    def leaving(self) -> int:
        """How many skills leave the library, or would: merged, pruned and by age, less those nobody is asked about."""
        names = [item.name for item in self.consolidated] + [item.name for item in self.pruned]
        return sum(name not in self.unasked for name in [*names, *(item.skill for item in self.aged)])


@dataclass(frozen=True, slots=True)
class RunRow:
    """One past run as listed: read from its `run.json`.

    `archived` counts what goes without a successor (pruned or by age); `leaving` is what the report and the chat say;
    `waiting` are the decisions of this run that are open now.
    """

    run: str
    at: datetime
    model: str
    dry_run: bool
    calls: int
    tokens: int
    cost: float
    before: int
    after: int
    merged: int
    archived: int
    waiting: int
    summary: str
    error: str = ""
    leaving: int = 0
