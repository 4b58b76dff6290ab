"""The mark of the newest entry (a file that holds its id), found again when the file is gone or damaged.

Entries never change and name their parents, so the newest one can be told from the objects alone: it is the end of the
longest chain of messages that this program wrote.
"""

import itertools
import os
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from app.history.records import is_record
from app.history.repository import BRANCH


def mend_mark(repository: pygit2.Repository, path: Path) -> str:
    """Set the mark of the repository at `path` again if it names no entry; the caller holds the home lock.

    What stood there is kept beside it. Returns what happened in a sentence, empty when all is well or nothing is known.
    """
    if _is_whole(repository):
        return ""
    mark = path / BRANCH
    newest = newest_entry(repository)
    if newest is None and not os.path.lexists(mark):
        return ""  # a history that has only begun
    kept = _kept_aside(mark, path)
    found = "No entry was found, so a new history begins."
    if newest is not None:
        repository.references.create(BRANCH, pygit2.Oid(hex=newest))
        found = f"It was found again among the entries ({newest[:10]}); nothing recorded is lost."
    was = f" What stood there is kept as {kept}." if kept else ""
    return f"The mark of the newest entry in {path} was gone or damaged. {found}{was}"


def newest_entry(repository: pygit2.Repository) -> str | None:
    """The id of the entry at the end of the longest chain, None when there is none. Reads every object's kind."""
    parents: dict[str, str | None] = {}
    for oid in repository.odb:
        try:
            kind, _ = repository.odb.read_header(oid)
            commit = repository[oid] if kind == ObjectType.COMMIT else None
        except (KeyError, ValueError, pygit2.GitError):
            continue  # a damaged object is no entry; the chain that leads past it still counts
        if isinstance(commit, pygit2.Commit) and is_record(commit.message):
            parents[str(oid)] = str(commit.parent_ids[0]) if commit.parent_ids else None
    ends = parents.keys() - set(parents.values())
    return max(ends, key=lambda end: (_length(end, parents), end), default=None)


def _length(end: str, parents: dict[str, str | None]) -> int:
    steps, here = 0, parents.get(end)
    while here is not None:
        steps, here = steps + 1, parents.get(here)
    return steps


def _is_whole(repository: pygit2.Repository) -> bool:
    try:
        found = repository.references.get(BRANCH)
        return found is not None and isinstance(repository.get(found.target), pygit2.Commit)
    except (pygit2.GitError, ValueError):
        return False


def _kept_aside(mark: Path, path: Path) -> Path | None:
    """Move what stands at the mark's place aside, out of git's sight; None when nothing stands there."""
    if not os.path.lexists(mark):
        return None
    folder = path / "melete-kept"
    folder.mkdir(exist_ok=True)
    kept = next(place for n in itertools.count(1) if not os.path.lexists(place := folder / f"{mark.name}-{n}"))
    mark.rename(kept)
    return kept
