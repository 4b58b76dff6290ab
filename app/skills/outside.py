"""What other programs did to the library: found by comparing folders with the history, recorded as `outside`.

A folder that was renamed or moved keeps its record, pin and history: exactly one that went and exactly one that came
are the same folder (inode, with half of the content alike, since inodes are used again) or nearly the same content.
"""

import difflib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.clock import format_time
from app.errors import AppError, Kind
from app.files import write_atomic
from app.history.store import History
from app.history.trees import hash_files
from app.history.values import Blob, Entry, Origin, Record, Snapshot
from app.paths import Home
from app.skills.carry import write_sidecars
from app.skills.content import read_content, skill_file
from app.skills.names import folded
from app.skills.order import keys_of, usage_key
from app.skills.parse import parse_skill
from app.skills.places import entries_of
from app.skills.usage import UsageFile, is_managed, usage_of
from app.skills.values import Library, Skill, State

_SKILLS = "skills/"
_ARCHIVE = ".archive/"
_SAME_CONTENT = 0.9
_SAME_FOLDER = 0.5
_MOST_PAIRS = 400
#: Folder of each skill as last seen: id to [device, inode].
Inodes = dict[str, list[int]]


@dataclass(slots=True)
class _Found:
    changes: dict[str, Snapshot | None] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)


class Observer:
    """Compares one library with its history, once."""

    def __init__(self, home: Home, history: History, limit: int, now: datetime) -> None:
        self._home = home
        self._history = history
        self._limit = limit
        self._now = now

    def record(self, library: Library, ids: Collection[str] | None) -> Entry | None:
        """Record what differs, for these ids or for all; None when nothing does. The caller holds the home lock.

        A library or a folder of it that cannot be listed was not emptied: nothing of it is recorded.
        """
        if entries_of(str(self._home.skills)) is None:
            return None
        rows = {skill.id: skill for skill in library.skills if skill.in_home}
        known = self._known(ids)
        wanted = None if ids is None else {*ids} & (rows.keys() | known.keys())
        if wanted is not None and any(skill_id not in rows for skill_id in wanted):
            wanted = None  # something is gone: only a look at everything can tell where it went
            known = self._known(None)
        found = self._compare(rows, known, wanted)
        inodes = self._inodes()
        moves = self._moves(found, rows, inodes) if found.removed and found.added else {}
        if wanted is None:
            self._remember(rows, inodes)
        if not found.changes:
            return None
        renamed = moves | {skill_id: skill_id for skill_id in found.changed if skill_id in rows}
        came = {*found.added} - {*moves.values()}
        if renamed:
            came |= self._carry_records(renamed, rows, library)
        if came or found.removed:
            self._keep_records(library, came)
        self._disown(found, library, came & {*found.added})
        return self._history.record(found.changes, self._entry(found, moves))

    def _known(self, ids: Collection[str] | None) -> dict[str, str]:
        """What the history holds: skill id to tree id."""
        if ids is None:
            contents = self._history.contents()
            return {
                prefix.removeprefix(_SKILLS): tree for prefix, tree in contents.items() if prefix.startswith(_SKILLS)
            }
        trees = {skill_id: self._history.tree_id(_SKILLS + skill_id) for skill_id in ids if skill_id}
        return {skill_id: tree for skill_id, tree in trees.items() if tree is not None}

    def _compare(self, rows: Mapping[str, Skill], known: Mapping[str, str], wanted: Collection[str] | None) -> _Found:
        found = _Found()
        for skill_id, skill in rows.items():
            if (wanted is not None and skill_id not in wanted) or (skill.linked and not (wanted or skill_id in known)):
                continue
            files = self._read(skill)
            if not files or hash_files(files) == known.get(skill_id):
                continue
            found.changes[_SKILLS + skill_id] = files
            (found.changed if skill_id in known else found.added).append(skill_id)
        if wanted is None:
            hidden = tuple(f"{row.id}/" for row in rows.values() if row.broken and not row.size)
            for skill_id in sorted(known.keys() - rows.keys()):
                if skill_id.startswith(hidden):
                    continue  # it lies in a folder that cannot be listed now
                found.changes[_SKILLS + skill_id] = None
                found.removed.append(skill_id)
        return found

    def _read(self, skill: Skill) -> Snapshot | None:
        """A skill's files; None when it went while we looked, or cannot be read as a whole.

        What cannot be read was not changed: its last content stays in the history, and the row says what is wrong.
        """
        try:
            content = read_content(skill, self._limit)
        except AppError as error:
            if error.kind in {Kind.NOT_FOUND, Kind.STORAGE, Kind.INVALID}:
                return None
            raise
        unread = any(item.why.startswith("cannot be read") for item in content.not_kept)
        return None if unread else content.files

    def _moves(self, found: _Found, rows: Mapping[str, Skill], inodes: Inodes) -> dict[str, str]:
        """Removed id to added id, where exactly one fits on each side."""
        fits: dict[str, list[str]] = {}
        if len(found.removed) * len(found.added) > _MOST_PAIRS:
            return self._exact_moves(found)
        for old in found.removed:
            before = self._history.snapshot(_SKILLS + old) or {}
            for new in found.added:
                after = found.changes[_SKILLS + new] or {}
                least = _SAME_FOLDER if inodes.get(old) == _inode(rows[new]) else _SAME_CONTENT
                if likeness(before, after) >= least:
                    fits.setdefault(old, []).append(new)
        single = {old: news[0] for old, news in fits.items() if len(news) == 1}
        return {old: new for old, new in single.items() if sum(new in news for news in fits.values()) == 1}

    def _exact_moves(self, found: _Found) -> dict[str, str]:
        """Among very many, only folders of equal content are paired (a whole category that moved)."""
        came: dict[str, list[str]] = {}
        for new in found.added:
            came.setdefault(hash_files(found.changes[_SKILLS + new] or {}), []).append(new)
        went: dict[str, list[str]] = {}
        for old in found.removed:
            went.setdefault(self._history.tree_id(_SKILLS + old) or "", []).append(old)
        return {olds[0]: came[tree][0] for tree, olds in went.items() if len(olds) == len(came.get(tree, ())) == 1}

    def _carry_records(self, moves: Mapping[str, str], rows: Mapping[str, Skill], library: Library) -> set[str]:
        """Take records along where a folder moved (old id to new id) or the name inside it changed (the id to itself).

        A name that is live elsewhere keeps its record. Returns the ids that have another name than before.
        """
        renamed: set[str] = set()
        records = UsageFile(self._home.usage).read()
        usage: dict[str, Mapping[str, Any] | None] = {}
        forwards: dict[str, Mapping[str, Any]] = {}
        live = {folded(skill.name) for skill in library.skills if skill.live}
        for old, new in moves.items():
            before = self._history.snapshot(_SKILLS + old) or {}
            name = parse_skill(before.get(skill_file(before), Blob(b"")).data, old.rpartition("/")[2]).name
            if name != rows[new].name:
                renamed.add(new)
            if old == new and (folded(name) in live or folded(name) == folded(rows[new].name)):
                continue
            here, there = (name if name in records else old), usage_key(library.skills, new)
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

    def _label(self, old: str, new: str) -> dict[str, Any]:
        """What a record says after its skill was moved into or out of the archive by hand: a restore is activity."""
        gone = new.startswith(_ARCHIVE)
        if old.startswith(_ARCHIVE) == gone:
            return {}
        at = format_time(self._now)
        state = State.ARCHIVED if gone else State.ACTIVE
        more = {} if gone else {"_melete_restored_at": at}
        return {"state": state.value, "archived_at": at if gone else None, **more}

    def _keep_records(self, library: Library, came: set[str]) -> None:
        """Leave each record with its skill when another one of its name came or went, which changes the key: a pin or a
        permission must not pass to whatever has the name now. `came`: the ids that have their name only since then.
        """
        records, keys = UsageFile(self._home.usage).read(), keys_of(library.skills)
        stayed = [skill for skill in library.skills if skill.in_home and skill.id not in came]
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

    def _disown(self, found: _Found, library: Library, came: set[str]) -> None:
        """Who writes a skill where a managed one was deleted did not leave it to automation: the permission ends.

        What comes back as it was keeps it; so does one whose record is younger than the deletion.
        """
        if not came:
            return
        records, keys = UsageFile(self._home.usage).read(), keys_of(library.skills)
        asked = {skill_id for skill_id in came if is_managed(records.get(keys[skill_id]))}
        usage: dict[str, Mapping[str, Any] | None] = {}
        for entry in self._history.entries() if asked else ():
            for skill_id in asked.intersection(entry.record.detail.get("removed", ())):
                asked.discard(skill_id)
                born = usage_of(records[keys[skill_id]]).created_at
                before = self._history.snapshot(_SKILLS + skill_id, entry.parent) if entry.parent else None
                alike = likeness(before or {}, found.changes[_SKILLS + skill_id] or {}) >= _SAME_CONTENT
                if not alike and (born is None or born <= entry.at):
                    usage[keys[skill_id]] = dict.fromkeys(("created_by", "agent_created", "_melete_author"))
        write_sidecars(self._home, usage, {})

    def _entry(self, found: _Found, moves: Mapping[str, str]) -> Record:
        came = [skill_id for skill_id in found.added if skill_id not in moves.values()]
        went = [skill_id for skill_id in found.removed if skill_id not in moves]
        detail = {
            "added": came,
            "changed": found.changed,
            "removed": went,
            "moves": [[old, new] for old, new in moves.items()],
        }
        ids = (*came, *found.changed, *went, *moves, *moves.values())
        return Record(Origin.OUTSIDE, "outside", ids, detail={key: value for key, value in detail.items() if value})

    def _inodes(self) -> Inodes:
        try:
            data = json.loads((self._home.journal / "folders.json").read_bytes())
        except (OSError, ValueError):
            return {}  # only a help for recognising renamed folders; without it the content decides
        return data if isinstance(data, dict) else {}

    def _remember(self, rows: Mapping[str, Skill], before: Inodes) -> None:
        now = {skill_id: inode for skill_id, skill in rows.items() if (inode := _inode(skill)) is not None}
        if now != before:
            write_atomic(self._home.journal / "folders.json", json.dumps(now, sort_keys=True).encode())


def likeness(one: Snapshot, other: Snapshot) -> float:
    """How much of two folders is the same, 0 to 1, by bytes: equal files count whole, texts of one path by lines."""
    total = sum(len(blob.data) for blob in (*one.values(), *other.values()))
    if total == 0:
        return 1.0 if one.keys() == other.keys() else 0.0
    shared = 0.0
    for path in one.keys() & other.keys():
        a, b = one[path].data, other[path].data
        shared += len(a) + len(b) if a == b else _alike(a, b) * (len(a) + len(b))
    return shared / total


def _alike(one: bytes, other: bytes) -> float:
    left, right = one.splitlines(keepends=True), other.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    same = sum(len(line) for block in matcher.get_matching_blocks() for line in left[block.a : block.a + block.size])
    return 2 * same / (len(one) + len(other))


def _inode(skill: Skill) -> list[int] | None:
    try:
        status = skill.folder.stat(follow_symlinks=False)
    except OSError:
        return None
    return [status.st_dev, status.st_ino]
