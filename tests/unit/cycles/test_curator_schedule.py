"""The schedule over clocks that jump, programs that crash and two windows: never two runs, never a skipped week."""

import itertools
import random
from datetime import timedelta
from typing import Any

import pytest

from app.cancel import CancelToken
from app.curator.gate import MAKE_UP_AFTER
from app.cycles.curator import run_curator, run_if_due, set_paused
from app.errors import AppError
from app.history.values import Origin
from app.skills.values import Action, Request, Writer

IDLE = 3 * 3600.0
WEEK = timedelta(days=7)


def tick(library: Any) -> bool:
    return library.played(run_if_due(library.open(), None, CancelToken(), IDLE)) is not None


@pytest.mark.parametrize("seed", range(4))
def test_a_clock_that_jumps_back_never_makes_two_runs_and_skips_no_two_weeks(curated: Any, seed: int) -> None:
    chance = random.Random(seed)
    curated.add("one", "Text.")
    true, begun = curated.now, False
    runs = []
    for _ in range(40):
        step = timedelta(hours=chance.choice((3, 20, 40)))
        true += step
        curated.now += step
        if chance.random() < 0.1:
            curated.now -= timedelta(days=chance.choice((1, 5, 30)))
        if tick(curated):
            runs.append(true)
        begun = begun or bool(runs)
    gaps = [late - early for early, late in itertools.pairwise(runs)]
    assert begun
    assert all(WEEK <= gap <= 2 * WEEK + timedelta(days=2) for gap in gaps)


def test_a_machine_that_slept_for_a_month_makes_one_run_when_it_wakes(curated: Any) -> None:
    curated.add("one", "Text.")
    assert not tick(curated)
    curated.later(days=31)
    assert [tick(curated), tick(curated)] == [True, False]


def test_two_windows_that_look_at_the_same_time_make_one_run(curated: Any) -> None:
    curated.add("one", "Text.")
    assert not tick(curated)
    curated.later(days=8)
    first = run_if_due(curated.open(), None, CancelToken(), IDLE)
    next(first)
    assert not tick(curated)
    with pytest.raises(AppError, match="under way"):
        next(run_curator(curated.open(), None, CancelToken(), dry_run=False))
    assert curated.played(first) is not None
    assert not tick(curated)


def test_a_pause_during_a_cut_short_run_holds_its_making_up_too(curated: Any) -> None:
    curated.add("one", "Text.")
    assert not tick(curated)
    curated.later(days=8)
    work = run_if_due(curated.open(), None, CancelToken(), IDLE)
    next(work)
    set_paused(curated.open(), paused=True)
    work.close()
    curated.now += MAKE_UP_AFTER + timedelta(hours=1)
    assert not tick(curated)
    set_paused(curated.open(), paused=False)
    assert tick(curated)


def test_a_dry_run_moves_neither_labels_nor_state(curated: Any) -> None:
    curated.add("one", "Text.", idle_days=40)
    home = curated.open()
    assert not tick(curated)
    before = home.home.curator_state.read_bytes()
    report = curated.run(home=home, dry_run=True)
    assert [item.applied for item in report.transitions] == [False]
    assert home.home.curator_state.read_bytes() == before
    assert home.library().get("one").state == "active"
    assert home.door.do(Request(Action.PIN, "one"), Writer(Origin.USER)).ok
