"""Times as people say them: how long ago, and when, in the reader's own zone and language."""

from datetime import UTC, datetime

from PySide6.QtCore import QDateTime


def now_utc() -> datetime:
    """The present moment, for words only; nothing is decided by it."""
    return datetime.fromtimestamp(QDateTime.currentMSecsSinceEpoch() / 1000, UTC)


def age_word(at: datetime | None, now: datetime) -> str:
    """How long ago, in one unit: now, 5 min, 3 h, 12 d, 7 w, 2 y; empty when not known. The future counts as now."""
    if at is None:
        return ""
    seconds = (now - at).total_seconds()
    if seconds < 60:
        return "now"
    days = seconds / 86_400
    if days >= 365:
        return f"{int(days / 365)} y"
    if days >= 28:
        return f"{int(days / 7)} w"
    unit, name = (86_400, "d") if days >= 1 else (3_600, "h") if seconds >= 3_600 else (60, "min")
    return f"{int(seconds / unit)} {name}"


def span_word(seconds: float) -> str:
    """A length of time that lies ahead or behind, in one unit: 40 min, 6 h, 5 d."""
    for limit, unit, name in ((3_600, 60, "min"), (172_800, 3_600, "h")):
        if seconds < limit:
            return f"{max(1, round(seconds / unit))} {name}"
    return f"{round(seconds / 86_400)} d"
