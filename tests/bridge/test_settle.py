"""When a change is settled: soon after the last event, never much later than the first."""

import itertools
from pathlib import Path

from app.bridge.settle import CROWD, CROWD_LONGEST, QUIET, Settle

A, B = Path("/lib/a"), Path("/lib/b")
KNOWN = frozenset({A, B})


def test_a_change_settles_120_ms_after_its_last_event() -> None:
    settle = Settle()
    settle.add([A / "SKILL.md"], KNOWN, 0.0)
    settle.add([A / "SKILL.md"], KNOWN, 0.1)
    assert settle.take(0.2) == frozenset()
    assert settle.take(0.22) == {A / "SKILL.md"}


def test_a_skill_that_never_rests_is_shown_500_ms_after_the_first_event() -> None:
    settle = Settle()
    for step in range(50):
        settle.add([A / "log.txt"], KNOWN, step * 0.05)
        if settle.take(step * 0.05):
            assert step * 0.05 >= 0.5
            break
    else:
        raise AssertionError("never settled")


def test_a_noisy_skill_is_read_at_most_once_a_second_and_does_not_hold_up_another() -> None:
    settle = Settle()
    reads = []
    for step in range(160):
        now = step * 0.05
        settle.add([A / "log.txt"], KNOWN, now)
        if step == 20:
            settle.add([B / "SKILL.md"], KNOWN, now)
        reads += [(round(now, 2), path.parent) for path in settle.take(now)]
    noisy = [moment for moment, folder in reads if folder == A]
    assert all(later - earlier >= 1.0 for earlier, later in itertools.pairwise(noisy))
    assert [moment for moment, folder in reads if folder == B] == [1.15]


def test_files_deep_in_a_skill_count_for_that_skill() -> None:
    settle = Settle()
    settle.add([A / "references" / "x.md", A / "scripts" / "y.py"], KNOWN, 0.0)
    assert settle.next_due(0.0) == 0.12
    assert len(settle.take(1.0)) == 2
    assert settle.next_due(1.0) is None


def test_a_burst_is_seen_whole_once_all_of_it_is_quiet() -> None:
    settle = Settle()
    folders = [Path(f"/lib/skill-{number}") for number in range(CROWD + 10)]
    for number, folder in enumerate(folders):
        settle.add([folder / "SKILL.md"], frozenset(folders), number * 0.01)
    last = (len(folders) - 1) * 0.01
    assert settle.take(last + QUIET - 0.001) == frozenset()
    assert settle.take(last + QUIET) == {folder / "SKILL.md" for folder in folders}


def test_a_burst_that_goes_on_is_seen_after_two_seconds() -> None:
    settle = Settle()
    folders = [Path(f"/lib/skill-{number}") for number in range(CROWD + 10)]
    settle.add([folder / "SKILL.md" for folder in folders], frozenset(folders), 0.0)
    settle.add([folders[0] / "SKILL.md"], frozenset(folders), 1.95)
    assert settle.take(1.99) == frozenset()
    assert len(settle.take(CROWD_LONGEST)) == len(folders)
