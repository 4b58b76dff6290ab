"""Seeding the skills that ship with the program, and keeping untouched ones up to date.

`.bundled_manifest` remembers the content hash of what was shipped. A skill the user changed, archived, moved or deleted
is never written again; a Hermes home gets nothing at all.
"""

from collections.abc import Mapping
from pathlib import Path

from app.errors import AppError
from app.files import read_plain_file, write_atomic
from app.history.trees import hash_files
from app.history.values import Origin, Snapshot
from app.history.walk import read_folder
from app.paths import Home
from app.skills.edit import Door
from app.skills.live import LivePlace
from app.skills.resolve import Names
from app.skills.values import Action, Receipt, Request, State, Writer

_LIMIT = 2_000_000


def seed(live: LivePlace, door: Door, shipped: Path) -> tuple[Receipt, ...]:
    """Copy new shipped skills into the library and renew untouched ones; one entry for all of them.

    Returns the receipts of what was written. Raises what the door raises.
    """
    home = live.home
    if home.is_hermes or not shipped.is_dir():
        return ()
    with live.hold("seeding the bundled skills"):
        known = read_manifest(home)
        packs = {folder.name: read_folder(folder, limit=_LIMIT).files for folder in _skills_in(shipped)}
        live.observe_outside()
        requests = [
            Request(Action.PUT, skill_id, files=dict(packs[name]), reason="shipped with the program")
            for name in packs
            if (skill_id := _wanted_at(live, name, packs[name], known)) is not None
        ]
        receipts: tuple[Receipt, ...] = ()
        if requests:
            receipts = door.do_all(requests, Writer(Origin.IMPORT), action="import", reason="bundled skills")
        # After the skills: a name in the list whose skill is missing is never seeded again, so the list must not lead.
        _write_manifest(home, {**known, **_as_shipped(live, packs)}, known)
        return receipts


def read_manifest(home: Home) -> dict[str, str]:
    """Name to content hash of every shipped skill; empty when there is no list."""
    try:
        text = read_plain_file(home.bundled_manifest).decode("utf-8", "replace")
    except OSError:
        return {}
    pairs = (line.rpartition(":") for line in text.splitlines() if line and not line.startswith("#"))
    return {name.strip(): value.strip() for name, _, value in pairs if name.strip()}


def _skills_in(shipped: Path) -> list[Path]:
    return sorted(folder for folder in shipped.iterdir() if (folder / "SKILL.md").is_file())


def _as_shipped(live: LivePlace, packs: Mapping[str, Snapshot]) -> dict[str, str]:
    """The shipped skills that stand in the library exactly as shipped, by name with their hash."""
    found = {}
    for skill in live.library().skills:
        files = packs.get(skill.id.rpartition("/")[2])
        if files is not None and skill.in_home and not skill.linked and live.files(skill.id) == files:
            found[skill.id.rpartition("/")[2]] = hash_files(files)
    return found


def _wanted_at(live: LivePlace, name: str, files: Snapshot, known: Mapping[str, str]) -> str | None:
    """The id to write a shipped skill to, None when the library's own state stays."""
    library = live.library()
    rows = [skill for skill in library.skills if skill.in_home and skill.id.rpartition("/")[2] == name]
    if name not in known:
        taken = rows or Names(library).live(name) is not None
        return None if taken else name
    if known[name] == hash_files(files) or not rows or rows[0].state is State.ARCHIVED:
        return None
    try:
        untouched = hash_files(live.files(rows[0].id) or {}) == known[name]
    except AppError:
        return None  # what cannot be read is not overwritten
    return rows[0].id if untouched and not rows[0].edited_here else None


def _write_manifest(home: Home, names: Mapping[str, str], before: Mapping[str, str]) -> None:
    if dict(names) == dict(before):
        return
    home.skills.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{name}:{value}\n" for name, value in sorted(names.items()))
    write_atomic(home.bundled_manifest, lines.encode())
