"""Keeping the history small: loose objects are packed, the pack is read back, and only then the loose ones go.

Trees of a flat library of 5,000 skills cost about 121 KB an entry while loose, and a few hundred bytes in a pack.
"""

import contextlib
import hashlib
import shutil
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from app.errors import AppError, Kind
from app.files import fsync_folder

#: About 500 entries at four or more objects each.
DUE_AT = 2000
_MOST_PACKS = 8
_NAMES = {ObjectType.BLOB: b"blob", ObjectType.TREE: b"tree", ObjectType.COMMIT: b"commit", ObjectType.TAG: b"tag"}


def loose_objects(path: Path) -> dict[str, Path]:
    """Every loose object of the repository at `path`, by id."""
    return {
        folder.name + file.name: file
        for folder in (path / "objects").glob("[0-9a-f][0-9a-f]")
        for file in folder.iterdir()
        if len(file.name) == 38
    }


def pack_objects(repository: pygit2.Repository, path: Path) -> int:
    """Pack all loose objects, and all older packs once there are many; returns how many objects were packed.

    The caller holds the home lock. Raises AppError(CORRUPT) and removes nothing when the new pack does not give back
    every object.
    """
    loose = loose_objects(path)
    if not loose:
        return 0
    packs = path / "objects" / "pack"
    old_packs = sorted(packs.glob("*.pack"))
    whole = len(old_packs) >= _MOST_PACKS
    wanted = {str(oid) for oid in repository.odb} if whole else set(loose)
    fresh = path / "objects" / "fresh"
    shutil.rmtree(fresh, ignore_errors=True)
    (fresh / "pack").mkdir(parents=True)
    _write_pack(repository, fresh / "pack", wanted)
    _verify(fresh, wanted)
    made = {file.name for file in (fresh / "pack").iterdir()}
    # The index comes last: a pack without one is not looked at.
    for name in sorted(made, key=lambda name: name.endswith(".idx")):
        (fresh / "pack" / name).replace(packs / name)
    fsync_folder(packs)
    shutil.rmtree(fresh)
    for file in loose.values():
        with contextlib.suppress(FileNotFoundError):
            file.unlink()
    for pack in old_packs if whole else ():
        if pack.name not in made:
            pack.with_suffix(".idx").unlink(missing_ok=True)
            pack.unlink(missing_ok=True)
    return len(wanted)


def _write_pack(repository: pygit2.Repository, folder: Path, wanted: set[str]) -> None:
    builder = pygit2.PackBuilder(repository)
    for name in sorted(wanted):
        builder.add(pygit2.Oid(hex=name))
    builder.write(folder)


def _verify(objects: Path, wanted: set[str]) -> None:
    """Read every object back from the packs below `objects` alone."""
    odb = pygit2.Odb()
    odb.add_backend(pygit2.OdbBackendPack(str(objects)), 1)
    for name in wanted:
        try:
            kind, data = odb.read(pygit2.Oid(hex=name))
        except (KeyError, pygit2.GitError) as error:
            raise _damaged(name) from error
        head = _NAMES[ObjectType(kind)] + b" %d\0" % len(data)
        if hashlib.sha1(head + data, usedforsecurity=False).hexdigest() != name:
            raise _damaged(name)


def _damaged(name: str) -> AppError:
    text = f"The new pack does not give back {name}. Nothing was removed; check the disk."
    return AppError(Kind.CORRUPT, "Packing the history failed", text)
