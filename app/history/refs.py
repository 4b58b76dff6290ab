"""Named documents beside the ledger: each is a ref `refs/melete/<name>` whose commits are its versions."""

from collections.abc import Mapping
from pathlib import Path

import pygit2

from app.errors import AppError, Kind
from app.history.failures import lost, never_arrived
from app.history.objects import Objects
from app.history.trees import TREE_MODE, Items, TreeItem, file_item
from app.history.values import BlobKind

_ROOT = "refs/melete/"
_SUBTREE = "draft"


class NamedRefs:
    """The named refs of one repository."""

    def __init__(self, repository: pygit2.Repository, store: Objects) -> None:
        self._repository = repository
        self._store = store

    def put(self, name: str, files: Mapping[str, bytes], tree: str | None, who: pygit2.Signature) -> None:
        """Add a version: `files` as blobs, `tree` (a tree's id) as the folder `draft`.

        Raises AppError(INVALID) for a name that cannot be one, GitError, KeyError or OSError when it was not written.
        """
        ref = _full(name)
        items: Items = {key: file_item(BlobKind.FILE, self._store.write_blob(data)) for key, data in files.items()}
        if tree is not None:
            items[_SUBTREE] = TreeItem(TREE_MODE, tree)
        before = self._target(ref)
        parents = [before] if before else []
        text = f"Melete: {name}\n"
        commit = self._repository.create_commit(ref, who, who, text, self._store.write_tree(items), parents)
        if commit not in self._repository or self._target(ref) != commit:
            raise never_arrived()

    def read(self, name: str) -> dict[str, bytes] | None:
        """The newest version's files, None when there is no such name. Raises AppError(CORRUPT) when it is lost."""
        items = self._items(name)
        if items is None:
            return None
        return {key: self._store.read(item.id) for key, item in items.items() if not item.is_tree}

    def subtree(self, name: str) -> str | None:
        """The id of the newest version's `draft` tree, None when it has none."""
        item = (self._items(name) or {}).get(_SUBTREE)
        return item.id if item is not None and item.is_tree else None

    def names(self, prefix: str) -> list[str]:
        """All names that begin with `prefix`, sorted."""
        start = _ROOT + prefix
        return sorted(ref.removeprefix(_ROOT) for ref in self._repository.listall_references() if ref.startswith(start))

    def drop(self, name: str) -> None:
        """Forget a name; a missing one is not an error."""
        ref = _full(name)
        if ref in self._repository.references:
            self._repository.references.delete(ref)

    def _items(self, name: str) -> Items | None:
        target = self._target(_full(name))
        if target is None:
            return None
        try:
            tree = str(self._repository[target].tree_id)
        except (KeyError, ValueError, pygit2.GitError) as error:
            text = lost(Path(self._repository.path), f"{target}, the newest version of {name}")
            raise AppError(Kind.CORRUPT, "The history has a hole", text, detail=str(error)) from error
        return self._store.tree(tree)

    def _target(self, ref: str) -> pygit2.Oid | None:
        found = self._repository.references.get(ref)
        return None if found is None else found.target


def _full(name: str) -> str:
    ref = _ROOT + name
    if not pygit2.reference_is_valid_name(ref):
        raise AppError(Kind.INVALID, "Not a name", f"{name!r} cannot name a stored document.")
    return ref
