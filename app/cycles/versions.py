"""Any state that ever stood in the library: a skill at a step, all skills on a day, and what is not kept."""

from collections.abc import Generator
from dataclasses import replace
from datetime import datetime

from app.cancel import CancelToken
from app.cycles.home import OpenHome
from app.cycles.library import change, differences
from app.cycles.values import LibraryThen, LostFile, SkillThen
from app.errors import AppError, Kind
from app.history.log import moves_of
from app.history.store import History
from app.history.values import Blob, Entry, Snapshot
from app.skills.content import read_content, skill_file
from app.skills.parse import parse_skill
from app.skills.values import Action, Receipt, Request, Skill, State
from app.text.values import FileDiff

_SKILLS = "skills/"
_ARCHIVE = ".archive/"
#: Skills looked at between two reports of progress.
_STEP = 100


def id_at(history: History, skill_id: str, entry_id: str) -> str:
    """Where the skill that now stands at `skill_id` stood right after an entry: later moves are walked back."""
    here = skill_id
    for entry in history.entries():
        if entry.id == entry_id:
            break
        here = next((old for old, new in moves_of(entry) if new == here), here)
    return here


def version_of(open_home: OpenHome, skill_id: str, entry_id: str) -> tuple[Entry, Snapshot]:
    """A skill's files right after a step. Raises AppError(NOT_FOUND) when it did not exist then."""
    history = open_home.history
    entry = history.entry(entry_id)
    then = id_at(history, skill_id, entry.id)
    files = history.snapshot(_SKILLS + then, entry.id)
    if files is None:
        text = f"{skill_id} did not stand in the library after this step. Choose another one."
        raise AppError(Kind.NOT_FOUND, "No such version", text)
    return entry, files


def compare_version(open_home: OpenHome, skill_id: str, entry_id: str) -> tuple[FileDiff, ...]:
    """What bringing a version back would change: from what stands now to what stood then."""
    _, files = version_of(open_home, skill_id, entry_id)
    return differences(open_home.live.files(skill_id) or {}, files)


def restore_version(open_home: OpenHome, skill_id: str, entry_id: str) -> Receipt:
    """Bring a skill's files back as they were right after a step, as a new step; a deleted skill stands again.

    Raises AppError(REFUSED) when the skill is archived (restore it first), when nothing differs, or with the door's
    sentence.
    """
    entry, files = version_of(open_home, skill_id, entry_id)
    row = next((one for one in open_home.library().skills if one.in_home and one.id == skill_id), None)
    if row is not None and row.state is State.ARCHIVED:
        text = f"{row.name} is archived. Restore it, then bring back the version."
        raise AppError(Kind.REFUSED, "It is archived", text)
    if row is not None and open_home.live.files(skill_id) == files:
        raise AppError(Kind.REFUSED, "Nothing to change", f"{row.name} stands exactly like this already.")
    reason = f"the version of {entry.at:%Y-%m-%d %H:%M} UTC"
    return change(open_home, Request(Action.PUT, skill_id, files=dict(files), reason=reason))


def entry_on(history: History, moment: datetime) -> Entry | None:
    """The last step at or before a moment, None when the library is younger."""
    return next((entry for entry in history.entries() if entry.at <= moment), None)


def library_on(open_home: OpenHome, moment: datetime, *, described: bool = False) -> LibraryThen:
    """All skills as they were at a moment, and what became of each; with names and descriptions of then, which takes a
    look into each, when `described`.

    Raises AppError(NOT_FOUND) when nothing was recorded by then.
    """
    history = open_home.history
    entry = entry_on(history, moment)
    if entry is None:
        first = next(iter(reversed(history.entries())), None)
        told = f"The first step is of {first.at:%Y-%m-%d}." if first else "Nothing is recorded yet."
        raise AppError(Kind.NOT_FOUND, "No history of that day", told)
    now, now_ids = _skills_in(history, None), moved_since(history, entry.id)
    rows = tuple(_then(then, tree, now_ids.get(then, then), now) for then, tree in _skills_at(history, entry))
    if described:
        rows = tuple(_described(history, row, entry) for row in rows)
    known = {row.now for row in rows}
    return LibraryThen(entry, rows, tuple(sorted(skill_id for skill_id in now if skill_id not in known)))


def files_then(open_home: OpenHome, then: str, entry_id: str) -> tuple[FileDiff, ...]:
    """What differs of one skill between a step (by its id then) and now."""
    history = open_home.history
    before = history.snapshot(_SKILLS + then, entry_id) or {}
    now_id = moved_since(history, entry_id).get(then, then)
    return differences(before, open_home.live.files(now_id) or {})


def not_kept(open_home: OpenHome, token: CancelToken, skill_id: str = "") -> Generator[int, None, tuple[LostFile, ...]]:
    """Files that no undo can bring back, of one skill or of all, with the reason; yields how many skills were read."""
    found: list[LostFile] = []
    rows = [one for one in open_home.library().skills if one.in_home and skill_id in {"", one.id}]
    for number, skill in enumerate(rows, 1):
        token.check()
        found += _left_out(skill, open_home.live.file_limit)
        if number % _STEP == 0:
            yield number
    return tuple(found)


def _left_out(skill: Skill, limit: int) -> list[LostFile]:
    try:
        content = read_content(skill, limit)
    except AppError as error:
        return [LostFile(skill.id, "", error.text)]
    return [LostFile(skill.id, item.path, item.why, item.size) for item in content.not_kept]


def _skills_in(history: History, commit: str | None) -> dict[str, str]:
    contents = history.contents(commit)
    return {prefix.removeprefix(_SKILLS): tree for prefix, tree in contents.items() if prefix.startswith(_SKILLS)}


def _skills_at(history: History, entry: Entry) -> list[tuple[str, str]]:
    return sorted(_skills_in(history, entry.id).items())


def moved_since(history: History, entry_id: str) -> dict[str, str]:
    """Id then to id now, for every skill that moved after an entry."""
    moves: list[tuple[str, str]] = []
    for entry in history.entries():
        if entry.id == entry_id:
            break
        moves[:0] = moves_of(entry)
    where: dict[str, str] = {}
    came: dict[str, str] = {}
    for old, new in moves:
        first = came.pop(old, old)
        where[first] = new
        came[new] = first
    return where


def _then(then: str, tree: str, now_id: str, now: dict[str, str]) -> SkillThen:
    fate = "gone" if now_id not in now else "same" if now[now_id] == tree else "changed"
    if fate == "same" and now_id != then:
        fate = "archived" if now_id.startswith(_ARCHIVE) else "moved"
    return SkillThen(then, then.rpartition("/")[2], then.startswith(_ARCHIVE), fate, now_id)


def _described(history: History, row: SkillThen, entry: Entry) -> SkillThen:
    files = history.snapshot(_SKILLS + row.id, entry.id) or {}
    parsed = parse_skill(files.get(skill_file(files), Blob(b"")).data, row.name)
    return replace(row, name=parsed.name, description=parsed.description)
