"""The ledger as a list: entries read from commit messages alone, in the order of their parents, never from trees."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice

import pygit2

from app.errors import AppError, Kind
from app.history.records import decode_record
from app.history.values import Entry

_SHORTEST = 7


class Log:
    """Reads entries of one repository and remembers what it has read (an entry never changes)."""

    def __init__(self, repository: pygit2.Repository) -> None:
        self._repository = repository
        self._known: dict[str, Entry] = {}

    def newest_first(self, tip: str | None) -> Iterator[Entry]:
        """Entries from the tip to the first."""
        here = tip
        while here is not None:
            entry = self.read(here)
            yield entry
            here = entry.parent

    def read(self, commit_id: str) -> Entry:
        """One entry by its full id. Raises AppError(CORRUPT) when the commit is missing."""
        known = self._known.get(commit_id)
        if known is not None:
            return known
        try:
            commit = self._repository[commit_id]
        except (KeyError, ValueError, pygit2.GitError) as error:
            text = f"Entry {commit_id} is missing or damaged. What came before it cannot be listed."
            raise AppError(Kind.CORRUPT, "The history has a hole", text, detail=str(error)) from error
        record, at = decode_record(commit.message)
        when = at if at is not None else datetime.fromtimestamp(commit.commit_time, UTC)
        parents = commit.parent_ids
        entry = Entry(commit_id, when, record, str(parents[0]) if parents else None, str(commit.tree_id))
        self._known[commit_id] = entry
        return entry

    def find(self, tip: str | None, entry_id: str) -> Entry:
        """The entry whose id begins with `entry_id` (7 characters at least). Raises AppError(NOT_FOUND)."""
        wanted = entry_id.strip().lower()
        if len(wanted) >= _SHORTEST:
            found = [entry for entry in self.newest_first(tip) if entry.id.startswith(wanted)]
            if len(found) == 1:
                return found[0]
            if found:
                text = f"{len(found)} entries begin with {entry_id}. Give more of the id."
                raise AppError(Kind.NOT_FOUND, "Which entry?", text)
        text = f"No entry has the id {entry_id!r}. Take an id of at least {_SHORTEST} characters from the history."
        raise AppError(Kind.NOT_FOUND, "No such entry", text)

    def about(self, tip: str | None, skill: str, limit: int | None) -> list[Entry]:
        """Entries about one skill, newest first, followed back through moves and renames."""
        return list(islice(_about(self.newest_first(tip), skill), limit))


def moves_of(entry: Entry) -> Sequence[tuple[str, str]]:
    """Which ids an entry moved: pairs (from, to) out of its detail (`from`/`to`, or a list `moves`)."""
    detail = entry.record.detail
    pairs = [(item[0], item[1]) for item in detail.get("moves", ()) if isinstance(item, list | tuple) and len(item) > 1]
    if isinstance(detail.get("from"), str) and isinstance(detail.get("to"), str):
        pairs.append((detail["from"], detail["to"]))
    return pairs


def _about(entries: Iterator[Entry], skill: str) -> Iterator[Entry]:
    names = {skill}
    for entry in entries:
        moves = moves_of(entry)
        arrived = {old for old, new in moves if new in names}
        if arrived or names.intersection(entry.record.ids):
            yield entry
        if arrived:
            names -= {new for _, new in moves}
            names |= arrived
