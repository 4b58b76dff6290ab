"""Git trees as bytes: encoding, decoding and naming them without the name checks of libgit2.

libgit2 refuses names such as `.git` or `git~1` in its index and its tree builder, because a checkout of them would be
dangerous. Nothing here is ever checked out, and a skill with such a file must still be recorded, so trees are written
as the plain bytes the format prescribes (mode, space, name, NUL, 20 bytes of id; sorted as if folders ended in `/`).
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from app.errors import AppError, Kind
from app.history.values import Blob, BlobKind, Snapshot

#: The id of the tree without entries, the same in every repository.
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

TREE_MODE = "40000"
_MODES = {BlobKind.FILE: "100644", BlobKind.EXECUTABLE: "100755", BlobKind.LINK: "120000"}
_KINDS = {mode: kind for kind, mode in _MODES.items()} | {"100664": BlobKind.FILE}


@dataclass(frozen=True, slots=True)
class TreeItem:
    """One entry of a tree: its mode as git writes it and the hex id of what it names."""

    mode: str
    id: str

    @property
    def is_tree(self) -> bool:
        """Whether the entry is a folder."""
        return self.mode == TREE_MODE

    @property
    def kind(self) -> BlobKind:
        """What sort of file the entry is."""
        return _KINDS.get(self.mode, BlobKind.FILE)


#: A decoded tree: name to entry.
Items = dict[str, TreeItem]


def file_item(kind: BlobKind, blob_id: str) -> TreeItem:
    """The entry of a file."""
    return TreeItem(_MODES[kind], blob_id)


def encode_tree(items: Mapping[str, TreeItem]) -> bytes:
    """The bytes of a tree with these entries."""
    rows = []
    for name, item in items.items():
        raw = name_bytes(name)
        rows.append((raw + b"/" if item.is_tree else raw, item.mode.encode() + b" " + raw + b"\0", item.id))
    rows.sort(key=lambda row: row[0])
    return b"".join(head + bytes.fromhex(hex_id) for _, head, hex_id in rows)


def decode_tree(data: bytes) -> Items:
    """The entries of a tree from its bytes."""
    items: Items = {}
    start, end = 0, len(data)
    while start < end:
        space = data.index(b" ", start)
        null = data.index(b"\0", space)
        name = data[space + 1 : null].decode("utf-8", "surrogateescape")
        items[name] = TreeItem(data[start:space].decode("ascii"), data[null + 1 : null + 21].hex())
        start = null + 21
    return items


def name_bytes(name: str) -> bytes:
    """A file name as the file system has it; names that are not UTF-8 arrive as surrogate escapes."""
    return name.encode("utf-8", "surrogateescape")


def blob_id(data: bytes) -> str:
    """The id git gives to these bytes as a file."""
    return _object_id(b"blob", data)


def tree_id(data: bytes) -> str:
    """The id git gives to these bytes as a tree."""
    return _object_id(b"tree", data)


def nested(files: Snapshot) -> dict[str, object]:
    """A flat snapshot as nested dictionaries (name to Blob or dictionary).

    Raises AppError(INVALID) when a path is empty, leaves the folder, or names both a file and a folder.
    """
    root: dict[str, object] = {}
    for path, blob in files.items():
        here = root
        parts = path.split("/")
        if any(part in {"", ".", ".."} or "\0" in part for part in parts):
            raise AppError(Kind.INVALID, "Unsafe path", f"{path!r} is not a path inside the folder.")
        for part in parts[:-1]:
            below = here.setdefault(part, {})
            if not isinstance(below, dict):
                raise _both(path)
            here = below
        if parts[-1] in here:
            raise _both(path)
        here[parts[-1]] = blob
    return root


def hash_files(files: Snapshot) -> str:
    """The id of the tree these files make, computed without storing anything."""
    return _hash(nested(files))


def _hash(node: Mapping[str, object]) -> str:
    items: Items = {}
    for name, value in node.items():
        if isinstance(value, Blob):
            items[name] = file_item(value.kind, blob_id(value.data))
        elif isinstance(value, dict):
            items[name] = TreeItem(TREE_MODE, _hash(value))
    return tree_id(encode_tree(items))


def _object_id(kind: bytes, data: bytes) -> str:
    # SHA-1 names objects here, as git defines it; it is not a signature.
    return hashlib.sha1(kind + b" %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _both(path: str) -> AppError:
    text = f"{path!r} would be a file and a folder at once. Give one of them another name."
    return AppError(Kind.INVALID, "Two things with one name", text)
