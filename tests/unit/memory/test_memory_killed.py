"""A writer killed at any moment leaves whole files, and every entry under its true author."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from app.history.values import Origin
from app.memory.values import MemoryBy, Target

_WRITE = """
import itertools, sys
from pathlib import Path
from app.clock import system_clock
from app.history.store import History
from app.history.values import Origin
from app.locks import HomeLock
from app.memory.manager import MemoryWriter
from app.memory.values import MemoryBy, Target
from app.paths import Home
from app.settings import MemorySettings
home = Home(Path(sys.argv[1]))
history = History(home.history, system_clock)
writer = MemoryWriter(home, history, HomeLock(home.lock, 30), MemorySettings(), system_clock)
by = MemoryBy(Origin.REVIEW)
print("ready", flush=True)
for count in itertools.count():
    print("start", f"run {sys.argv[2]} fact {count}.", flush=True)
    assert writer.add(Target.MEMORY, f"run {sys.argv[2]} fact {count}.", by).ok
    print("done", f"run {sys.argv[2]} fact {count}.", flush=True)
    if count >= 2:
        assert writer.remove(Target.MEMORY, f"run {sys.argv[2]} fact {count - 2}.", by).ok
"""


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_killed_at_many_moments_nothing_is_lost_or_wrongly_signed(desk):
    chance = random.Random(7)
    for run in range(40):
        command = [sys.executable, "-c", _WRITE, str(desk.home.root), str(run)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3])
        assert process.stdout.readline() == "ready\n"
        try:
            process.wait(chance.uniform(0.0, 0.25))
        except subprocess.TimeoutExpired:
            process.kill()
        said = process.communicate()[0].splitlines()
        stored = [line.removeprefix("done ") for line in said if line.startswith("done ")]
        desk.writer.observe_outside()
        texts = desk.texts()
        assert [text for text in stored[-2:] if text not in texts] == []
        origins = {entry.record.origin for entry in desk.history.entries()}
        assert origins <= {Origin.REVIEW, Origin.USER}
        assert desk.history.snapshot("memories/MEMORY.md")[""].data == desk.path().read_bytes()
        for entry in desk.view(Target.MEMORY).entries:
            assert entry.origin is Origin.REVIEW
            assert desk.writer.remove(Target.MEMORY, entry.text, MemoryBy(Origin.USER)).ok
