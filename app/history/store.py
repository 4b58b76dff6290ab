"""The content history of skills and memories: a linear ledger of git commits in a bare repository, objects only."""

import os
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import TypeVar

import pygit2

from app.clock import Clock
from app.errors import AppError, Kind
from app.history import housekeeping
from app.history.compare import Changes, compare, prefixes
from app.history.failures import never_arrived, unwritable
from app.history.log import Log
from app.history.mark import mend_mark
from app.history.merge import merge_files
from app.history.objects import Objects, single_file
from app.history.records import encode_record
from app.history.refs import NamedRefs
from app.history.repository import BRANCH, open_repository, remove_locks, synced_once
from app.history.trees import EMPTY_TREE, TREE_MODE, TreeItem, hash_files
from app.history.values import Blob, Entry, Merge, Record, Side, Snapshot

Written = TypeVar("Written")


class History:
    """One home's history for one thread. Writers hold the home lock; readers need none.

    A prefix is `skills/<id>` or `memories/<file>`; the snapshot of a memory file is `{"": Blob}`.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._repository = open_repository(path)
        self._objects = Objects(self._repository)
        self._log = Log(self._repository)
        self._refs = NamedRefs(self._repository, self._objects)

    def tip(self) -> str | None:
        """The newest entry's id, None while there is none. Raises AppError(CORRUPT) when the mark of it is damaged."""
        try:
            found = self._repository.references.get(BRANCH)
        except pygit2.GitError as error:
            raise self._unmarked(str(error)) from error
        if found is None and os.path.lexists(self._path / BRANCH):
            raise self._unmarked("no plain file")  # a folder or a link that leads nowhere, which git takes for nothing
        return None if found is None else str(found.target)

    def mend_mark(self) -> str:
        """Find the newest entry again when the mark of it is gone or damaged; the caller holds the home lock.

        What stands in its place is kept beside it. Returns a sentence for the user, empty when nothing was mended.
        Raises AppError(STORAGE) when the repository cannot be written.
        """
        try:
            return mend_mark(self._repository, self._path)
        except (pygit2.GitError, KeyError, OSError) as error:
            raise self._unwritable(error) from error

    def tree_hash(self, commit: str | None = None) -> str:
        """The id of the whole content tree at an entry (the newest by default); the empty tree's without entries."""
        where = commit or self.tip()
        return EMPTY_TREE if where is None else self._log.read(where).tree

    def tree_id(self, prefix: str, commit: str | None = None) -> str | None:
        """The id of the subtree (or file) at a prefix, None when it is not there."""
        item = self._objects.at(self.tree_hash(commit), prefix)
        return None if item is None else item.id

    def snapshot(self, prefix: str, commit: str | None = None) -> Snapshot | None:
        """The content at a prefix, None when it is not there."""
        item = self._objects.at(self.tree_hash(commit), prefix)
        if item is None:
            return None
        return self._objects.load(item.id) if item.is_tree else {"": self._objects.blob(item)}

    def prefixes(self, commit: str | None = None) -> tuple[str, ...]:
        """All skills (archived ones too) and memory files at an entry."""
        return tuple(self.contents(commit))

    def contents(self, commit: str | None = None) -> dict[str, str]:
        """Every prefix at an entry with the id of what stands there."""
        return prefixes(self._objects, self.tree_hash(commit))

    def store(self, files: Snapshot) -> str:
        """Keep a folder's files as objects without recording them; returns the tree's id."""
        return self._objects.write_files(files)

    def store_all(self, changes: Mapping[str, Snapshot | None]) -> dict[str, str | None]:
        """`store` for many folders, by prefix: the ids of their trees, None for what goes. They are on the disk after.

        Raises AppError(STORAGE) when the repository cannot be written.
        """
        try:
            with synced_once(_files_in(changes)):
                return {
                    prefix: None if files is None else self._objects.write_files(files)
                    for prefix, files in changes.items()
                }
        except (pygit2.GitError, KeyError, OSError) as error:
            raise self._unwritable(error) from error

    def hash_files(self, files: Snapshot) -> str:
        """The id `store` would return, without writing."""
        return hash_files(files)

    def load(self, tree: str) -> Snapshot:
        """The files of a tree by its id. Raises AppError(CORRUPT) when it is missing."""
        return self._objects.load(tree)

    def paths(self, tree: str) -> tuple[str, ...]:
        """The POSIX paths of all files below a tree; only trees are read."""
        return self._objects.paths(tree)

    def file_of(self, tree: str, path: str) -> Blob | None:
        """One file below a tree, None when it is not there."""
        item = self._objects.at(tree, path)
        return None if item is None or item.is_tree else self._objects.blob(item)

    def tree_with(self, changes: Mapping[str, Snapshot | None], commit: str | None = None) -> str:
        """The content tree of an entry with these prefixes replaced or gone, stored; returns its id."""
        items = {prefix: self._item(files) for prefix, files in changes.items()}
        return self._objects.replace(self.tree_hash(commit), items)

    def record(self, changes: Mapping[str, Snapshot | None], record: Record) -> Entry:
        """Add an entry: each prefix gets its new content, None removes it. `changes` may be empty.

        Raises AppError(STORAGE) when the repository cannot be written.
        """
        try:
            with synced_once(_files_in(changes)):
                tree = self.tree_with(changes)
            return self._commit(tree, record)
        except (pygit2.GitError, KeyError, OSError) as error:
            raise self._unwritable(error) from error

    def record_trees(self, changes: Mapping[str, str | None], record: Record) -> Entry:
        """Like `record`, for folders whose trees are stored already (see `store`)."""
        items = {prefix: None if tree is None else TreeItem(TREE_MODE, tree) for prefix, tree in changes.items()}
        try:
            with synced_once(len(items)):
                tree = self._objects.replace(self.tree_hash(), items)
            return self._commit(tree, record)
        except (pygit2.GitError, KeyError, OSError) as error:
            raise self._unwritable(error) from error

    def entries(self, limit: int | None = None, skill: str | None = None) -> list[Entry]:
        """Entries, newest first; with `skill` those about it, followed back through moves and renames."""
        if skill is not None:
            return self._log.about(self.tip(), skill, limit)
        return list(islice(self._log.newest_first(self.tip()), limit))

    def entry(self, entry_id: str) -> Entry:
        """One entry by its id or a unique beginning of 7 characters at least. Raises AppError(NOT_FOUND)."""
        return self._log.find(self.tip(), entry_id)

    def changes_of(self, entry_id: str) -> Changes:
        """What an entry changed: prefix to the ids (before, after), None where it did not exist."""
        entry = self.entry(entry_id)
        before = EMPTY_TREE if entry.parent is None else self._log.read(entry.parent).tree
        return compare(self._objects, before, entry.tree)

    def changes_between(self, before: str | None, after: str | None) -> Changes:
        """What differs between two entries (None: before the first)."""
        trees = [EMPTY_TREE if entry is None else self._log.read(entry).tree for entry in (before, after)]
        return compare(self._objects, trees[0], trees[1])

    def merge(self, base: Snapshot, ours: Snapshot, theirs: Snapshot, favour: Side | None = None) -> Merge:
        """Three-way merge of one folder, per file, renames never guessed; edit against delete is a conflict, unless one
        side is favoured.
        """
        return merge_files(self._repository, self._objects, base, ours, theirs, favour)

    def put_ref(self, name: str, files: Mapping[str, bytes], tree: str | None) -> None:
        """Add a version of a named document beside the ledger (see refs.py)."""
        try:
            self._unlocked(lambda: self._refs.put(name, files, tree, self._signature()))
        except (pygit2.GitError, KeyError, OSError) as error:
            raise self._unwritable(error) from error

    def read_ref(self, name: str) -> dict[str, bytes] | None:
        """The files of a named document, None when there is none."""
        return self._refs.read(name)

    def ref_tree(self, name: str) -> str | None:
        """The tree stored with a named document, None when it has none."""
        return self._refs.subtree(name)

    def refs(self, prefix: str = "") -> list[str]:
        """The names of all named documents that begin with `prefix`."""
        return self._refs.names(prefix)

    def drop_ref(self, name: str) -> None:
        """Forget a named document."""
        self._unlocked(lambda: self._refs.drop(name))

    def remove_locks(self) -> tuple[str, ...]:
        """Remove lock files a killed process left in the repository; the caller holds the home lock."""
        return remove_locks(self._path)

    def housekeep(self, *, due_at: int = housekeeping.DUE_AT) -> int:
        """Pack loose objects once there are `due_at` of them; returns how many were packed. Holds no lock itself."""
        if len(housekeeping.loose_objects(self._path)) < due_at:
            return 0
        packed = housekeeping.pack_objects(self._repository, self._path)
        self._repository.odb.exists(pygit2.Oid(hex=EMPTY_TREE))  # a miss makes the database look for the new pack
        return packed

    def close(self) -> None:
        """Release the repository's files."""
        self._repository.free()

    def _item(self, files: Snapshot | None) -> TreeItem | None:
        if not files:
            return None
        if set(files) == {""}:
            return single_file(files[""].data, self._objects)
        return TreeItem(TREE_MODE, self._objects.write_files(files))

    def _commit(self, tree: str, record: Record) -> Entry:
        before = self.tip()
        who = self._signature()
        message = encode_record(record, self._clock())
        parents = [before] if before else []
        commit = self._unlocked(lambda: self._repository.create_commit(BRANCH, who, who, message, tree, parents))
        if commit not in self._repository or self.tip() != str(commit):
            raise never_arrived()
        return self._log.read(str(commit))

    def _unlocked(self, write: Callable[[], Written]) -> Written:
        """Write; a killed writer's lock in the way is taken away (the caller holds the home lock), once."""
        try:
            return write()
        except (pygit2.GitError, OSError):
            if not self.remove_locks():
                raise
            return write()

    def _signature(self) -> pygit2.Signature:
        return pygit2.Signature("Melete", "melete@localhost", int(self._clock().timestamp()), 0)

    def _unmarked(self, detail: str) -> AppError:
        text = (
            f"{self._path / BRANCH} is damaged, so the newest entry is not known. Put a copy of this file back, or move"
            f" {self._path} away to start a new history; the skills are not touched."
        )
        return AppError(Kind.CORRUPT, "The history cannot be read", text, detail=detail)

    def _unwritable(self, error: Exception) -> AppError:
        return unwritable(self._path, error)


def _files_in(changes: Mapping[str, Snapshot | None]) -> int:
    return sum(len(files) for files in changes.values() if files)
