"""One writer per home: a lock across processes and threads that can say who holds it."""

import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from app.errors import AppError, Kind


class HomeLock:
    """The home's write lock. Re-entrant within a thread; one object per home and process, shared by its lanes."""

    def __init__(self, path: Path, timeout: float = 10.0) -> None:
        self._path = path
        self._timeout = timeout
        self._threads = threading.RLock()
        self._file = FileLock(path, thread_local=False)
        self._depth = 0

    @contextmanager
    def hold(self, purpose: str, timeout: float | None = None) -> Iterator[None]:
        """Hold the lock while the block runs.

        Raises AppError(BUSY) with the holder's purpose and process when it cannot be had in time, AppError(STORAGE)
        when the lock file cannot be written.
        """
        limit = self._timeout if timeout is None else timeout
        end = time.monotonic() + limit
        if not self._threads.acquire(timeout=limit):
            raise self._busy()
        try:
            self._enter(purpose, max(0.0, end - time.monotonic()))
            try:
                yield
            finally:
                self._leave()
        finally:
            self._threads.release()

    def holder(self) -> str:
        """Who holds the lock, in words; empty when nobody said."""
        try:
            note = json.loads(self._note.read_text(encoding="utf-8"))
            return f"process {note['pid']} ({note['purpose']})"
        except (OSError, ValueError, KeyError, TypeError):
            return ""

    @property
    def _note(self) -> Path:
        return self._path.with_name(self._path.name + ".holder")

    def _enter(self, purpose: str, limit: float) -> None:
        if self._depth == 0:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file.acquire(timeout=limit)
            except Timeout:
                raise self._busy() from None
            except (OSError, RuntimeError) as error:
                # filelock raises a kind of RuntimeError on a file system that has no locks at all.
                why = getattr(error, "strerror", None) or error
                text = f"The lock {self._path} cannot be used: {why}. Make the folder writable and try again."
                raise AppError(Kind.STORAGE, "The home is not writable", text) from error
            self._write_note(purpose)
        self._depth += 1

    def _leave(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._note.unlink(missing_ok=True)
            self._file.release()

    def _write_note(self, purpose: str) -> None:
        # Only information for a waiting process: a home where it cannot be written still works.
        try:
            self._note.write_text(json.dumps({"pid": os.getpid(), "purpose": purpose}), encoding="utf-8")
        except OSError:
            self._note.unlink(missing_ok=True)

    def _busy(self) -> AppError:
        who = self.holder() or "another process"
        text = f"{who} is writing to this home. Try again when it has finished."
        return AppError(Kind.BUSY, "The home is busy", text[0].upper() + text[1:])
