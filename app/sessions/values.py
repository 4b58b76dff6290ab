"""Values of the sessions room: a conversation in the list, its stored messages, and search hits."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from app.providers.values import Message, Usage


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One row of the session list. `outcome` is the last turn's ending, `parent` the session it was branched from."""

    id: str
    title: str
    started_at: datetime
    updated_at: datetime
    model: str = ""
    turns: int = 0
    messages: int = 0
    usage: Usage = field(default_factory=Usage)
    outcome: str = ""
    skills: tuple[str, ...] = ()
    parent: str | None = None


class MessageState(StrEnum):
    """Whether a stored message arrived whole."""

    COMPLETE = "complete"
    STREAMING = "streaming"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message as stored.

    `kind` is "message", "review" (a line about a review), "curator" (a rename summary) or "error"; only those of kind
    "message" go to a model. `data` is JSON that belongs to the kind.
    """

    id: int
    session: str
    turn: str
    message: Message
    state: MessageState
    at: datetime
    kind: str = "message"
    data: str = ""


@dataclass(frozen=True, slots=True)
class SkillUse:
    """What conversations say about one skill: turns that used it by how they ended, turns per day, latest sessions."""

    ended_well: int = 0
    ended_badly: int = 0
    by_day: tuple[tuple[date, int], ...] = ()
    sessions: tuple[SessionInfo, ...] = ()


class HitKind(StrEnum):
    """What a search hit is."""

    SKILL = "skill"
    MEMORY = "memory"
    SESSION = "session"
    ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class Hit:
    """One search hit.

    `marks` are (start, end) ranges of the words found inside `snippet`; `tool` marks text of a tool.
    """

    kind: HitKind
    id: str
    title: str
    snippet: str
    marks: tuple[tuple[int, int], ...]
    text: str
    score: float
    at: datetime | None = None
    message: int | None = None
    tool: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The words found, as they are written in the snippet, each once."""
        return tuple(dict.fromkeys(self.snippet[start:end] for start, end in self.marks))
