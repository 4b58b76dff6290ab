"""The curator's own bookkeeping, `.curator_state`: read tolerant, written key by key so that nothing else is lost."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from app.clock import read_time
from app.files import read_plain_file, write_atomic
from app.locks import HomeLock
from app.skills.usage import holds

#: Our own keys in the shared file: the run that has begun and not ended, and how many in a row did so.
UNFINISHED = "_melete_unfinished"
ATTEMPTS = "_melete_attempts"


@dataclass(frozen=True, slots=True)
class CuratorState:
    """What is known of past runs. `damaged` names the copy that was kept when the file could not be read.

    `unfinished` is the run that began and has not ended (it is under way, or was cut short), `attempts` how many runs
    in a row began without an end, this one included.
    """

    last_run_at: datetime | None = None
    paused: bool = False
    run_count: int = 0
    last_summary: str = ""
    last_report: str | None = None
    damaged: str = ""
    unfinished: str = ""
    attempts: int = 0


def read_state(path: Path) -> CuratorState:
    """The state; a missing or unreadable file is a first start (which defers, never runs)."""
    data = _load(path)
    if data is None:
        return CuratorState(damaged=path.name if path.exists() else "")
    report = data.get("last_report_path")
    unfinished = data.get(UNFINISHED)
    return CuratorState(
        last_run_at=read_time(data.get("last_run_at")),
        paused=holds(data.get("paused")),
        run_count=_count(data.get("run_count")),
        last_summary=str(data.get("last_run_summary") or ""),
        last_report=report if isinstance(report, str) else None,
        unfinished=unfinished if isinstance(unfinished, str) else "",
        attempts=_count(data.get(ATTEMPTS)),
    )


def update_state(path: Path, lock: HomeLock, now: datetime, changes: Mapping[str, Any]) -> None:
    """Set these keys and keep all others as they are on disk at this moment.

    Only the named keys are written, so that a pause pressed during a run survives the run's end. A file that is not a
    JSON object is copied to `.curator_state.corrupt-<time>` first.
    """
    with lock.hold("curator state"):
        data = _load(path)
        if data is None:
            if path.exists():
                shutil.copy2(path, path.with_name(f"{path.name}.corrupt-{now:%Y%m%d%H%M%S}"))
            data = {}
        data.update(changes)
        write_atomic(path, json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False).encode() + b"\n")


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def _load(path: Path) -> dict[str, Any] | None:
    try:
        data = json.loads(read_plain_file(path))
    except (OSError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
