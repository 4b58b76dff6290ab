"""The list of installed skills, `.hub/lock.json`: what other programs read; the fact itself stands in the usage record.

`{"version": 1, "installed": {name: {install_path, source, identifier, hash, …}}}`. Rows of other programs and unknown
keys survive; a damaged file is kept as a copy.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from app.clock import Clock, format_time
from app.exchange.values import Contents, Hint, Location, Pack, SourceKind
from app.files import read_plain_file, write_atomic
from app.history.trees import hash_files
from app.skills.sidecars import OURS
from app.skills.usage import keep_damaged

_VERSION = 1
_FIELDS = ("source", "identifier", "ref", "path", "commit", "hash", "scan", "installed_at", "updated_at")


def facts_of(
    contents: Contents, pack: Pack, hints: Sequence[Hint], clock: Clock, before: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Where a skill came from, for its usage record: `hash` is the content hash of what the source held (the base of
    later updates), `path` its place there, `scan` what the safety read said.
    """
    now = format_time(clock())
    location = contents.location
    return {
        "source": str(location.kind),
        "identifier": location.place,
        "ref": location.ref,
        "path": pack.path,
        "commit": contents.commit,
        "hash": hash_files(pack.files),
        "scan": {"verdict": _verdict(hints), "rules": sorted({hint.rule for hint in hints})},
        "installed_at": (before or {}).get("installed_at") or now,
        "updated_at": now,
    }


def location_of(facts: Mapping[str, Any]) -> Location | None:
    """The source of an imported skill, None when the record does not say where that is."""
    kind, place, ref = facts.get("source"), facts.get("identifier"), facts.get("ref")
    if kind not in set(SourceKind) or not isinstance(place, str) or not place:
        return None
    return Location(SourceKind(str(kind)), place, ref if isinstance(ref, str) else "")


def write_lock(path: Path, imported: Mapping[str, tuple[str, Mapping[str, Any]]]) -> None:
    """Make our rows of the list say exactly this: name to (id, facts). Nothing is written when it says so already.

    Raises AppError(STORAGE) when it cannot be written.
    """
    data = _read(path)
    loaded = _loads(data)
    if loaded is None and data is not None:
        keep_damaged(path, data)
    top: dict[str, Any] = {"version": _VERSION, **(loaded or {})}
    rows = top.get("installed")
    known: dict[str, Any] = dict(rows) if isinstance(rows, dict) else {}
    kept = {name: row for name, row in known.items() if not _is_ours(row) or name in imported}
    for name, (skill_id, facts) in imported.items():
        before = kept.get(name)
        fields = {key: facts[key] for key in _FIELDS if key in facts}
        kept[name] = {**(before if isinstance(before, dict) else {}), **fields, "install_path": skill_id, OURS: True}
    if kept == known or (not kept and data is None):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({**top, "installed": kept}, indent=2, sort_keys=True, ensure_ascii=True)
    write_atomic(path, text.encode() + b"\n")


def _verdict(hints: Sequence[Hint]) -> str:
    risks = {str(hint.risk) for hint in hints}
    return "dangerous" if "danger" in risks else "caution" if "caution" in risks else "safe"


def _is_ours(row: object) -> bool:
    return isinstance(row, dict) and row.get(OURS) is True


def _read(path: Path) -> bytes | None:
    try:
        return read_plain_file(path)
    except FileNotFoundError:
        return None


def _loads(data: bytes | None) -> dict[str, Any] | None:
    try:
        loaded = json.loads(data) if data is not None else None
    except (ValueError, RecursionError):
        return None
    return loaded if isinstance(loaded, dict) else None
