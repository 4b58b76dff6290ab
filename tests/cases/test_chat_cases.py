"""Chat with a service that is overloaded, cut off, slow, or asked in an order it would refuse."""

import json
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from app.cycles.running import turn_running
from app.paths import Home
from tests.cases.runner import DATA, Cases, Melete, results_of
from tests.fakes.messages_server import MessagesServer

QUIET = '[review]\nmode = "off"\n'


def until(said: Callable[[], object], seconds: float = 50) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not said():
        assert time.monotonic() < end, "waited in vain"
        threading.Event().wait(0.05)


def texts(melete: Melete, session: str) -> list[tuple[str, str]]:
    """State and text of all messages that have text."""
    rows = melete.done("sessions", "show", session)["message_list"]
    return [(row["state"], row["text"]) for row in rows if row["text"]]


def streamed(melete: Melete) -> str:
    """What is stored of the newest session's answer by now."""
    sessions = melete.done("sessions", "list", "--limit", "1")["sessions"]
    shown = texts(melete, sessions[0]["id"]) if sessions else []
    return shown[-1][1] if shown else ""


def interrupted(running: subprocess.Popen[str], server: MessagesServer | None) -> tuple[int, Any, str]:
    """Send Ctrl+C; a service that is sending is left at once, and the process ends. Its code, document and notes."""
    if server is not None:
        server.left.clear()
    running.send_signal(signal.SIGINT)
    assert server is None or server.left.wait(2)
    out, err = running.communicate(timeout=30)
    return running.returncode, json.loads(out), err


@pytest.mark.slow
def test_an_overload_inside_the_stream_is_tried_again(cases: Cases, melete: Melete, service) -> None:
    """CH-01 a."""
    melete.settings(QUIET)
    server = service(cases.json("CH-01", "a/scenario.json"))
    answer = melete("chat", "-m", "What is three plus four?")
    assert (answer.code, answer.data["reply"]) == (0, "The answer is seven.")
    assert len(server.requests) == 3
    times = [record["at"] for record in server.records]
    assert times[1] - times[0] >= 0.5
    assert times[2] - times[1] > times[1] - times[0]
    assert "200" not in answer.err


def test_half_an_answer_is_not_doubled(cases: Cases, melete: Melete, service) -> None:
    """CH-01 b."""
    melete.settings(QUIET)
    service(cases.json("CH-01", "b/scenario.json"))
    answer = melete.done("chat", "-m", "What is three plus four?")
    assert answer["reply"] == "First half of the answer, second half."
    assert [text for _, text in texts(melete, answer["session"])][1:] == [answer["reply"]]
    lines = melete.done("trajectories")["lines"]
    assert json.dumps(lines).count("First half") == 1


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_lasting_overload_ends_in_words(cases: Cases, melete: Melete, service) -> None:
    """CH-01 c."""
    melete.settings(QUIET)
    server = service(cases.json("CH-01", "c/scenario.json"))
    answer = melete("chat", "-m", "What is three plus four?")
    assert answer.code == 1
    assert len(server.requests) <= cases.json("CH-01", "expect.json")["c"]["requests_max"]
    assert "overload" in answer.err.lower()
    assert "200" not in answer.err
    assert "Error" not in answer.err
    assert texts(melete, answer.data["session"])[0][1] == "What is three plus four?"
    assert len(melete.done("trajectories", "--failed")["lines"]) == 1
    assert melete.done("trajectories")["lines"] == []


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_stalled_stream_is_told_and_stops_at_once(cases: Cases, melete: Melete, service) -> None:
    """CH-03."""
    melete.settings(QUIET + "[model]\nstall_seconds = 2\n")
    server = service(cases.json("CH-03", "scenario.json"))
    running = melete.start("chat", "-m", "Begin.")
    until(lambda: "Thinking" in streamed(melete))
    assert running.stderr is not None
    assert "No progress" in running.stderr.readline()
    code, data, _ = interrupted(running, server)
    assert (code, data["ending"], data["reply"]) == (130, "stopped", "Thinking about it")
    again = melete.done("chat", "--session", data["session"], "-m", "Again.")
    assert again["reply"] == "Second answer."
    assert not server.violations


def test_a_history_with_unanswered_calls_goes_on(cases: Cases, service) -> None:
    """CH-08 A."""
    melete = cases.library("CH-08")
    melete.settings(QUIET)
    server = service({"default": {"times": 0, "events": [{"text": "Back on track."}, {"stop": "end_turn"}]}})
    session = melete.done("sessions", "import", str(DATA / "CH-08/history.json"))["sessions"][0]["id"]
    answer = melete.done("chat", "--session", session, "-m", "Go on.")
    assert answer["reply"] == "Back on track."
    assert not server.violations
    assert "I will patch it." in [text for _, text in texts(melete, session)]
    assert set(results_of(server.requests)) == {"tu_9", "tu_10"}


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("after", [1, 2])
def test_a_kill_between_call_and_result_leaves_a_usable_session(cases: Cases, service, after: int) -> None:
    """CH-08 B and C: killed, and stopped, while the service waits to answer."""
    melete = cases.library("CH-08")
    melete.settings(QUIET)
    scenario = cases.json("CH-08", "live/scenario.json")
    if after == 1:
        scenario["responses"][0] |= {"before_ms": 8000}
    server = service(scenario)
    for way in ("kill", "stop"):
        server._used.clear()
        server.records.clear()
        running = melete.start("chat", "-m", "Look at both.")
        until(lambda: len(server.requests) == after)
        if way == "kill":
            running.kill()
            running.communicate()
        else:
            assert interrupted(running, None)[0] == 130
        server.responses[1]["before_ms"] = 0
        session = melete.done("sessions", "list", "--limit", "1")["sessions"][0]["id"]
        scenario["responses"][1]["when"] = {"last_user": "never said"}
        server._used[0] = 1
        answer = melete.done("chat", "--session", session, "-m", "Go on.")
        scenario["responses"][1] |= {"before_ms": 8000, "when": {"tool_result_for": "tu_2"}}
        assert answer["reply"] == "Back on track."
        assert not server.violations
        shown = [text for _, text in texts(melete, session)]
        assert shown[0] == "Look at both."
        assert after == 1 or "Let me look." in shown
        melete.done("sessions", "delete", session)


def test_blocks_go_back_in_the_order_they_came(cases: Cases, service) -> None:
    """CH-09."""
    melete = cases.library("CH-09")
    melete.settings(QUIET)
    server = service(cases.json("CH-09", "scenario.json"))
    session = melete.done("chat", "-m", "Look.")["session"]
    melete.done("chat", "--session", session, "-m", "Thanks.")
    melete.done("chat", "--session", session, "-m", "And again.")
    assert not server.violations
    wanted = cases.json("CH-09", "expect.json")["assistant_orders"]
    for request in server.requests[2:]:
        orders = [[b["type"] for b in m["content"]] for m in request["messages"] if m["role"] == "assistant"]
        assert orders[:2] == wanted


def test_parallel_results_travel_together_in_order(cases: Cases, service) -> None:
    """CH-11."""
    melete = cases.library("CH-11")
    melete.settings(QUIET)
    server = service(cases.json("CH-11", "scenario.json"))
    assert melete.done("chat", "-m", "Look at three.")["reply"] == "Three looked at."
    assert not server.violations
    last = server.requests[1]["messages"][-1]["content"]
    expect = cases.json("CH-11", "expect.json")
    assert [block["tool_use_id"] for block in last] == expect["results_order"]
    assert [block["tool_use_id"] for block in last if block.get("is_error")] == expect["errors"]
    assert all(json.dumps(block["content"]) for block in last if block.get("is_error"))


def test_signed_thinking_is_sent_back_unchanged(cases: Cases, service) -> None:
    """CH-12."""
    melete = cases.library("CH-12")
    melete.settings(QUIET)
    scenario = cases.json("CH-12", "scenario.json")
    server = service(scenario)
    session = melete.done("chat", "-m", "Think, then look.")["session"]
    first = server.requests[1]["messages"][1]["content"]
    thinking, redacted = scenario["responses"][0]["events"][:2]
    assert first[0] == {"type": "thinking", "thinking": thinking["thinking"], "signature": thinking["signature"]}
    assert first[1] == {"type": "redacted_thinking", "data": redacted["redacted"]}
    melete.done("chat", "--session", session, "-m", "More.")
    melete.settings(QUIET + '[model]\nname = "another-model"\n')
    assert melete.done("chat", "--session", session, "-m", "More still.")["reply"] == "Seen."
    assert not server.violations
    shown = json.dumps(melete.done("sessions", "show", session))
    assert redacted["redacted"] not in shown
    line = json.dumps(melete.done("trajectories")["lines"])
    assert "<think>" in line
    assert redacted["redacted"] not in line


def test_without_a_key_everything_but_the_model_works(cases: Cases, melete: Melete, service, monkeypatch) -> None:
    """CH-13."""
    server = service(cases.json("CH-13", "scenario.json"))
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    melete.settings('[model]\nprovider = "anthropic"\n[curator]\narchive = "automatic"\n')
    (melete.skills / "old").mkdir()
    (melete.skills / "old/SKILL.md").write_text("---\nname: old\ndescription: Old. Use in tests.\n---\n\nO.\n")
    day = "2025-01-01T00:00:00+00:00"
    melete.record(old={"created_by": "agent", "created_at": day, "last_used_at": day, "use_count": 1})
    for command in (["list"], ["search", "old"], ["graph"], ["pin", "old"], ["unpin", "old"]):
        melete.done(*command)
    answer = melete("chat", "-m", "Hello?")
    assert answer.code == 1
    assert "key" in answer.err.lower()
    assert "TypeError" not in answer.err
    session = melete.done("sessions", "list")["sessions"][0]["id"]
    assert texts(melete, session)[0][1] == "Hello?"
    dry = melete("curator", "run", "--dry-run", "--with-model")
    assert dry.code == 0
    assert "model part" in dry.err
    assert len(melete.done("curator", "run")["transitions"]) == 1
    assert melete.archived() == {"old"}
    assert not server.requests
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
    assert melete.done("chat", "--session", session, "-m", "Hello?", "--no-wait-review")["reply"] == "All good."
    assert not server.violations


def test_a_large_output_limit_holds_for_all_three_jobs(cases: Cases, service) -> None:
    """CH-14."""
    melete = cases.library("CH-14")
    limit = cases.json("CH-14", "settings.json")["max_output_tokens"]
    melete.settings(f"[model]\nmax_tokens = {limit}\n")
    server = service(cases.json("CH-14", "scenario.json"))
    melete.done("chat", "-m", cases.json("CH-14", "turns.json")[0]["send"])
    melete.done("curator", "run", "--dry-run", "--with-model")
    assert len(server.requests) == cases.json("CH-14", "expect.json")["requests_min"]
    assert {request["max_tokens"] for request in server.requests} == {limit}
    assert all(request["stream"] for request in server.requests)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_stop_ends_a_long_answer_and_keeps_what_came(cases: Cases, melete: Melete, service) -> None:
    """CH-15."""
    melete.settings(QUIET)
    server = service(cases.json("CH-15", "scenario.json"))
    running = melete.start("chat", "-m", "Write a lot.")
    until(lambda: "word8 " in streamed(melete))
    code, data, _ = interrupted(running, server)
    assert (code, data["ending"]) == (130, "stopped")
    session = data["session"]
    assert texts(melete, session)[1] == ("stopped", data["reply"])
    assert "word5" in data["reply"]
    assert melete.done("chat", "--session", session, "-m", "Short please.")["reply"] == "Short one."
    sent = server.requests[-1]["messages"]
    assert "word5" in json.dumps(sent[1])
    assert not server.violations
    assert len(melete.done("trajectories", "--failed")["lines"]) == 1


def test_the_same_failing_call_ends_the_turn(cases: Cases, service) -> None:
    """CH-19."""
    melete = cases.library("CH-19")
    melete.settings(QUIET)
    server = service(cases.json("CH-19", "scenario.json"))
    answer = melete("chat", "-m", "Fix it.")
    assert answer.code == 1
    assert len(server.requests) <= cases.json("CH-19", "expect.json")["requests_max"]
    assert answer.data["reason"]
    assert len(melete.done("trajectories", "--failed")["lines"]) == 1
    service({})
    again = melete.done("chat", "--session", answer.data["session"], "-m", "Something else.")
    assert again["reply"] == "ok"


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_kill_while_the_answer_streams_loses_at_most_its_end(cases: Cases, melete: Melete, service) -> None:
    """CH-20."""
    melete.settings(QUIET)
    server = service(cases.json("CH-20", "scenario.json"))
    running = melete.start("chat", "-m", cases.json("CH-20", "turns.json")[0]["send"])
    until(lambda: "piece3 " in streamed(melete))
    running.kill()
    running.communicate()
    session = melete.done("search", "MARKERPROMPT", "--in", "sessions")["hits"][0]["id"]
    shown = texts(melete, session)
    assert "MARKERPROMPT" in shown[0][1]
    assert "piece3" in shown[1][1]
    assert shown[1][0] == "interrupted"
    answer = melete.done("chat", "--session", session, "-m", "Go on.")
    assert answer["reply"] == "Welcome back."
    assert not server.violations
    for stream in (melete.home / "trajectories").glob("*.jsonl"):
        assert melete.done("trajectories", "check", str(stream))["valid"]


def test_a_session_has_one_answer_at_a_time(melete: Melete, service) -> None:
    """Beside CH-08: what another process is answering is neither mixed up nor called interrupted."""
    melete.settings(QUIET)
    service({"default": {"times": 0, "events": [{"text": "Well."}, {"stop": "end_turn"}]}})
    session = melete.done("chat", "-m", "One.")["session"]
    with turn_running(Home(melete.home), session):
        answer = melete("chat", "--session", session, "-m", "Two.")
        assert answer.code == 1
        assert "busy" in answer.err
        assert melete.done("chat", "-m", "Elsewhere.")["reply"] == "Well."
    assert melete.done("chat", "--session", session, "-m", "Two.")["reply"] == "Well."
    assert [text for _, text in texts(melete, session)] == ["One.", "Well.", "Two.", "Well."]
