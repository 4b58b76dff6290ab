"""Killed anywhere while undoing an approved merge: after the next start it is taken back whole or not at all."""

import random
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.clock import fixed_clock
from app.cycles import approval
from app.cycles.home import OpenHome, home_key
from app.cycles.library import undo_entry
from app.cycles.start import start_home
from app.history.values import Origin
from app.providers.scripted import says
from app.skills.values import Action, Request, Writer

CHILD = Path(__file__).with_name("undoing_child.py")
ROOT = Path(__file__).parents[3]
NOW = datetime(2100, 6, 1, 12, tzinfo=UTC)
LINES = "first\nsecond\nthird\nfourth\nfifth\nsixth"
Shape = tuple[Any, ...]


def run_child(home: Path, entry: str, line: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CHILD), str(home), entry, str(line)]
    return subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=50)


def reopened(root: Path) -> OpenHome:
    return OpenHome(home_key(root, fixed_clock(NOW)))


def shape(home: OpenHome) -> Shape:
    """All that an undo changes, but the times: content, rows, counters, forwards, and files that git does not hold."""
    library = home.library()
    rows = {s.id: (s.state, s.managed, s.usage.uses) for s in library.skills}
    folders = {path.relative_to(home.home.skills).as_posix() for path in home.home.skills.rglob("__pycache__/x")}
    return home.history.contents(), rows, {name: f.into for name, f in library.forwards.items()}, folders


@pytest.fixture
def merged(curated: Any, tmp_path: Path) -> Any:
    """A home with a merge of two skills into an umbrella that was edited after it; the entry; how both states look;
    how many lines an undo takes.
    """
    curated.add("net", LINES)
    for name in ("net-route", "net-port"):
        curated.add(name, f"- Look at {name}.")
        (curated.root / "skills" / name / "__pycache__").mkdir()
        (curated.root / "skills" / name / "__pycache__" / "x").write_text("kept")
    home = curated.open()
    new = "sixth\n- Look at net-route.\n- Look at net-port."
    edited = {"action": "patch", "name": "net", "old_string": "sixth", "new_string": new, "reason": "takes both in"}
    report = curated.run(
        curated.views("net", "net-route", "net-port"),
        curated.manages(edited, curated.deletes("net-route", "net"), curated.deletes("net-port", "net")),
        says("Done."),
        home=home,
    )
    approval.show(home, report.proposals[0])
    (entry,) = approval.approve_named(home, report.proposals[0], everything=True).entries
    assert home.door.do(Request(Action.PATCH, "net", old="second", new="2nd"), Writer(Origin.USER)).ok
    applied = shape(home)
    home.close()
    shutil.copytree(curated.root, tmp_path / "whole")
    done = run_child(tmp_path / "whole", entry, 0)
    assert done.returncode == 0, done.stderr
    whole = reopened(tmp_path / "whole")
    undone = shape(whole)
    whole.close()
    assert undone[1].keys() == {"net", "net-route", "net-port"}
    assert undone != applied
    return curated.root, entry, (applied, undone), int(done.stdout.split()[0])


def taken_back_after_kill(merged: Any, target: Path, line: int) -> bool:
    """Kill the undo at a line, start again; whether the merge is taken back by then, which has to be whole or not."""
    source, entry, states, _lines = merged
    shutil.copytree(source, target, symlinks=True)
    killed = run_child(target, entry, line)
    # Runs differ by some lines, so one near the end may never be reached.
    assert killed.returncode in {-9, 0}, (line, killed.stderr)
    again = reopened(target)
    assert start_home(again) == (), line
    undos = [found for found in again.history.entries() if found.record.action == "undo"]
    assert shape(again) == states[len(undos)], line
    assert all((one.record.origin, one.record.detail["undoes"]) == (Origin.USER, entry) for one in undos)
    assert again.history.entries(limit=1)[0].record.origin is Origin.USER, line  # nothing that looks like a stranger's
    assert not again.live.journal.waiting()
    assert not list((again.home.journal / "stage").glob("*"))
    if not undos:
        assert undo_entry(again, entry).entry
        assert shape(again) == states[1], line
    again.close()
    shutil.rmtree(target)
    return bool(undos)


def test_an_undo_killed_at_three_points_is_all_or_nothing(merged: Any, tmp_path: Path) -> None:
    points = [1 + number * (merged[3] - 1) // 4 for number in range(1, 4)]
    assert {taken_back_after_kill(merged, tmp_path / "again", line) for line in points} == {True, False}


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_an_undo_killed_at_two_hundred_points_is_all_or_nothing(merged: Any, tmp_path: Path) -> None:
    lines = merged[3]
    points = random.Random(11).sample(range(1, lines + 1), min(200, lines))
    assert {taken_back_after_kill(merged, tmp_path / "again", line) for line in points} == {True, False}
