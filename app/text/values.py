"""Values of the text room: lines, hunks and file differences, units of a Markdown text, and what a merge lost."""

from dataclasses import dataclass
from enum import StrEnum


class LineKind(StrEnum):
    """How one line takes part in a difference."""

    CONTEXT = "context"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a difference. Numbers are 1-based, None on the side where the line does not exist.

    `spans` are (start, end) character ranges inside `text` that differ from the partner line (word level). `end` is
    the line's own end, which `text` does not hold: LF, CR LF, or empty for a last line without one.
    """

    kind: LineKind
    text: str
    old_number: int | None
    new_number: int | None
    spans: tuple[tuple[int, int], ...] = ()
    end: str = "\n"


@dataclass(frozen=True, slots=True)
class Hunk:
    """A run of changed lines with context. `id` is stable for the same two texts."""

    id: str
    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[Line, ...]


class FileStatus(StrEnum):
    """What happened to a file between two states."""

    ADDED = "added"
    REMOVED = "removed"
    MODIFIED = "modified"


@dataclass(frozen=True, slots=True)
class FileDiff:
    """The difference of one file.

    Binary files carry sizes and hashes and no hunks; `mode` names an execute bit or link change. `between` holds the
    unchanged lines left out before each hunk and after the last one (one run more than hunks), with their line ends;
    it is empty where they are not known.
    """

    path: str
    status: FileStatus
    hunks: tuple[Hunk, ...]
    binary: bool = False
    old_size: int = 0
    new_size: int = 0
    old_hash: str = ""
    new_hash: str = ""
    mode: str = ""
    between: tuple[tuple[str, ...], ...] = ()

    @property
    def added(self) -> int:
        """How many lines came: all lines of the hunks but the old ones."""
        return sum(len(hunk.lines) - hunk.old_count for hunk in self.hunks)

    @property
    def removed(self) -> int:
        """How many lines went: all lines of the hunks but the new ones."""
        return sum(len(hunk.lines) - hunk.new_count for hunk in self.hunks)


class UnitKind(StrEnum):
    """The pieces a skill is made of, for counting what a merge keeps."""

    HEADING = "heading"
    ITEM = "item"
    CODE = "code"
    SENTENCE = "sentence"
    FILE = "file"
    TRIGGER = "trigger"


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece of a text: its kind, its words and the 1-based line it begins on."""

    kind: UnitKind
    text: str
    line: int = 0


class Fate(StrEnum):
    """What became of a unit."""

    KEPT = "kept"
    REWORDED = "reworded"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class UnitFate:
    """One unit of an absorbed skill and where it went; `now` is the closest text in the result, empty when dropped."""

    unit: Unit
    fate: Fate
    now: str = ""


#: Below this share of kept or reworded units a merge raises an alarm.
LEAST_KEPT = 0.6


@dataclass(frozen=True, slots=True)
class Loss:
    """What a merge keeps of one absorbed skill."""

    skill: str
    units: tuple[UnitFate, ...]

    def count(self, fate: Fate) -> int:
        """How many units met this fate."""
        return sum(item.fate is fate for item in self.units)

    @property
    def kept_share(self) -> float:
        """Share of units kept or reworded, 0 to 1; 1 for a skill without units."""
        if not self.units:
            return 1.0
        return 1.0 - self.count(Fate.DROPPED) / len(self.units)

    @property
    def alarm(self) -> bool:
        """Whether so little is kept that the merge needs a second look."""
        return self.kept_share < LEAST_KEPT
