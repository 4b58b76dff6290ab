"""An approved merge is taken back after other edits: what was absorbed comes back, nobody's later work is lost."""

from typing import Any

import pytest

from app.cycles import approval
from app.cycles.library import undo_entry
from app.cycles.runs_back import preview_undo, undo_run
from app.history.values import Origin
from app.providers.scripted import says
from app.skills.values import Action, Request, Writer

LINES = "first\nsecond\nthird\nfourth\nfifth\nsixth"
MERGED = f"{LINES}\n- Look at the route."
USER = Writer(Origin.USER)


@pytest.fixture
def merged(curated: Any) -> Any:
    """A home where `net-route` was folded into `net`, an umbrella that was there before; and the entry of it."""
    curated.add("net", LINES)
    curated.add("net-route", "- Look at the route.")
    home = curated.open()
    edited = {
        "action": "patch",
        "name": "net",
        "old_string": "sixth",
        "new_string": "sixth\n- Look at the route.",
        "reason": "takes net-route in",
    }
    report = curated.run(
        curated.views("net", "net-route"),
        curated.manages(edited, curated.deletes("net-route", "net")),
        says("Done."),
        home=home,
    )
    approval.show(home, report.proposals[0])
    (entry,) = approval.approve_named(home, report.proposals[0], everything=True).entries
    assert body(home) == MERGED
    return home, entry, report.run


def body(home: Any, name: str = "net") -> str:
    return (home.home.skills / name / "SKILL.md").read_text(encoding="utf-8").partition(f"# {name}\n\n")[2].strip()


def live(home: Any) -> set[str]:
    return {skill.name for skill in home.library().skills if skill.live}


def patch(home: Any, old: str, new: str) -> None:
    assert home.door.do(Request(Action.PATCH, "net", old=old, new=new), USER).ok


def test_a_later_edit_elsewhere_stays_and_what_the_merge_brought_goes(merged: Any) -> None:
    home, entry, run = merged
    patch(home, "second", "2nd")
    (step,) = preview_undo(home, run).steps
    assert {action for action, _ in step.changes} == {"put", "restore"}
    assert undo_entry(home, entry).entry
    assert body(home) == LINES.replace("second", "2nd")
    assert live(home) == {"net", "net-route"}


def test_what_was_absorbed_comes_back_byte_for_byte_and_its_forward_rests(merged: Any) -> None:
    home, entry, _run = merged
    then = home.history.contents(home.history.entry(entry).parent)
    undo_entry(home, entry)
    assert home.history.contents() == then
    assert home.library().get("net-route").usage.uses == 3


def test_a_later_edit_of_the_same_lines_is_shown_and_nothing_is_written(merged: Any) -> None:
    home, entry, run = merged
    patch(home, "- Look at the route.", "- Look at the new route.")
    tip, (step,) = home.history.tip(), preview_undo(home, run).steps
    result = undo_entry(home, entry)
    assert result.entry is None
    assert result.conflicts == step.conflicts == undo_run(home, run).conflicts
    assert result.conflicts == ("net was changed in the same places since: SKILL.md.",)
    assert [diff.path for diff in result.files] == ["net/SKILL.md"]
    assert (home.history.tip(), live(home)) == (tip, {"net"})


def test_a_name_that_is_live_again_is_refused_with_the_next_step(merged: Any) -> None:
    home, entry, run = merged
    folder = home.home.skills / "net-route"
    folder.mkdir()
    (folder / "SKILL.md").write_text("---\nname: net-route\ndescription: Mine.\n---\n\nMine.\n", encoding="utf-8")
    result = undo_entry(home, entry)
    assert result.entry is None
    assert result.conflicts == (
        "Something else stands at net-route again. Rename or archive that first, then undo this step.",
    )
    assert preview_undo(home, run).conflicts == result.conflicts
    assert body(home) == MERGED


def test_the_undo_is_taken_back_after_another_edit(merged: Any) -> None:
    home, entry, _run = merged
    undone = undo_entry(home, entry).entry
    patch(home, "second", "2nd")
    assert undo_entry(home, undone).entry
    assert body(home) == MERGED.replace("second", "2nd")
    assert live(home) == {"net"}
    assert home.library().forwards["net-route"].into == "net"
