"""Which turns are under way, in any process: so that what a killed one left can be told from what still runs."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from app.errors import AppError, Kind
from app.paths import Home

#: In the home itself, not below its library: that may be away.
_PREFIX = "melete.turn-"
_WAIT_S = 0.5


@contextmanager
def turn_running(home: Home, session: str) -> Iterator[None]:
    """Say that this process answers in a session while the block runs.

    Raises AppError(BUSY) when another one does: two answers at once would tear the conversation's order;
    AppError(STORAGE) when the home cannot be written.
    """
    name = hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    path = home.root / f"{_PREFIX}{name}.lock"
    lock = FileLock(path, thread_local=False)
    try:
        lock.acquire(timeout=_WAIT_S)
    except Timeout:
        text = "Another Melete is answering in it now. Wait until it has finished, then send your message again."
        raise AppError(Kind.BUSY, "This conversation is busy", text) from None
    except OSError as error:
        text = f"{path} cannot be written: {error.strerror or error}. Make the folder writable and send again."
        raise AppError(Kind.STORAGE, "The home is not writable", text) from error
    try:
        yield
    finally:
        _remove(path, lock)


def any_turn_running(home: Home) -> bool:
    """Whether a process answers somewhere in this home; marks that ended processes left are removed."""
    for path in home.root.glob(f"{_PREFIX}*.lock"):
        lock = FileLock(path)
        try:
            lock.acquire(timeout=0)
        except (Timeout, OSError):
            return True
        _remove(path, lock)
    return False


def _remove(path: Path, lock: FileLock) -> None:
    with suppress(OSError):  # a system that keeps open files keeps this one too; the next look removes it
        path.unlink(missing_ok=True)
    lock.release()
