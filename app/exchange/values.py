"""Values of the exchange: where skills come from, what was found there, what is said about it, and what was done."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from app.history.values import Blob
from app.skills.values import Finding, Load


class SourceKind(StrEnum):
    """What a source is."""

    FOLDER = "folder"
    ZIP = "zip"
    GIT = "git"


@dataclass(frozen=True, slots=True)
class Location:
    """A source, understood. `place` is an absolute path or an address; `ref` a branch or tag (git), `inside` the POSIX
    folder of the source that is looked at, both empty for all of it.
    """

    kind: SourceKind
    place: str
    ref: str = ""
    inside: str = ""

    @property
    def remote(self) -> bool:
        """Whether it has to be fetched over the network."""
        return self.kind is SourceKind.GIT and "://" in self.place

    @property
    def text(self) -> str:
        """How the source is shown."""
        where = f"{self.place} ({self.ref})" if self.ref else self.place
        return f"{where}, {self.inside}" if self.inside else where


class Risk(StrEnum):
    """How a hint of the safety read is to be taken: good to know, look at it, or not without a decision."""

    CLEAR = "clear"
    CAUTION = "caution"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Hint:
    """One remark of the safety read. `line` is 1-based in `file`, None when it is about the file; `excerpt` is shown
    with hidden characters as marks.
    """

    rule: str
    risk: Risk
    file: str
    line: int | None
    message: str
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A part of a source that is not taken over, with the reason."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Pack:
    """One skill of a source. `path` is where it lies there (POSIX, empty for the source itself), `folder` its folder's
    name, `problem` why it cannot be taken as it is (empty when it can).
    """

    path: str
    folder: str
    files: Mapping[str, Blob] = field(default_factory=dict, repr=False)
    left_out: tuple[LeftOut, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A folder of a source whose name begins with a dot, so that its skills are no part of what is offered.

    `path` is POSIX, `skills` how many there are in it.
    """

    path: str
    skills: int

    @property
    def text(self) -> str:
        """In words: `.agents (2 skills)`."""
        return f"{self.path} ({'1 skill' if self.skills == 1 else f'{self.skills:,} skills'})"


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything a source holds that is a skill. `commit` is the git commit that was read, else empty; `hidden` are
    the folders with skills that were not looked into.
    """

    location: Location
    packs: tuple[Pack, ...]
    commit: str = ""
    hidden: tuple[Hidden, ...] = ()


class Clash(StrEnum):
    """What already has the name of a skill that is to be imported."""

    NONE = "none"
    SAME = "same"
    IMPORTED = "imported"
    LIVE = "live"
    ARCHIVED = "archived"
    ELSEWHERE = "elsewhere"
    TWIN = "twin"


class Choice(StrEnum):
    """What is done with one skill of a source."""

    IMPORT = "import"
    UPDATE = "update"
    RENAME = "rename"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Offer:
    """One skill of a source as the confirm sheet shows it.

    `key` tells it from the others (its path in the source). `clash_with` is the id of the skill that has the name,
    `clash_text` the sentence about it. `choices` are what can be done, `choice` what is proposed; a skill with a
    `problem` can only be skipped. `new_name` is a free name for `Choice.RENAME`, `target` the id it would get.
    """

    key: str
    name: str
    description: str
    target: str
    load: Load
    findings: tuple[Finding, ...] = ()
    hints: tuple[Hint, ...] = ()
    risk: Risk = Risk.CLEAR
    clash: Clash = Clash.NONE
    clash_with: str = ""
    clash_text: str = ""
    choices: tuple[Choice, ...] = (Choice.IMPORT, Choice.SKIP)
    choice: Choice = Choice.IMPORT
    new_name: str = ""
    problem: str = ""
    file_count: int = 0
    size: int = 0
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """A source that was read and judged, nothing written yet. What is imported is `contents`, as it was seen."""

    contents: Contents = field(repr=False)
    offers: tuple[Offer, ...] = ()
    scanners: tuple[str, ...] = ()

    @property
    def location(self) -> Location:
        """Where it was read."""
        return self.contents.location


@dataclass(frozen=True, slots=True)
class Pick:
    """What the user wants done with one offer; `accepted` says that its dangers were seen and taken."""

    key: str
    choice: Choice
    new_name: str = ""
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """One skill that was written: its name and id, and which choice led to it."""

    name: str
    path: str
    choice: Choice


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. `refused` and `skipped` are pairs of (name, sentence); `entry` is the ledger's, if any."""

    done: tuple[Taken, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    entry: str | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long step is: bytes so far, what is being done, in a sentence."""

    text: str
    done: int = 0


class Standing(StrEnum):
    """How an imported skill stands to its source."""

    CURRENT = "current"
    EDITED = "edited"
    UPDATE = "update"
    MERGE = "merge"
    CONFLICT = "conflict"
    GONE = "gone"
    UNKNOWN = "unknown"


class Keep(StrEnum):
    """Whose side wins where an update and a local edit meet."""

    NONE = "none"
    MINE = "mine"
    THEIRS = "theirs"


@dataclass(frozen=True, slots=True)
class Renewal:
    """One imported skill against its source: `conflicts` are files both sides changed in the same place, `hints` the
    dangers that the new version brings and the old one did not.
    """

    name: str
    path: str
    standing: Standing
    source: str
    why: str = ""
    conflicts: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    hints: tuple[Hint, ...] = ()


@dataclass(frozen=True, slots=True)
class UpdateReport:
    """What an update did: (name, id) of what was written, (name, sentence) of what was not; `entry` is the ledger's."""

    done: tuple[tuple[str, str], ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    entry: str | None = None


class LinkMode(StrEnum):
    """How a skill stands in an agent's folder."""

    LINK = "link"
    COPY = "copy"
    AUTO = "auto"


class LinkState(StrEnum):
    """Whether a link or copy still is what it should be."""

    OK = "ok"
    BROKEN = "broken"
    MISSING = "missing"
    OUTDATED = "outdated"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Agent:
    """Another agent and the folders it reads skills from. `folder` is the one links are made in; `reads` are further
    folders it reads, `links` whether it follows links, `present` whether it seems to be installed here.
    """

    id: str
    name: str
    folder: Path
    reads: tuple[Path, ...] = ()
    links: bool = True
    present: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """One skill in an agent's folder: `skill` the id it was linked from (empty for links of others), `path` where."""

    agent: str
    path: Path
    name: str
    mode: LinkMode
    state: LinkState
    target: str = ""
    skill: str = ""


@dataclass(frozen=True, slots=True)
class AgentView:
    """An agent as the link sheet shows it for one skill: what stands there, who else reads it, why it cannot be."""

    agent: Agent
    placed: Placed | None = None
    also_read_by: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Linked:
    """One link or copy that was made or taken away, and who else reads the folder it is in. `created` says that the
    agent seemed not to be installed, so that its folder had to be made.
    """

    agent: str
    path: str
    mode: LinkMode
    also_read_by: tuple[str, ...] = ()
    created: bool = False


@dataclass(frozen=True, slots=True)
class LinkReport:
    """What linking or unlinking a skill did, and (agent, sentence) of what was not done."""

    skill: str
    done: tuple[Linked, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was written where. `left_out` are pairs of (skill, path) with the reason."""

    dest: str
    form: str
    done: tuple[tuple[str, str, int], ...] = ()
    left_out: tuple[tuple[str, str, str], ...] = ()
