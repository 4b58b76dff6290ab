"""The work bench: a changing picture of one place on which wishes are carried out before anything is written.

Several requests can be laid on it one after the other; each sees what the ones before would have done. At the end it
gives one plan.
"""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from app.clock import format_time
from app.history.values import Blob, Record, Snapshot
from app.skills.absorbed import given_back, taken_over, umbrella_of
from app.skills.content import Content, read_content, skill_file
from app.skills.moving import link_above
from app.skills.names import folded
from app.skills.order import row_of, usage_keys
from app.skills.parse import parse_skill
from app.skills.place import Place
from app.skills.plan import MoveFolder, NewFolder, Plan, RemoveFolder, Step, WriteFile, mark
from app.skills.resolve import Names
from app.skills.usage import HUB, UsageFile
from app.skills.values import Action, Forward, Library, Request, Skill, State
from app.skills.wish import Wish

_BLANK_RECORD: Mapping[str, Any] = {
    "use_count": 0,
    "view_count": 0,
    "patch_count": 0,
    "last_used_at": None,
    "last_viewed_at": None,
    "last_patched_at": None,
    "state": "active",
    "pinned": False,
    "archived_at": None,
}


class Bench:
    """What the place would look like after the wishes so far, and the steps that lead there."""

    def __init__(self, place: Place, now: datetime) -> None:
        self.place = place
        self.now = now
        library = place.library()
        self._own = {skill.id: skill for skill in reversed(library.skills) if skill.in_home}
        self._order = [skill.id if skill.in_home else skill for skill in library.skills]
        self._shown: Library | None = library
        self._start = library
        self._live: dict[str, list[Skill]] = {}
        for skill in sorted(library.skills, key=lambda one: one.shadowed_by is not None):
            self._enter(skill)
        self._old_keys = _keys(library)
        self._records = UsageFile(place.home.usage).read()
        self._was: dict[str, str] = {}  # id now → id at the start, of skills that were there
        self._contents: dict[str, Content] = {}
        self._steps: list[Step] = []
        self._fields: dict[str, dict[str, Any]] = {}
        self._gone: set[str] = set()
        self._forwards: dict[str, Forward] = {}
        self._changes: dict[str, Snapshot | None] = {}
        self._moves: list[list[str]] = []
        self._details: list[dict[str, Any]] = []
        self._requests: list[Request] = []

    @property
    def library(self) -> Library:
        """The library as it would be now."""
        if self._shown is None:
            rows = [self._own.get(item) if isinstance(item, str) else item for item in self._order]
            self._shown = replace(
                self._start,
                skills=tuple(row for row in rows if row is not None),
                forwards={**self._start.forwards, **self._forwards},
            )
        return self._shown

    @property
    def forwards(self) -> Mapping[str, Forward]:
        """All forwards as they would be now."""
        return {**self._start.forwards, **self._forwards} if self._forwards else self._start.forwards

    def own(self, skill_id: str) -> Skill | None:
        """The home's skill with this id as it would be now."""
        return self._own.get(skill_id)

    def live(self, name: str) -> Skill | None:
        """The live skill a name means now: the one that is not shadowed."""
        return next(iter(self._live.get(folded(name), ())), None)

    def content(self, skill: Skill) -> Content:
        """The skill's files as they would be now."""
        if skill.id not in self._contents:
            self._contents[skill.id] = read_content(skill, self.place.file_limit)
        return self._contents[skill.id]

    def exists(self, skill_id: str) -> bool:
        """Whether something stands at this id: a skill on the bench, anything on disk, or a link on the way there.

        Nothing new is written behind a link.
        """
        if skill_id in self._own:
            return True
        path = self.place.home.skills / skill_id
        if link_above(self.place.home.skills, skill_id) is not None:
            return True
        left = any(old == skill_id for old, _ in self._moves)
        return not left and (path.exists() or path.is_symlink())

    def apply(self, wish: Wish, request: Request) -> None:
        """Carry a wish out on the bench."""
        skill = wish.skill
        if wish.files is not None:
            skill = self._create(wish) if skill is None else self._write(skill, wish)
        if wish.to is not None and skill is not None:
            skill = self._move(skill, wish.to, wish)
        if wish.purge is not None and skill is not None:
            self._purge(skill, wish.purge)
        elif skill is not None and wish.skill is not None:
            self._note(skill, wish)
            self._count_in(skill, wish)
        if wish.forward is not None:
            if wish.action is Action.RENAME:
                self._lead_on(wish.forward)
            self._forwards[wish.forward.name] = wish.forward
            self._shown = None
        self._details.append(
            {"action": wish.action.value, "id": wish.skill.id if wish.skill else wish.id, **wish.detail}
        )
        self._requests.append(request)

    def plan(self, record: Record) -> Plan:
        """The plan for everything laid on the bench; the steps' details and moves join the record."""
        detail: dict[str, Any] = {**record.detail, "steps": self._details}
        if self._moves:
            detail["moves"] = self._moves
        ids = tuple(dict.fromkeys([*record.ids, *(item["id"] for item in self._details)]))
        ids = tuple(dict.fromkeys([*ids, *(new for _, new in self._moves)]))
        return Plan(
            id=secrets.token_hex(8),
            record=replace(record, ids=ids, detail=detail),
            steps=tuple(self._steps),
            usage=self._usage(),
            forwards={name: _forward_row(forward) for name, forward in self._forwards.items()},
            changes=dict(self._changes),
            requests=tuple(self._requests),
        )

    def _create(self, wish: Wish) -> Skill:
        files = wish.files or {}
        self._steps.append(NewFolder(f"skills/{wish.id}", files))
        self._changes[f"skills/{wish.id}"] = files
        skill = new_row(self.place.home.skills, wish.id, files)
        self._contents[wish.id] = Content(files, skill.folder)
        kept = self._records.get(skill.name) if wish.action is Action.PUT else None
        # Content that comes back finds the record it left behind; a new skill starts with a new one.
        fresh = {**_BLANK_RECORD, "created_at": format_time(self.now), **wish.fields, "state": skill.state.value}
        came = {key: value for key, value in wish.fields.items() if key == HUB}
        self._fields[wish.id] = came if isinstance(kept, dict) else fresh
        self._replace(None, skill)
        return skill

    def _write(self, skill: Skill, wish: Wish) -> Skill:
        content, after = self.content(skill), wish.files or {}
        where = content.folder.as_posix() if skill.linked else self._below_home(content.folder)
        paths = [path for path in content.files.keys() | after.keys() if content.files.get(path) != after.get(path)]
        for path in sorted(paths, key=lambda path: (after.get(path) is not None, path)):
            before, now = mark(content.files.get(path)), after.get(path)
            if content.redirected is not None and path == skill.file:
                real = content.redirected
                self._steps.append(WriteFile(real.parent.as_posix(), real.name, before, now))
            else:
                self._steps.append(WriteFile(where, path, before, now))
        self._changes[f"skills/{skill.id}"] = after
        self._contents[skill.id] = replace(content, files=after)
        parsed = parse_skill(after.get(skill.file, Blob(b"")).data, skill.id.rpartition("/")[2])
        changed = replace(skill, name=parsed.name, description=parsed.description, load=parsed.load)
        self._replace(skill, changed)
        return changed

    def _move(self, skill: Skill, to: str, wish: Wish) -> Skill:
        content = self.content(skill)
        root = self.place.home.skills
        self._steps.append(MoveFolder(self._below_home(skill.folder), f"skills/{to}"))
        self._changes[f"skills/{skill.id}"] = None
        self._changes[f"skills/{to}"] = content.files
        self._contents.pop(skill.id, None)
        self._contents[to] = replace(content, folder=root / to)
        self._moves.append([skill.id, to])
        self._was[to] = self._was.pop(skill.id, skill.id)
        self._fields[to] = self._fields.pop(skill.id, {})
        archived = to.startswith(".archive/")
        state = State.ARCHIVED if archived else State.ACTIVE
        moved = replace(
            skill,
            id=to,
            folder=root / to,
            category="" if archived else to.rpartition("/")[0],
            state=state if archived or skill.state is State.ARCHIVED else skill.state,
            shadowed_by=None,
            absorbed_into=wish.forward.into if wish.forward else None,
        )
        self._replace(skill, moved)
        return moved

    def _purge(self, skill: Skill, for_good: bool) -> None:
        self._steps.append(RemoveFolder(self._below_home(skill.folder), for_good))
        self._changes[f"skills/{skill.id}"] = None
        self._gone.add(self._was.pop(skill.id, skill.id))
        self._fields.pop(skill.id, None)
        self._replace(skill, None)

    def _note(self, skill: Skill, wish: Wish) -> None:
        fields = self._fields.setdefault(skill.id, {})
        fields.update(wish.fields)
        if wish.counts:
            done = fields.get("patch_count", self.record(skill.id).get("patch_count", 0))
            fields["patch_count"] = (done if isinstance(done, int) else 0) + 1
            fields["last_patched_at"] = format_time(self.now)
        if "pinned" in wish.fields:
            self._replace(skill, replace(skill, pinned=wish.fields["pinned"] is True))

    def _count_in(self, skill: Skill, wish: Wish) -> None:
        """Counters go along with a merge, and come back with a restore."""
        mine = {**self.record(skill.id), **self._fields.get(skill.id, {})}
        merged = wish.action is Action.ARCHIVE and wish.forward is not None
        into = wish.forward.into if merged and wish.forward is not None else umbrella_of(mine)
        if not into or not (merged or wish.action is Action.RESTORE):
            return
        end = self.live(into) or self._end_of(into)
        end = end if end is not None and end.in_home else None
        theirs = {**self.record(end.id), **self._fields.get(end.id, {})} if end is not None else {}
        own, others = taken_over(mine, theirs, into) if merged else given_back(mine, theirs)
        if end is not None or not merged:
            self._fields.setdefault(skill.id, {}).update(own)
        if end is not None and others:
            self._fields.setdefault(end.id, {}).update(others)

    def _lead_on(self, renamed: Forward) -> None:
        """Forwards to a skill that gets another name lead to that name, whoever is called by the old one later."""
        for forward in tuple(self.forwards.values()):
            if folded(forward.into) == folded(renamed.name) and folded(forward.name) != folded(renamed.into):
                self._forwards[forward.name] = replace(forward, into=renamed.into)

    def _end_of(self, name: str) -> Skill | None:
        found = Names(self.library).resolve(name)
        return found.skill if found is not None and found.skill.live else None

    def record(self, skill_id: str) -> Mapping[str, Any]:
        """The usage record a skill has now, empty when there is none."""
        found = self._records.get(self._old_keys.get(self._was.get(skill_id, skill_id), skill_id))
        return found if isinstance(found, dict) else {}

    def _replace(self, old: Skill | None, new: Skill | None) -> None:
        self._shown = None
        if old is not None:
            self._own.pop(old.id, None)
            same = self._live.get(folded(old.name), [])
            same[:] = [skill for skill in same if skill.id != old.id or skill.root != old.root]
        if new is not None:
            self._own[new.id] = new
            if new.id not in self._order:
                self._order.append(new.id)
            self._enter(new)

    def _enter(self, skill: Skill) -> None:
        if skill.live:
            self._live.setdefault(folded(skill.name), []).append(skill)

    def _below_home(self, folder: Path) -> str:
        return folder.relative_to(self.place.home.root).as_posix()

    def _usage(self) -> dict[str, Mapping[str, Any] | None]:
        """Fields per record key, with records that change their key carried along (see order.usage_keys)."""
        before, after = self._old_keys, _keys(self.library)
        origin = {now: self._was.get(now, now) for now in after}
        carried = {now: before[old] for now, old in origin.items() if old in before and before[old] != after[now]}
        found: dict[str, Mapping[str, Any] | None] = {before[old]: None for old in self._gone if old in before}
        found.update(dict.fromkeys(carried.values()))
        for now, old_key in carried.items():
            record = self._records.get(old_key)
            if isinstance(record, dict):
                found[after[now]] = dict(record)
        for now, fields in self._fields.items():
            if fields and now in after:
                found[after[now]] = {**(found.get(after[now]) or {}), **fields}
        return {key: value for key, value in found.items() if value is not None or key in self._records}


def new_row(skills: Path, skill_id: str, files: Snapshot) -> Skill:
    """A library row for a skill that does not stand on disk yet."""
    folder_name = skill_id.rpartition("/")[2]
    parsed = parse_skill(files.get(skill_file(files), Blob(b"")).data, folder_name)
    archived = skill_id.startswith(".archive/")
    return Skill(
        id=skill_id,
        name=parsed.name,
        category="" if archived else skill_id.rpartition("/")[0],
        description=parsed.description,
        state=State.ARCHIVED if archived else State.ACTIVE,
        folder=skills / skill_id,
        root=skills,
        load=parsed.load,
        findings=parsed.findings,
    )


def _keys(library: Library) -> dict[str, str]:
    rows = library.skills
    keys = usage_keys([row_of(skill) for skill in rows])
    return {skill.id: key for skill, key in zip(rows, keys, strict=True) if skill.in_home}


def _forward_row(forward: Forward) -> dict[str, Any]:
    return {
        "into": forward.into,
        "hash": forward.hash,
        "run": forward.run,
        "at": format_time(forward.at) if forward.at else None,
        "reason": forward.reason,
    }
