"""Three-way merge of one folder, file by file, without rename detection.

Renames are never guessed: with detection a fresh edit can slide silently into an archived copy. One side editing what
the other deleted is always a conflict. Attributes are never asked, so a skill's own `.gitattributes` decides nothing.
"""

from collections.abc import Iterable

import pygit2
from pygit2.enums import FileMode, MergeFavor, MergeFlag

from app.history.objects import Objects
from app.history.values import Blob, BlobKind, Conflict, Merge, Side, Snapshot


def merge_files(
    repository: pygit2.Repository,
    store: Objects,
    base: Snapshot,
    ours: Snapshot,
    theirs: Snapshot,
    favour: Side | None = None,
) -> Merge:
    """Merge what `ours` and `theirs` made of `base`.

    A conflict in a text leaves the usual marks in `files`; a conflict of other sorts leaves our side there, or theirs
    where ours is gone. With `favour` that side wins wherever both changed the same place, and nothing conflicts but a
    file in the way of a folder.
    """
    files: dict[str, Blob] = {}
    conflicts: list[Conflict] = []
    for path in sorted(_paths(base, ours, theirs)):
        old, mine, yours = base.get(path), ours.get(path), theirs.get(path)
        if mine == yours or yours == old:
            merged, clean = mine, True
        elif mine == old:
            merged, clean = yours, True
        else:
            merged, clean = _both_changed(repository, store, old, mine, yours)
            if favour is not None and not clean:
                merged, clean = _favoured(repository, store, old, mine, yours, favour), True
        if merged is not None:
            files[path] = merged
        if not clean:
            conflicts.append(Conflict(path, _data(old), _data(mine), _data(yours)))
    conflicts.extend(_standing_in_the_way(files))
    return Merge(files, tuple(conflicts))


def _paths(*sides: Iterable[str]) -> set[str]:
    return {path for side in sides for path in side}


def _data(blob: Blob | None) -> bytes | None:
    return None if blob is None else blob.data


def _both_changed(
    repository: pygit2.Repository, store: Objects, old: Blob | None, mine: Blob | None, yours: Blob | None
) -> tuple[Blob | None, bool]:
    if mine is None or yours is None:
        return mine or yours, False
    kind, kind_clean = _kind(old, mine, yours)
    if mine.data == yours.data:
        return Blob(mine.data, kind), kind_clean
    if old is not None and mine.data == old.data:
        return Blob(yours.data, kind), kind_clean
    if old is not None and yours.data == old.data:
        return Blob(mine.data, kind), kind_clean
    if not all(_is_text(side) for side in (old, mine, yours) if side is not None):
        return mine, False
    result = repository.merge_file_from_index(*(_entry(store, side) for side in (old, mine, yours)))
    return Blob(result.contents.encode("utf-8"), kind), result.automergeable and kind_clean


def _favoured(
    repository: pygit2.Repository, store: Objects, old: Blob | None, mine: Blob | None, yours: Blob | None, side: Side
) -> Blob | None:
    """One file with this side's words wherever both changed the same place; whole where it is no text on both sides."""
    winner = mine if side is Side.OURS else yours
    if old is None or mine is None or yours is None or not all(_is_text(one) for one in (old, mine, yours)):
        return winner
    trees = [repository[store.write_files({"file": Blob(one.data)})].peel(pygit2.Tree) for one in (old, mine, yours)]
    favour = MergeFavor.OURS if side is Side.OURS else MergeFavor.THEIRS
    index = repository.merge_trees(*trees, favor=favour, flags=MergeFlag(0))
    data = bytes(repository[index["file"].id].peel(pygit2.Blob).data)
    return Blob(data, winner.kind if winner is not None else mine.kind)


def _kind(old: Blob | None, mine: Blob, yours: Blob) -> tuple[BlobKind, bool]:
    if mine.kind is yours.kind or (old is not None and yours.kind is old.kind):
        return mine.kind, True
    if old is not None and mine.kind is old.kind:
        return yours.kind, True
    return mine.kind, False


def _is_text(blob: Blob) -> bool:
    if blob.kind is BlobKind.LINK or b"\0" in blob.data:
        return False
    try:
        blob.data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _entry(store: Objects, blob: Blob | None) -> pygit2.IndexEntry | None:
    if blob is None:
        return None
    # The path only labels conflict marks; real names may be ones libgit2 refuses.
    return pygit2.IndexEntry("file", pygit2.Oid(hex=store.write_blob(blob.data)), FileMode.BLOB)


def _standing_in_the_way(files: dict[str, Blob]) -> list[Conflict]:
    """One side made a file where the other made a folder: drop the file from the result and report it."""
    folders = {path[:cut] for path in files for cut, char in enumerate(path) if char == "/"}
    clashes = sorted(folders & files.keys())
    return [Conflict(path, None, files.pop(path).data, None) for path in clashes]
