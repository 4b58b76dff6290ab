"""The curator on libraries other tools broke: who may be archived and merged, when, and what stays."""

import json
import shutil
import subprocess

import pytest

from tests.cases.runner import DATA, Cases, later, picture, results_of, scenario_of

AUTOMATIC = '[curator]\narchive = "automatic"\n'


def test_first_start_waits_one_interval_also_over_restarts(cases: Cases) -> None:
    """CU-01."""
    melete = cases.home("CU-01")
    melete.settings(AUTOMATIC)
    start = melete.now
    for tick in cases.json("CU-01", "ticks.json"):
        melete.now = later(start, tick["at_days"])
        answer = melete.done("curator", "tick")
        assert answer["ran"] is tick["ran"], (tick, answer)
        if tick["at_days"] == 0:
            assert melete.state()["run_count"] == 0
            assert melete.state()["last_run_at"].startswith("2026-06-15")
            assert melete.archived() == set()
        if tick["at_days"] == 7.01:
            assert melete.archived() == {"old-a", "old-b"}
    assert melete.state()["run_count"] == 2


def test_absorbed_into_must_be_a_live_other_skill(cases: Cases, service) -> None:
    """CU-07."""
    melete = cases.home("CU-07")
    calls = cases.json("CU-07", "calls.json")
    server = service(scenario_of(calls))
    report = melete.done("curator", "run")
    assert not server.violations
    results = results_of(server.requests)
    for number, call in enumerate(calls):
        if call["ok"] is not None:
            assert results[f"tu_{number:03d}"].get("is_error", False) is not call["ok"], (
                call,
                results[f"tu_{number:03d}"],
            )
    expect = cases.json("CU-07", "expect.json")
    merged = {item["name"]: item["into"] for item in report["consolidated"]}
    assert merged.pop("src-6") == "live-target", "another spelling of a live name counts as the name"
    assert merged == expect["merges"]
    assert [item["name"] for item in report["pruned"]] == expect["pruned"]
    assert {"src-3", "src-4", "src-5", "src-9", "live-target"} <= {item["skill"] for item in report["refused"]}
    melete.done("proposals", "approve", report["proposals"][0], "--all")
    assert set(expect["live"]) <= melete.live()
    for name, umbrella in expect["merges"].items():
        assert melete.done("resolve", name)["name"] == umbrella
    forwards = json.loads((melete.skills / ".forwards.json").read_text())["forwards"]
    assert all(melete("resolve", name).code == 0 for name in forwards)


def test_schema_and_candidates_of_a_run(cases: Cases, service) -> None:
    """CU-08."""
    melete = cases.home("CU-08")
    server = service(cases.json("CU-08", "scenario.json"))
    melete.done("curator", "run")
    tools = {tool["name"]: tool for tool in server.requests[0]["tools"]}
    manage = tools["skill_manage"]["input_schema"]["properties"]
    assert "Required for delete" in manage["absorbed_into"]["description"]
    old_text = tools["memory"]["input_schema"]["properties"]["old_text"]["description"]
    assert "replace, remove" in old_text
    assert "required" in old_text
    said = json.dumps(server.requests[0]["messages"])
    assert "net-ping" in said
    assert "net-dns" in said


def test_archive_and_restore_lose_nothing_by_hand_by_tool_and_by_age(cases: Cases) -> None:
    """CU-09."""
    melete = cases.home("CU-09")
    melete.settings(AUTOMATIC)
    names = {"tool-kit": "tool-kit", "nested-kit": "cat/nested-kit"}
    counters = melete.usage()
    before = {path: picture(melete.skills / path) for path in names.values()}

    def restored() -> None:
        assert melete.archived() == set(names)
        for path in names.values():
            assert not (melete.skills / path).exists()
        done = melete.done("restore", *names)
        assert {item["path"] for item in done["done"]} == set(names.values())
        assert {path: picture(melete.skills / path) for path in names.values()} == before
        for name in names:
            record = melete.usage()[name]
            assert (record["state"], record["archived_at"]) == ("active", None)
            assert record["use_count"] == counters[name]["use_count"]

    melete.done("archive", *names)
    restored()
    for name in names:
        answer = melete.tool("skill_manage", {"action": "delete", "name": name, "absorbed_into": ""}, "curator")
        assert answer["verdict"] == "propose", answer
        assert name not in melete.archived()
        melete.done("proposals", "approve", answer["proposal"], "--all")
    restored()
    melete.now = later(melete.now, 200)
    melete.done("curator", "run")
    restored()


def test_pinning_says_done_only_when_a_pin_shows(cases: Cases) -> None:
    """CU-13."""
    melete = cases.home("CU-13")
    melete.settings(AUTOMATIC)
    records = set(melete.usage())
    for call in cases.json("CU-13", "calls.json"):
        action, name = next((key, call[key]) for key in ("pin", "unpin") if key in call)
        answer = melete(action, name)
        if call["ok"] is not None:
            assert (answer.code == 0) is call["ok"], (call, answer)
        if answer.code == 0:
            assert all(melete.rows()[item["path"]]["pinned"] is (action == "pin") for item in answer.data["done"])
        else:
            assert answer.data["done"] == []
            assert answer.data["refused"][0]["why"]
    melete.done("curator", "run")
    assert {"real-one", "inner-one"} <= melete.live()
    assert set(melete.usage()) - records <= {"gone-one"}


def test_a_pin_protects_on_every_path(cases: Cases, service) -> None:
    """CU-14."""
    melete = cases.home("CU-14")
    melete.settings(AUTOMATIC)
    melete.done("list")
    copy = melete.home.parent
    subprocess.run(["bash", str(copy / "events.sh"), str(melete.skills)], check=True, capture_output=True)
    expect = cases.json("CU-14", "expect.json")
    rows = {row["name"]: row for row in melete.rows().values()}
    assert all(rows[name]["pinned"] for name in expect["kept"])
    for call in cases.json("CU-14", "calls.json"):
        answer = melete.tool(call["tool"], call["input"], "curator")
        assert answer["ok"] is call["ok"], (call, answer)
    report = melete.done("curator", "run")
    assert {"pin-old", "pin-merge", "pin-patch", "pin-renamed"} <= {name.split(":")[0] for name in report["skipped"]}
    assert melete.archived() == set(expect["archived"])
    assert set(expect["kept"]) <= melete.live()


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_unknown_keys_and_a_pause_during_a_run_survive(cases: Cases, service) -> None:
    """CU-02."""
    melete = cases.home("CU-02")
    # A run asks the model only when there is something to merge: a second skill makes it so.
    (melete.skills / "new-b").mkdir()
    (melete.skills / "new-b" / "SKILL.md").write_text(
        "---\nname: new-b\ndescription: Another. Use in tests.\n---\n\nB.\n"
    )
    melete.record(new_b=melete.usage()["new-a"])
    server = service(cases.json("CU-02", "scenario.json"))
    running = melete.start("curator", "run")
    assert server.arrived.wait(50)
    assert melete.done("curator", "pause")["paused"] is True
    assert running.wait(50) == 0
    running.communicate()
    state, kept = melete.state(), cases.json("CU-02", "expect.json")
    before = json.loads((DATA / "CU-02/home/skills/.curator_state").read_text())
    assert {key: state[key] for key in kept["state_keeps"]} == {key: before[key] for key in kept["state_keeps"]}
    assert (state["paused"], state["run_count"]) == (True, 6)
    assert state["last_run_at"].startswith("2026-06-15T12:00:00")
    assert (melete.usage()["new-a"]["extra_field"], melete.usage()["new-a"]["tags"]) == ("keep", ["x"])
    melete.now = later(melete.now, 30)
    assert melete.done("curator", "tick") == {"ran": False, "gate": "paused", "run": None}


def test_use_is_counted_by_chat_alone(cases: Cases, service) -> None:
    """CU-15."""
    melete = cases.home("CU-15")
    melete.settings(AUTOMATIC + '[review]\nmode = "off"\n')
    service(cases.json("CU-15", "scenario.json"))
    unused = melete.usage()["use-none"]
    melete.done("chat", "-m", "Please work.")
    for _ in range(10):
        melete.done("list")
    melete.done("search", "use-none")
    melete.tool("skill_view", {"name": "use-none"}, "review")
    melete.tool("skill_view", {"name": "use-none"}, "curator")
    assert melete.usage()["use-none"] == unused
    expect = cases.json("CU-15", "expect.json")
    melete.done("curator", "run")
    assert set(expect["kept"]) <= melete.live()
    assert set(expect["archived"]) <= melete.archived()
    for name in expect["kept"]:
        record = melete.usage()[name]
        last = max(filter(None, (record["last_used_at"], record["last_viewed_at"], record["last_patched_at"])))
        assert last.startswith("2026-06-15"), (name, record)


def test_a_skill_made_yesterday_is_not_merged(cases: Cases, service) -> None:
    """CU-18."""
    melete = cases.home("CU-18")
    calls = cases.json("CU-18", "calls.json")
    server = service(scenario_of(calls))
    report = melete.done("curator", "run")
    results = results_of(server.requests)
    assert [results[f"tu_00{number}"].get("is_error", False) for number in (0, 2)] == [True, False]
    assert "14" in results["tu_000"]["content"]
    blocks = json.dumps(server.requests[0]["messages"][0])
    assert "age-31" in blocks
    assert "age-1\\" not in blocks.replace("age-1-", "")
    melete.done("proposals", "approve", report["proposals"][0], "--all")
    assert {"age-1", "age-7", "umb"} <= melete.live()
    assert melete.archived() == {"age-31"}


def test_mentions_of_an_absorbed_skill_heal(cases: Cases, service) -> None:
    """CU-20."""
    melete = cases.home("CU-20")
    service(scenario_of(cases.json("CU-20", "calls.json")))
    report = melete.done("curator", "run")
    shown = melete.done("proposals", "show", report["proposals"][0])
    archive = next(change for change in shown["changes"] if change["action"] == "archive")
    assert set(archive["mentioned_by"]) == {"user-code", "user-link", "user-rel", "user-text"}
    places = {(item["skill"], item["line"]) for item in archive["mentions"]}
    assert {("user-code", 7), ("user-link", 6), ("user-rel", 5), ("user-text", 6)} <= places
    users = {name: picture(melete.skills / name) for name in archive["mentioned_by"]}
    melete.done("proposals", "approve", shown["id"], "--all")
    edges = melete.done("graph")["edges"]
    into = [edge for edge in edges if edge["from"] == "user-rel" and edge["to"] == "umbrella-x"]
    assert len(into) == 1
    assert melete.done("resolve", "alpha")["name"] == "umbrella-x"
    answer = melete.tool("skill_view", {"name": "alpha"}, "chat")
    assert answer["ok"]
    assert answer["result"]["name"] == "umbrella-x"
    assert answer["result"]["forwarded_from"] == "alpha"
    assert {name: picture(melete.skills / name) for name in users} == users
    assert {"umbrella-x"} <= {hit["title"] for hit in melete.done("search", "alpha")["hits"]}


def test_a_merge_is_taken_back_with_links_and_later_work_kept(cases: Cases, service) -> None:
    """CU-23: the history is the snapshot; each step can be undone, and the undo, too."""
    melete = cases.home("CU-23")
    before = picture(melete.skills / "r-1")
    assert [before[link][0] for link in cases.json("CU-23", "expect.json")["links"]] == ["link"] * 4
    service(scenario_of(cases.json("CU-23", "calls.json")))
    report = melete.done("curator", "run")
    applied = melete.done("proposals", "approve", report["proposals"][0], "--all")
    assert "r-1" in melete.archived()
    (melete.skills / "newer").mkdir()
    (melete.skills / "newer" / "SKILL.md").write_text("---\nname: newer\ndescription: New. Use in tests.\n---\n\nN.\n")
    text = melete.skills / "r-2" / "SKILL.md"
    text.write_text(text.read_text() + "\nBy hand.\n")
    old = picture(melete.skills / "old-a")
    undone = melete.done("undo", applied["entry"])
    assert picture(melete.skills / "r-1") == before
    assert "By hand." in text.read_text()
    assert (melete.skills / "newer").is_dir()
    assert picture(melete.skills / "old-a") == old
    melete.done("undo", undone["entry"])
    assert "r-1" in melete.archived()
    assert "By hand." in text.read_text()


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_two_due_checks_make_one_run(cases: Cases) -> None:
    """CU-24."""
    melete = cases.home("CU-24")
    melete.settings(AUTOMATIC)
    started = [melete.start("curator", "tick") for _ in range(2)]
    answers = [json.loads(one.communicate(timeout=55)[0]) for one in started]
    assert sum(answer["ran"] for answer in answers) == 1, answers
    expect = cases.json("CU-24", "expect.json")
    assert melete.state()["run_count"] == expect["run_count"]
    assert len(list((melete.home / "logs" / "curator").iterdir())) == expect["reports"]
    assert sorted(path.name for path in (melete.skills / ".archive").iterdir()) == ["old-a", "old-b"]


def test_a_lock_left_by_a_dead_process_holds_nothing_up(cases: Cases) -> None:
    """CU-24."""
    melete = cases.home("CU-24")
    melete.settings(AUTOMATIC)
    journal = melete.skills / ".melete"
    journal.mkdir()
    for lock in (melete.home / ".lock", journal / "curator.lock"):
        lock.write_text("999999999")
        lock.chmod(0o444)
    assert melete.done("curator", "tick")["ran"] is True


def test_a_restored_skill_begins_anew(cases: Cases) -> None:
    """CU-25."""
    melete = cases.home("CU-25")
    melete.settings(AUTOMATIC)
    (melete.skills / ".forwards.json").write_text(json.dumps(cases.json("CU-25", "forwards.json")))
    assert melete.done("resolve", "back-one")["name"] == "umb"
    start = melete.now
    melete.done("restore", "back-one")
    assert melete.done("resolve", "back-one")["name"] == "back-one"
    for tick in cases.json("CU-25", "ticks.json")[1:]:
        melete.now = later(start, tick["at_days"])
        melete.done("curator", "run")
        assert ("back-one" in melete.archived()) is ("archived" in tick), tick


def test_no_run_while_the_home_is_used(cases: Cases) -> None:
    """CU-26: what a scheduler would see, with the idle time it measured."""
    for name in ("ticks.json", "ticks_busy.json"):
        melete = cases.home("CU-26")
        state = (melete.skills / ".curator_state").read_bytes()
        start = melete.now
        for tick in cases.json("CU-26", name):
            melete.now = later(start, minutes=tick["at_min"])
            idle = str(60 * tick["last_activity_min_ago"])
            assert melete.done("curator", "tick", "--idle", idle)["ran"] is tick["ran"], (name, tick)
        (melete.skills / ".curator_state").write_bytes(state)


def test_hand_written_skills_are_left_alone_until_adopted(cases: Cases, service) -> None:
    """CU-28."""
    melete = cases.home("CU-28")
    melete.settings(AUTOMATIC)
    expect = cases.json("CU-28", "expect.json")
    melete.done("curator", "run")
    assert melete.archived() == set(expect["archived"])
    assert set(expect["live"]) <= melete.live()
    for call in cases.json("CU-28", "calls.json"):
        answer = melete.tool(call["tool"], call["input"], "curator")
        assert (answer["ok"], answer["proposal"]) == (False, None), answer
    rows = {row["name"]: row for row in melete.rows().values()}
    assert (rows["hand-a"]["managed"], rows["agent-b"]["managed"]) == (False, True)
    melete.done("adopt", "hand-a")
    melete.done("curator", "run")
    assert "hand-a" in melete.archived(), "an adopted skill has the clock of its own last use"


@pytest.mark.slow
def test_unanswered_proposals_do_not_pile_up(cases: Cases, service) -> None:
    """CU-30."""
    melete = cases.home("CU-30")
    calls = cases.json("CU-30", "calls.json")
    start = melete.now
    for number, tick in enumerate(cases.json("CU-30", "ticks.json")):
        melete.now = later(start, tick["at_days"])
        if number == 2:
            shutil.rmtree(melete.skills / "net-dns")
        service(scenario_of(calls))
        report = melete.done("curator", "run")
        pending = melete.done("proposals", "list", "--state", "pending")["proposals"]
        assert [item["id"] for item in pending] == report["proposals"], number
    shown = melete.done("proposals", "show", pending[0]["id"])
    touched = {change["skill"] for change in shown["changes"]}
    assert "net-ping" in touched
    assert "net-dns" not in touched


def test_a_draft_begins_with_what_stands_on_the_disk(cases: Cases) -> None:
    """Beside CU-07: a file edited by hand a moment ago is what the fork sees and changes."""
    melete = cases.home("CU-07")
    melete.done("list")
    file = melete.skills / "src-1" / "SKILL.md"
    file.write_text(file.read_text() + "\nWritten by hand.\n")
    call = {"action": "patch", "name": "src-1", "old_string": "Written by hand.", "new_string": "Written by both."}
    answer = melete.tool("skill_manage", call, "curator")
    assert answer["verdict"] == "propose", answer
    melete.done("proposals", "approve", answer["proposal"], "--all")
    assert "Written by both." in file.read_text()


def test_damaged_dates_and_odd_pins_archive_nothing(cases: Cases) -> None:
    """Beside CU-13: a record that cannot be read to the end is no reason to archive."""
    melete = cases.home("CU-01")
    melete.settings(AUTOMATIC)
    melete.record(old_a={"last_used_at": "last spring"}, old_b={"pinned": "yes"})
    melete.done("curator", "run")
    assert melete.archived() == set()


def test_a_skill_moved_out_of_the_archive_by_hand_counts_as_restored(cases: Cases) -> None:
    """Beside CU-25."""
    melete = cases.home("CU-01")
    melete.settings(AUTOMATIC)
    melete.done("curator", "run")
    assert "old-a" in melete.archived()
    (melete.skills / ".archive" / "old-a").rename(melete.skills / "old-a")
    melete.now = later(melete.now or "", days=1)
    melete.done("curator", "run")
    assert "old-a" in melete.live()
