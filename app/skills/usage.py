"""The usage sidecar `.usage.json`: counters, dates, label, pin and permission of each skill.

A record's key is the skill's name while exactly one skill has it, else its id (see `key_of`). Unknown records and
unknown keys inside a record survive every write. A file that cannot be read as JSON is kept as a copy before a new one
is written, and reading it gives a notice. No record means no data, never "unused".
"""

import hashlib
import json
from collections.abc import Callable, MutableMapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from app.clock import format_time, read_time
from app.errors import AppError, Kind
from app.files import read_plain_file, write_atomic
from app.skills.order import row_of, usage_keys
from app.skills.values import Author, Notice, Skill, State, Usage

#: One skill's record as it stands in the file.
UsageRecord = dict[str, Any]
#: All records by key.
UsageRecords = dict[str, UsageRecord]

#: The field of a record that was rebuilt from the ledger: what was counted before that time is lost.
REBUILT = "_melete_rebuilt_at"

#: The record's key for where a skill was imported from: source, place in it, content hash (see exchange).
HUB = "_melete_hub"

_WAIT_SECONDS = 10.0
_ACTIVITY = ("last_used_at", "last_viewed_at", "last_patched_at")
_PLAIN_NO = (None, False, 0, "", "false", "no")
_COUNTERS = {
    "use": ("use_count", "last_used_at"),
    "view": ("view_count", "last_viewed_at"),
    "patch": ("patch_count", "last_patched_at"),
}


class UsageFile:
    """The sidecar as a file. Reading needs no lock; `update` holds a lock across processes."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> UsageRecords:
        """All records; empty when the file is missing or damaged (`look` says which)."""
        return self.look()[0]

    def look(self) -> tuple[UsageRecords, Notice | None]:
        """All records, and a notice when the file is damaged or cannot be read."""
        return self.look_again("", {})[:2]

    def look_again(self, mark: str, known: UsageRecords) -> tuple[UsageRecords, Notice | None, str]:
        """As `look`, and the mark of what was read; `known` is given back while the file has the bytes of `mark`.

        Thousands of records take longer to parse than to compare, and need not be held twice.
        """
        try:
            data = read_plain_file(self.path)
        except FileNotFoundError:
            return {}, None, ""
        except OSError as error:
            text = f"{self.path} cannot be read: {error.strerror}. Counters and pins are not shown until it can."
            return {}, Notice(f"usage:{self.path}", "The usage file cannot be read", text), ""
        now = hashlib.sha256(data).hexdigest()
        if now == mark:
            return known, None, mark
        records = parse_records(data)
        return (records, None, now) if records is not None else ({}, self._damaged(), "")

    def update(self, change: Callable[[UsageRecords], None], *, durable: bool = True) -> UsageRecords:
        """Read, let `change` alter the records, and write them back if they differ. Returns what now stands.

        One that is not `durable` is written compact and without fsync, in a tenth of the time: a draft's copy.

        A damaged file is first kept as `<name>.broken-<hash>`. Raises AppError(BUSY) when another process holds the
        lock too long, AppError(STORAGE) when the file cannot be read or written.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(f"{self.path}.lock", timeout=_WAIT_SECONDS):
                return self._update(change, durable)
        except Timeout:
            text = f"Another process is writing {self.path.name}. Try again in a moment."
            raise AppError(Kind.BUSY, "The usage file is busy", text) from None
        except OSError as error:
            text = f"{self.path} cannot be updated: {error.strerror}. Make it writable and try again."
            raise AppError(Kind.STORAGE, "The usage file cannot be updated", text) from error

    def _update(self, change: Callable[[UsageRecords], None], durable: bool) -> UsageRecords:
        try:
            data = read_plain_file(self.path)
        except FileNotFoundError:
            data = b"{}"
        records, before = parse_records(data), parse_records(data)  # reading twice costs less than writing once more
        if records is None:
            keep_damaged(self.path, data)
            records = {}
        change(records)
        if records != before:
            write_atomic(self.path, dump_records(records, compact=not durable), durable=durable)
        return records

    def _damaged(self) -> Notice:
        text = f"{self.path} is not readable as JSON. Counters and pins start anew; a copy is kept at the next change."
        return Notice(f"usage:{self.path}", "The usage file is damaged", text)


def keep_damaged(path: Path, data: bytes) -> Path:
    """Keep a damaged file's bytes beside it, once per content. Returns the copy's path. Raises AppError(STORAGE)."""
    copy = path.with_name(f"{path.name}.broken-{hashlib.sha256(data).hexdigest()[:8]}")
    if not copy.exists():
        write_atomic(copy, data)
    return copy


def parse_records(data: bytes) -> UsageRecords | None:
    """Records from the file's bytes; None when they are damaged. Values that are no records are kept as they are."""
    if not data.strip():
        return None
    try:
        loaded = json.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        return None
    return loaded if isinstance(loaded, dict) else None


def dump_records(records: UsageRecords, *, compact: bool = False) -> bytes:
    """The file's bytes: sorted keys, so that equal records are equal files."""
    return (json.dumps(records, indent=None if compact else 2, sort_keys=True, ensure_ascii=False) + "\n").encode(
        "utf-8", "replace"
    )


def key_of(skill: Skill, skills: Sequence[Skill]) -> str:
    """The key of a skill's record among all skills of a library: its name while no other has it, else its id."""
    keys = usage_keys([row_of(one) for one in skills])
    return next((key for one, key in zip(skills, keys, strict=True) if one.folder == skill.folder), skill.id)


def record_at(records: UsageRecords, key: str) -> UsageRecord:
    """The record to change for `key`, made when it is missing; a value that is no record is put aside in it."""
    found = records.get(key)
    if not isinstance(found, dict):
        found = {} if found is None else {"_melete_was": found}
        records[key] = found
    return found


def count(records: UsageRecords, kind: str, key: str, at: datetime) -> None:
    """Count one `use`, `view` or `patch` of the skill with this key."""
    record = record_at(records, key)
    counter, moment = _COUNTERS[kind]
    record[counter] = _number(record, counter) + 1
    record[moment] = format_time(at)


def set_fields(records: UsageRecords, key: str, **fields: Any) -> None:  # noqa: ANN401 - JSON values
    """Set fields of one record; a field set to None is removed."""
    record: MutableMapping[str, Any] = record_at(records, key)
    for name, value in fields.items():
        if value is None:
            record.pop(name, None)
        else:
            record[name] = value


def usage_of(record: object) -> Usage:
    """The counters and dates of a record. Damaged values count as no data, and one damaged date makes all of it
    unknown: it may have been the latest. So does a rebuilt record until its skill is used or viewed again.
    """
    if not isinstance(record, dict):
        return Usage()
    used, viewed, patched = times = tuple(read_time(record.get(key)) for key in _ACTIVITY)
    return Usage(
        known=_is_known(record, times),
        uses=_number(record, "use_count"),
        views=_number(record, "view_count"),
        patches=_number(record, "patch_count"),
        last_used_at=used,
        last_viewed_at=viewed,
        last_patched_at=patched,
        created_at=read_time(record.get("created_at")),
        archived_at=read_time(record.get("archived_at")),
        restored_at=read_time(record.get("_melete_restored_at")),
    )


def _is_known(record: UsageRecord, times: Sequence[datetime | None]) -> bool:
    """Whether a record says all about a skill's use; `times` are those of _ACTIVITY as far as they can be read."""
    if any(at is None and record.get(key) is not None for key, at in zip(_ACTIVITY, times, strict=True)):
        return False
    return REBUILT not in record or any(record.get(key) is not None for key in ("last_used_at", "last_viewed_at"))


def state_of(record: object) -> State:
    """The label of a live skill: stale when the record says so, else active."""
    stale = isinstance(record, dict) and record.get("state") == State.STALE.value
    return State.STALE if stale else State.ACTIVE


def is_pinned(record: object) -> bool:
    """Whether the record pins its skill. Any other value than a plain no pins: a pin too many does no harm."""
    return isinstance(record, dict) and holds(record.get("pinned"))


def holds(value: object) -> bool:
    """Whether the value of a pin or a pause holds back: true, and whatever is no plain no."""
    return value not in _PLAIN_NO


def is_managed(record: object) -> bool:
    """Whether automation may change the skill (`created_by: agent`, or the older `agent_created: true`)."""
    if not isinstance(record, dict):
        return False
    return record.get("created_by") == "agent" or record.get("agent_created") is True


def author_of(record: object) -> Author:
    """Who created the skill, as far as the record says."""
    said = record.get("_melete_author") if isinstance(record, dict) else None
    return Author(said) if said in (Author.AGENT.value, Author.USER.value) else Author.UNKNOWN


def hub_facts(record: object) -> dict[str, Any] | None:
    """Where a skill was imported from (`_melete_hub`), None when it was not imported here."""
    found = record.get(HUB) if isinstance(record, dict) else None
    return found if isinstance(found, dict) else None


def is_edited_here(record: object) -> bool:
    """Whether a bundled or installed skill was changed by the user (`_melete_edited`)."""
    return isinstance(record, dict) and record.get("_melete_edited") is True


def _number(record: MutableMapping[str, Any] | dict[str, Any], key: str) -> int:
    value = record.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
