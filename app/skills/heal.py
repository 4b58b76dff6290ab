"""Rebuilding the forwards from the ledger when their file is damaged: every archive and rename says where it led."""

from collections.abc import Iterable
from pathlib import Path

from app.files import read_plain_file, write_atomic
from app.history.store import History
from app.history.values import Entry
from app.paths import Home
from app.skills.forwards import is_readable, with_forward
from app.skills.usage import keep_damaged
from app.skills.values import Action, Forward, Notice


def forwards_from(entries: Iterable[Entry]) -> dict[str, Forward]:
    """The forwards that entries, newest first, speak of, by old name; the newest entry about a name counts.

    A forward to a skill that was renamed later leads to the later name.
    """
    found: dict[str, Forward] = {}
    called: dict[str, str] = {}  # name at the time of the entry → name today
    for entry in entries:
        for step in reversed(entry.record.detail.get("steps", [])):
            into = step.get("absorbed_into") if step.get("action") == Action.ARCHIVE.value else step.get("new_name")
            name = step.get("name")
            if isinstance(into, str) and isinstance(name, str):
                into = called.get(into, into)
                if "new_name" in step:
                    called[name] = into
            if not (isinstance(into, str) and into and isinstance(name, str)) or name in found or name == into:
                continue
            reason = "renamed" if "new_name" in step else entry.record.reason
            found[name] = Forward(name, into, str(step.get("hash", "")), entry.record.run, entry.at, reason)
    return found


def heal_forwards(home: Home, history: History) -> Notice | None:
    """Keep a damaged file of forwards as a copy and write it anew; a missing or whole one is left alone.

    The caller holds the home lock. Raises AppError(STORAGE).
    """
    data = _read(home.forwards)
    if data is None or is_readable(data):
        return None
    copy = keep_damaged(home.forwards, data)
    fresh: bytes | None = None
    for forward in forwards_from(history.entries()).values():
        fresh = with_forward(fresh, forward)
    write_atomic(home.forwards, fresh if fresh is not None else b'{"version": 1, "forwards": {}}\n')
    text = f"The list of absorbed skills was damaged and was rebuilt from the history. The old file is kept as {copy}."
    return Notice("forwards:rebuilt", "The forwards were rebuilt", text)


def _read(path: Path) -> bytes | None:
    try:
        return read_plain_file(path)
    except OSError:
        return None  # reading them says so to the user; nothing to heal here
