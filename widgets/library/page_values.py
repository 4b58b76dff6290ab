"""Values that only a skill's page needs, put together from several rooms by whoever joins services and views."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from app.sessions.values import SessionInfo
from app.skills.values import Finding


@dataclass(frozen=True, slots=True)
class Checked:
    """What reading a text as a skill said: the text it was read from, its front matter fields and its findings."""

    text: str
    fields: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class UseFacts:
    """How a skill is used: uses per day (oldest first), how conversations with it ended, and the latest of them."""

    by_day: tuple[tuple[date, int], ...] = ()
    ended_well: int = 0
    ended_badly: int = 0
    sessions: tuple[SessionInfo, ...] = ()
