"""The program's log: a rotating file in the home with secrets masked, and the last lines in memory for a bug report."""

import collections
import logging
import logging.handlers
from pathlib import Path

from app.redact import redact

_FORMAT = "%(asctime)s %(levelname)-7s %(threadName)s %(name)s: %(message)s"


class _Redacting(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class RecentLines(logging.Handler):
    """Keeps the last lines in memory, for the dialog that reports a bug."""

    def __init__(self, size: int = 200) -> None:
        super().__init__()
        self.lines: collections.deque[str] = collections.deque(maxlen=size)
        self.setFormatter(_Redacting(_FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        """Remember one line."""
        self.lines.append(self.format(record))


def start_log(folder: Path, *, debug: bool = False) -> RecentLines:
    """Send the log of the whole program to `folder/melete.log` (1 MB, three kept) and to memory.

    A folder that cannot be written leaves the log in memory only. Returns the in-memory lines.
    """
    root = logging.getLogger()
    root.setLevel(logging.DEBUG if debug else logging.INFO)
    recent = RecentLines()
    root.addHandler(recent)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = logging.handlers.RotatingFileHandler(
            folder / "melete.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8", errors="backslashreplace"
        )
    except OSError:
        logging.getLogger(__name__).info("the log folder cannot be written; the log is kept in memory")
        return recent
    file.setFormatter(_Redacting(_FORMAT))
    root.addHandler(file)
    return recent


def stop_log() -> None:
    """Flush, close and remove what start_log added."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler, RecentLines | logging.handlers.RotatingFileHandler):
            root.removeHandler(handler)
            handler.close()
