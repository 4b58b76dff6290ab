"""Rebuilding usage records from the ledger when their file is damaged: pins, permissions, authors, labels, dates.

What the ledger does not hold (uses and views) stays unknown: a rebuilt record says so by its mark, so that nobody takes
it for a skill that was never used.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from app.clock import format_time
from app.files import read_plain_file
from app.history.log import moves_of
from app.history.store import History
from app.history.values import Entry, Origin
from app.paths import Home
from app.skills.order import row_of, usage_keys
from app.skills.usage import REBUILT, UsageFile, UsageRecord, UsageRecords, keep_damaged, parse_records
from app.skills.values import Action, Library, Notice, State

_ARCHIVE = ".archive/"
_CHANGES = {Action.PATCH.value, Action.EDIT.value, Action.WRITE_FILE.value, Action.REMOVE_FILE.value}
Step = Mapping[str, Any]


def heal_usage(home: Home, history: History, library: Callable[[], Library], now: datetime) -> Notice | None:
    """Keep a damaged file of usage records as a copy and write what the ledger knows; a missing or whole one stays.

    `library` gives the skills as they stand. The caller holds the home lock. Raises AppError(STORAGE).
    """
    try:
        data = read_plain_file(home.usage)
    except OSError:
        return None  # reading it says so to the user; nothing to heal here
    if parse_records(data) is not None:
        return None
    copy = keep_damaged(home.usage, data)
    fresh = records_from(history, library(), now)
    UsageFile(home.usage).update(lambda records: records.update(fresh))
    pins = sum(record.get("pinned") is True for record in fresh.values())
    text = (
        f"The usage file was damaged. Pins ({pins}), permissions, authors and dates of {len(fresh)} skills were rebuilt"
        f" from the history; how often skills were used is not known any more. The old file is kept as {copy}."
    )
    return Notice("usage:rebuilt", "The usage records were rebuilt", text)


def records_from(history: History, library: Library, now: datetime) -> UsageRecords:
    """What the ledger knows of the home's skills, by the key of their record; skills it does not name are left out."""
    known = replayed(history.entries())
    keys = usage_keys([row_of(skill) for skill in library.skills])
    rows = [(skill, key) for skill, key in zip(library.skills, keys, strict=True) if skill.in_home]
    mark = {REBUILT: format_time(now)}
    return {key: known[skill.id] | mark for skill, key in rows if skill.id in known}


def replayed(entries: Sequence[Entry]) -> UsageRecords:
    """The records as entries (newest first) left them, by the id of the skill after the newest of them."""
    known: UsageRecords = {}
    gone: UsageRecords = {}
    for entry in reversed(entries):
        steps = [step for step in entry.record.detail.get("steps", ()) if isinstance(step, dict)]
        for step in steps:
            _replay(entry, step, known, gone)
        if not steps:
            for old, new in moves_of(entry):
                _move(known, old, new)
    return known


def _replay(entry: Entry, step: Step, known: UsageRecords, gone: UsageRecords) -> None:
    """Let one step of an entry change the records by id; `gone` are those of deleted skills."""
    here, action, at = str(step.get("id", "")), step.get("action"), format_time(entry.at)
    if action == Action.PURGE.value:
        left = known.pop(here, {})
        gone[here] = dict(step["record"]) if isinstance(step.get("record"), dict) else left
        return
    if action == Action.CREATE.value or (action == Action.PUT.value and here not in known):
        known[here] = gone.pop(here, {}) or {"created_at": at, **_born(entry.record.origin)}
    record = known.setdefault(here, {})
    if action == Action.PUT.value and isinstance(step.get("record"), dict):
        record |= step["record"]  # what the put said of the record, such as where the skill was imported from
    if action == Action.PUT.value or action in _CHANGES:
        _count_change(record, at, counts="file" in step)
    elif action in {Action.PIN.value, Action.UNPIN.value}:
        record["pinned"] = action == Action.PIN.value
    elif action in {Action.ADOPT.value, Action.UNADOPT.value}:
        record["created_by"] = "agent" if action == Action.ADOPT.value else None
    elif action == Action.LABEL.value:
        record["state"] = step.get("after")
    elif action == Action.ARCHIVE.value:
        record |= {"state": State.ARCHIVED.value, "archived_at": at}
    elif action == Action.RESTORE.value:
        record |= {"state": State.ACTIVE.value, "archived_at": None, "_melete_restored_at": at}
    if isinstance(step.get("from"), str) and isinstance(step.get("to"), str):
        _move(known, step["from"], step["to"])


def _count_change(record: UsageRecord, at: str, *, counts: bool) -> None:
    if counts:
        record["patch_count"] = int(record.get("patch_count", 0)) + 1
        record["last_patched_at"] = at


def _born(origin: Origin) -> UsageRecord:
    if origin is Origin.IMPORT:
        return {}
    managed = origin in {Origin.REVIEW, Origin.CURATOR}
    by_agent = managed or origin is Origin.CHAT
    return ({"created_by": "agent"} if managed else {}) | {"_melete_author": "agent" if by_agent else "user"}


def _move(known: UsageRecords, old: str, new: str) -> None:
    if old in known:
        known[new] = known.pop(old)
