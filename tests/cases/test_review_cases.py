"""Reviews and memory: what is told, what is refused, what waits, and that nothing stored is lost."""

import hashlib
import json
import subprocess
import sys
import time

import pytest

from app.agent.values import ToolEnded
from app.cycles.summary import actions_of, summary_line
from app.providers.values import ToolResult, ToolUse
from tests.cases.runner import DATA, Cases, Melete, picture, scenario_of


def entries(melete: Melete, target: str = "memory") -> list[str]:
    return [row["text"] for row in melete.done("memory", "list", "--target", target)["entries"]]


def test_only_new_changes_are_told(cases: Cases, melete: Melete, service) -> None:
    """BR-01."""
    service(cases.json("BR-01", "scenario.json"))
    imported = melete.done("sessions", "import", str(DATA / "BR-01/history.json"))["sessions"][0]["id"]
    turn = melete.done("chat", "--session", imported, "-m", "And now?")
    assert turn["review"]["summary"] == ""
    assert turn["review"]["actions"] == []
    lines = 0
    for text in cases.json("BR-01", "odd_results.json"):
        call = ToolUse("tu_1", "memory", {"action": "add", "target": "user", "content": "x"}, "{}")
        ended = ToolEnded(call, ToolResult("tu_1", "memory", text, is_error=False))
        lines += bool(summary_line(actions_of((ended,))))
    assert lines <= cases.json("BR-01", "expect.json")["odd_lines_max"]


def test_bundled_hub_and_hand_written_skills_are_protected_from_reviews(cases: Cases) -> None:
    """BR-04."""
    melete = cases.home("BR-04")
    mark_origins(melete, cases.json("BR-04", "origins.json"))
    melete.done("pin", "pinned-one")
    before = picture(melete.skills)
    for call in cases.json("BR-04", "calls.json"):
        answer = melete.tool(call["tool"], call["input"], "review")
        assert answer["ok"] is call["ok"], (call, answer)
        if not call["ok"]:
            assert answer["result"]["error"]
            assert answer["proposal"] is None
    after = picture(melete.skills)
    changed = {path.split("/")[0] for path in before if before[path] != after.get(path) and path[0] != "."}
    assert changed == set(cases.json("BR-04", "expect.json")["changed"])


def mark_origins(melete: Melete, origins: dict[str, str]) -> None:
    bundled = [name for name, origin in origins.items() if origin == "bundled"]
    manifest = "".join(f"{name}:{hashlib.sha1(name.encode()).hexdigest()}\n" for name in bundled)
    (melete.skills / ".bundled_manifest").write_text(manifest)
    (melete.skills / ".hub").mkdir()
    hub = {name: {"source": "hub", "install_path": name} for name, origin in origins.items() if origin == "hub"}
    (melete.skills / ".hub" / "lock.json").write_text(json.dumps({"version": 1, "installed": hub}))
    day = "2025-05-11T12:00:00+00:00"
    records = {
        name: {"created_by": "agent" if origin.startswith("agent") else None, "created_at": day}
        for name, origin in origins.items()
        if origin.startswith(("agent", "user"))
    }
    (melete.skills / ".usage.json").write_text(json.dumps(records))


def test_the_same_fact_is_stored_once(cases: Cases, melete: Melete) -> None:
    """BR-07."""
    for fact in cases.json("BR-07", "memory.json"):
        melete.done("memory", "add", fact)
    for call in cases.json("BR-07", "calls.json"):
        answer = melete.tool(call["tool"], call["input"], "review")
        assert answer["ok"] is call["ok"], (call, answer)
        if call.get("note") == "two entries match":
            assert answer["result"]["candidates"] == ["Prefers short answers.", "Prefers short answers in chat."]
    assert len(entries(melete)) == cases.json("BR-07", "expect.json")["entries"]


@pytest.mark.slow
def test_a_full_memory_says_so_and_drops_nothing(cases: Cases, melete: Melete) -> None:
    """BR-11."""
    limit = melete.done("memory", "list", "--target", "memory")["limit"]
    made = subprocess.run(
        [sys.executable, str(DATA / "BR-11/make_memory.py"), str(limit)], capture_output=True, text=True, check=True
    )
    facts = json.loads(made.stdout)
    for fact in facts:
        melete.done("memory", "add", fact)
    for call in cases.json("BR-11", "calls.json"):
        answer = melete.tool(call["tool"], call["input"], "review")
        if call["input"]["action"] == "add" or call["ok"] is False:
            assert answer["ok"] is call["ok"] or answer["verdict"] == "propose", (call, answer)
        if answer["verdict"] == "refuse":
            assert f"{limit:,}" in answer["result"]["error"]
    kept = entries(melete)
    assert "Short fact." in kept
    assert set(facts[2:]) <= set(kept)


def test_patches_that_must_not_succeed_change_nothing(cases: Cases) -> None:
    """BR-12."""
    melete = cases.library("BR-12")
    file = melete.skills / "plain-one" / "SKILL.md"
    for call in cases.json("BR-12", "calls.json"):
        before = file.read_bytes()
        answer = melete.tool(call["tool"], call["input"], "review")
        assert answer["ok"] is call["ok"], (call, answer)
        if not call["ok"]:
            assert file.read_bytes() == before
            error = answer["result"]["error"]
            assert error
            assert "KeyError" not in error
            assert "TypeError" not in error
            if call.get("note") == "two places":
                assert "2" in error or "two" in error
        else:
            assert file.read_bytes() != before


def test_hidden_characters_and_orders_do_not_slip_into_memory(cases: Cases, melete: Melete) -> None:
    """BR-16."""
    melete.settings('[review]\nmode = "hold"\n')
    calls = cases.json("BR-16", "calls.json")
    for call in calls:
        answer = melete.tool(call["tool"], call["input"], "review")
        assert answer["verdict"] in {"refuse", "propose"}, (call, answer)
        if call["ok"]:
            assert answer["verdict"] == "propose"
            shown = melete.done("proposals", "show", answer["proposal"], "--diff")
            melete.done("proposals", "approve", shown["id"], "--all")
        elif answer["verdict"] == "refuse":
            assert answer["result"]["error"]
    assert entries(melete) == cases.json("BR-16", "expect.json")["kept_exact"]


def test_a_delete_in_the_background_waits_or_is_refused(cases: Cases, service) -> None:
    """BR-20."""
    melete = cases.library("BR-20")
    before = picture(melete.skills / "plain-one")
    server = service(cases.json("BR-20", "scenario.json"))
    session = None
    for turn in cases.json("BR-20", "turns.json"):
        more = ["--session", session] if session else []
        answer = melete.done("chat", *more, "-m", turn["send"])
        session = answer["session"]
        assert answer["reply"] == "Sure."
        assert answer["review"] is not None
    assert not server.violations
    assert len(server.requests) == 6
    assert picture(melete.skills / "plain-one") == before


@pytest.mark.slow
@pytest.mark.timeout(590)
def test_a_review_and_a_turn_of_another_process_both_keep_their_patch(cases: Cases, service) -> None:
    """BR-05: the command line's way; the window queues the review instead."""
    melete = cases.library("BR-05")
    scenario = cases.json("BR-05", "scenario.json")
    scenario["default"]["before_ms"] = 1500
    read = {"tool": "skill_view", "id": "tu_v", "input": {"name": "plain-one"}}
    scenario["default"]["events"].insert(0, read)
    server = service(scenario)
    first = melete.start("chat", "-m", "USERWORD 1")
    deadline = time.monotonic() + 50
    while len(server.requests) < 2 and time.monotonic() < deadline:
        server.arrived.wait(0.05)
    session = melete.done("sessions", "list")["sessions"][0]["id"]
    second = melete.done("chat", "--session", session, "-m", "USERWORD 2", "--no-wait-review")
    assert second["reply"] == "Second done."
    assert first.wait(50) == 0
    first.communicate()
    assert "read it twice" in (melete.skills / "plain-one" / "SKILL.md").read_text()
    texts = [
        row["text"] for row in melete.done("sessions", "show", session)["message_list"] if row["kind"] == "message"
    ]
    assert [text for text in texts if text] == ["USERWORD 1", "First.", "USERWORD 2", "Second done."]


@pytest.mark.slow
@pytest.mark.timeout(590)
def test_two_writers_lose_no_memory(cases: Cases, melete: Melete, tmp_path) -> None:
    """BR-10."""
    melete.settings("[memory]\nmemory_limit = 100000\n")
    for fact in cases.json("BR-10", "memory.json"):
        melete.done("memory", "add", fact)
    adapter = tmp_path / "add"
    adapter.write_text(
        f'#!/bin/sh\nexec {sys.executable} -m app --home "{melete.home}" --quiet memory add -- "$1" >/dev/null\n'
    )
    adapter.chmod(0o755)
    folder = tmp_path / "work"
    folder.mkdir()
    subprocess.run(
        ["bash", str(DATA / "BR-10/run_two.sh"), str(adapter)],
        cwd=folder,
        check=True,
        timeout=540,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(DATA.parents[2])},
    )
    refused = (folder / "refused.txt").read_text().splitlines() if (folder / "refused.txt").exists() else []
    kept = entries(melete)
    assert len(kept) == len(set(kept))
    assert len(kept) + len(refused) == cases.json("BR-10", "expect.json")["entries"]
    assert not refused


@pytest.mark.parametrize("text", ['[review]\nmode = "off"\n', '[review]\nmode = "off\n'])
def test_a_review_that_is_off_asks_nobody_even_if_the_setting_cannot_be_read(melete: Melete, service, text) -> None:
    """BR-19."""
    server = service({})
    melete.settings(text)
    assert melete.done("chat", "-m", "Hello")["review"] is None
    assert len(server.requests) == 1


def test_what_a_review_used_is_told(melete: Melete, service) -> None:
    """BR-19."""
    service({})
    used = melete.done("chat", "-m", "Hello")["review"]["usage"]
    assert used["input"] > 0
    assert used["output"] > 0


def test_what_waits_names_its_proposal_and_each_change_is_decided_alone(melete: Melete, service) -> None:
    """BR-21."""
    skill = melete.skills / "plain-one" / "SKILL.md"
    skill.parent.mkdir()
    skill.write_text("---\nname: plain-one\ndescription: Plain. Use in tests.\n---\n\nStep one: read.\n")
    melete.record(plain_one={"created_by": "agent"})
    melete.settings('[review]\nmode = "hold"\n')
    change = {"action": "patch", "name": "plain-one", "old_string": "read.", "new_string": "read twice."}
    fact = {"action": "add", "target": "user", "content": "Likes tea."}
    calls = [{"tool": "skill_manage", "input": change}, {"tool": "memory", "input": fact}]
    scenario = scenario_of(calls, read=("plain-one",))
    turn = {"name": "turn", "when": {"last_user": "I like tea"}, "events": [{"text": "Fine."}, {"stop": "end_turn"}]}
    service({"responses": [turn, *scenario["responses"]]})
    review = melete.done("chat", "-m", "I like tea")["review"]
    (proposal,) = review["proposals"]
    assert [item["proposal"] for item in review["actions"]] == [proposal, proposal]
    shown = melete.done("proposals", "show", proposal, "--diff")["changes"]
    assert ["+Step one: read twice." in shown[0]["diff"], "+Likes tea." in shown[1]["diff"]] == [True, True]
    melete("proposals", "reject", proposal, "--change", shown[0]["id"])
    melete.done("proposals", "approve", proposal, "--change", shown[1]["id"])
    assert "read twice" not in skill.read_text()
    assert entries(melete, "user") == ["Likes tea."]


@pytest.mark.parametrize(
    ("text", "verdict"), [("a\u202eb\u202c", "propose"), ("\u200b", "propose"), ("👩‍👧 می‌خواهم", "allow")]
)
def test_hidden_characters_do_not_slip_into_a_skill(melete: Melete, text, verdict) -> None:
    """BR-16."""
    skill = melete.skills / "plain-one" / "SKILL.md"
    skill.parent.mkdir()
    skill.write_text("---\nname: plain-one\ndescription: Plain. Use in tests.\n---\n\nStep one: read.\n")
    melete.record(plain_one={"created_by": "agent"})
    change = {"action": "patch", "name": "plain-one", "old_string": "read.", "new_string": f"read {text}."}
    assert melete.tool("skill_manage", change, "review")["verdict"] == verdict
    assert (text in skill.read_text()) is (verdict == "allow")
