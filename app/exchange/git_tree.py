"""Reads a git repository's files from its object database alone: no configuration, hooks, attributes or work tree.

The references are read as the plain files they are, so that nothing in the repository can say how it is to be read.
"""

import re
import stat
from collections.abc import Mapping
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from app.cancel import CancelToken
from app.errors import AppError, Kind
from app.exchange.limits import Limits, too_large
from app.exchange.packs import Item
from app.history.trees import TreeItem, decode_tree
from app.history.values import BlobKind

_HEX = re.compile(r"[0-9a-f]{40}")
_DEEPEST = 30
_LARGEST_TREE = 8_000_000
_LARGEST_REF = 4_000_000
_SUBMODULE = 0o160000


class GitTree:
    """One commit of a repository whose git folder lies at `path`."""

    def __init__(self, path: Path, ref: str = "") -> None:
        self._path = path
        try:
            self._odb = pygit2.Odb(str(path / "objects"))
        except (pygit2.GitError, OSError) as error:
            raise _unreadable(path, error) from error
        self.commit = _tip(path, ref)
        self._root = self._tree_of(self.commit)

    def items(self, limits: Limits, token: CancelToken) -> Mapping[str, Item]:
        """Every file of the commit by its POSIX path.

        Raises AppError(INVALID) when it passes a limit or a name could leave its folder, AppError(CORRUPT) when an
        object is missing or damaged.
        """
        items: dict[str, Item] = {}
        stack = [("", self._root, 0)]
        while stack:
            token.check()
            prefix, tree, depth = stack.pop()
            if depth > _DEEPEST:
                raise too_large(f"{prefix!r} lies more than {_DEEPEST} folders deep.")
            for name, entry in self._entries(tree):
                path = prefix + _checked(name, prefix)
                if entry.is_tree:
                    stack.append((f"{path}/", entry.id, depth + 1))
                else:
                    items[path] = self._item(entry.mode, entry.id)
                if len(items) + len(stack) > limits.files * 5:
                    raise too_large(f"It holds more than {limits.files * 5:,} files.")
        return items

    def _entries(self, tree: str) -> list[tuple[str, TreeItem]]:
        data = self._read(tree, ObjectType.TREE, _LARGEST_TREE)
        try:
            return list(decode_tree(data).items())
        except ValueError as error:
            raise _damaged(tree, error) from error

    def _item(self, mode: str, blob: str) -> Item:
        number = int(mode, 8) if mode.isdigit() else 0
        kind: BlobKind | None = BlobKind.EXECUTABLE if number & stat.S_IXUSR else BlobKind.FILE
        if stat.S_ISLNK(number):
            kind = BlobKind.LINK
        elif not stat.S_ISREG(number):
            kind = None
        what = "a submodule; other repositories are never fetched" if number == _SUBMODULE else "not a file"
        return Item(kind, lambda: self._size(blob), lambda: self._read(blob, ObjectType.BLOB, None), what)

    def _size(self, blob: str) -> int:
        try:
            return int(self._odb.read_header(pygit2.Oid(hex=blob))[1])
        except (KeyError, pygit2.GitError) as error:
            raise _damaged(blob, error) from error

    def _tree_of(self, commit: str) -> str:
        """The tree of a commit, also behind an annotated tag."""
        for _ in range(10):
            if self._size(commit) > _LARGEST_TREE:
                break
            kind, data = self._object(commit)
            line = data[:53].split(b"\n", 1)[0].decode("ascii", "replace")
            word, _, target = line.partition(" ")
            if not _HEX.fullmatch(target):
                break
            if kind is ObjectType.COMMIT and word == "tree":
                return target
            if kind is not ObjectType.TAG or word != "object":
                break
            commit = target
        raise _damaged(commit, ValueError("no commit"))

    def _read(self, name: str, wanted: ObjectType, limit: int | None) -> bytes:
        if limit is not None and self._size(name) > limit:
            raise too_large("A folder of it holds too many entries.")
        kind, data = self._object(name)
        if kind is not wanted:
            raise _damaged(name, ValueError(f"it is a {kind.name}"))
        return data

    def _object(self, name: str) -> tuple[ObjectType, bytes]:
        try:
            kind, data = self._odb.read(pygit2.Oid(hex=name))
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise _damaged(name, error) from error
        return ObjectType(kind), data


def _tip(path: Path, ref: str) -> str:
    """The commit (or tag) a branch, a tag or HEAD names. Raises AppError(NOT_FOUND)."""
    if ref:
        names = [f"refs/heads/{ref}", f"refs/tags/{ref}"]
    else:
        head = _plain(path / "HEAD")
        if _HEX.fullmatch(head):
            return head
        names = [head.removeprefix("ref:").strip()]
    packed = _packed(path)
    for name in names:
        if pygit2.reference_is_valid_name(name):
            found = _plain(path / name) or packed.get(name, "")
            if _HEX.fullmatch(found):
                return found
    text = f"{path} has no branch or tag {ref!r}." if ref else f"{path} has no commit yet, or keeps its branches in a"
    tail = " Name one that is there." if ref else " form that is not read here. Clone it and import the folder."
    raise AppError(Kind.NOT_FOUND, "No such branch", text + tail)


def _plain(path: Path) -> str:
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGEST_REF:
            return ""
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""  # a reference that cannot be read is told as one that is not there


def _packed(path: Path) -> dict[str, str]:
    rows = (line.partition(" ") for line in _plain(path / "packed-refs").splitlines() if line[:1] not in "#^")
    return {name.strip(): commit for commit, _, name in rows}


def _checked(name: str, prefix: str) -> str:
    if name in ("", ".", "..") or any(char in name for char in "/\\\0"):
        text = f"The name {name!r} in {prefix or 'its top folder'} could leave the folder. Nothing of it is imported."
        raise AppError(Kind.INVALID, "This repository is not imported", text)
    return name


def _damaged(name: str, error: Exception) -> AppError:
    text = f"The object {name} is missing or damaged. Fetch or clone the repository again."
    return AppError(Kind.CORRUPT, "The repository is damaged", text, detail=str(error))


def _unreadable(path: Path, error: Exception) -> AppError:
    text = f"{path} cannot be read as a git repository. Clone it and import the folder."
    return AppError(Kind.CORRUPT, "The repository cannot be read", text, detail=str(error))
