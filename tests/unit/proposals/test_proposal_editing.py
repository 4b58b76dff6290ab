"""A change can be edited or narrowed to chosen parts before it is approved, as long as what remains is whole."""

import pytest

from app.errors import AppError, Kind
from app.history.values import Blob
from app.memory.values import Target
from app.proposals.decisions import changes_of
from app.proposals.grouping import memory_change
from app.proposals.values import Decision, MemoryAction, MemoryStep, ProposalState

LINES = [f"line {number}\n" for number in range(1, 31)]
BASE = "".join(LINES)
BOTH = BASE.replace("line 2\n", "line 2 first\n").replace("line 28\n", "line 28 second\n")


@pytest.fixture
def wide(desk, folder):
    """The skill a with thirty lines, and a proposal that changes two far places of it."""
    desk.write("a", folder("a", BASE))
    desk.live.observe_outside(["a"])
    return desk.file(desk.edit("a", BOTH))


def refused(call, *args: object) -> AppError:
    with pytest.raises(AppError) as caught:
        call(*args)
    return caught.value


def test_an_edited_text_is_what_gets_written(desk, wide) -> None:
    text = changes_of(desk.shown(wide))["c1"].after_text + "by hand\n"
    old_seen = desk.seen(wide)
    edited = desk.approval.edit(wide.id, "c1", text)
    assert changes_of(edited)["c1"].revision == 1
    assert desk.approval.approve(wide.id, seen=old_seen, groups=["g1"]).applied == ()
    assert desk.approval.approve(wide.id, seen=desk.seen(wide), groups=["g1"]).applied == ("c1",)
    assert desk.text("a").endswith("by hand\n")


def test_an_edit_that_is_no_skill_is_refused_with_the_reason(desk, wide) -> None:
    error = refused(desk.approval.edit, wide.id, "c1", "no front matter\n")
    assert error.kind is Kind.INVALID
    assert "no usable skill" in error.text
    assert desk.store.get(wide.id) == wide


def test_an_edit_back_to_the_base_is_refused(desk, wide) -> None:
    text = changes_of(desk.shown(wide))["c1"].before_text
    assert refused(desk.approval.edit, wide.id, "c1", text).title == "Nothing would change"


def test_an_edit_settles_a_conflict(desk, folder, wide) -> None:
    desk.write("a", folder("a", BASE.replace("line 2\n", "line 2 mine\n")))
    shown = changes_of(desk.approval.show(wide.id))["c1"]
    assert shown.conflicts
    settled = folder("a", BASE.replace("line 2\n", "line 2 first and mine\n"))
    desk.approval.edit(wide.id, "c1", settled)
    assert desk.approval.approve(wide.id, seen=desk.seen(wide), groups=["g1"]).applied == ("c1",)
    assert "line 2 first and mine\n" in desk.text("a")


def test_an_archive_of_an_edited_skill_goes_ahead_only_when_it_is_said(desk, folder) -> None:
    proposal = desk.file(desk.archive("a", "u"))
    desk.write("a", folder("a", "edited\n"))
    desk.approval.show(proposal.id)
    assert desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"]).conflicts == ("c1",)
    desk.approval.edit(proposal.id, "c1", None)
    assert desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"]).applied == ("c1",)
    assert desk.text(".archive/a").endswith("edited\n")


def test_an_archive_is_not_edited_into_content(desk, folder) -> None:
    proposal = desk.file(desk.archive("a", "u"))
    assert refused(desk.approval.edit, proposal.id, "c1", folder("a")).kind is Kind.INVALID


def test_a_decided_or_unknown_change_is_not_edited(desk, wide) -> None:
    desk.store.reject(wide.id)
    assert refused(desk.approval.edit, wide.id, "c1", "x").kind is Kind.USAGE
    assert refused(desk.approval.edit, wide.id, "c9", "x").kind is Kind.USAGE


def test_a_memory_wish_can_be_reworded(desk) -> None:
    proposal = desk.file(memory_change(MemoryStep(MemoryAction.ADD, Target.USER, "Likes tee.", span="tea")))
    edited = desk.approval.edit(proposal.id, "c1", "Likes tea.\n")
    assert changes_of(edited)["c1"].memory.text == "Likes tea."
    assert changes_of(edited)["c1"].memory.span == "tea"
    assert changes_of(edited)["c1"].seen != changes_of(proposal)["c1"].seen
    assert refused(desk.approval.edit, proposal.id, "c1", "  ").kind is Kind.INVALID


def test_only_the_chosen_hunk_is_written_and_its_own_hash_is_asked_for(desk, wide) -> None:
    first, _ = changes_of(desk.shown(wide))["c1"].files[0].hunks
    hunks = {"SKILL.md": [first.id]}
    part = desk.approval.show_part(wide.id, "c1", hunks)
    assert "line 2 first" in part.after_text
    assert "second" not in part.after_text
    whole = {"c1": changes_of(wide)["c1"].seen}
    assert desk.approval.approve(wide.id, seen=whole, changes=["c1"], hunks={"c1": hunks}).applied == ()
    assert desk.store.get(wide.id) == wide
    done = desk.approval.approve(wide.id, seen={"c1": part.seen}, changes=["c1"], hunks={"c1": hunks})
    assert done.applied == ("c1",)
    assert desk.text("a") == part.after_text
    assert changes_of(desk.store.get(wide.id))["c1"].result == part.result


def test_no_hunk_of_an_added_file_leaves_it_out(desk) -> None:
    proposal = desk.file(desk.edit("a", "changed\n", **{"references/x.md": "x\n"}))
    part = desk.approval.show_part(proposal.id, "c1", {"references/x.md": []})
    assert [diff.path for diff in part.files] == ["SKILL.md"]


@pytest.mark.parametrize("hunks", [{"SKILL.md": []}, {"other.md": []}, {"SKILL.md": ["nothing"]}])
def test_nothing_chosen_and_unknown_parts_are_refused(desk, wide, hunks) -> None:
    assert refused(desk.approval.show_part, wide.id, "c1", hunks).kind is Kind.INVALID


def test_dropping_the_hunk_that_holds_an_absorbed_skill_keeps_that_skill(desk, folder) -> None:
    desk.write("u", folder("u", BASE))
    desk.write("a", folder("a", "- always rinse the red bucket\n"))
    desk.write("b", folder("b", "- never paint on wet wood\n"))
    desk.live.observe_outside(["a", "b", "u"])
    body = "- always rinse the red bucket\n" + BASE + "- never paint on wet wood\n"
    proposal = desk.file(desk.edit("u", body), desk.archive("a", "u"), desk.archive("b", "u"))
    first, _ = changes_of(desk.shown(proposal))["c1"].files[0].hunks
    hunks = {"SKILL.md": [first.id]}
    seen = {**desk.seen(proposal), "c1": desk.approval.show_part(proposal.id, "c1", hunks).seen}
    outcome = desk.approval.approve(proposal.id, seen=seen, groups=["g1"], hunks={"c1": hunks})
    assert outcome.applied == ("c1", "c2")
    assert [change for change, _ in outcome.refused] == ["c3"]
    assert desk.text("b") != ""
    after = desk.store.get(proposal.id)
    assert after.state is ProposalState.PENDING
    assert changes_of(after)["c3"].decision is Decision.WAITING


def test_a_file_that_is_no_text_is_taken_whole(desk, folder) -> None:
    desk.write("a", {**folder("a"), "logo.png": Blob(b"\0old")})
    desk.live.observe_outside(["a"])
    from dataclasses import replace

    files = {**folder("a"), "logo.png": Blob(b"\0new")}
    proposal = desk.file(replace(desk.edit("a", ""), result=files))
    assert desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"]).applied == ("c1",)
    assert (desk.home.skills / "a" / "logo.png").read_bytes() == b"\0new"
