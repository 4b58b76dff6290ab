"""What is known of imported skills, and how a new version of one meets what the user changed here."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.cycles.home import OpenHome
from app.errors import AppError, Kind
from app.exchange.limits import Limits
from app.exchange.lock import write_lock
from app.exchange.offers import renamed
from app.exchange.values import Keep, Pack
from app.history.trees import hash_files
from app.history.values import Blob, Conflict, Merge, Snapshot
from app.skills.order import row_of, usage_keys
from app.skills.usage import HUB, UsageFile, hub_facts
from app.skills.values import Action, Library, Request, Skill, State

_REF = "exchange/"


def limits_of(open_home: OpenHome) -> Limits:
    """The limits of a source; one file may be as large as the history keeps."""
    return Limits(file=open_home.live.file_limit)


def facts_here(open_home: OpenHome, library: Library) -> dict[str, Mapping[str, Any]]:
    """Where each imported skill of the home came from, by id."""
    records = UsageFile(open_home.home.usage).read()
    keys = usage_keys([row_of(skill) for skill in library.skills])
    found: dict[str, Mapping[str, Any]] = {}
    for skill, key in zip(library.skills, keys, strict=True):
        facts = hub_facts(records.get(key)) if skill.in_home else None
        if facts is not None:
            found[skill.id] = facts
    return found


def sync_lock(open_home: OpenHome) -> None:
    """Make the list of installed skills say what the records say. Raises AppError(STORAGE)."""
    library = open_home.library()
    facts = facts_here(open_home, library)
    live = [skill for skill in reversed(library.skills) if skill.id in facts and skill.state is not State.ARCHIVED]
    rows = {skill.name: (skill.id, facts[skill.id]) for skill in live}
    write_lock(open_home.home.own_hub_lock, rows)


def keep_base(open_home: OpenHome, files: Snapshot) -> None:
    """Keep what a source held in the history, where the library itself holds something else."""
    tree = open_home.history.store(files)
    if open_home.history.ref_tree(f"{_REF}{tree}") is None:
        open_home.history.put_ref(f"{_REF}{tree}", {}, tree)


def base_of(open_home: OpenHome, facts: Mapping[str, Any], ours: Snapshot) -> Snapshot:
    """What the source held when a skill was last taken from it.

    Where the history has lost it, our own files when they are that content, else nothing: then every difference is a
    conflict, and nothing is overwritten.
    """
    tree = str(facts.get("hash", ""))
    try:
        return open_home.history.load(tree)
    except (AppError, ValueError):
        return ours if hash_files(ours) == tree else {}


def as_here(files: Snapshot, facts: Mapping[str, Any]) -> Snapshot:
    """A source's files under the name the skill was given here."""
    name = facts.get("renamed_to")
    try:
        return renamed(files, name) if isinstance(name, str) and name and files else files
    except (AppError, KeyError):
        return files  # the new version has no name that could be set; the merge shows what differs


def of_import(
    open_home: OpenHome,
    there: Skill,
    before: Mapping[str, Any],
    pack: Pack,
    facts: Mapping[str, Any],
    keep: Keep = Keep.NONE,
) -> tuple[Request, tuple[str, ...]]:
    """The request that brings a skill to what its source holds, and the files where both sides changed.

    With `before` (where it came from) it is a three-way merge that keeps what was changed here; without, the content
    is replaced. With conflicts and no side chosen the request must not be carried out.
    """
    ours = open_home.live.files(there.id) or {}
    if "renamed_to" in before:
        facts = {**facts, "renamed_to": before["renamed_to"]}
    theirs = as_here(pack.files, facts)
    if not before:
        return _request(there, theirs, theirs, facts), ()
    merged = open_home.history.merge(as_here(base_of(open_home, before, ours), before), ours, theirs)
    files = dict(merged.files)
    if keep is not Keep.NONE:
        files = chosen(merged, keep, ours, theirs)
    conflicts = tuple(sorted({conflict.path for conflict in merged.conflicts}))
    return _request(there, files, theirs, facts), () if keep is not Keep.NONE else conflicts


def chosen(merged: Merge, keep: Keep, ours: Snapshot, theirs: Snapshot) -> dict[str, Blob]:
    """The merged files with one whole side taken for each file in conflict."""
    side = ours if keep is Keep.MINE else theirs
    files = dict(merged.files)
    for conflict in merged.conflicts:
        files.pop(conflict.path, None)
        if conflict.path in side:
            files[conflict.path] = side[conflict.path]
    return files


def paths_of(conflicts: Sequence[Conflict]) -> tuple[str, ...]:
    """The files in conflict, once each."""
    return tuple(sorted({conflict.path for conflict in conflicts}))


def imported_skill(skill: Skill, facts: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """Where a skill came from. Raises AppError(REFUSED) when it was not imported here."""
    found = facts.get(skill.id)
    if found is None:
        text = f"{skill.name} was not imported here, so there is no source to update it from."
        raise AppError(Kind.REFUSED, "Not an imported skill", text)
    return found


def _request(there: Skill, files: Snapshot, theirs: Snapshot, facts: Mapping[str, Any]) -> Request:
    record = {HUB: dict(facts), "_melete_edited": dict(files) != dict(theirs)}
    return Request(Action.PUT, there.id, files=dict(files), record=record)
