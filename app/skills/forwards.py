"""Forwards: which umbrella took over the content of an archived skill, kept for ever in `.forwards.json`.

The file is `{"version": 1, "forwards": {old name: {"into", "hash", "run", "at", "reason"}}}`; unknown keys survive. A
plain `{old name: umbrella}`, as a person would write it, is read, too. It can be rebuilt from the ledger.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from app.clock import format_time, read_time
from app.files import read_plain_file
from app.skills.names import folded
from app.skills.values import Forward, Notice

_KNOWN = ("into", "hash", "run", "at", "reason")


def read_forwards(path: Path) -> tuple[dict[str, Forward], Notice | None]:
    """All forwards by old name, and a notice when the file is damaged or cannot be read."""
    try:
        data = read_plain_file(path)
    except FileNotFoundError:
        return {}, None
    except OSError as error:
        text = f"{path} cannot be read: {error.strerror}. Absorbed names lead nowhere until it can."
        return {}, Notice(f"forwards:{path}", "The forwards cannot be read", text)
    raw = _load(data)
    if raw is None:
        text = f"{path} is not readable as JSON. Absorbed names lead nowhere; the list can be rebuilt from the history."
        return {}, Notice(f"forwards:{path}", "The forwards are damaged", text)
    return {name: _forward(name, row) for name, row in _rows(raw).items() if _is_row(row)}, None


def with_forward(data: bytes | None, forward: Forward) -> bytes:
    """The file's bytes with one forward added or replaced."""
    return with_forwards(data, (forward,))


def with_forwards(data: bytes | None, forwards: Iterable[Forward]) -> bytes:
    """The file's bytes with several forwards added or replaced."""

    def change(rows: dict[str, Any]) -> None:
        for forward in forwards:
            kept = {key: value for key, value in rows.get(forward.name, {}).items() if key not in _KNOWN}
            rows[forward.name] = {**kept, **_fields(forward)}

    return _changed(data, change)


def _fields(forward: Forward) -> dict[str, Any]:
    return {
        "into": forward.into,
        "hash": forward.hash,
        "run": forward.run,
        "at": format_time(forward.at) if forward.at else None,
        "reason": forward.reason,
    }


def without_forward(data: bytes | None, name: str) -> bytes:
    """The file's bytes with one forward removed; a missing one is no error."""
    return _changed(data, lambda rows: rows.pop(name, None))


def is_readable(data: bytes | None) -> bool:
    """Whether the file's bytes can be read; if not, keep a copy before writing what with_forward gives."""
    return data is None or _load(data) is not None


def chain(forwards: Mapping[str, Forward], name: str, is_live: Callable[[str], bool]) -> tuple[str, ...]:
    """The names from `name` (left out) along its forwards to the first live one, or to the end.

    Empty when there is no forward, or when the forwards run in a circle.
    """
    return follow({folded(key): forward for key, forward in forwards.items()}, name, is_live)


def follow(table: Mapping[str, Forward], name: str, is_live: Callable[[str], bool]) -> tuple[str, ...]:
    """The same as `chain` for a table whose keys are folded already (see names), for many questions in a row."""
    passed: list[str] = []
    seen = {folded(name)}
    here = name
    while (step := table.get(folded(here))) is not None and not (passed and is_live(here)):
        here = step.into
        if folded(here) in seen:
            return ()
        seen.add(folded(here))
        passed.append(here)
    return tuple(passed)


def makes_loop(forwards: Mapping[str, Forward], name: str, into: str) -> bool:
    """Whether a new forward from `name` to `into` would lead back to `name`."""
    if folded(name) == folded(into):
        return True
    others = {key: forward for key, forward in forwards.items() if folded(key) != folded(name)}
    return folded(name) in {folded(step) for step in chain(others, into, lambda _: False)}


def _changed(data: bytes | None, change: Callable[[dict[str, Any]], object]) -> bytes:
    raw = (_load(data) if data else None) or {}
    rows = _rows(raw)
    change(rows)
    rest = raw if "forwards" in raw else {}
    whole = {**rest, "version": raw.get("version", 1), "forwards": rows}
    return (json.dumps(whole, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def _load(data: bytes) -> dict[str, Any] | None:
    try:
        loaded = json.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        return None
    return loaded if isinstance(loaded, dict) and isinstance(loaded.get("forwards", {}), dict) else None


def _rows(raw: Mapping[str, Any]) -> dict[str, Any]:
    table = raw["forwards"] if "forwards" in raw else {name: row for name, row in raw.items() if name != "version"}
    return {name: {"into": row} if isinstance(row, str) else row for name, row in table.items()}


def _is_row(row: object) -> bool:
    return isinstance(row, dict) and isinstance(row.get("into"), str) and bool(row["into"])


def _forward(name: str, row: Mapping[str, Any]) -> Forward:
    run = row.get("run")
    return Forward(
        name=name,
        into=row["into"],
        hash=str(row.get("hash") or ""),
        run=run if isinstance(run, str) else None,
        at=read_time(row.get("at")),
        reason=str(row.get("reason") or ""),
    )
