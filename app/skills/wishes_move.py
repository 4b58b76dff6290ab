"""Understanding requests that move a skill as a whole: archive, restore, rename, move, purge."""

import re
from dataclasses import replace

from app.clock import format_time
from app.history.trees import hash_files
from app.history.values import Snapshot
from app.skills.bench import Bench
from app.skills.content import skill_file
from app.skills.forwards import makes_loop
from app.skills.front import set_field
from app.skills.names import folded
from app.skills.naming import category_problem, name_problem, place_problem
from app.skills.policy import Subject
from app.skills.resolve import Names
from app.skills.values import Action, Forward, Request, Skill, State, Writer
from app.skills.wish import Wish, problem

_ARCHIVE = ".archive"
_STAMP = re.compile(r"-\d{14}(?:-\d+)?$")


def wish_archive(bench: Bench, request: Request, writer: Writer, skill: Skill) -> Wish:
    """The whole folder to the archive, with a forward when a live skill took over its content."""
    into, trouble = _absorber(bench, request.absorbed_into, skill)
    subject = _subject(bench, skill, trouble)
    if trouble or skill.state is State.ARCHIVED or not skill.in_home or skill.linked:
        return Wish(Action.ARCHIVE, skill, subject, skill.id, skill.name)
    before = bench.content(skill).files
    to = _free_archive_id(bench, skill.id.rpartition("/")[2])
    tree = hash_files(before)
    forward = Forward(skill.name, into.name, tree, writer.run, bench.now, request.reason) if into else None
    where = f"; its content is in {into.name}" if into else ""
    return Wish(
        Action.ARCHIVE,
        skill,
        subject,
        to,
        skill.name,
        before=before,
        to=to,
        fields={"state": State.ARCHIVED.value, "archived_at": format_time(bench.now)},
        forward=forward,
        detail={
            "name": skill.name,
            "from": skill.id,
            "to": to,
            "absorbed_into": request.absorbed_into if into is None else into.name,
            "hash": tree,
            "label": skill.state.value,
        },
        done=f"Archived {skill.id} as {to}{where}.",
    )


def wish_restore(bench: Bench, request: Request, _writer: Writer, skill: Skill) -> Wish:
    """An archived skill back to where it was."""
    if skill.state is not State.ARCHIVED:
        return problem(Action.RESTORE, f"{skill.name} is not archived.", skill.id, skill)
    folder = skill.id.rpartition("/")[2]
    to = request.exact or bench.place.came_from(skill.id) or _STAMP.sub("", folder) or folder
    trouble = ""
    if bench.exists(to):
        trouble = f"Something stands at {to} again. Rename or move that first, then restore {skill.name}."
    before = bench.content(skill).files
    tree = hash_files(before)
    return Wish(
        Action.RESTORE,
        skill,
        _subject(bench, skill, trouble),
        to,
        skill.name,
        before=before,
        to=to,
        fields={
            "state": State.ACTIVE.value,
            "archived_at": None,
            "_melete_restored_at": format_time(bench.now),
        },
        detail={"name": skill.name, "from": skill.id, "to": to, "hash": tree},
        done=f"Restored {skill.name} to {to}, byte for byte (content {tree[:12]}).",
    )


def wish_rename(bench: Bench, request: Request, writer: Writer, skill: Skill) -> Wish:
    """A new name: the folder and the field `name`; the old name leads to the new one."""
    new = (request.to or "").strip()
    if _not_movable(skill):
        return Wish(Action.RENAME, skill, _subject(bench, skill, ""), skill.id, skill.name)
    folder = skill.id.rpartition("/")[2]
    if new == skill.name and folded(folder) == folded(new):
        return problem(Action.RENAME, f"{skill.name} has this name already.", skill.id, skill)
    trouble = name_problem(new, bench.library, ours=skill)
    to = f"{skill.category}/{new}" if skill.category else new
    if not trouble and to != skill.id and bench.exists(to):
        trouble = f"Something else stands at skills/{to}. Choose another name."
    if trouble:
        return problem(Action.RENAME, trouble, skill.id, skill)
    before = bench.content(skill).files
    forward = Forward(skill.name, new, hash_files(before), writer.run, bench.now, "renamed")
    return Wish(
        Action.RENAME,
        skill,
        replace(_subject(bench, skill, ""), renames=True),
        to,
        new,
        before=before,
        files=_named(before, new),
        to=to if to != skill.id else None,
        forward=forward if folded(new) != folded(skill.name) else None,
        detail={"name": skill.name, "from": skill.id, "to": to, "new_name": new},
        done=f"Renamed {skill.name} to {new}.",
    )


def wish_move(bench: Bench, request: Request, _writer: Writer, skill: Skill) -> Wish:
    """Into another category (`to`; empty for none), or to an exact id."""
    category = (request.to or "").strip().strip("/")
    if _not_movable(skill):
        return Wish(Action.MOVE, skill, _subject(bench, skill, ""), skill.id, skill.name)
    folder = skill.id.rpartition("/")[2]
    to = request.exact or (f"{category}/{folder}" if category else folder)
    if to == skill.id:
        return problem(Action.MOVE, f"{skill.name} is there already.", skill.id, skill)
    trouble = place_problem(to, bench.library) if request.exact else category_problem(category, bench.library)
    if not trouble and bench.exists(to):
        trouble = f"Something else stands at skills/{to}. Choose another category."
    return Wish(
        Action.MOVE,
        skill,
        _subject(bench, skill, trouble),
        to,
        skill.name,
        before=bench.content(skill).files,
        to=to,
        detail={"name": skill.name, "from": skill.id, "to": to},
        done=f"Moved {skill.name} to {to}.",
    )


def wish_purge(bench: Bench, request: Request, _writer: Writer, skill: Skill) -> Wish:
    """Away with it: to the system's trash, or for good when `to` is "delete"."""
    trouble = ""
    if not skill.in_home or skill.linked:
        trouble = f"{skill.name} lies outside the library, in {skill.real or skill.root}. Remove it there."
    elif skill.pinned and skill.state is not State.ARCHIVED:
        trouble = f"{skill.name} is pinned. Unpin it first."
    if trouble:
        return problem(Action.PURGE, trouble, skill.id, skill)
    for_good = request.to == "delete"
    return Wish(
        Action.PURGE,
        skill,
        _subject(bench, skill, ""),
        skill.id,
        skill.name,
        before=bench.content(skill).files,
        purge=for_good,
        detail={"name": skill.name, "for_good": for_good, "record": dict(bench.record(skill.id))},
        done=f"Deleted {skill.id} for good." if for_good else f"Moved {skill.id} to the trash.",
    )


def wish_on_archived(bench: Bench, request: Request, skill: Skill) -> Wish:
    """A change asked of an archived skill: the policy refuses it and says where its content went."""
    return Wish(request.action, skill, _subject(bench, skill, ""), skill.id, skill.name)


def _absorber(bench: Bench, wanted: object, skill: Skill) -> tuple[Skill | None, str]:
    """The live skill that took over the content; a sentence when what was said is no such skill."""
    if wanted is None or wanted == "":
        return None, ""
    if not isinstance(wanted, str):
        return None, "absorbed_into is one skill's name, or an empty text."
    found = bench.live(wanted) or bench.own(wanted)
    if found is None or not found.live:
        return None, f"There is no live skill {wanted!r} that could have absorbed {skill.name}."
    if found.id == skill.id or folded(found.name) == folded(skill.name):
        return None, f"{skill.name} cannot be absorbed into itself."
    if makes_loop(bench.forwards, skill.name, found.name):
        return None, f"{found.name} was absorbed by {skill.name} once; a forward back would run in a circle."
    return found, ""


def _free_archive_id(bench: Bench, folder: str) -> str:
    plain = f"{_ARCHIVE}/{folder}"
    if not bench.exists(plain):
        return plain
    stamped = f"{plain}-{bench.now:%Y%m%d%H%M%S}"
    tries = (stamped, *(f"{stamped}-{n}" for n in range(2, 1000)))
    return next(name for name in tries if not bench.exists(name))


def _not_movable(skill: Skill) -> bool:
    return skill.state is State.ARCHIVED or not skill.in_home or skill.linked


def _named(before: Snapshot, name: str) -> Snapshot:
    file = skill_file(before)
    if file not in before:
        return before
    return {**before, file: replace(before[file], data=set_field(before[file].data, "name", name))}


def _subject(bench: Bench, skill: Skill, trouble: str) -> Subject:
    created = skill.usage.created_at
    age = (bench.now - created).total_seconds() / 86400 if created else None
    end = Names(bench.library).resolve(skill.id) if skill.state is State.ARCHIVED else None
    leads_to = end.skill.name if end is not None and end.skill.live else ""
    return Subject(
        skill=skill,
        problem=trouble,
        age_days=age,
        min_age_days=bench.place.min_age_days,
        draft=bench.place.is_draft,
        leads_to=leads_to,
    )
