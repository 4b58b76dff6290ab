"""A model that lies, loses, contradicts itself and stops half-way: the library stays as it is, the report is true."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from app.curator.runs import read_run
from app.curator.values import Report
from app.cycles import approval
from app.proposals.decisions import changes_of
from app.providers.scripted import says
from app.skills.values import Action

BODY = "- Check the {0} first.\n- Then note the {0} number.\n- Never open the {0} twice.\n\nThe {0} has a seal of wax."
BETA = "- Fetch the ladder.\n- Paint the ceiling green.\n\nLadders live in the shed behind the house."


@pytest.fixture
def library(curated: Any) -> Any:
    """Five siblings, one of them pinned, one young, one not managed."""
    for part in ("alpha", "beta", "gamma", "pinned", "young", "yours"):
        curated.add(f"net-{part}", body_of(part), age_days=1 if part == "young" else 200)
    curated.records["net-pinned"]["pinned"] = True
    curated.records["net-yours"]["created_by"] = None
    curated.add("other", "Something else entirely.")
    return curated


def body_of(part: str) -> str:
    return BETA if part == "beta" else BODY.format(part)


def contents(root: Path) -> dict[str, str]:
    """Every file of the live skills with its hash."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((root / "skills").rglob("SKILL.md"))
    }


def lied(library: Any, *script: Any) -> tuple[Report, dict[str, Any], Any]:
    """A run of this script; checked here is what must hold whatever the model does."""
    home = library.open()
    names = {skill.name for skill in home.library().skills}
    before = contents(library.root)
    report = library.run(*script, home=home)
    assert contents(library.root) == before
    assert report.tree_before == report.tree_after == home.history.tree_hash()
    buckets = [item.name for item in report.consolidated] + [item.name for item in report.pruned]
    assert len(buckets) == len(set(buckets))
    assert set(buckets) <= names
    changes = [c for item in report.proposals for c in changes_of(home.proposals.get(item)).values()]
    archived = {c.name: c.absorbed_into or "" for c in changes if c.action is Action.ARCHIVE}
    said = {item.name: item.into for item in report.consolidated} | {item.name: "" for item in report.pruned}
    assert archived == said
    return report, read_run(home.home.curator_runs, report.run)[1], home


def whole(*parts: str) -> str:
    return "\n\n".join(f"## {part}\n\n{body_of(part)}" for part in parts)


def block(text: str) -> Any:
    return says(f"Done.\n\n```yaml\n{text}\n```\n")


def test_a_missing_umbrella_is_refused_and_the_skill_stays(library: Any) -> None:
    report, facts, _ = lied(
        library,
        library.views("net-alpha"),
        library.manages(library.deletes("net-alpha", "ghost")),
        block("consolidations:\n- {from: net-alpha, into: ghost}\nprunings: []"),
    )
    assert report.proposals == ()
    assert [(item.skill, "ghost" in item.why) for item in report.refused] == [("net-alpha", True)]
    assert facts["refused"][0]["why"] == report.refused[0].why
    assert any("net-alpha was merged into ghost; it was not" in note for note in report.notes)


def test_dropped_content_is_measured_and_alarmed(library: Any) -> None:
    report, facts, home = lied(
        library,
        library.views("net-alpha", "net-beta"),
        library.manages(library.creates("net", f"{whole('alpha')}\n\nSee references/beta.md for the rest.")),
        library.manages(library.deletes("net-alpha", "net"), library.deletes("net-beta", "net")),
        block("consolidations:\n- {from: net-alpha, into: net}\n- {from: net-beta, into: net}\nprunings: []"),
    )
    kept = {item.name: item.kept for item in report.consolidated}
    assert kept["net-alpha"] > 0.8
    assert kept["net-beta"] < 0.6
    assert sum("net-beta: net keeps only" in doubt for doubt in report.doubts) == 1
    assert any("never written: references/beta.md" in doubt for doubt in report.doubts)
    assert facts["consolidated"][1]["dropped"] == report.consolidated[1].dropped > 0
    shown = changes_of(approval.show(home, report.proposals[0]))
    assert any(finding.rule == "UMB.HOLLOW" for finding in shown["c1"].findings)
    assert [change.loss.alarm for change in shown.values() if change.loss] == [False, True]


def test_pinned_young_and_foreign_skills_cannot_be_deleted(library: Any) -> None:
    names = ("net-pinned", "net-young", "net-yours")
    report, _, home = lied(
        library,
        library.views(*names),
        library.manages(*(library.deletes(name, "") for name in names)),
        block("consolidations: []\nprunings:\n- {name: net-pinned}\n- {name: net-young}\n- {name: net-yours}"),
    )
    assert {item.skill for item in report.refused} == set(names)
    assert home.proposals.list() == ()
    assert len([note for note in report.notes if "it was not" in note]) == 3


def test_a_final_answer_that_contradicts_the_calls_is_marked_and_decides_nothing(library: Any) -> None:
    report, _, _ = lied(
        library,
        library.views("net-alpha", "net-beta"),
        library.manages(library.creates("net", whole("alpha", "beta"))),
        library.manages(library.deletes("net-alpha", "net"), library.deletes("net-beta", "net")),
        block("consolidations:\n- {from: net-alpha, into: other}\nprunings:\n- {name: net-beta}"),
    )
    found = {item.name: (item.into, item.contradiction) for item in report.consolidated}
    assert found["net-alpha"][0] == found["net-beta"][0] == "net"
    assert "into other" in found["net-alpha"][1]
    assert "lists it as pruned" in found["net-beta"][1]
    assert report.pruned == ()


def test_a_model_that_stops_half_way_leaves_what_is_whole(library: Any) -> None:
    report, _, home = lied(
        library,
        library.views("net-alpha", "net-beta"),
        library.manages(library.creates("net", whole("alpha", "beta"))),
        library.manages(library.deletes("net-alpha", "net")),
    )
    assert "script is over" in report.error
    assert [item.name for item in report.consolidated] == ["net-alpha"]
    shown = approval.show(home, report.proposals[0])
    seen = {change.id: change.seen for change in changes_of(shown).values()}
    outcome = approval.approve(home, shown.id, tuple(seen), seen)
    assert outcome.refused == ()
    assert (library.root / "skills" / "net-beta").is_dir()


@pytest.mark.parametrize(
    "rubbish", ["{[: - yaml", "- just\n- a list", "consolidations: 3\nprunings: {a: [b]}", "&a *a"]
)
def test_rubbish_in_the_final_block_is_said_and_harms_nothing(library: Any, rubbish: str) -> None:
    report, _, _ = lied(
        library,
        library.views("net-alpha", "net-beta"),
        library.manages(library.creates("net", whole("alpha", "beta"))),
        library.manages(library.deletes("net-alpha", "net")),
        block(rubbish),
    )
    assert [item.into for item in report.consolidated] == ["net"]
    assert report.error == ""


def edits(name: str, body: str) -> dict[str, Any]:
    text = f"---\nname: {name}\ndescription: Does {name}. Use for it.\n---\n\n# {name}\n\n{body}\n"
    return {"action": "edit", "name": name, "content": text, "reason": "takes others in"}


def test_an_umbrella_that_is_folded_on_leads_its_skills_to_the_end(library: Any) -> None:
    report, _, home = lied(
        library,
        library.views("net-alpha", "net-beta", "net-gamma"),
        library.manages(edits("net-beta", whole("alpha", "beta")), library.deletes("net-alpha", "net-beta")),
        library.manages(edits("net-gamma", whole("alpha", "beta", "gamma")), library.deletes("net-beta", "net-gamma")),
        says("Done."),
    )
    assert {item.name: item.into for item in report.consolidated} == dict.fromkeys(
        ("net-alpha", "net-beta"), "net-gamma"
    )
    shown = approval.show(home, report.proposals[0])
    seen = {change.id: change.seen for change in changes_of(shown).values()}
    assert approval.approve(home, shown.id, tuple(seen), seen).refused == ()
    assert home.library().forwards["net-alpha"].into == "net-gamma"


def test_an_umbrella_that_is_thrown_away_again_leaves_a_prune_that_says_so(library: Any) -> None:
    report, _, home = lied(
        library,
        library.views("net-alpha", "net-beta"),
        library.manages(edits("net-beta", whole("alpha", "beta")), library.deletes("net-alpha", "net-beta")),
        library.manages(library.deletes("net-beta", "")),
        says("Done."),
    )
    gone = {item.name: item for item in report.pruned}
    assert set(gone) == {"net-alpha", "net-beta"}
    assert gone["net-alpha"].source == "declared with the delete, but its umbrella is gone"
    assert "net-beta, which is not there" in gone["net-alpha"].contradiction
    reasons = {c.name: c.reason for c in changes_of(home.proposals.get(report.proposals[0])).values()}
    assert "net-beta, which should take it in, is gone itself" in reasons["net-alpha"]


def test_an_umbrella_made_in_the_run_is_too_young_to_be_thrown_away_in_it(library: Any) -> None:
    report, _, _ = lied(
        library,
        library.views("net-alpha"),
        library.manages(library.creates("net", whole("alpha")), library.deletes("net-alpha", "net")),
        library.manages(library.deletes("net", "")),
        says("Done."),
    )
    assert [item.skill for item in report.refused] == ["net"]
    assert [item.into for item in report.consolidated] == ["net"]


def test_tools_outside_the_run_and_paths_outside_the_skill_are_refused_in_the_report(library: Any) -> None:
    escape = {"action": "write_file", "name": "net-alpha", "file_path": "../../evil.md", "file_content": "x"}
    report, _, _ = lied(
        library,
        library.views("net-alpha"),
        library.asks(("memory", {"action": "add", "target": "user", "content": "Likes lies."})),
        library.manages(escape),
        says("Done."),
    )
    assert [item.tool for item in report.refused] == ["memory", "skill_manage"]
    assert not list(library.root.rglob("evil.md"))
