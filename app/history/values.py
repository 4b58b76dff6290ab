"""Values of the history room: who wrote, what one entry of the ledger says, and the bytes of one folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class Origin(StrEnum):
    """Who caused a write. `outside` is any other program that changed the files on disk."""

    USER = "user"
    CHAT = "chat"
    REVIEW = "review"
    CURATOR = "curator"
    IMPORT = "import"
    OUTSIDE = "outside"


class BlobKind(StrEnum):
    """What git can say of a file: a plain file, one with the execute bit, or a symbolic link."""

    FILE = "file"
    EXECUTABLE = "executable"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Blob:
    """One file's content. For a link, `data` is the link's own target text, never what it points to."""

    data: bytes
    kind: BlobKind = BlobKind.FILE


#: One folder's files by POSIX path below it. A single file (memory) is the snapshot `{"": Blob(...)}`.
Snapshot = Mapping[str, Blob]


@dataclass(frozen=True, slots=True)
class Record:
    """What code writes into an entry; free text only inside `reason` and `detail`.

    `ids` are skill ids (or memory file names), `detail` holds before/after of actions that change no content,
    evidence, and whatever else the action needs to be undone. It must be JSON.
    """

    origin: Origin
    action: str
    ids: tuple[str, ...]
    reason: str = ""
    session: str | None = None
    run: str | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """One step of the ledger, as read back from the history. `id` is the commit's hex name, `tree` its content."""

    id: str
    at: datetime
    record: Record
    parent: str | None
    tree: str


class Side(StrEnum):
    """One of the two sides of a merge."""

    OURS = "ours"
    THEIRS = "theirs"


@dataclass(frozen=True, slots=True)
class Conflict:
    """One file that could not be merged: all three sides, absent sides are None."""

    path: str
    base: bytes | None
    ours: bytes | None
    theirs: bytes | None


@dataclass(frozen=True, slots=True)
class Merge:
    """The result of a three-way merge of one folder. With conflicts, `files` holds text with conflict marks."""

    files: Snapshot
    conflicts: tuple[Conflict, ...]

    @property
    def clean(self) -> bool:
        """Whether every file could be merged."""
        return not self.conflicts
