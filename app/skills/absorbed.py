"""Usage counters of a skill that is merged go to its umbrella, and come back from it when the skill is restored.

What went along stands in the archived skill's own record, so that a way back takes away exactly as much.
"""

from collections.abc import Mapping
from typing import Any

from app.clock import read_time

#: The field of an archived skill's record: `{"into": umbrella's name, counter: number, …}`.
TAKEN = "_melete_counted_in"

_COUNTERS = ("use_count", "view_count", "patch_count")
_TIMES = ("last_used_at", "last_viewed_at", "last_patched_at")
Fields = dict[str, Any]


def taken_over(absorbed: Mapping[str, Any], umbrella: Mapping[str, Any], into: str) -> tuple[Fields, Fields]:
    """What the records of an absorbed skill and of its umbrella get when the one is merged into the other.

    Both are empty when nothing was ever counted.
    """
    counts = {key: count for key in _COUNTERS if (count := _count(absorbed, key))}
    if not counts:
        return {}, {}
    gained: Fields = {key: _count(umbrella, key) + count for key, count in counts.items()}
    for key in _TIMES:
        mine, theirs = read_time(umbrella.get(key)), read_time(absorbed.get(key))
        if theirs is not None and (mine is None or mine < theirs):
            gained[key] = absorbed[key]
    return {TAKEN: {"into": into, **counts}}, gained


def given_back(absorbed: Mapping[str, Any], umbrella: Mapping[str, Any]) -> tuple[Fields, Fields]:
    """What the two records get when an absorbed skill comes back; both empty when nothing had gone along."""
    note = absorbed.get(TAKEN)
    if not isinstance(note, dict):
        return {}, {}
    return {TAKEN: None}, {
        key: max(0, _count(umbrella, key) - _count(note, key)) for key in _COUNTERS if _count(note, key)
    }


def umbrella_of(absorbed: Mapping[str, Any]) -> str:
    """The name of the umbrella that counts what an archived skill had counted; empty when none does."""
    note = absorbed.get(TAKEN)
    into = note.get("into") if isinstance(note, dict) else None
    return into if isinstance(into, str) else ""


def _count(record: Mapping[str, Any], key: str) -> int:
    value = record.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
