"""A process that approves one proposal and kills itself at a chosen line of the program; started by a test.

Arguments: home, proposal, line. With line 0 it runs to its end and prints how many lines there were.
"""

import sys
from pathlib import Path

from app.clock import system_clock
from app.history.store import History
from app.locks import HomeLock
from app.memory.manager import MemoryWriter
from app.paths import Home
from app.proposals.apply import Approval, seen_by_name
from app.proposals.store import ProposalStore
from app.settings import MemorySettings, Settings
from app.skills.live import LivePlace
from tests.fakes.killing import killed_at

_WATCHED = (
    "files.py", "proposals/apply.py", "proposals/store.py", "skills/journal.py", "skills/carry.py",
    "skills/moving.py", "skills/usage.py", "history/store.py", "history/refs.py", "history/objects.py",
)  # fmt: skip


def main() -> None:
    home, proposal, fatal = Home(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3])
    history, lock = History(home.history, system_clock), HomeLock(home.lock)
    store = ProposalStore(history, system_clock, lock)
    live = LivePlace(home, history, lock, Settings(), system_clock)
    memory = MemoryWriter(home, history, lock, MemorySettings(), system_clock)
    approval = Approval(store, live, system_clock, memory)
    seen = seen_by_name(store.get(proposal))
    with killed_at(fatal, _WATCHED) as lines:
        outcome = approval.approve(proposal, seen=seen, everything=True)
    print(lines(), ",".join(outcome.applied))


if __name__ == "__main__":
    main()
