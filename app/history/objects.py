"""Content as git objects: snapshots to trees, trees to snapshots, one subtree replaced in a root."""

from collections.abc import Mapping

import pygit2
from pygit2.enums import ObjectType

from app.errors import AppError, Kind
from app.history.trees import EMPTY_TREE, TREE_MODE, Items, TreeItem, decode_tree, encode_tree, file_item, nested
from app.history.values import Blob, BlobKind, Snapshot

_CACHED = 64


class Objects:
    """The object database of one repository, for one thread."""

    def __init__(self, repository: pygit2.Repository) -> None:
        self._odb = repository.odb
        self._decoded: dict[str, Items] = {}

    def tree(self, tree: str) -> Items:
        """The entries of a tree; callers must not change them. Raises AppError(CORRUPT) when it is missing."""
        if tree == EMPTY_TREE:
            return {}
        known = self._decoded.get(tree)
        if known is None:
            known = decode_tree(self.read(tree))
            while len(self._decoded) >= _CACHED:
                del self._decoded[next(iter(self._decoded))]
            self._decoded[tree] = known
        return known

    def read(self, object_id: str) -> bytes:
        """The bytes of an object. Raises AppError(CORRUPT) when the repository has lost it."""
        try:
            data: bytes = self._odb.read(pygit2.Oid(hex=object_id))[1]
        except (KeyError, pygit2.GitError) as error:
            text = f"The object {object_id} is missing or damaged. Content from then cannot be shown or brought back."
            raise AppError(Kind.CORRUPT, "The history has a hole", text, detail=str(error)) from error
        return data

    def write_blob(self, data: bytes) -> str:
        """Store bytes as a file; returns the id."""
        return str(self._odb.write(int(ObjectType.BLOB), data))

    def write_tree(self, items: Mapping[str, TreeItem]) -> str:
        """Store a tree; returns the id."""
        return str(self._odb.write(int(ObjectType.TREE), encode_tree(items)))

    def write_files(self, files: Snapshot) -> str:
        """Store a folder's files; returns the id of its tree."""
        return self._write(nested(files))

    def load(self, tree: str) -> dict[str, Blob]:
        """All files below a tree, by POSIX path."""
        found: dict[str, Blob] = {}
        self._load(tree, "", found)
        return found

    def paths(self, tree: str) -> tuple[str, ...]:
        """The POSIX paths of all files below a tree."""
        found: list[str] = []
        stack = [(tree, "")]
        while stack:
            here, prefix = stack.pop()
            for name, item in self.tree(here).items():
                if item.is_tree:
                    stack.append((item.id, f"{prefix}{name}/"))
                else:
                    found.append(prefix + name)
        return tuple(found)

    def blob(self, item: TreeItem) -> Blob:
        """One file with its kind."""
        return Blob(self.read(item.id), item.kind)

    def at(self, root: str, path: str) -> TreeItem | None:
        """What stands at `path` below a root tree, None when nothing does."""
        here = TreeItem(TREE_MODE, root)
        for part in path.split("/"):
            if not here.is_tree:
                return None
            found = self.tree(here.id).get(part)
            if found is None:
                return None
            here = found
        return here

    def replace(self, root: str, changes: Mapping[str, TreeItem | None]) -> str:
        """A root tree with each path set to an entry, or removed; folders left empty go. Returns the new root's id."""
        direct: dict[str, TreeItem | None] = {}
        deeper: dict[str, dict[str, TreeItem | None]] = {}
        for path, item in changes.items():
            head, _, rest = path.partition("/")
            if rest:
                deeper.setdefault(head, {})[rest] = item
            else:
                direct[head] = item
        items = dict(self.tree(root))
        for name, item in direct.items():
            _set(items, name, item)
        for name, below in deeper.items():
            before = items.get(name)
            start = before.id if before is not None and before.is_tree else EMPTY_TREE
            after = self.replace(start, below)
            _set(items, name, None if after == EMPTY_TREE else TreeItem(TREE_MODE, after))
        return self.write_tree(items)

    def _write(self, node: Mapping[str, object]) -> str:
        items: Items = {}
        for name, value in node.items():
            if isinstance(value, Blob):
                items[name] = file_item(value.kind, self.write_blob(value.data))
            elif isinstance(value, dict):
                items[name] = TreeItem(TREE_MODE, self._write(value))
        return self.write_tree(items)

    def _load(self, tree: str, prefix: str, found: dict[str, Blob]) -> None:
        for name, item in self.tree(tree).items():
            if item.is_tree:
                self._load(item.id, f"{prefix}{name}/", found)
            else:
                found[prefix + name] = self.blob(item)


def single_file(data: bytes, store: Objects) -> TreeItem:
    """The entry of a plain file stored now (a memory file)."""
    return file_item(BlobKind.FILE, store.write_blob(data))


def _set(items: Items, name: str, item: TreeItem | None) -> None:
    if item is None:
        items.pop(name, None)
    else:
        items[name] = item
