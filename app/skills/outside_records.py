"""Usage records and forwards after other programs moved, renamed, added or removed skills: each stays with its own."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.clock import format_time
from app.history.store import History
from app.history.trees import hash_files
from app.history.values import Blob, Snapshot
from app.paths import Home
from app.skills.carry import write_sidecars
from app.skills.content import skill_file
from app.skills.likeness import SAME_CONTENT, likeness
from app.skills.names import folded
from app.skills.order import keys_of, usage_key
from app.skills.parse import parse_skill
from app.skills.usage import UsageFile, is_managed, usage_of
from app.skills.values import Library, Skill, State

_SKILLS = "skills/"
_ARCHIVE = ".archive/"


@dataclass(slots=True)
class Found:
    """What differs from the history: content by prefix (None: gone), and the ids that came, changed or went."""

    changes: dict[str, Snapshot | None] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)


class OutsideRecords:
    """Brings the sidecars of one library after what was found, once. The caller holds the home lock."""

    def __init__(self, home: Home, history: History, library: Library, now: datetime) -> None:
        self._home = home
        self._history = history
        self._library = library
        self._now = now

    def follow(self, found: Found, moves: Mapping[str, str]) -> None:
        """Carry records along with `moves` (removed id to added id), keep the others where they belong."""
        ids = {skill.id for skill in self._library.skills if skill.in_home}
        renamed = {**moves, **{skill_id: skill_id for skill_id in found.changed if skill_id in ids}}
        came = {*found.added} - {*moves.values()} | (self._carry(renamed, found.added) if renamed else set())
        if came or found.removed:
            self._keep(came, [skill_id for skill_id in found.removed if skill_id not in moves])
        self._disown(found, came & {*found.added})

    def _carry(self, moves: Mapping[str, str], added: Collection[str]) -> set[str]:
        """Take records along where a folder moved (old id to new id) or the name inside it changed (the id to itself).

        A name that is live elsewhere keeps its record. Returns the ids that have another name than before.
        """
        renamed: set[str] = set()
        library, rows = self._library, {skill.id: skill for skill in self._library.skills if skill.in_home}
        records = UsageFile(self._home.usage).read()
        usage: dict[str, Mapping[str, Any] | None] = {}
        forwards: dict[str, Mapping[str, Any]] = {}
        live = {folded(skill.name) for skill in library.skills if skill.live}
        for old, new in moves.items():
            before = self._history.snapshot(_SKILLS + old) or {}
            name = _name_in(before, old)
            if name != rows[new].name:
                renamed.add(new)
            if old == new and (folded(name) in live or folded(name) == folded(rows[new].name)):
                continue
            shared = self._had_twins(name, old, {new, *added})
            here, there = (name if name in records and not shared else old), usage_key(library.skills, new)
            record = records.get(here)
            if here != there and isinstance(record, dict):
                usage |= {here: None, there: {**record, **(records.get(there) or {})}}
            label = self._label(old, new)
            if label and isinstance(record, dict):
                usage[there] = {**(usage.get(there) or {}), **label}
            if folded(name) not in live and rows[new].live:
                row = {"into": rows[new].name, "hash": hash_files(before), "run": None, "reason": "renamed"}
                forwards[name] = {**row, "at": format_time(self._now)}
        write_sidecars(self._home, usage, forwards)
        return renamed

    def _had_twins(self, name: str, old: str, fresh: Collection[str]) -> bool:
        """Whether others had the name of a skill before, so that its id was its key (see order.usage_keys)."""
        others = (skill for skill in self._library.skills if skill.name == name and skill.id not in fresh)
        return any(skill.live or old.startswith(_ARCHIVE) for skill in others)

    def _label(self, old: str, new: str) -> dict[str, Any]:
        """What a record says after its skill was moved into or out of the archive by hand: a restore is activity."""
        gone = new.startswith(_ARCHIVE)
        if old.startswith(_ARCHIVE) == gone:
            return {}
        at = format_time(self._now)
        state = State.ARCHIVED if gone else State.ACTIVE
        more = {} if gone else {"_melete_restored_at": at}
        return {"state": state.value, "archived_at": at if gone else None, **more}

    def _keep(self, came: set[str], went: Sequence[str]) -> None:
        """Leave each record with its skill when another one of its name came or went, which changes the key: a pin or a
        permission must not pass to whatever has the name now. `came`: the ids that have their name only since then.
        """
        keys = keys_of(self._library.skills)
        stayed = [skill for skill in self._library.skills if skill.in_home and skill.id not in came]
        self._set_aside(went, {keys[skill.id]: skill for skill in stayed})
        records = UsageFile(self._home.usage).read()
        taken = {keys[skill.id] for skill in stayed}
        moves: dict[str, list[str]] = {}
        for skill in stayed:
            key = keys[skill.id]
            if key == skill.id and skill.name not in taken:
                moves.setdefault(skill.name, []).append(key)
            elif key != skill.id and "/" in skill.id:  # a path was nobody else's key
                moves.setdefault(skill.id, []).append(key)
        usage: dict[str, Mapping[str, Any] | None] = {}
        for here, there in moves.items():
            record = records.get(here)
            if len(there) == 1 and isinstance(record, dict) and there[0] not in records:
                usage |= {here: None, there[0]: record}
        write_sidecars(self._home, usage, {})

    def _set_aside(self, went: Sequence[str], owners: Mapping[str, Skill]) -> None:
        """A skill that is gone leaves the key that is another's from now on: its record waits under its id, or goes
        where the id itself is that key. `owners`: who has which key now.
        """
        records = UsageFile(self._home.usage).read()
        usage: dict[str, Mapping[str, Any] | None] = {}
        for skill_id in went:
            name = _name_in(self._history.snapshot(_SKILLS + skill_id) or {}, skill_id)
            owner, record = owners.get(name), records.get(name)
            had_it = skill_id == name or (owner is not None and not owner.live and not skill_id.startswith(_ARCHIVE))
            if owner is not None and isinstance(record, dict) and had_it:
                usage[name] = None
                if skill_id != name and skill_id not in records:
                    usage[skill_id] = record
        write_sidecars(self._home, usage, {})

    def _disown(self, found: Found, came: set[str]) -> None:
        """Who writes a skill where a managed one was deleted did not leave it to automation: the permission ends.

        What comes back as it was keeps it; so does one whose record is younger than the deletion.
        """
        if not came:
            return
        records, keys = UsageFile(self._home.usage).read(), keys_of(self._library.skills)
        asked = {skill_id for skill_id in came if is_managed(records.get(keys[skill_id]))}
        usage: dict[str, Mapping[str, Any] | None] = {}
        for entry in self._history.entries() if asked else ():
            for skill_id in asked.intersection(entry.record.detail.get("removed", ())):
                asked.discard(skill_id)
                born = usage_of(records[keys[skill_id]]).created_at
                before = self._history.snapshot(_SKILLS + skill_id, entry.parent) if entry.parent else None
                alike = likeness(before or {}, found.changes[_SKILLS + skill_id] or {}) >= SAME_CONTENT
                if not alike and (born is None or born <= entry.at):
                    usage[keys[skill_id]] = dict.fromkeys(("created_by", "agent_created", "_melete_author"))
        write_sidecars(self._home, usage, {})


def _name_in(files: Snapshot, skill_id: str) -> str:
    """The name of a skill as these files of it say."""
    return parse_skill(files.get(skill_file(files), Blob(b"")).data, skill_id.rpartition("/")[2]).name
