"""Values of the skills room: a skill as listed, its state, origin facts, findings and the library as a whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from app.history.values import Origin


class State(StrEnum):
    """Where a skill stands in its life. Pinned is a separate fact."""

    ACTIVE = "active"
    STALE = "stale"
    ARCHIVED = "archived"


class Source(StrEnum):
    """Where a skill came from."""

    BUNDLED = "bundled"
    HUB = "hub"
    LOCAL = "local"


class Author(StrEnum):
    """Who created a skill."""

    AGENT = "agent"
    USER = "user"
    UNKNOWN = "unknown"


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Load(StrEnum):
    """Whether the tolerant reader takes a skill: as it is, with a warning, or not at all."""

    LOAD = "load"
    WARN = "warn"
    SKIP = "skip"


#: Rules whose violation can be mended by itself, touching nothing else (see fixes).
ONE_CLICK = frozenset(
    {
        "ENC.BOM", "ENC.EOL", "NAME.REQUIRED", "NAME.EMPTY", "NAME.TYPE", "NAME.CASE", "NAME.CHARSET",
        "NAME.HYPHEN_EDGE", "NAME.HYPHEN_DOUBLE", "NAME.DIR", "COMPAT.EMPTY", "TOOLS.COMMA", "TOOLS.TYPE",
        "TXT.BIDI", "TXT.CONTROL", "FIELD.UNKNOWN", "DIR.SKILL_MD.CASE",
    }
)  # fmt: skip
#: How the fix of a rule begins that has other fixes as well.
QUOTE = "Put the value of"


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark about a skill. `line` is 1-based in SKILL.md, None when it concerns the folder."""

    rule: str
    severity: Severity
    line: int | None
    message: str
    fix: str | None = None

    @property
    def one_click(self) -> bool:
        """Whether the fix can be applied by a click; the others say what to do by hand."""
        if self.fix is None:
            return False
        if self.rule == "FM.YAML":
            return self.fix.startswith(QUOTE)
        typed = self.rule == "DESC.TYPE" and self.severity is Severity.WARNING
        return typed or self.rule in ONE_CLICK


@dataclass(frozen=True, slots=True)
class Usage:
    """The sidecar's record of one skill. `known` is False when there is no record: that means no data, never unused."""

    known: bool = False
    uses: int = 0
    views: int = 0
    patches: int = 0
    last_used_at: datetime | None = None
    last_viewed_at: datetime | None = None
    last_patched_at: datetime | None = None
    created_at: datetime | None = None
    archived_at: datetime | None = None
    restored_at: datetime | None = None

    @property
    def last_activity_at(self) -> datetime | None:
        """The latest of use, view, patch and restore."""
        times = [t for t in (self.last_used_at, self.last_viewed_at, self.last_patched_at, self.restored_at) if t]
        return max(times) if times else None


@dataclass(frozen=True, slots=True)
class Skill:
    """One row of the library.

    `id` is the NFC path below its root (an archived skill: `.archive/<folder>`), `folder` the path as scanned, `real`
    the linked skill's real place or None: its real folder, or the real file where only SKILL.md is a link. `file` is
    the name of the skill's file in its folder (`skill.md` in some skills of others), `also_at` further links to the
    same real place. `root` is the root's path; `in_home` says whether that is the home's own library. `description`
    is never cut. `absorbed_into` is the name its forward was recorded with. `related` are names as written, `mentions`
    names or ids of other skills. `size` and `modified_at` are SKILL.md's, `file_count` counts every file of the skill
    outside generated folders. `body_hash` is the SHA-256 of SKILL.md. `catalogue_tokens` and `body_tokens` are
    estimates (characters / 4).
    """

    id: str
    name: str
    category: str
    description: str
    folder: Path
    root: Path
    in_home: bool = True
    real: Path | None = None
    state: State = State.ACTIVE
    pinned: bool = False
    enabled: bool = True
    source: Source = Source.LOCAL
    author: Author = Author.UNKNOWN
    managed: bool = False
    edited_here: bool = False
    usage: Usage = field(default_factory=Usage)
    load: Load = Load.LOAD
    findings: tuple[Finding, ...] = ()
    shadowed_by: str | None = None
    absorbed_into: str | None = None
    related: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    allowed_tools: tuple[str, ...] = ()
    size: int = 0
    file_count: int = 0
    modified_at: datetime | None = None
    body_hash: str = ""
    catalogue_tokens: int = 0
    body_tokens: int = 0
    file: str = "SKILL.md"
    also_at: tuple[Path, ...] = ()

    @property
    def broken(self) -> bool:
        """Whether the skill cannot be used: a row with a reason, never offered to a model."""
        return self.load is Load.SKIP

    @property
    def live(self) -> bool:
        """Usable, not archived."""
        return self.state is not State.ARCHIVED and not self.broken

    @property
    def linked(self) -> bool:
        """Whether the folder or its SKILL.md is a link to a real place elsewhere."""
        return self.real is not None


@dataclass(frozen=True, slots=True)
class Forward:
    """Where the content of an archived skill went. `hash` is the content hash of what was archived."""

    name: str
    into: str
    hash: str
    run: str | None
    at: datetime | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a name leads to. `via` lists the names passed on the way, empty when the name is live itself."""

    skill: Skill
    via: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about a root or a sidecar that the user should know. `key` is the same for the same trouble."""

    key: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers that list, window and command line show alike. Live states count usable skills only."""

    active: int = 0
    stale: int = 0
    archived: int = 0
    pinned: int = 0
    broken: int = 0


@dataclass(frozen=True, slots=True)
class Library:
    """A frozen picture of all skills, in the order of their roots and paths; archived skills of the home come last.

    `seen` is what the reader keeps for its next look; nobody else reads it.
    """

    skills: tuple[Skill, ...] = ()
    forwards: Mapping[str, Forward] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    seen: Any = field(default=None, repr=False, compare=False)
    _by_id: Mapping[str, Skill] = field(init=False, repr=False, compare=False)
    _counts: Counts | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_id", {skill.id: skill for skill in reversed(self.skills)})

    def get(self, skill_id: str) -> Skill | None:
        """The skill with this id, None when there is none. The home's own skill wins over one of a folder."""
        return self._by_id.get(skill_id)

    @property
    def counts(self) -> Counts:
        """Counts by state over the un-shadowed rows; counted once."""
        if self._counts is None:
            object.__setattr__(self, "_counts", self._count())
        assert self._counts is not None
        return self._counts

    def _count(self) -> Counts:
        shown = [skill for skill in self.skills if skill.shadowed_by is None]
        usable = [skill for skill in shown if not skill.broken]
        return Counts(
            active=sum(skill.state is State.ACTIVE for skill in usable),
            stale=sum(skill.state is State.STALE for skill in usable),
            archived=sum(skill.state is State.ARCHIVED for skill in shown),
            pinned=sum(skill.pinned and skill.state is not State.ARCHIVED for skill in usable),
            broken=sum(skill.broken and skill.state is not State.ARCHIVED for skill in shown),
        )


class Action(StrEnum):
    """What can be done to a skill. Every one of them goes through the one door (design: one door for writes)."""

    CREATE = "create"
    PATCH = "patch"
    EDIT = "edit"
    WRITE_FILE = "write_file"
    REMOVE_FILE = "remove_file"
    PUT = "put"
    ARCHIVE = "archive"
    RESTORE = "restore"
    RENAME = "rename"
    MOVE = "move"
    PURGE = "purge"
    PIN = "pin"
    UNPIN = "unpin"
    ADOPT = "adopt"
    UNADOPT = "unadopt"
    LABEL = "label"


class Verdict(StrEnum):
    """The door's answer."""

    ALLOW = "allow"
    PROPOSE = "propose"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Writer:
    """Who asks the door, and under which circumstances.

    `read` holds the file keys (`<skill id>/<path>`) this fork has read in its run; None switches the rule off (a
    user). `hold` is the review mode that turns allowed writes into proposals. `approved` means that the user has
    approved (or switched on) exactly this: the policy asks the user's column, the ledger keeps the true origin.
    """

    origin: Origin
    session: str | None = None
    turn: str | None = None
    run: str | None = None
    untrusted: bool = False
    hold: bool = False
    read: frozenset[str] | None = None
    approved: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One wish to change a skill. Which fields count depends on `action`; the rest stay at their defaults.

    `skill` is an id for an existing skill, a plain name for CREATE. `content` is the whole SKILL.md (CREATE, EDIT) or
    a file's text (WRITE_FILE); `old`/`new` are PATCH's texts; `file` the path below the skill; `to` the new name
    (RENAME), category (MOVE) or label (LABEL); `files` the whole folder (PUT); `absorbed_into` a live skill's name, ""
    for an explicit prune, None when not said. `exact` is the id a MOVE or RESTORE leads to, whatever `to` says (an undo
    knows it), `record` what a PUT sets in the usage record (all of it with a deleted skill); `reason` stands in the
    ledger.
    """

    action: Action
    skill: str
    content: str | bytes | None = None
    old: str | None = None
    new: str | None = None
    replace_all: bool = False
    file: str | None = None
    category: str | None = None
    to: str | None = None
    files: Mapping[str, object] | None = None
    absorbed_into: str | None = None
    reason: str = ""
    exact: str | None = None
    record: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """The door's answer to one request. `why` is the sentence the user or the model reads; `entry` the ledger's id."""

    verdict: Verdict
    action: Action
    skill: str
    why: str = ""
    name: str = ""
    path: str = ""
    entry: str | None = None
    old_preview: str = ""
    new_preview: str = ""

    @property
    def ok(self) -> bool:
        """Whether it was written and re-read."""
        return self.verdict is Verdict.ALLOW
