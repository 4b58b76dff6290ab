"""A run is taken back whole, in part, later and out of order; what stands in the way is named."""

from typing import Any

import pytest

from app.cycles import approval
from app.cycles.library import undo_entry
from app.cycles.runs_back import changed_by, preview_undo, undo_run
from app.errors import AppError, Kind
from app.history.values import Origin
from app.providers.scripted import says
from app.skills.values import Action, Request, Writer

ONE, TWO = "- Check the port.\n- Look at the route.", "- Check the date.\n- Renew it early."


@pytest.fixture
def applied(curated: Any) -> Any:
    """A home where a run's three groups were approved: two merges and an archive by age."""
    for name in ("net-ports", "net-certs", "git-tags", "git-log"):
        curated.add(name, ONE if "o" in name else TWO)
    curated.add("old-thing", "Nobody needs this.", idle_days=120)
    curated.add("half-old", "Seldom needed.", idle_days=40)
    home = curated.open()
    report = curated.run(
        curated.views("net-ports", "net-certs", "git-tags", "git-log"),
        curated.manages(curated.creates("net", f"{ONE}\n\n{TWO}"), curated.creates("git", f"{ONE}\n\n{TWO}")),
        curated.manages(
            *(curated.deletes(name, "net") for name in ("net-ports", "net-certs")),
            *(curated.deletes(name, "git") for name in ("git-tags", "git-log")),
        ),
        says("Done."),
        home=home,
    )
    approval.show(home, report.proposals[0])
    outcome = approval.approve_named(home, report.proposals[0], everything=True)
    assert len(outcome.entries) == 3
    return home, report.run


def live(home: Any) -> set[str]:
    return {skill.name for skill in home.library().skills if skill.live}


def test_every_entry_of_a_run_carries_the_run_and_a_reason(applied: Any) -> None:
    home, run = applied
    entries = [entry for entry in home.history.entries() if entry.record.run == run]
    assert {entry.record.action for entry in entries} == {"apply", "label"}
    assert all(entry.record.origin is Origin.CURATOR and entry.record.reason for entry in entries)


def test_what_a_run_changed_is_known_by_old_and_new_place(applied: Any) -> None:
    home, run = applied
    moved = ("net-ports", "net-certs", "git-tags", "git-log", "old-thing")
    places = {"net", "git", "half-old", *moved, *(f".archive/{name}" for name in moved)}
    assert changed_by(home, run) == places
    assert changed_by(home, "20200101-000000") == frozenset()


def test_a_preview_says_what_would_come_back_and_writes_nothing(applied: Any) -> None:
    home, run = applied
    before = home.history.tip()
    found = preview_undo(home, run)
    by_title = {step.title: {action for action, _ in step.changes} for step in found.steps}
    assert by_title["Fold net-ports and net-certs into net"] == {"restore", "archive"}
    assert by_title["by age"] == {"label"}
    assert found.conflicts == ()
    assert home.history.tip() == before


def test_the_whole_run_comes_back_and_its_undo_can_be_undone(applied: Any) -> None:
    home, run = applied
    found = undo_run(home, run)
    assert all(step.undone for step in found.steps)
    assert live(home) == {"net-ports", "net-certs", "git-tags", "git-log", "old-thing", "half-old"}
    assert home.library().get("half-old").state == "active"
    assert all(step.undone for step in preview_undo(home, run).steps)
    with pytest.raises(AppError) as caught:
        undo_run(home, run)
    assert caught.value.kind is Kind.REFUSED


def test_one_entry_of_a_run_comes_back_alone(applied: Any) -> None:
    home, run = applied
    step = next(step for step in preview_undo(home, run).steps if "into git" in step.title)
    undo_run(home, run, [step.entry])
    assert {"git-tags", "git-log"} <= live(home)
    assert "net-ports" not in live(home)
    assert [step.undone for step in preview_undo(home, run).steps].count(True) == 1


def test_an_umbrella_that_was_edited_later_stays_and_what_it_absorbed_comes_back(applied: Any) -> None:
    home, run = applied
    request = Request(Action.PATCH, "net", old="- Look at the route.", new="- Look at the new route.")
    assert home.door.do(request, Writer(Origin.USER)).ok
    said = ("net was changed since the merge, so it stays. Archive it when you need it no longer.",)
    assert {step.kept for step in preview_undo(home, run).steps} == {said, ()}
    found = undo_run(home, run)
    assert found.conflicts == ()
    step = next(step for step in found.steps if "into net" in step.title)
    assert step.undone
    assert step.kept == said
    assert live(home) == {"net", "net-ports", "net-certs", "git-tags", "git-log", "old-thing", "half-old"}
    assert "new route" in (home.home.skills / "net" / "SKILL.md").read_text(encoding="utf-8")
    assert undo_entry(home, step.by or "").entry
    assert live(home) == {"net", "git-tags", "git-log", "old-thing", "half-old"}


def test_a_preview_names_a_pin_that_will_refuse(applied: Any) -> None:
    home, run = applied
    assert home.door.do(Request(Action.PIN, "net"), Writer(Origin.USER)).ok
    step = next(step for step in preview_undo(home, run).steps if "into net" in step.title)
    (why,) = step.conflicts
    assert "pinned" in why
    (done,) = undo_run(home, run, [step.entry]).steps
    assert (done.undone, done.conflicts) == (False, (why,))


def test_counters_go_along_with_a_merge_and_come_back_with_its_undo(applied: Any) -> None:
    home, run = applied
    assert home.library().get("net").usage.uses == 6
    step = next(step for step in preview_undo(home, run).steps if "into net" in step.title)
    (done,) = undo_run(home, run, [step.entry]).steps
    assert {name: home.library().get(name).usage.uses for name in ("net-ports", "net-certs")} == {
        "net-ports": 3,
        "net-certs": 3,
    }
    assert undo_entry(home, done.by or "").entry
    assert home.library().get("net").usage.uses == 6
    assert home.library().forwards["net-ports"].into == "net"
