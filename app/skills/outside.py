"""What other programs did to the library: found by comparing folders with the history, recorded as `outside`.

A folder that was renamed or moved keeps its record, pin and history: exactly one that went and exactly one that came
are the same folder (inode, with half of the content alike, since inodes are used again) or nearly the same content.
"""

import json
from collections.abc import Collection, Mapping
from datetime import datetime

from app.errors import AppError, Kind
from app.files import write_atomic
from app.history.store import History
from app.history.trees import hash_files
from app.history.values import Entry, Origin, Record, Snapshot
from app.paths import Home
from app.skills.content import read_content
from app.skills.likeness import SAME_CONTENT, likeness
from app.skills.outside_records import Found, OutsideRecords
from app.skills.places import entries_of
from app.skills.values import Library, Skill

_SKILLS = "skills/"
_SAME_FOLDER = 0.5
_MOST_PAIRS = 400
#: Folder of each skill as last seen: id to [device, inode].
Inodes = dict[str, list[int]]


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
        OutsideRecords(self._home, self._history, library, self._now).follow(found, moves)
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

    def _compare(self, rows: Mapping[str, Skill], known: Mapping[str, str], wanted: Collection[str] | None) -> Found:
        found = Found()
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

    def _moves(self, found: Found, rows: Mapping[str, Skill], inodes: Inodes) -> dict[str, str]:
        """Removed id to added id, where exactly one fits on each side."""
        fits: dict[str, list[str]] = {}
        if len(found.removed) * len(found.added) > _MOST_PAIRS:
            return self._exact_moves(found)
        for old in found.removed:
            before = self._history.snapshot(_SKILLS + old) or {}
            for new in found.added:
                after = found.changes[_SKILLS + new] or {}
                least = _SAME_FOLDER if inodes.get(old) == _inode(rows[new]) else SAME_CONTENT
                if likeness(before, after) >= least:
                    fits.setdefault(old, []).append(new)
        single = {old: news[0] for old, news in fits.items() if len(news) == 1}
        return {old: new for old, new in single.items() if sum(new in news for news in fits.values()) == 1}

    def _exact_moves(self, found: Found) -> dict[str, str]:
        """Among very many, only folders of equal content are paired (a whole category that moved)."""
        came: dict[str, list[str]] = {}
        for new in found.added:
            came.setdefault(hash_files(found.changes[_SKILLS + new] or {}), []).append(new)
        went: dict[str, list[str]] = {}
        for old in found.removed:
            went.setdefault(self._history.tree_id(_SKILLS + old) or "", []).append(old)
        return {olds[0]: came[tree][0] for tree, olds in went.items() if len(olds) == len(came.get(tree, ())) == 1}

    def _entry(self, found: Found, moves: Mapping[str, str]) -> Record:
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


def _inode(skill: Skill) -> list[int] | None:
    try:
        status = skill.folder.stat(follow_symlinks=False)
    except OSError:
        return None
    return [status.st_dev, status.st_ino]
