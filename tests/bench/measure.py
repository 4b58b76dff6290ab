"""What every group of measurements shares: rows of the table, best of three, and the meter for stalls."""

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table. `met` is None for a figure without a bar."""

    name: str
    value: str
    bar: str
    met: bool | None
    detail: str = ""


def best_of(times: int, work: Callable[[], object]) -> float:
    """The shortest of several runs, in seconds of the wall."""
    return min(timed(work)[0] for _ in range(times))


def timed(work: Callable[[], object]) -> tuple[float, object]:
    """Seconds one run takes, and what it returned."""
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


def percentile(values: Sequence[float], percent: float) -> float:
    """The nearest-rank percentile of the values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else 0.0


def cpu_seconds() -> float:
    """Processor time of this process so far, all threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def memory_mb() -> float:
    """What this process holds of real memory now, in MB."""
    with open("/proc/self/statm", encoding="ascii") as source:  # noqa: PTH123 - not a file of the project
        return int(source.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def ms(seconds: float) -> str:
    """Seconds as milliseconds in words."""
    return f"{seconds * 1000:.1f} ms" if seconds < 0.1 else f"{seconds * 1000:.0f} ms"


def tell(rows: Sequence[Row], **figures: float) -> None:
    """End of a group: hand the rows to the one who started it."""
    sys.stdout.write("\n" + json.dumps({"rows": [asdict(row) for row in rows], "figures": figures}) + "\n")
    sys.stdout.flush()
