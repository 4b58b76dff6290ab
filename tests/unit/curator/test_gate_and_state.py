"""The gate of scheduled runs, and bookkeeping that never loses a key."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.curator.gate import check_gate
from app.curator.state import CuratorState, read_state, update_state
from app.curator.values import Gate, Thresholds
from app.locks import HomeLock

NOW = datetime(2026, 6, 1, tzinfo=UTC)
RULES = Thresholds()
IDLE = 3 * 3600


def gate(state: CuratorState, *, enabled: bool = True, idle_s: float = IDLE, running: bool = False) -> Gate:
    return check_gate(state, RULES, NOW, enabled=enabled, idle_s=idle_s, running=running)[0]


def ran(days_ago: float, **more: object) -> CuratorState:
    return CuratorState(last_run_at=NOW - timedelta(days=days_ago), run_count=3, **more)


def test_the_first_run_waits_one_whole_interval() -> None:
    found, why, due = check_gate(CuratorState(), RULES, NOW, enabled=True, idle_s=IDLE)
    assert found is Gate.FIRST_RUN_DEFERRED
    assert due == NOW + timedelta(days=7)
    assert "7 days" in why


@pytest.mark.parametrize(
    ("state", "options", "expected"),
    [
        (ran(6.9), {}, Gate.NOT_DUE),
        (ran(7.1), {}, Gate.OPEN),
        (ran(7.1, paused=True), {}, Gate.PAUSED),
        (ran(7.1), {"enabled": False}, Gate.DISABLED),
        (ran(7.1), {"idle_s": 60}, Gate.NOT_IDLE),
        (ran(7.1), {"running": True}, Gate.RUNNING),
        (ran(-400), {}, Gate.NOT_DUE),
    ],
)
def test_each_gate_holds_for_its_reason(state: CuratorState, options: dict, expected: Gate) -> None:
    assert gate(state, **options) is expected


def test_a_clock_that_ran_ahead_costs_one_interval_at_most() -> None:
    _, _, due = check_gate(ran(-400), RULES, NOW, enabled=True, idle_s=IDLE)
    assert due == NOW + timedelta(days=7)


def test_an_update_keeps_unknown_keys_and_what_others_wrote_meanwhile(tmp_path: Path) -> None:
    path, lock = tmp_path / ".curator_state", HomeLock(tmp_path / ".lock")
    path.write_text(json.dumps({"_private": 1, "future_feature": {"a": [1]}, "run_count": 5, "paused": False}))
    update_state(path, lock, NOW, {"paused": True})
    update_state(path, lock, NOW, {"run_count": 6})
    data = json.loads(path.read_text())
    assert data == {"_private": 1, "future_feature": {"a": [1]}, "run_count": 6, "paused": True}


def test_a_damaged_state_is_kept_as_a_copy_and_means_a_first_start(tmp_path: Path) -> None:
    path, lock = tmp_path / ".curator_state", HomeLock(tmp_path / ".lock")
    path.write_bytes(b"{broken")
    assert read_state(path) == CuratorState(damaged=".curator_state")
    update_state(path, lock, NOW, {"paused": True})
    assert read_state(path).paused
    assert [item.read_bytes() for item in tmp_path.glob(".curator_state.corrupt-*")] == [b"{broken"]


def test_a_state_file_that_nests_without_end_is_a_first_start_and_is_kept(tmp_path: Path) -> None:
    path = tmp_path / ".curator_state"
    path.write_bytes(b"[" * 100_000)
    assert read_state(path) == CuratorState(damaged=".curator_state")
    update_state(path, HomeLock(tmp_path / ".lock"), NOW, {"paused": True})
    assert read_state(path).paused is True
    (kept,) = tmp_path.glob(".curator_state.corrupt-*")
    assert kept.read_bytes() == b"[" * 100_000


def test_a_pause_that_is_not_written_as_expected_is_a_pause(tmp_path):
    path = tmp_path / ".curator_state"
    path.write_text('{"paused": "yes"}')
    assert read_state(path).paused
