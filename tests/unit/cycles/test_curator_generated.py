"""The whole way with the built-in engine over generated libraries of many sizes: report, approval, and back."""

import random
from typing import Any

import pytest

from app.curator.report import run_json
from app.curator.values import Report
from app.cycles import approval
from app.cycles.home import OpenHome
from app.cycles.runs_back import undo_run
from app.proposals.decisions import changes_of
from app.skills.values import Action
from app.text.values import Fate

TOPICS = ("docker", "kafka", "postgres", "terraform", "nginx", "redis", "grafana", "ansible", "vault", "consul")
PARTS = ("restart", "backup", "logs", "upgrade", "metrics", "secrets", "network", "volumes", "users", "limits")
LONERS = ("haiku", "tax-form", "birdsong", "sourdough", "chess-opening", "sewing", "telescope", "bicycle", "gardening")


def generate(library: Any, count: int, siblings: int = 10**6) -> None:
    """Families of siblings (up to this number), loners, stale ones and dead ones; the same for the same count."""
    chance = random.Random(count)
    for number in range(count):
        kind = number % 10
        if kind < 6 and number < siblings:
            family, part = divmod(number, 60)
            topic, part_name = TOPICS[part // 6 % 10], PARTS[(part % 6 + family) % 10]
            name = f"{topic}{family or ''}-{part_name}-{number}"
            about = f"How to handle {topic}{family or ''} {part_name}. Use for {topic}{family or ''} {part_name} work."
            body = "\n".join(
                f"- Step {step}: run `{topic} {part_name} --case {chance.randrange(9999)}` on host {number}."
                for step in range(5)
            )
            library.add(name, body, about)
        elif kind < 8:
            word = LONERS[number // 10 % len(LONERS)]
            library.add(f"{word}-{number}", f"- Think of {word} number {number}.\n- Rest.", f"About {word} {number}.")
        else:
            days = 45 if kind == 8 else 130
            library.add(f"left{number}", f"Nobody asks for {number * 7919}.", f"Left alone {number}.", idle_days=days)


def proven(library: Any, home: OpenHome, report: Report) -> list[Any]:
    """What must hold of every run; returns the proposals' changes."""
    assert report.error == ""
    assert report.tree_before == report.tree_after == home.history.tree_hash()
    counts = run_json(report)["counts"]
    gone = len(report.consolidated) + len(report.pruned) + len(report.aged)
    assert counts["leaving"] == gone - len(report.crowded) == report.leaving
    assert set(report.unasked) == set(report.crowded)
    assert report.doubts == ()
    assert all(item.dropped == 0 and item.contradiction == "" for item in report.consolidated)
    changes = [c for item in report.proposals for c in changes_of(home.proposals.get(item)).values() if c.waiting]
    archives = [c for c in changes if c.action is Action.ARCHIVE]
    assert len(archives) == report.leaving
    assert len({c.skill for c in changes}) == len(changes)
    assert {c.name for c in archives if c.into} == {item.name for item in report.consolidated}
    return changes


def approve_all(home: OpenHome, report: Report) -> tuple[str, ...]:
    (proposal,) = report.proposals
    shown = approval.show(home, proposal)
    waiting = len(shown.waiting)
    for change in changes_of(shown).values():
        assert change.loss is None or change.loss.count(Fate.DROPPED) == 0
    outcome = approval.approve_named(home, proposal, everything=True)
    assert (outcome.refused, outcome.conflicts) == ((), ())
    assert len(outcome.entries) == waiting
    return outcome.entries


@pytest.mark.parametrize(
    "count",
    [
        10,
        pytest.param(25, marks=pytest.mark.slow),
        pytest.param(60, marks=pytest.mark.slow),
        pytest.param(120, marks=pytest.mark.slow),
        pytest.param(250, marks=[pytest.mark.slow, pytest.mark.timeout(300)]),
        pytest.param(500, marks=[pytest.mark.slow, pytest.mark.timeout(600)]),
        pytest.param(1000, marks=[pytest.mark.slow, pytest.mark.timeout(900)]),
    ],
)
def test_a_generated_library_is_merged_approved_and_brought_back_whole(curated: Any, count: int) -> None:
    generate(curated, count)
    home = curated.open()
    report = curated.run(home=home)
    proven(curated, home, report)
    live = {skill.name for skill in home.library().skills if skill.live}
    before = home.history.tree_hash()
    approve_all(home, report)
    now = {skill.name for skill in home.library().skills if skill.live}
    assert len(now) == report.after
    leaving = {item.name for item in report.consolidated} | {item.skill for item in report.aged}
    assert live - now == leaving - set(report.crowded)
    undone = undo_run(home, report.run)
    assert undone.conflicts == ()
    assert {skill.name for skill in home.library().skills if skill.live} >= live
    restored = home.history.contents(before_commit(home, before))
    assert {prefix: home.history.tree_id(prefix) for prefix in restored} == restored


def before_commit(home: OpenHome, tree: str) -> str:
    return next(entry.id for entry in home.history.entries() if entry.tree == tree)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("count", [2500, 5000])
def test_a_large_library_gives_a_true_report(curated: Any, count: int) -> None:
    generate(curated, count, siblings=300)
    home = curated.open()
    report = curated.run(home=home)
    proven(curated, home, report)
    assert report.before == count
    assert len(report.consolidated) > 100
