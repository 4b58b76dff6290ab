"""A process that undoes one entry and kills itself at a chosen line of the program; started by a test.

Arguments: home, entry, line. With line 0 it runs to its end and prints how many lines there were.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

from app.clock import fixed_clock
from app.cycles.home import OpenHome, home_key
from app.cycles.library import undo_entry
from tests.fakes.killing import killed_at

#: Later than any file the test writes.
_NOW = datetime(2100, 6, 1, 12, tzinfo=UTC)
_WATCHED = (
    "files.py", "skills/undo.py", "skills/edit.py", "skills/journal.py", "skills/carry.py", "skills/moving.py",
    "skills/usage.py", "skills/outside.py", "skills/outside_records.py", "history/store.py", "history/refs.py",
    "history/objects.py",
)  # fmt: skip


def main() -> None:
    home, entry, fatal = OpenHome(home_key(Path(sys.argv[1]), fixed_clock(_NOW))), sys.argv[2], int(sys.argv[3])
    home.library()
    with killed_at(fatal, _WATCHED) as lines:
        undone = undo_entry(home, entry)
    print(lines(), undone.entry)
    home.close()


if __name__ == "__main__":
    main()
