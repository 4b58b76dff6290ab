"""Past runs, read back from their folders, and the name of the next one."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from app.clock import read_time
from app.curator.values import RunRow


def new_run_folder(runs: Path, now: datetime) -> Path:
    """Make and return the folder of a run that starts now; a second run in the same second gets `-2`, and so on."""
    stamp = now.strftime("%Y%m%d-%H%M%S")
    number = 1
    while True:
        folder = runs / (stamp if number == 1 else f"{stamp}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            number += 1
        else:
            return folder


def list_runs(runs: Path) -> tuple[RunRow, ...]:
    """All runs, newest first; a folder without a readable `run.json` is a row that says so. Nobody waits in them:
    what is open now is known to the proposals alone.
    """
    if not runs.is_dir():
        return ()
    folders = sorted((item for item in runs.iterdir() if item.is_dir()), key=_order, reverse=True)
    rows = (_row(folder) for folder in folders)
    return tuple(row for row in rows if row is not None)


def read_run(runs: Path, run: str) -> tuple[str, Mapping[str, Any]]:
    """REPORT.md's text and `run.json` of one run; both empty when they are missing or damaged."""
    folder = runs / Path(run).name
    try:
        text = (folder / "REPORT.md").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    return text, _facts(folder) or {}


def _facts(folder: Path) -> dict[str, Any] | None:
    try:
        data = json.loads((folder / "run.json").read_bytes())
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None


def _order(folder: Path) -> tuple[str, int]:
    stamp, _, number = folder.name[:15], "", folder.name[16:]
    return stamp, int(number) if number.isdigit() else 1


def _row(folder: Path) -> RunRow | None:
    try:
        at = datetime.strptime(folder.name[:15] + "+0000", "%Y%m%d-%H%M%S%z")
    except ValueError:
        return None
    facts = _facts(folder)
    if facts is None:
        return RunRow(folder.name, at, "", False, 0, 0, 0.0, 0, 0, 0, 0, 0, "", "The run's files cannot be read.")
    by_age = facts.get("archived")
    counts = facts.get("counts") if isinstance(facts.get("counts"), dict) else {}
    merged = _number(counts, "consolidated_this_run")
    archived = _number(counts, "pruned_this_run") + (len(by_age) if isinstance(by_age, list) else 0)
    tokens = facts.get("tokens") if isinstance(facts.get("tokens"), dict) else {}
    return RunRow(
        run=folder.name,
        at=read_time(facts.get("started_at")) or at,
        model=str(facts.get("model", "")),
        dry_run=facts.get("dry_run") is True,
        calls=_number(counts, "tool_calls_total"),
        tokens=_number(tokens, "input") + _number(tokens, "output"),
        cost=_amount(tokens, "cost_usd"),
        before=_number(counts, "before"),
        after=_number(counts, "after"),
        merged=merged,
        archived=archived,
        waiting=0,
        summary=str(facts.get("llm_summary", "")),
        error=str(facts.get("llm_error", "")),
        leaving=_number(counts, "leaving") if isinstance(counts, dict) and "leaving" in counts else merged + archived,
    )


def _amount(data: object, key: str) -> float:
    value = data.get(key, 0) if isinstance(data, dict) else 0
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0


def _number(data: object, key: str) -> int:
    return int(_amount(data, key))
