"""The category folders an import makes: noted in its entry, and taken away again when it is undone."""

from collections.abc import Iterable
from typing import Any

from app.cycles.home import OpenHome
from app.files import remove_empty_below
from app.history.values import Record

_MADE = "folders"


def folders_to_make(open_home: OpenHome, ids: Iterable[str]) -> dict[str, Any]:
    """What the entry says of the category folders (POSIX, below the library) that have to be made for these ids."""
    wanted = {"/".join(parts[:count]) for parts in (i.split("/") for i in ids) for count in range(1, len(parts))}
    made = sorted(folder for folder in wanted if not (open_home.home.skills / folder).exists())
    return {_MADE: made} if made else {}


def drop_made_folders(open_home: OpenHome, record: Record) -> None:
    """After an import was undone: the folders it made go again, unless something stands in them.

    Raises AppError(BUSY) when another process writes.
    """
    made = record.detail.get(_MADE)
    folders = [item for item in made if isinstance(item, str)] if isinstance(made, list) else []
    if folders:
        with open_home.lock.hold("removing empty folders"):
            for folder in sorted(folders, reverse=True):  # what lies below comes first
                remove_empty_below(open_home.home.skills, folder)
