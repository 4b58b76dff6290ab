"""When a change is settled: a save makes many events, and a reader should see the skill once, soon, and whole."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

QUIET = 0.12
LONGEST = 0.5
#: More skills than this changing together are one burst: it is seen whole, when all of it is quiet or after so long.
CROWD = 20
CROWD_LONGEST = 2.0
#: A skill something keeps writing into is read at most once in this many seconds.
REST = 1.0


@dataclass(slots=True)
class _Pending:
    first: float
    last: float
    paths: set[Path]


class Settle:
    """Collects changed paths by skill folder; times are seconds of one monotonic clock, passed in."""

    def __init__(self) -> None:
        self._pending: dict[Path, _Pending] = {}
        self._flushed: dict[Path, float] = {}

    def add(self, paths: Iterable[Path], folders: frozenset[Path], now: float) -> None:
        """Note changed paths. `folders` are the known skill folders; other paths count by their own folder."""
        for path in paths:
            key = next((parent for parent in (path, *path.parents) if parent in folders), path.parent)
            pending = self._pending.setdefault(key, _Pending(now, now, set()))
            pending.last = now
            pending.paths.add(path)

    def take(self, now: float) -> frozenset[Path]:
        """The paths whose skills are settled now."""
        burst = self._burst_due()
        ready = [key for key, pending in self._pending.items() if self._due(key, pending, burst) <= now]
        paths: set[Path] = set()
        for key in ready:
            paths |= self._pending.pop(key).paths
            self._flushed[key] = now
        self._flushed = {key: moment for key, moment in self._flushed.items() if moment > now - REST}
        return frozenset(paths)

    def next_due(self, now: float) -> float | None:
        """Seconds until something is settled; None when nothing is pending."""
        if not self._pending:
            return None
        burst = self._burst_due()
        return max(0.0, min(self._due(key, pending, burst) for key, pending in self._pending.items()) - now)

    def clear(self) -> None:
        """Forget everything pending, because all of it will be looked at anyway."""
        self._pending.clear()

    def _burst_due(self) -> float | None:
        """When a burst is settled as a whole; None while only a few skills are pending."""
        if len(self._pending) <= CROWD:
            return None
        last = max(pending.last for pending in self._pending.values())
        first = min(pending.first for pending in self._pending.values())
        return min(last + QUIET, first + CROWD_LONGEST)

    def _due(self, key: Path, pending: _Pending, burst: float | None) -> float:
        rested = self._flushed.get(key, float("-inf")) + REST
        alone = min(pending.last + QUIET, pending.first + LONGEST)
        return max(alone if burst is None else burst, rested)
