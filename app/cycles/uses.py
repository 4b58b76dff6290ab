"""How a skill is used: which conversations opened it, per day, and how they ended."""

from collections import Counter
from datetime import date

from app.cycles.home import OpenHome
from app.cycles.values import UseDetail

_GOOD = "done"


def use_of(open_home: OpenHome, skill_id: str, days: int = 400) -> UseDetail:
    """Uses per day (oldest first), endings and latest conversations of one skill, from what was recorded."""
    sessions = [info for info in open_home.sessions.list(5000) if skill_id in info.skills]
    per_day: Counter[date] = Counter(info.updated_at.date() for info in sessions)
    well = sum(info.outcome == _GOOD for info in sessions)
    by_day = tuple(sorted(per_day.items())[-days:])
    return UseDetail(skill_id, by_day, well, len(sessions) - well, tuple(sessions[:20]))
