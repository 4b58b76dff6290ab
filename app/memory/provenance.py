"""Where each entry comes from, kept beside the memory files so that these stay plain text other agents can read.

`.provenance.json`: for each target a map from the hash of an entry's text to its record; records of removed entries
stay, for an undo brings the text back. `pending` holds the ledger
record of a write under way, so that a write cut off by a crash is not taken for another program's. Keys we do not
know survive; a file that cannot be read is set aside and begun again, for all it loses is where entries came from.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.clock import format_time, read_time
from app.files import read_plain_file, write_atomic
from app.history.values import Origin
from app.memory.values import MemoryBy, MemoryEntry, Target

_NAME = ".provenance.json"


class Provenance:
    """One reading of the sidecar; changes are kept in it until `write`."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _NAME
        self._data = self._read()

    def entry(self, target: Target, text: str) -> MemoryEntry:
        """An entry with what is known of it; `blocked` is left empty."""
        record = self._entries(target).get(text_hash(text))
        if not isinstance(record, Mapping):
            return MemoryEntry(target, text)
        return MemoryEntry(
            target=target,
            text=text,
            origin=_origin(record.get("origin")),
            session=_text(record.get("session")),
            turn=_text(record.get("turn")),
            at=read_time(record.get("at")),
            span=_text(record.get("span")) or "",
        )

    def approved(self, target: Target, text: str) -> bool:
        """Whether the user saw and agreed to exactly this entry."""
        record = self._entries(target).get(text_hash(text))
        return isinstance(record, Mapping) and record.get("approved") is True

    def put(self, entry: MemoryEntry, by: MemoryBy) -> None:
        """Remember where an entry comes from."""
        record = {
            "origin": entry.origin,
            "session": entry.session,
            "turn": entry.turn,
            "at": format_time(entry.at) if entry.at else None,
            "span": entry.span,
            "approved": by.approved,
            "untrusted": by.untrusted,
        }
        self._entries(entry.target)[text_hash(entry.text)] = record

    @property
    def pending(self) -> Mapping[str, Any] | None:
        """The record of a write that may have been cut off, None when there is none."""
        found = self._data.get("pending")
        return found if isinstance(found, Mapping) else None

    def set_pending(self, record: Mapping[str, Any] | None) -> None:
        """Remember, or forget, the write under way."""
        if record is None:
            self._data.pop("pending", None)
        else:
            self._data["pending"] = dict(record)

    def write(self) -> None:
        """Write the sidecar. Raises AppError(STORAGE)."""
        write_atomic(self._path, json.dumps(self._data, ensure_ascii=True, indent=1).encode() + b"\n")

    def _entries(self, target: Target) -> dict[str, Any]:
        found = self._data.get(target.value)
        if not isinstance(found, dict):
            found = self._data[target.value] = {}
        return found

    def _read(self) -> dict[str, Any]:
        try:
            raw = read_plain_file(self._path)
        except FileNotFoundError:
            return {}
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            write_atomic(self._path.with_name(f"{_NAME}.broken"), raw)
            return {}
        return data


def text_hash(text: str) -> str:
    """The key of an entry's record."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _origin(value: object) -> Origin | None:
    return Origin(value) if isinstance(value, str) and value in list(Origin) else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
