"""Values of the memory room: targets, entries, how full a store is, who writes and what came of it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.history.values import Origin


class Target(StrEnum):
    """The two stores: the agent's notes (MEMORY.md) and what it knows of the user (USER.md)."""

    MEMORY = "memory"
    USER = "user"


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One entry.

    `span` is the user's own words it rests on; `blocked` says why the model does not see it, empty if it does.
    """

    target: Target
    text: str
    origin: Origin | None = None
    session: str | None = None
    turn: str | None = None
    at: datetime | None = None
    span: str = ""
    blocked: str = ""


@dataclass(frozen=True, slots=True)
class MemoryView:
    """One store as shown: its entries and how many of the allowed characters are used.

    `problem` is a sentence when the file cannot be read as it should; it is never changed then.
    """

    target: Target
    entries: tuple[MemoryEntry, ...]
    used: int
    limit: int
    problem: str = ""


@dataclass(frozen=True, slots=True)
class MemoryBy:
    """Who writes an entry and under which circumstances.

    `untrusted`: text not made from the user's own words is in the turn. `hold`: the user wants to see what a review
    learns before it is stored. `approved`: the user saw exactly this write and agreed; the origin stays what it was.
    """

    origin: Origin
    session: str | None = None
    turn: str | None = None
    untrusted: bool = False
    hold: bool = False
    approved: bool = False


class MemoryVerdict(StrEnum):
    """What became of a write: done and read back, waiting for the user, or refused. Nothing is written unless ALLOW."""

    ALLOW = "allow"
    PROPOSE = "propose"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class MemoryReceipt:
    """The answer to one write. `why` is a sentence for whoever asked; `entry` the ledger entry that undoes it.

    `candidates` are the entries meant when a text fits more than one. `used` and `limit` count characters.
    """

    verdict: MemoryVerdict
    why: str
    used: int
    limit: int
    entry: str | None = None
    candidates: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the write was done."""
        return self.verdict is MemoryVerdict.ALLOW
