"""Values of the memory room: targets, entries and how full a store is."""

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
    """One store as shown: its entries and how many of the allowed characters are used."""

    target: Target
    entries: tuple[MemoryEntry, ...]
    used: int
    limit: int
