"""One action as data: which folders and files change, which sidecar fields, and the entry that will say so.

A plan is complete before anything is written. Folders are named below the home (`skills/cat/name`), or absolutely
where a linked skill's real place is meant; ids and prefixes as everywhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.history.trees import blob_id
from app.history.values import Blob, Record, Snapshot
from app.skills.values import Request


@dataclass(frozen=True, slots=True)
class NewFolder:
    """Make a folder that is not there yet, with these files, in one rename."""

    folder: str
    files: Snapshot


@dataclass(frozen=True, slots=True)
class WriteFile:
    """Replace, make or remove one file of a folder. `before` is the mark of what is there now (see `mark`)."""

    folder: str
    path: str
    before: str | None
    after: Blob | None


@dataclass(frozen=True, slots=True)
class MoveFolder:
    """Move a whole folder with everything in it, recorded or not."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class RemoveFolder:
    """Take a folder away: to the system's trash, or for good."""

    folder: str
    for_good: bool = False


Step = NewFolder | WriteFile | MoveFolder | RemoveFolder


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything one action does, in order: steps, sidecar changes, then the entry.

    `usage` gives fields per record key (None removes the record), `forwards` whole rows per old name, `changes` what
    the history will hold per prefix. `requests` are the wishes this plan fulfils, for a draft to remember.
    """

    id: str
    record: Record
    steps: tuple[Step, ...] = ()
    usage: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    forwards: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    changes: Mapping[str, Snapshot | None] = field(default_factory=dict)
    requests: tuple[Request, ...] = ()


def mark(blob: Blob | None) -> str | None:
    """A short text that is equal exactly for equal files: kind and content hash; None for no file."""
    return None if blob is None else f"{blob.kind.value}:{blob_id(blob.data)}"
