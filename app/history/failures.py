"""What to tell when the repository cannot be written or lacks an object: the full disk, or the object, by name."""

import errno
import shutil
from pathlib import Path

from app.errors import AppError, Kind

#: With less room than this, whatever libgit2 says of a failed write is said of a full disk.
_FULL_BELOW = 1_000_000


def unwritable(path: Path, error: Exception) -> AppError:
    """The error for a write into the repository at `path` that failed: a full disk, a lost object, or another reason.

    libgit2 reports a full disk under many names ("failed to find pack entry" among them, when it misses what it could
    not write a moment ago), so the disk itself is asked.
    """
    detail = str(error)
    free = _free(path)
    if _is_full(error) or (free is not None and free < _FULL_BELOW):
        room = "" if free is None else f" ({free // 1000} kB free)"
        text = f"The disk that holds {path} is full{room}. Free space there, then try again."
        return AppError(Kind.STORAGE, "Nothing was recorded", text, detail=detail)
    if isinstance(error, KeyError) or "not found" in detail or "pack entry" in detail:
        return AppError(Kind.CORRUPT, "Nothing was recorded", f"{lost(path, detail)} Then try again.", detail=detail)
    text = f"{path} cannot be written ({error}). Free space or change the permissions, then try again."
    return AppError(Kind.STORAGE, "Nothing was recorded", text, detail=detail)


def lost(path: Path, what: str) -> str:
    """The sentences about an object that the repository at `path` lacks, and where to get it."""
    return f"An object is missing or damaged in {path} ({what}). Put a backup's copy of that folder's objects back."


def never_arrived() -> OSError:
    """The error for a write that libgit2 called done and that left nothing on the disk (seen on full disks)."""
    return OSError(errno.EIO, "what was written is not there")


def _is_full(error: Exception) -> bool:
    full = {errno.ENOSPC, errno.EDQUOT}
    return (isinstance(error, OSError) and error.errno in full) or "No space left" in str(error)


def _free(path: Path) -> int | None:
    try:
        return shutil.disk_usage(path).free
    except OSError:
        return None  # the folder itself is gone or closed: the error at hand says more
