"""What the list of conversations shows in a row: a conversation, or a place in one that a search found."""

from dataclasses import dataclass
from datetime import datetime

from app.sessions.values import Hit, HitKind, SessionInfo
from widgets.common.ages import age_word

#: How the last turn ended, where that is worth a word.
_OUTCOMES = {
    "failed": "the last turn failed",
    "interrupted": "interrupted",
    "stopped": "stopped",
    "limit": "reached a limit",
}


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A row: `session` is opened at `message` (-1: at its end), the `words` found lifted out there.

    `marks` are ranges of `detail` to lift out in the row.
    """

    session: str
    title: str
    detail: str
    facts: str
    message: int = -1
    marks: tuple[tuple[int, int], ...] = ()
    words: tuple[str, ...] = ()


def row_of(info: SessionInfo, now: datetime) -> SessionRow:
    """The row of a conversation: when, how long, what it used and cost."""
    parts = [age_word(info.updated_at, now), _turns(info.turns), info.model]
    tokens = info.usage.tokens
    if tokens:
        parts.append(f"{tokens / 1000:.1f}k tokens" if tokens >= 1000 else f"{tokens} tokens")
    if info.usage.cost:
        parts.append(f"${info.usage.cost:.2f}")
    parts.append(_OUTCOMES.get(info.outcome, ""))
    facts = " · ".join(part for part in parts if part)
    return SessionRow(info.id, info.title, ", ".join(info.skills), facts)


def row_of_hit(hit: Hit, now: datetime) -> SessionRow:
    """The row of a search hit: its snippet with the words found."""
    snippet = "".join(" " if char in "\n\r\t" else char for char in hit.snippet)
    facts = " · ".join(part for part in (age_word(hit.at, now), "tool" if hit.tool else "") if part)
    message = -1 if hit.message is None else hit.message
    return SessionRow(hit.id, hit.title, snippet, facts, message, hit.marks, hit.words)


def session_hits(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Only what was found in conversations."""
    return tuple(hit for hit in hits if hit.kind is HitKind.SESSION)


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"
