"""Whole curator runs: one source of numbers, stops and crashes that lose nothing, and a budget."""

import re
from typing import Any

import pytest

from app.cancel import CancelToken
from app.curator.candidates import candidates
from app.curator.report import rename_summary
from app.curator.runs import read_run
from app.curator.state import read_state
from app.curator.values import Gate, Thresholds
from app.cycles import approval
from app.cycles.curator import run_if_due, runs, status
from app.cycles.desk import curator_desk
from app.history.values import Origin
from app.providers.scripted import ScriptedProvider, says
from app.providers.values import Usage
from app.skills.values import Action, Request, Writer

IDLE = 3 * 3600.0
PORTS = "- Check the port with `ss -ltn`.\n- Then look at the route."
CERTS = "- Check the date of the certificate.\n- Renew it early."


@pytest.fixture
def library(curated: Any) -> Any:
    """Two siblings, one skill nobody used for long, one that is in use."""
    curated.add("net-ports", PORTS)
    curated.add("net-certs", CERTS)
    curated.add("old-thing", "Nobody needs this.", idle_days=120)
    curated.add("in-use", "Everybody needs this.")
    return curated


def fold(library: Any) -> list[Any]:
    """A script that folds both siblings and says so."""
    return [
        library.views("net-ports", "net-certs"),
        library.manages(library.creates("net", f"## Ports\n\n{PORTS}\n\n## Certs\n\n{CERTS}")),
        library.manages(library.deletes("net-ports", "net"), library.deletes("net-certs", "net")),
        says("Folded both into net."),
    ]


def test_report_list_chat_and_inbox_say_the_same_numbers(library: Any) -> None:
    home = library.open()
    session = home.sessions.create("A chat", "scripted")
    report = library.run(*fold(library), home=home)
    row = runs(home)[0]
    waiting = [group for proposal in home.proposals.list() for group in proposal.waiting]
    assert (row.merged, row.archived, row.leaving) == (2, 1, 3)
    assert report.leaving == row.leaving == 3
    assert row.waiting == report.decisions == len(waiting) == 2
    line = home.sessions.messages(session.id)[-1].message.text.splitlines()[0]
    assert line == "Curator: 3 skills wait to leave the library (2 decisions)."
    assert (row.before, row.after) == (4, 2)


def test_a_decided_group_waits_no_more_in_the_list_of_runs(library: Any) -> None:
    home = library.open()
    report = library.run(*fold(library), home=home)
    shown = approval.show(home, report.proposals[0])
    group = next(item for item in shown.groups if len(item.changes) == 3)
    approval.approve(home, shown.id, [c.id for c in group.changes], {c.id: c.seen for c in group.changes})
    assert runs(home)[0].waiting == 1


def test_before_the_first_run_the_card_has_no_last_run(library: Any) -> None:
    home = library.open()
    assert library.played(run_if_due(home, None, CancelToken(), IDLE)) is None
    found = status(home, IDLE)
    assert (found.last_run_at, found.ran_at, found.run_count) == (library.now, None, 0)


def test_what_was_rejected_before_is_reported_and_not_counted(library: Any) -> None:
    home = library.open()
    first = library.run(*fold(library), home=home)
    approval.reject(home, first.proposals[0], (), "no")
    library.later(days=8)
    again = library.run(*fold(library), home=home)
    assert again.proposals == ()
    assert set(again.unasked) == {"net-ports", "net-certs", "net", "old-thing"}
    assert (again.leaving, again.before, again.after) == (0, 4, 4)
    assert "rejected before" in read_run(home.home.curator_runs, again.run)[0]
    assert rename_summary(again) == ""


def test_a_stop_keeps_what_is_done_and_ends_the_run(library: Any) -> None:
    home, token = library.open(), CancelToken()
    work = library.work(ScriptedProvider(fold(library)), token, home=home)
    for progress in work:
        if "net-ports: done" in progress.line and "delete" in progress.line:
            token.cancel()
            break
    report = library.played(work)
    assert [item.name for item in report.consolidated] == ["net-ports"]
    assert len(report.proposals) == 1
    assert report.error.startswith("Stopped")
    found = status(home, IDLE)
    assert (found.cut_short, found.gate) == ("", Gate.NOT_DUE)
    assert found.next_run_at is not None
    assert (found.next_run_at - library.now).days == 7


def stopped_by_closing(library: Any, home: Any) -> Any:
    token = CancelToken()
    work = library.work(ScriptedProvider(fold(library)), token, home=home, closing=lambda: True)
    for progress in work:
        if "delete net-ports: done" in progress.line:
            token.cancel()
            break
    return library.played(work)


def test_a_run_stopped_by_closing_says_so_in_chat_and_report_and_is_made_up_for(library: Any) -> None:
    home = library.open()
    session = home.sessions.create("A chat", "scripted")
    report = stopped_by_closing(library, home)
    assert "Melete was closed" in home.sessions.messages(session.id)[-1].message.text
    assert "Melete was closed" in read_run(home.home.curator_runs, report.run)[0]
    found = status(library.open(), IDLE)
    assert found.cut_short == report.run
    assert "made up for" in found.why
    library.later(hours=25)
    again = library.played(run_if_due(library.open(), ScriptedProvider(fold(library)), CancelToken(), IDLE))
    assert {item.name for item in again.consolidated} == {"net-ports", "net-certs"}
    assert read_state(home.home.curator_state).unfinished == ""


def test_what_others_wrote_during_a_run_is_named_and_its_own_steps_are_not(library: Any) -> None:
    home = library.open()
    (library.root / "melete.toml").write_text('[curator]\narchive = "automatic"\n', encoding="utf-8")
    home.reload_settings()
    work = library.work(ScriptedProvider(fold(library)), home=home)
    for progress in work:
        if "create net: done" in progress.line:
            change = Request(Action.PATCH, "in-use", old="Everybody needs this.", new="Everybody does.")
            assert home.door.do(change, Writer(Origin.USER)).ok
            break
    report = library.played(work)
    assert report.tree_before != report.tree_after
    assert [move.applied for move in report.aged] == [True]
    assert report.meanwhile == ("user: patch in-use",)


def killed(library: Any) -> Any:
    """A home whose run never came to its end."""
    home = library.open()
    work = library.work(ScriptedProvider(fold(library)), home=home)
    for progress in work:
        if "create net: done" in progress.line:
            break
    work.close()
    return home


def test_a_killed_run_leaves_a_report_with_the_proof_that_nothing_changed(library: Any) -> None:
    home = killed(library)
    row = runs(home)[0]
    text, facts = read_run(home.home.curator_runs, row.run)
    assert "cut short" in row.error
    assert facts["tree_before"] == facts["tree_after"] == home.history.tree_hash()
    assert "The library was not touched" in text


def test_a_killed_run_is_not_repeated_at_once_and_costs_no_week(library: Any) -> None:
    killed(library)
    library.later(hours=1)
    assert library.played(run_if_due(library.open(), None, CancelToken(), IDLE)) is None
    library.later(hours=24)
    assert library.played(run_if_due(library.open(), None, CancelToken(), IDLE)) is not None
    assert library.played(run_if_due(library.open(), None, CancelToken(), IDLE)) is None


def test_two_runs_without_an_end_go_back_to_the_interval(library: Any) -> None:
    killed(library)
    library.later(hours=25)
    killed(library)
    assert read_state(library.root / "skills" / ".curator_state").attempts == 2
    library.later(hours=25)
    assert status(library.open(), IDLE).gate is Gate.NOT_DUE
    library.later(days=6)
    assert status(library.open(), IDLE).gate is Gate.OPEN


def test_a_used_up_budget_stops_the_run_and_keeps_what_is_done(library: Any) -> None:
    home = library.open()
    (library.root / "melete.toml").write_text("[curator]\nmax_tokens = 1000\n", encoding="utf-8")
    home.reload_settings()
    script = [
        library.views("net-ports", "net-certs", usage=Usage(input=300, output=10)),
        library.manages(library.creates("net", f"{PORTS}\n\n{CERTS}"), usage=Usage(input=400, output=300)),
        library.manages(library.deletes("net-ports", "net"), usage=Usage(input=400)),
        says("Done."),
    ]
    seen: list[Any] = []
    report = library.played(library.work(ScriptedProvider(script), home=home), seen)
    assert report.error == "The budget of 1,000 tokens is used up. What was done until then is kept."
    assert report.added == ("net",)
    assert len(report.proposals) == 1
    assert max(progress.tokens for progress in seen) == 1010
    assert status(home, IDLE).budget.tokens == 1000


def test_a_disk_without_room_for_the_draft_still_gives_a_report(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    home = library.open()
    monkeypatch.setattr("tempfile.tempdir", "/proc/nowhere")
    report = library.run(*fold(library), home=home)
    assert re.search("draft", report.error)
    assert report.tree_before == report.tree_after
    assert runs(home)[0].error == report.error


def test_what_leans_on_a_candidate_is_shown_to_the_model_and_in_the_report(library: Any) -> None:
    home = library.open()
    session = home.sessions.create("Ports again", "scripted")
    turn = home.sessions.start_turn(session.id)
    home.sessions.end_turn(session.id, turn, "done", Usage(), ("net-ports",), "scripted")
    (library.root / "cron").mkdir()
    (library.root / "cron" / "jobs.json").write_text('[{"skills": ["net-certs"]}]', encoding="utf-8")
    model = ScriptedProvider(fold(library))
    report = library.run(provider=model, home=home)
    said = model.requests[0].messages[0].text
    assert "used in 1 conversation, last in “Ports again”" in said
    assert "named in cron/jobs.json" in said
    assert report.references["net-certs"] == ("named in cron/jobs.json",)
    assert "Ports again" in read_run(home.home.curator_runs, report.run)[0]


def test_every_candidate_can_really_be_changed_in_the_draft(library: Any) -> None:
    library.add("pinned-one", "Stay.")
    library.records["pinned-one"]["pinned"] = True
    library.add("young-one", "New.", age_days=2)
    library.add("off-one", "Off.")
    (library.root / "melete.toml").write_text('[library]\ndisabled = ["off-one"]\n', encoding="utf-8")
    home = library.open()
    found = candidates(home.library().skills, library.now, Thresholds())
    assert [skill.name for skill in found] == ["in-use", "net-certs", "net-ports", "old-thing", "pinned-one"]
    home.live.observe_outside(None)
    desk = curator_desk(home, "r")
    writer = Writer(Origin.CURATOR, run="r")
    for skill in found:
        wish = Request(Action.PATCH, skill.id, old=f"# {skill.name}", new=f"# The {skill.name}")
        assert desk.door.do(wish, writer).ok
        assert desk.door.do(Request(Action.ARCHIVE, skill.id, absorbed_into=""), writer).ok is not skill.pinned
    desk.close()


@pytest.mark.slow
def test_what_finds_no_place_in_a_full_inbox_is_said_and_not_called_rejected(curated: Any) -> None:
    for number in range(205):
        curated.add(f"left-{number:03}", "Nobody asks.", idle_days=120)
    home = curated.open()
    report = curated.run(provider=ScriptedProvider([says("Nothing.")]), home=home)
    assert (report.leaving, report.decisions, len(report.crowded)) == (200, 200, 5)
    assert "5 more have no place in the full inbox" in rename_summary(report)
    assert "rejected before" not in read_run(home.home.curator_runs, report.run)[0]
    assert runs(home)[0].waiting == 200
