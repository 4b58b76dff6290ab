"""Opens a source, whatever it is, and reads its skills into memory: nothing of it is written into the library."""

import secrets
import shutil
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.cancel import CancelToken
from app.errors import AppError, Kind
from app.exchange.fetch import fetch
from app.exchange.folders import hidden_folders, read_folder_packs
from app.exchange.git_tree import GitTree
from app.exchange.limits import Limits
from app.exchange.packs import read_packs
from app.exchange.values import Contents, Hidden, Location, Pack, Progress, SourceKind
from app.exchange.zips import open_zip

_LEFT_BEHIND_S = 86_400
_FETCHED = "import"
_NAMED = 5


def read_source(
    location: Location, quarantine: Path, limits: Limits, token: CancelToken
) -> Generator[Progress, None, Contents]:
    """Read every skill of a source. What has to be fetched goes into a folder of `quarantine` that is removed again.

    Yields the progress. Raises AppError with the reason when it is not taken, Cancelled when the token is set.
    """
    yield Progress(f"Reading {location.text}")
    commit = ""
    hidden: tuple[Hidden, ...] = ()
    if location.kind is SourceKind.FOLDER:
        folder = Path(location.place) / location.inside
        packs = read_folder_packs(folder, limits, token)
        hidden = hidden_folders(folder, token)
    elif location.kind is SourceKind.ZIP:
        place = Path(location.place)
        with open_zip(place, limits) as items:
            packs = read_packs(items, place.stem, limits, token, location.inside)
    elif location.remote:
        with quarantined(quarantine) as room:
            into = room / "repository.git"
            yield from fetch(location, into, limits, token)
            packs, commit = _read_git(into, _FETCHED, location, limits, token)
    else:
        packs, commit = _read_git(Path(location.place), location.ref, location, limits, token)
    if not packs:
        text = f"{location.text} holds no folder with a SKILL.md. Name the folder, archive or repository that does."
        if hidden:
            seen = ", ".join(one.text for one in hidden[:_NAMED])
            text = f"{location.text} holds skills only in folders that are not looked into: {seen}. Name one of these."
        raise AppError(Kind.NOT_FOUND, "No skills there", text)
    return Contents(location, packs, commit, hidden)


@contextmanager
def quarantined(quarantine: Path) -> Iterator[Path]:
    """A new folder in the quarantine, removed at the end; what a killed program left there for a day goes, too."""
    quarantine.mkdir(parents=True, exist_ok=True)
    for left in quarantine.iterdir():
        if time.time() - left.lstat().st_mtime > _LEFT_BEHIND_S:
            shutil.rmtree(left, ignore_errors=True)
    room = quarantine / secrets.token_hex(8)
    room.mkdir(mode=0o700)
    try:
        yield room
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _read_git(
    folder: Path, ref: str, location: Location, limits: Limits, token: CancelToken
) -> tuple[tuple[Pack, ...], str]:
    tree = GitTree(folder, ref)
    own_name = location.place.rstrip("/").rpartition("/")[2].removesuffix(".git")
    packs = read_packs(tree.items(limits, token), own_name, limits, token, location.inside)
    return packs, tree.commit
