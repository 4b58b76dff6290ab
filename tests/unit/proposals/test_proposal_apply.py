"""Approving writes exactly what was displayed, a group at once, and nothing else."""

import json

import pytest

from app.errors import AppError, Kind
from app.history.values import Origin
from app.locks import HomeLock
from app.memory.values import Target
from app.proposals.apply import seen_by_name
from app.proposals.decisions import changes_of
from app.proposals.filing import About
from app.proposals.grouping import memory_change
from app.proposals.values import Decision, MemoryAction, MemoryStep, ProposalState
from app.skills.resolve import resolve
from app.skills.undo import undo
from app.skills.values import State, Writer

BASE = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"


def fold(desk):
    """A new umbrella that absorbs a and b."""
    return desk.file(desk.edit("net", BASE + "a and b\n"), desk.archive("a", "net"), desk.archive("b", "net"))


def test_a_group_is_written_as_one_entry_with_its_true_origin(desk) -> None:
    proposal = fold(desk)
    tip = desk.history.tip()
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    assert (outcome.applied, outcome.refused, outcome.conflicts) == (("c1", "c2", "c3"), (), ())
    assert outcome.state is ProposalState.APPLIED
    entry = desk.history.entry(outcome.entries[0])
    assert entry.parent == tip
    assert (entry.record.origin, entry.record.action, entry.record.run) == (Origin.CURATOR, "apply", "20260615-120000")
    assert entry.record.reason == "Fold a and b into net"
    assert entry.record.detail["proposal"] == proposal.id
    assert entry.record.detail["approved"] is True
    assert desk.text("net").endswith("a and b\n")
    assert desk.text(".archive/a") != ""
    assert desk.text("a") == ""
    assert [desk.library().get(f".archive/{name}").state for name in ("a", "b")] == [State.ARCHIVED] * 2


def test_absorbed_names_lead_to_the_umbrella_and_keep_their_counters(desk) -> None:
    desk.add("a", use_count=7)
    proposal = fold(desk)
    desk.approval.approve(proposal.id, seen=desk.seen(proposal), everything=True)
    found = resolve(desk.library(), "a")
    assert (found.skill.id, found.via) == ("net", ("a",))
    records = json.loads(desk.home.usage.read_text())
    assert (records["a"]["use_count"], records["a"]["state"]) == (7, "archived")
    assert records["net"]["created_by"] == "agent"


def test_nothing_is_written_without_the_displayed_hash(desk) -> None:
    proposal = fold(desk)
    before = desk.history.tip()
    for seen in ({}, {"c1": "0" * 40, "c2": "", "c3": ""}, {"c1": "", "c2": "", "c3": ""}):
        outcome = desk.approval.approve(proposal.id, seen=seen, groups=["g1"])
        assert outcome.applied == ()
        assert {change for change, _ in outcome.refused} == {"c1", "c2", "c3"}
    assert desk.history.tip() == before
    assert desk.store.get(proposal.id).state is ProposalState.PENDING


def test_an_archives_hash_may_be_said_as_empty(desk) -> None:
    proposal = desk.file(desk.archive("a"))
    assert desk.approval.approve(proposal.id, seen={"c1": ""}, changes=["c1"]).applied == ("c1",)


def test_an_absorbed_skill_is_not_archived_without_its_umbrella(desk) -> None:
    proposal = fold(desk)
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), changes=["c2"])
    assert outcome.applied == ()
    assert "Approve that change first" in outcome.refused[0][1]
    assert desk.approval.approve(proposal.id, seen=desk.seen(proposal), changes=["c1"]).applied == ("c1",)
    assert desk.approval.approve(proposal.id, seen=desk.seen(proposal), changes=["c2"]).applied == ("c2",)
    assert desk.store.get(proposal.id).state is ProposalState.PENDING


def test_an_archive_reopened_alone_waits_for_the_rejected_umbrella(desk) -> None:
    proposal = desk.file(desk.edit("u", BASE + "a\n"), desk.archive("a", "u"))
    desk.store.reject(proposal.id)
    desk.store.reopen(proposal.id, ["c2"])
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), changes=["c2"])
    assert "was rejected" in outcome.refused[0][1]


def test_an_unchanged_live_umbrella_is_enough(desk) -> None:
    proposal = desk.file(desk.archive("a", "u"))
    assert desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"]).applied == ("c1",)
    assert resolve(desk.library(), "a").skill.id == "u"


def test_a_change_that_moved_on_is_shown_again_before_it_is_written(desk, folder) -> None:
    proposal = desk.file(desk.edit("u", BASE + "a\n"), desk.archive("a", "u"))
    seen = desk.seen(proposal)
    desk.write("u", folder("u", "mine\n" + BASE))
    outcome = desk.approval.approve(proposal.id, seen=seen, groups=["g1"])
    assert outcome.applied == ()
    assert outcome.conflicts == ("c1",)
    assert desk.text("u").endswith("mine\n" + BASE)
    assert desk.text("a") != ""
    assert changes_of(desk.store.get(proposal.id))["c1"].revision == 1
    again = desk.approval.approve(proposal.id, seen=seen, groups=["g1"])
    assert again.applied == ()
    done = desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    assert done.applied == ("c1", "c2")
    assert desk.text("u").endswith("mine\n" + BASE + "a\n")


def test_the_outside_edit_stands_in_the_ledger_before_the_approved_change(desk, folder) -> None:
    proposal = desk.file(desk.edit("u", BASE + "a\n"))
    desk.write("u", folder("u", "mine\n" + BASE))
    desk.approval.refresh(proposal.id)
    desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    assert [entry.record.origin for entry in desk.history.entries(2)] == [Origin.CURATOR, Origin.OUTSIDE]


def test_a_conflict_keeps_the_group_back_until_it_is_settled(desk, folder) -> None:
    proposal = desk.file(desk.edit("u", BASE.replace("four", "FOUR")), desk.archive("a", "u"))
    desk.write("u", folder("u", BASE.replace("four", "vier")))
    desk.approval.refresh(proposal.id)
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    assert (outcome.applied, outcome.conflicts) == ((), ("c1",))
    assert "vier" in desk.text("u")


def test_a_skill_gone_meanwhile_drops_out_and_the_rest_goes_on(desk) -> None:
    proposal = fold(desk)
    desk.remove("b")
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), changes=["c1", "c2", "c3"])
    assert outcome.applied == ("c1", "c2")
    assert outcome.refused == (("c3", "b is no longer among the live skills."),)
    assert desk.store.get(proposal.id).state is ProposalState.APPLIED


def test_a_skill_pinned_meanwhile_keeps_its_whole_group_as_it_is(desk) -> None:
    proposal = fold(desk)
    desk.add("b", pinned=True)
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    assert outcome.applied == ()
    assert any("pinned" in why for _, why in outcome.refused)
    assert desk.text("net") == ""
    assert desk.text("a") != ""


def test_a_name_taken_meanwhile_refuses_the_new_skill(desk) -> None:
    proposal = desk.file(desk.edit("net", BASE))
    desk.add("tools/net")
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    assert outcome.applied == ()
    assert "tools/net" in outcome.refused[0][1]


def test_a_result_that_is_no_skill_cannot_be_approved(desk) -> None:
    broken = desk.edit("a", BASE)
    files = {"SKILL.md": broken.result["SKILL.md"].__class__(b"no front matter\n")}
    proposal = desk.file(broken.__class__("a", "a", broken.action, broken.base, files))
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    assert outcome.applied == ()
    assert "no usable skill" in outcome.refused[0][1]


def test_a_batch_leaves_scripts_out_unless_they_are_named(desk) -> None:
    from dataclasses import replace

    script = replace(desk.edit("u", BASE + "run\n", **{"scripts/run.sh": "#!/bin/sh\n"}), has_script=True)
    proposal = desk.file(script, desk.archive("a", "u"), desk.edit("b", BASE + "more\n"))
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), everything=True)
    assert outcome.applied == ("c3",)
    assert {change for change, _ in outcome.refused} == {"c1", "c2"}
    named = desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    assert named.applied == ("c1", "c2")
    assert desk.text("u", "scripts/run.sh") == "#!/bin/sh\n"


def test_groups_are_decided_apart(desk, folder) -> None:
    proposal = desk.file(desk.edit("a", BASE + "x\n"), desk.edit("b", BASE + "y\n"))
    seen = desk.seen(proposal)
    desk.write("a", folder("a", "mine\n" + BASE))
    outcome = desk.approval.approve(proposal.id, seen=seen, everything=True)
    assert (outcome.applied, outcome.conflicts) == (("c2",), ("c1",))
    assert [group.decision for group in desk.store.get(proposal.id).groups] == [Decision.WAITING, Decision.APPROVED]


def test_a_chain_of_umbrellas_is_archived_from_its_near_end(desk) -> None:
    proposal = desk.file(desk.archive("b", "u"), desk.archive("a", "b"), desk.edit("u", BASE + "all\n"))
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), everything=True)
    assert outcome.refused == ()
    assert resolve(desk.library(), "a").skill.id == "u"


def test_files_the_history_does_not_hold_stay_in_the_folder(desk) -> None:
    generated = desk.home.skills / "u" / "node_modules" / "x.js"
    generated.parent.mkdir()
    generated.write_text("x")
    proposal = desk.file(desk.edit("u", BASE + "a\n"), desk.archive("a", "u"))
    (desk.home.skills / "a" / "__pycache__").mkdir()
    desk.approval.approve(proposal.id, seen=desk.seen(proposal), everything=True)
    assert generated.read_text() == "x"
    assert (desk.home.skills / ".archive" / "a" / "__pycache__").is_dir()


def test_unknown_names_and_an_empty_choice_are_wrong_usage(desk) -> None:
    proposal = fold(desk)
    for choice in ({"groups": ["g9"]}, {"changes": ["c9"]}, {}):
        with pytest.raises(AppError) as caught:
            desk.approval.approve(proposal.id, seen=desk.seen(proposal), **choice)
        assert caught.value.kind is Kind.USAGE


def test_a_decided_change_is_not_written_again(desk) -> None:
    proposal = desk.file(desk.edit("a", BASE + "x\n"))
    desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    tip = desk.history.tip()
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), changes=["c1"])
    assert outcome.applied == ()
    assert desk.history.tip() == tip


def test_an_untrusted_proposal_keeps_its_mark_in_the_ledger(desk) -> None:
    about = About(Origin.REVIEW, desk.history.tip(), session="s", turn="t", untrusted=True)
    proposal = desk.store.file([desk.edit("a", BASE + "x\n")], about)
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    record = desk.history.entry(outcome.entries[0]).record
    assert (record.origin, record.session, record.detail["untrusted"]) == (Origin.REVIEW, "s", True)


def test_memory_wishes_are_written_through_memorys_own_door(desk) -> None:
    step = MemoryStep(MemoryAction.ADD, Target.USER, "Likes tea.", span="I like tea")
    about = About(Origin.REVIEW, desk.history.tip(), session="s", turn="t", untrusted=True)
    proposal = desk.store.file([memory_change(step)], about)
    assert desk.shown(proposal).groups[0].changes[0].after_text == "Likes tea."
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    assert (outcome.applied, outcome.state) == (("c1",), ProposalState.APPLIED)
    assert (desk.home.memories / "USER.md").read_text().strip() == "Likes tea."
    assert len(outcome.entries) == 1


def test_a_memory_wish_whose_entry_is_gone_closes(desk) -> None:
    step = MemoryStep(MemoryAction.REMOVE, Target.USER, old_text="Likes tea.")
    proposal = desk.file(memory_change(step))
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), changes=["c1"])
    assert outcome.applied == ()
    assert outcome.state is ProposalState.CLOSED


def test_naming_a_change_approves_what_was_filed_or_last_shown_and_no_unseen_revision(desk, folder) -> None:
    proposal = desk.file(desk.edit("a", BASE + "x\n"), desk.edit("b", BASE + "x\n"))
    desk.write("a", folder("a", "mine\n" + BASE))

    def by_name(*names: str):
        seen = seen_by_name(desk.store.get(proposal.id))
        return desk.approval.approve(proposal.id, seen=seen, changes=names).applied

    assert by_name("c2") == ("c2",)
    assert by_name("c1") == ()
    assert by_name("c1") == ()
    desk.approval.show(proposal.id)
    assert by_name("c1") == ("c1",)
    assert desk.text("a").endswith("mine\n" + BASE + "x\n")


def test_an_approved_fold_can_be_undone_and_approved_work_stays_in_the_ledger(desk) -> None:
    before = {path: path.read_bytes() for path in desk.home.skills.rglob("SKILL.md")}
    proposal = fold(desk)
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), everything=True)
    undone = undo(desk.door, desk.live, outcome.entries[0], Writer(Origin.USER))
    assert undone.conflicts == ()
    live = [path for path in desk.home.skills.rglob("SKILL.md") if ".archive" not in path.parts]
    assert {path: path.read_bytes() for path in live} == before
    assert resolve(desk.library(), "a").skill.id == "a"


def test_looking_works_while_another_process_writes_and_what_was_seen_can_be_approved(desk, folder) -> None:
    proposal = desk.file(desk.edit("a", BASE + "x\n"))
    desk.write("a", folder("a", "mine\n" + BASE))
    busy = HomeLock(desk.home.lock)
    with busy.hold("something long"):
        shown = desk.approval.show(proposal.id)
    assert changes_of(shown)["c1"].revision == 1
    assert changes_of(desk.store.get(proposal.id))["c1"].revision == 0
    seen = {"c1": changes_of(shown)["c1"].seen}
    assert desk.approval.approve(proposal.id, seen=seen, groups=["g1"]).applied == ("c1",)
    assert desk.text("a").endswith("mine\n" + BASE + "x\n")


@pytest.mark.parametrize("late", ["edit", "new file", "edit before archive"])
def test_an_edit_that_lands_between_the_check_and_the_write_stops_it(desk, folder, monkeypatch, late) -> None:
    skill = "a" if late == "edit before archive" else "u"
    files = {**folder(skill, "late\n" + BASE)} if late != "new file" else folder(skill, BASE, **{"x.md": "late\n"})
    proposal = desk.file(desk.edit("u", BASE + "a\n"), desk.archive("a", "u"))
    observe = desk.live.observe

    def observe_and_lose_the_race(ids: object) -> None:
        observe(ids)
        desk.write(skill, files)

    monkeypatch.setattr(desk.live, "observe", observe_and_lose_the_race)
    with pytest.raises(AppError) as caught:
        desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    assert caught.value.kind is Kind.BUSY
    assert "late" in desk.text(skill, "x.md" if late == "new file" else "SKILL.md")
    assert desk.text("a") != ""
    assert desk.store.get(proposal.id).state is ProposalState.PENDING


def test_an_archive_of_a_skill_edited_since_says_what_can_be_done(desk, folder) -> None:
    proposal = desk.file(desk.archive("a", "u"))
    desk.write("a", folder("a", BASE + "mine\n"))
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    assert (outcome.applied, outcome.conflicts) == ((), ("c1",))
    assert "archive it as it is now, or reject it" in outcome.refused[0][1]


def test_a_disk_that_fills_up_after_the_first_group_tells_what_stands_and_what_does_not(desk, monkeypatch) -> None:
    proposal = desk.file(desk.edit("a", BASE + "x\n"), desk.edit("b", BASE + "x\n"), desk.edit("u", BASE + "x\n"))
    commit, room = type(desk.live).commit, [1]

    def full(place, plan):
        if not room:
            raise AppError(Kind.STORAGE, "Nothing was written", "The disk is full. Make room.")
        room.pop()
        return commit(place, plan)

    monkeypatch.setattr(type(desk.live), "commit", full)
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), everything=True)
    assert (outcome.applied, outcome.state) == (("c1",), ProposalState.PENDING)
    assert outcome.refused == tuple(
        (name, "Nothing was written. The disk is full. Make room.") for name in ("c2", "c3")
    )
    assert [desk.text(name).endswith("x\n") for name in ("a", "b", "u")] == [True, False, False]
    with pytest.raises(AppError) as failed:
        desk.approval.approve(proposal.id, seen=desk.seen(proposal), everything=True)
    assert failed.value.kind is Kind.STORAGE
