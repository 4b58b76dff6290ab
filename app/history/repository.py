"""Opening the bare repository that keeps the content history: objects only, no work tree, no foreign settings."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pygit2
from pygit2.enums import ConfigLevel, Option

from app.errors import AppError, Kind
from app.files import flush_disks, flushed_at_once

BRANCH = "refs/heads/main"


def open_repository(path: Path) -> pygit2.Repository:
    """Open or create the repository at `path`.

    The user's and the system's git settings are not read, the owner of the folder is not checked (homes are moved
    between machines and accounts), objects are fsynced. Raises AppError(CORRUPT) when the folder is no repository,
    AppError(STORAGE) when permission is missing.
    """
    shut_out_settings()
    try:
        if not (path / "HEAD").is_file():
            path.mkdir(parents=True, exist_ok=True)
            pygit2.init_repository(path, bare=True, initial_head="main")
        return pygit2.Repository(str(path))
    except PermissionError as error:
        text = f"{error.filename or path} cannot be used: {error.strerror}. Change its permissions and try again."
        raise AppError(Kind.STORAGE, "The history cannot be read", text) from error
    except (pygit2.GitError, OSError) as error:
        text = f"{path} cannot be opened ({error}). Move it away to start a new history; the skills are not touched."
        raise AppError(Kind.CORRUPT, "The history cannot be read", text, detail=str(error)) from error


@contextlib.contextmanager
def synced_once(objects: int) -> Iterator[None]:
    """Write very many objects with one flush of the disk at the end instead of one for each.

    The caller records them only afterwards, so a crash in between loses nothing that was promised. The switch is the
    library's own and global: the home lock keeps other writers out.
    """
    if not flushed_at_once(objects):
        yield
        return
    pygit2.option(Option.ENABLE_FSYNC_GITDIR, False)
    try:
        yield
        flush_disks()
    finally:
        pygit2.option(Option.ENABLE_FSYNC_GITDIR, True)


def remove_locks(path: Path) -> tuple[str, ...]:
    """Remove `*.lock` files a killed process left; the caller holds the home lock. Returns their names."""
    found = []
    for pattern in ("*.lock", "refs/**/*.lock"):
        for left in path.glob(pattern):
            with contextlib.suppress(FileNotFoundError):
                left.unlink()
                found.append(left.name)
    return tuple(found)


def shut_out_settings() -> None:
    """Let no git settings of the user or the system count in this process, and flush what is written."""
    for level in (ConfigLevel.PROGRAMDATA, ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL):
        # An empty path; the library reads None as "the default again".
        pygit2.settings.search_path[level] = ""
    pygit2.option(Option.SET_OWNER_VALIDATION, False)
    pygit2.option(Option.ENABLE_FSYNC_GITDIR, True)
