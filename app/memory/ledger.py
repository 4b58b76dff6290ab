"""Memory files on disk and in the history: reading a store under the lock, making one write durable and undoable."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from app.clock import format_time
from app.errors import AppError, Kind
from app.files import append_line, write_atomic
from app.history.store import History
from app.history.values import Blob, Entry, Origin, Record
from app.memory.entries import FILE_NAMES, join_entries, split_entries
from app.memory.provenance import Provenance, text_hash
from app.memory.provider import limit_of, read_text
from app.memory.values import MemoryBy, MemoryEntry, Target
from app.paths import Home
from app.settings import MemorySettings

#: The action of every ledger entry about memory that Melete itself wrote.
ACTION = "memory"

_ARCHIVE = "ARCHIVE.jsonl"


@dataclass(frozen=True, slots=True)
class Store:
    """One memory file as read under the lock. `outside` is the ledger entry made of what others changed, if any."""

    target: Target
    name: str
    entries: tuple[str, ...]
    limit: int
    problem: str
    provenance: Provenance
    outside: str | None = None

    def owner(self, place: int) -> Origin | None:
        """Who wrote one entry, as far as is known."""
        return self.provenance.entry(self.target, self.entries[place]).origin


class MemoryLedger:
    """Opens and commits stores. The caller holds the home lock."""

    def __init__(self, home: Home, history: History, limits: MemorySettings) -> None:
        self._folder = home.memories
        self._history = history
        self._limits = limits

    def open(self, target: Target) -> Store:
        """Read a store, and record first what its file says that the history does not know yet."""
        text, problem = read_text(self._folder, target)
        provenance = Provenance(self._folder)
        outside = self._observe(target, provenance)
        limit = limit_of(self._limits, target)
        return Store(target, FILE_NAMES[target], split_entries(text), limit, problem, provenance, outside)

    def commit(
        self,
        store: Store,
        entries: Sequence[str],
        action: str,
        by: MemoryBy,
        fresh: MemoryEntry | None,
        reason: str,
        undone: str | None,
        now: datetime,
    ) -> str:
        """Archive what goes, write the file, read it back, and record the entry; returns its id.

        The sidecar names the write before the file changes, so that after a crash the next reading records the write
        under its true author.
        """
        gone = [text for text in store.entries if text not in entries]
        detail = {
            "what": action,
            "turn": by.turn,
            "removed": gone,
            "added": [text for text in entries if text not in store.entries],
            "span": fresh.span if fresh else "",
            "approved": by.approved,
            "untrusted": by.untrusted,
            "undone": undone,
        }
        record = Record(by.origin, ACTION, (store.name,), reason, by.session, None, detail)
        data = join_entries(entries).encode("utf-8", "replace")
        for text in gone:
            self._archive(store, text, by, now)
        if fresh is not None:
            store.provenance.put(fresh, by)
        store.provenance.set_pending({"file": store.name, "hash": text_hash(data.decode()), "record": asdict(record)})
        store.provenance.write()
        write_atomic(self._folder / store.name, data)
        if (self._folder / store.name).read_bytes() != data:
            text = f"{store.name} holds something else than was written. Another program may be writing it; try again."
            raise AppError(Kind.STORAGE, "Memory was not stored", text)
        entry = self._record(store.target, record)
        store.provenance.set_pending(None)
        store.provenance.write()
        return entry.id

    def sides(self, entry_id: str) -> tuple[Target, tuple[str, ...], tuple[str, ...]]:
        """The target of a ledger entry about memory and its file's entries before and after.

        Raises AppError(NOT_FOUND, INVALID).
        """
        entry = self._history.entry(entry_id)
        changed = [target for target in Target if _prefix(target) in self._history.changes_of(entry.id)]
        if len(changed) != 1:
            text = "This entry is not about one memory file. Undo it where it is listed with its skills."
            raise AppError(Kind.INVALID, "Not a change of memory", text)
        prefix = _prefix(changed[0])
        before = self._history.snapshot(prefix, entry.parent) if entry.parent else None
        return changed[0], _entries_of(before), _entries_of(self._history.snapshot(prefix, entry.id))

    def keep_copy(self, store: Store, now: datetime) -> str:
        """Copy a store's file beside it before anything else; returns the copy's name."""
        name = f"{store.name}.bak.{int(now.timestamp())}"
        write_atomic(self._folder / name, (self._folder / store.name).read_bytes())
        return name

    def _observe(self, target: Target, provenance: Provenance) -> str | None:
        path = self._folder / FILE_NAMES[target]
        data = path.read_bytes() if path.is_file() else None
        known = self._history.snapshot(_prefix(target))
        if data == (known[""].data if known else None):
            return None
        record = _cut_off(provenance.pending, path.name, data)
        if record is None:
            record = Record(Origin.OUTSIDE, ACTION, (path.name,), "Changed on disk by another program")
        return self._record(target, record).id

    def _record(self, target: Target, record: Record) -> Entry:
        path = self._folder / FILE_NAMES[target]
        content = {"": Blob(path.read_bytes())} if path.is_file() else None
        return self._history.record({_prefix(target): content}, record)

    def _archive(self, store: Store, text: str, by: MemoryBy, now: datetime) -> None:
        entry = store.provenance.entry(store.target, text)
        line = {
            "target": store.target,
            "text": text,
            "origin": entry.origin,
            "written_at": format_time(entry.at) if entry.at else None,
            "removed_at": format_time(now),
            "removed_by": by.origin,
            "session": by.session,
        }
        append_line(self._folder / _ARCHIVE, json.dumps(line).encode())


def _prefix(target: Target) -> str:
    return f"memories/{FILE_NAMES[target]}"


def _entries_of(snapshot: Mapping[str, Blob] | None) -> tuple[str, ...]:
    return split_entries(snapshot[""].data.decode("utf-8", "replace")) if snapshot else ()


def _cut_off(pending: Mapping[str, Any] | None, name: str, data: bytes | None) -> Record | None:
    """The record of the write that a crash kept from being recorded, if the file is what that write left."""
    if pending is None or data is None or pending.get("file") != name:
        return None
    if pending.get("hash") != text_hash(data.decode("utf-8", "replace")):
        return None
    try:
        given = dict(pending["record"])
        return Record(**{**given, "origin": Origin(given["origin"]), "ids": tuple(given["ids"])})
    except (KeyError, TypeError, ValueError):
        return None
