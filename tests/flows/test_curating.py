"""The curator's schedule and runs in the window: pause meanwhile, pins after a rename, and when it is time."""

import json
from datetime import UTC, datetime, timedelta

import pytest

import app.bridge.curator
from app.clock import fixed_clock
from app.skills.values import Action, State

NOW = datetime(2026, 6, 15, 12, 0, tzinfo=UTC)
STOP = {"stop": "end_turn"}
OLD = {"created_by": "agent", "created_at": "2025-05-01T00:00:00+00:00", "use_count": 3}


def write_json(path, value) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")


def read_json(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_a_pause_during_a_run_stays_and_unknown_keys_survive(shop, service):
    shop.put("new-a")
    state, usage = shop.skills / ".curator_state", shop.skills / ".usage.json"
    known = {"schema_version": 3, "_private": {"x": [1]}, "future_feature": True, "note": "keep me"}
    write_json(state, known | {"last_run_at": "2026-06-01T12:00:00+00:00", "run_count": 5, "paused": False})
    write_json(usage, {"new-a": OLD | {"extra_field": "keep", "tags": ["a"], "last_used_at": "2026-06-14T00:00:00Z"}})
    shop.put("new-b")
    slow = {"times": 0, "before_ms": 1500, "events": [{"text": "Nothing to merge."}, STOP]}
    server = service({"responses": [slow]})
    window = shop.open(clock=fixed_clock(NOW))
    ended = []
    window.services.curator.run_ended.connect(ended.append)
    window.panes.curator.run_requested.emit(False)
    shop.wait(lambda: window.services.curator.running)
    shop.wait(lambda: bool(server.requests) or bool(ended), 15)
    window.panes.curator.pause_requested.emit(True)
    shop.wait(lambda: bool(ended), 20)
    shop.wait(lambda: not window.services._lanes["desk"].busy)
    after = read_json(state)
    assert {key: after[key] for key in known} == known
    assert after["paused"] is True
    assert after["run_count"] == 6
    assert after["last_run_at"].startswith("2026-06-15T12:00:00")
    record = read_json(usage)["new-a"]
    assert (record["extra_field"], record["tags"]) == ("keep", ["a"])


def test_a_pin_survives_a_rename_outside_and_keeps_its_skill_from_the_run(shop):
    for name in ("pin-old", "pin-rename", "free-old"):
        shop.put(name, f"About {name}. Use when it is asked for.")
    last = {"last_used_at": "2025-06-01T00:00:00+00:00"}
    pinned = OLD | last | {"pinned": True}
    write_json(shop.skills / ".usage.json", {"pin-old": pinned, "pin-rename": pinned, "free-old": OLD | last})
    write_json(shop.skills / ".curator_state", {"last_run_at": "2026-01-01T00:00:00+00:00", "run_count": 1})
    shop.settings('[curator]\narchive = "automatic"\n')
    window = shop.open(clock=fixed_clock(NOW))
    (shop.skills / "pin-rename").rename(shop.skills / "pin-renamed")
    text = (shop.skills / "pin-renamed" / "SKILL.md").read_text(encoding="utf-8")
    (shop.skills / "pin-renamed" / "SKILL.md").write_text(text.replace("name: pin-rename", "name: pin-renamed"))
    library = window.services.library
    shop.wait(lambda: library.library.get("pin-renamed") is not None and library.library.get("pin-renamed").pinned)
    ended = []
    window.services.curator.run_ended.connect(ended.append)
    window.panes.curator.run_requested.emit(False)
    shop.wait(lambda: bool(ended), 20)
    shop.wait(lambda: library.library.get(".archive/free-old") is not None)
    for name in ("pin-old", "pin-renamed"):
        assert library.library.get(name).state is not State.ARCHIVED
        assert library.library.get(name).pinned


@pytest.mark.slow
@pytest.mark.parametrize(
    "ticks",
    [
        [(0, 5, False), (60, 65, False), (130, 135, True)],
        [(0, 1, False), (130, 1, False), (260, 1, False), (300, 121, True)],
    ],
)
def test_a_run_begins_only_when_nobody_used_the_window_for_two_hours(shop, ticks, monkeypatch):
    shop.put("old-a")
    last = {"last_used_at": "2026-05-01T00:00:00+00:00"}
    write_json(shop.skills / ".usage.json", {"old-a": OLD | last})
    write_json(shop.skills / ".curator_state", {"last_run_at": "2026-06-01T00:00:00+00:00", "run_count": 1})
    now = [NOW]
    window = shop.open(clock=lambda: now[0])
    curator = window.services.curator
    monkeypatch.setattr(type(window.services.idle), "seconds", property(lambda _: idle[0]))
    idle = [0.0]
    for minute, ago, ran in ticks:
        now[0], idle[0] = NOW + timedelta(minutes=minute), ago * 60.0
        curator._look()
        shop.wait(lambda: not curator.running)
        assert (read_json(shop.skills / ".curator_state")["run_count"] == 2) is ran, minute


def test_a_machine_that_slept_was_not_idle_and_a_file_event_is_no_use(shop, monkeypatch):
    shop.put("old-a")
    window = shop.open()
    idle, curator = window.services.idle, window.services.curator
    idle._last -= 10 * 3600
    shop.put("old-b")
    shop.wait(lambda: "old-b" in shop.rows(window))
    assert idle.seconds > 9 * 3600
    curator._looked -= 9 * 3600
    curator._look()
    assert idle.seconds < 60
    shop.wait(lambda: not curator.running)
    idle._last -= 10 * 3600
    window.services.skills.act(Action.PIN, ("old-a",))
    window.panes.library.action_requested.emit("skill.pin", ("old-a",))
    assert idle.seconds < 60
    assert app.bridge.curator._LOOK_MS >= 60_000
