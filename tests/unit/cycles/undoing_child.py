"""A process that undoes one entry and kills itself at a chosen line of the program; started by a test.

Arguments: home, entry, line. With line 0 it runs to its end and prints how many lines there were.
"""

import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from app.clock import fixed_clock
from app.cycles.home import OpenHome, home_key
from app.cycles.library import undo_entry

#: Later than any file the test writes.
_NOW = datetime(2100, 6, 1, 12, tzinfo=UTC)
_WATCHED = tuple(
    f"/app/{name}"
    for name in (
        "files.py", "skills/undo.py", "skills/edit.py", "skills/journal.py", "skills/carry.py", "skills/moving.py",
        "skills/usage.py", "skills/outside.py", "history/store.py", "history/refs.py", "history/objects.py",
    )
)  # fmt: skip


def main() -> None:
    home, entry, fatal = OpenHome(home_key(Path(sys.argv[1]), fixed_clock(_NOW))), sys.argv[2], int(sys.argv[3])
    home.library()
    lines = 0

    def watch(frame: FrameType, event: str, argument: object) -> object:
        nonlocal lines
        if not frame.f_code.co_filename.endswith(_WATCHED):
            return None
        if event == "line":
            lines += 1
            if lines == fatal:
                os.kill(os.getpid(), signal.SIGKILL)
        return watch

    sys.settrace(watch)
    undone = undo_entry(home, entry)
    sys.settrace(None)
    print(lines, undone.entry)
    home.close()


if __name__ == "__main__":
    main()
