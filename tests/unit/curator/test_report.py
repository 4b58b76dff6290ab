"""The report says what happened, and `run.json` holds every fact."""

import json
from datetime import UTC, datetime
from pathlib import Path

from app.curator.report import rename_summary, render, write_report
from app.curator.runs import list_runs, new_run_folder, read_run
from app.curator.values import Consolidated, Pruned, RefusedCall, Report, Transition
from app.skills.values import State

NOW = datetime(2026, 6, 1, 3, 0, 0, tzinfo=UTC)


def report(**more: object) -> Report:
    plain = Report("20260601-030000", NOW, 1.5, "basic", "builtin", False, 5, 4)
    return Report(**{**{name: getattr(plain, name) for name in plain.__dataclass_fields__}, **more})


FULL = report(
    transitions=(Transition("old", State.ACTIVE, State.STALE, "not used for 40 days", applied=True),),
    consolidated=(Consolidated("ping", "net", "declared with the delete", "same job", "", "a doubt"),),
    pruned=(Pruned("dead", "declared with the delete"),),
    refused=(RefusedCall("skill_manage", "delete", "pin-me", "It is pinned."),),
    proposals=("p1",),
    tree_before="a" * 40,
    tree_after="a" * 40,
    tool_calls=(("skill_view", "{}"),),
    tokens_in=10,
    tokens_out=5,
)


def test_the_text_names_every_bucket_and_the_proof() -> None:
    text = render(FULL)
    for part in (
        "old",
        "[ping](skill:ping) → [net](skill:net)",
        "⚠ a doubt",
        "[dead]",
        "It is pinned.",
        "not touched",
        "proposal:p1",
    ):
        assert part in text


def test_what_others_changed_meanwhile_is_told_beside_the_hashes() -> None:
    text = render(report(tree_before="a" * 40, tree_after="b" * 40, meanwhile=("review: create ping",)))
    assert "before `aaaaaaaaaaaaaaaa`, after `bbbbbbbbbbbbbbbb`" in text
    assert "changed by others:\n\n- review: create ping\n" in text
    assert "not touched" not in text


def test_a_dry_run_says_so_in_title_and_transitions() -> None:
    text = render(report(dry_run=True, transitions=(Transition("a", State.ACTIVE, State.STALE, "r"),)))
    assert text.startswith("# Curator dry run")
    assert "not applied (dry run)" in text


def test_files_can_be_read_back_as_a_row(tmp_path: Path) -> None:
    folder = new_run_folder(tmp_path, NOW)
    write_report(folder, FULL)
    row = list_runs(tmp_path)[0]
    assert (row.run, row.before, row.after, row.merged, row.archived) == ("20260601-030000", 5, 4, 1, 1)
    assert row.leaving == FULL.leaving == 2
    assert row.tokens == 15
    text, facts = read_run(tmp_path, row.run)
    assert text == render(FULL)
    assert facts["counts"]["delta"] == -1


def test_a_second_run_in_the_same_second_has_its_own_folder(tmp_path: Path) -> None:
    assert [new_run_folder(tmp_path, NOW).name for _ in range(3)] == [
        "20260601-030000",
        "20260601-030000-2",
        "20260601-030000-3",
    ]


def test_a_damaged_run_is_a_row_that_says_so(tmp_path: Path) -> None:
    (new_run_folder(tmp_path, NOW) / "run.json").write_text("{")
    assert list_runs(tmp_path)[0].error == "The run's files cannot be read."
    assert json.loads("{}") == read_run(tmp_path, "20260601-030000")[1]


def test_the_rename_summary_stops_at_ten_and_tells_how_to_keep_an_umbrella() -> None:
    many = report(consolidated=tuple(Consolidated(f"s{n:02}", "net", "x") for n in range(12)))
    lines = rename_summary(many).splitlines()
    assert lines[0] == "Curator: 12 skills wait to leave the library."
    assert lines[1] == "s00 → net"
    assert lines[-2] == "and 2 more; see the report"
    assert lines[-1] == "Keep an umbrella as it is: melete pin net"
    assert rename_summary(report()) == ""


def test_the_rename_summary_does_not_tell_to_pin_an_umbrella_that_is_only_proposed() -> None:
    proposed = report(consolidated=(Consolidated("dns", "net", "x"),), added=("net",))
    assert rename_summary(proposed).splitlines()[-1] == "dns → net"
