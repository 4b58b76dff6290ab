"""Stored conversations: searched in any words, damaged and swapped databases, trajectories without secrets."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cases.runner import DATA, Cases, Melete

ENGINES = ("fts5", "fts4")


def imported(melete: Melete, case: str) -> None:
    melete.done("sessions", "import", str(DATA / case / "sessions.jsonl"))


def found(melete: Melete, query: str, *more: str) -> list[dict[str, Any]]:
    return melete.done("search", *more, "--in", "sessions", "--limit", "50", "--", query)["hits"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", ["SE-01", "SE-02", "SE-04", "SE-09", "SE-15"])
def test_any_text_finds_what_holds_it(cases: Cases, melete: Melete, case: str, engine: str) -> None:
    """SE-01, SE-02, SE-04, SE-09, SE-15."""
    melete.settings(f'[search]\nengine = "{engine}"\n')
    imported(melete, case)
    for query in cases.json(case, "queries.json"):
        answer = melete("search", "--in", "sessions", "--limit", "50", "--", query["q"])
        assert answer.code == 0, (query, answer.err)
        ids = {hit["id"] for hit in answer.data["hits"]}
        assert set(query["must"]) <= ids, (query, ids)
        assert not ids & set(query["must_not"]), (query, ids)


def test_hits_in_tool_text_are_marked(cases: Cases, melete: Melete) -> None:
    """SE-09."""
    imported(melete, "SE-09")
    assert all(hit["tool"] for hit in found(melete, "outputword"))


@pytest.mark.slow
def test_search_and_chat_go_on_while_the_database_is_locked(cases: Cases, melete: Melete, service) -> None:
    """SE-10."""
    imported(melete, "SE-10")
    service(cases.json("SE-10", "scenario.json"))
    before = found(melete, "gardens")
    assert before
    script = str(DATA / "SE-10" / "hold_lock.py")
    holder = subprocess.Popen(
        [sys.executable, "-u", script, str(melete.home / "melete.db"), "3"], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline().strip() == "locked"
    assert found(melete, "gardens") == before
    answer = melete.done("chat", "--no-wait-review", "-m", "Are you there while it is locked?")
    assert answer["reply"] == "Answer while locked."
    holder.communicate(timeout=20)
    assert [hit["id"] for hit in found(melete, "there while it is locked")] == [answer["session"]]


@pytest.mark.parametrize("kind", ["half", "header", "middle", "empty", "text", "noindex", "folder"])
def test_a_damaged_database_is_told_and_kept(cases: Cases, melete: Melete, kind: str) -> None:
    """SE-11."""
    imported(melete, "SE-11")
    total = len(melete.done("sessions", "list")["sessions"])
    assert total == 10
    database = melete.home / "melete.db"
    out = melete.home.parent / "damaged"
    subprocess.run([sys.executable, str(DATA / "SE-11/damage.py"), str(database), str(out)], check=True)
    for name in ("melete.db", "melete.db-wal", "melete.db-shm"):
        (melete.home / name).unlink(missing_ok=True)
    bad = out / f"{kind}.db"
    content = bad.read_bytes() if bad.is_file() else b""
    shutil.move(bad, database)
    answer = melete("sessions", "list")
    assert answer.code == 0, answer
    assert "bug in Melete" not in answer.err
    kept = [path for path in melete.home.iterdir() if path.name.startswith("melete.db.")]
    if kind in cases.json("SE-11", "expect.json")["kept_copy"]:
        assert answer.err.strip(), "the damage is told"
        assert any(path.read_bytes() == content for path in kept), kept
    if kind == "noindex":
        assert len(answer.data["sessions"]) == 10
        assert not answer.err.strip()
        assert found(melete, "gardens") or found(melete, "the")
    melete.done("list")
    melete.done("graph")
    assert melete.done("chat", "--no-wait-review", "-m", "Good morning.")["reply"]
    again = melete("sessions", "list")
    assert (again.code, again.err) == (0, ""), "told once"
    assert len(again.data["sessions"]) == len(answer.data["sessions"]) + 1


@pytest.mark.parametrize("mode", ["away", "copy", "dir-away"])
def test_a_database_swapped_between_two_turns_is_told(cases: Cases, melete: Melete, mode: str) -> None:
    """SE-16: one command after the other; the window's open database is tried with the window."""
    first = melete.done("chat", "--no-wait-review", "-m", "BEFORESWAP message.")
    database = melete.home / "melete.db"
    subprocess.run(["bash", str(DATA / "SE-16/swap.sh"), str(database), mode], check=True)
    answer = melete("chat", "--session", first["session"], "--no-wait-review", "-m", "AFTERSWAP message.")
    if mode == "copy":
        assert answer.code == 0
        rows = melete.done("sessions", "show", first["session"])["message_list"]
        assert [row["text"] for row in rows if row["role"] == "user" and row["text"]] == [
            "BEFORESWAP message.",
            "AFTERSWAP message.",
        ]
    else:
        assert (answer.code, bool(answer.err.strip())) == (1, True)
        again = melete("chat", "--no-wait-review", "-m", "A new beginning.")
        assert again.code == 0
    if mode == "away":
        assert "not found" in answer.err
        assert database.with_name("melete.db.moved").exists()


def test_each_turn_is_one_line_and_trouble_is_told(cases: Cases, melete: Melete, service) -> None:
    """TR-03."""
    copy = cases.copy("TR-03")
    service(cases.json("TR-03", "scenario.json"))
    words = cases.json("TR-03", "turns.json")[0]["send"]
    melete.settings("[trajectories]\nrecord = true\n")
    for count in (1, 2):
        melete.done("chat", "--no-wait-review", "-m", words)
        lines = melete.done("trajectories")
        assert len(lines["lines"]) == count
        assert Path(lines["folder"]).is_dir()
    target = copy / "readonly-target"
    if os.geteuid() == 0:  # nothing is read-only for root: a file in the folder's place stands for it
        target.rmdir()
        target.write_text("in the way")
    melete.settings(f'[trajectories]\nfolder = "{target}"\n')
    answer = melete("chat", "--no-wait-review", "-m", words)
    assert (answer.code, answer.data["reply"]) == (0, "Recorded?")
    assert str(target) in answer.err
    fresh = copy / "gone-folder"
    melete.settings(f'[trajectories]\nfolder = "{fresh}"\n')
    melete.done("chat", "--no-wait-review", "-m", words)
    assert len(melete.done("trajectories")["lines"]) == 1


def test_no_secret_reaches_a_training_file(cases: Cases, melete: Melete, service) -> None:
    """TR-06."""
    made = subprocess.run([sys.executable, str(DATA / "TR-06/make_messages.py")], capture_output=True, check=True)
    case = json.loads(made.stdout)
    file = melete.home / "case.json"
    file.write_text(json.dumps({"messages": case["messages"]}))
    session = melete.done("sessions", "import", str(file))["sessions"][0]["id"]
    shown = json.dumps(melete.done("sessions", "show", session))
    assert json.dumps(case["secrets"][0]).strip('"') in shown, "the conversation itself is unchanged"
    texts = [block for message in case["messages"] for block in texts_of(message["content"])]
    service({"default": {"times": 0, "events": [{"text": "\n".join(texts)}, {"stop": "end_turn"}]}})
    for text in texts:
        melete.done("chat", "--no-wait-review", "-m", text)
    service({"default": {"times": 0, "status": 400}})
    for text in texts:
        assert melete("chat", "--no-wait-review", "-m", text).code == 1
    for stream in ((), ("--failed",)):
        lines = melete.done("trajectories", *stream)["lines"]
        assert len(lines) == len(texts)
        written = json.dumps(lines, ensure_ascii=False)
        for secret in case["secrets"]:
            assert secret not in written
            assert json.dumps(secret)[1:-1] not in written
        for kept in case["keep"]:
            assert kept in written
    for path in (melete.home / "trajectories").glob("*.jsonl"):
        assert melete.done("trajectories", "check", str(path))["valid"]


def texts_of(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    found = []
    for block in content:
        found += [block.get("text") or block.get("content") or json.dumps(block.get("input"))]
    return found
