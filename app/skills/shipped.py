"""Tells whether a shipped skill still is what was shipped, by the content hash in `.bundled_manifest`."""

from pathlib import Path

from app.errors import AppError
from app.history.trees import hash_files
from app.history.walk import read_folder

#: Files over this size are left out of the hash, as they are when a skill is seeded.
_LIMIT = 2_000_000
_HASH_LENGTH = 40


def is_changed(folder: Path, shipped: str) -> bool:
    """Whether the folder's content differs from what was shipped.

    False when that cannot be told: the hash is of another program's making, or the folder cannot be read.
    """
    if len(shipped) != _HASH_LENGTH:
        return False
    try:
        return hash_files(read_folder(folder, limit=_LIMIT).files) != shipped
    except AppError:
        return False
