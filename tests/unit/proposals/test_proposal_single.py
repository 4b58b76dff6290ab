"""A request that waits for the user becomes a one-change proposal without any draft folder."""

import json

import pytest

from app.history.values import Origin
from app.proposals.decisions import changes_of
from app.proposals.filing import About
from app.proposals.recovery import settle_all, settled
from app.proposals.single import drafted_from
from app.proposals.values import ProposalState
from app.skills.values import Action, Request, Verdict, Writer

BASE = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"


@pytest.fixture
def proposed(desk):
    """Asks the live door and files what it answers with *propose*."""

    def ask(request: Request, writer: Writer):
        assert desk.door.do(request, writer).verdict is Verdict.PROPOSE
        drafted = drafted_from(desk.door.preview(request, writer), request, desk.live.library())
        about = About(writer.origin, desk.history.tip(), session=writer.session, turn=writer.turn)
        proposal = desk.store.file([drafted], about)
        assert proposal is not None
        return proposal

    return ask


def test_a_delete_asked_for_by_a_review_waits_and_changes_nothing(desk, proposed) -> None:
    writer = Writer(Origin.REVIEW, "s", "t")
    proposal = proposed(Request(Action.ARCHIVE, "a", absorbed_into="u", reason="same"), writer)
    change = changes_of(proposal)["c1"]
    assert (change.action, change.skill, change.absorbed_into, change.into) == (Action.ARCHIVE, "a", "u", "u")
    assert (proposal.origin, proposal.session, proposal.turn, change.reason) == (Origin.REVIEW, "s", "t", "same")
    assert desk.text("a") != ""
    assert desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"]).applied == ("c1",)


def test_a_held_patch_shows_its_difference_and_is_written_on_approval(desk, proposed) -> None:
    writer = Writer(Origin.REVIEW, "s", "t", hold=True)
    proposal = proposed(Request(Action.PATCH, "a", old="four", new="FOUR"), writer)
    change = changes_of(desk.shown(proposal))["c1"]
    assert (change.action, change.files[0].added, change.files[0].removed) == (Action.PATCH, 1, 1)
    assert desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"]).applied == ("c1",)
    assert "FOUR" in desk.text("a")


def test_a_held_new_skill_lands_in_its_category_and_is_managed(desk, proposed) -> None:
    content = "---\nname: net\ndescription: Does net things.\n---\n\nDo.\n"
    writer = Writer(Origin.REVIEW, "s", "t", hold=True)
    proposal = proposed(Request(Action.CREATE, "net", content=content, category="tools"), writer)
    change = changes_of(proposal)["c1"]
    assert (change.skill, change.base, change.action) == ("tools/net", None, Action.CREATE)
    desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    assert desk.text("tools/net") == content
    assert json.loads(desk.home.usage.read_text())["net"]["created_by"] == "agent"


def test_a_script_in_chat_waits_and_is_marked(desk, proposed) -> None:
    request = Request(Action.WRITE_FILE, "a", file="scripts/x.sh", content="#!/bin/sh\n")
    proposal = proposed(request, Writer(Origin.CHAT, "s", "t"))
    assert changes_of(proposal)["c1"].has_script


def test_a_base_that_no_history_entry_holds_can_still_be_shown(desk, folder, proposed) -> None:
    desk.write("a", folder("a", "unrecorded\nfour\n"))
    writer = Writer(Origin.REVIEW, "s", "t", hold=True)
    request = Request(Action.PATCH, "a", old="four", new="FOUR")
    preview = desk.door.preview(request, writer)
    drafted = drafted_from(preview, request, desk.live.library())
    proposal = desk.store.file([drafted], About(Origin.REVIEW, desk.history.tip()))
    assert "unrecorded" in changes_of(desk.shown(proposal))["c1"].before_text


def test_a_write_that_was_cut_off_before_the_proposal_knew_is_settled_from_the_ledger(desk) -> None:
    proposal = desk.file(desk.edit("a", BASE + "x\n"), desk.edit("b", BASE + "y\n"))
    desk.approval.approve(proposal.id, seen=desk.seen(proposal), changes=["c1"])
    desk.store.save(proposal)
    assert settle_all(desk.store) == (proposal.id,)
    after = desk.store.get(proposal.id)
    assert [change.waiting for change in changes_of(after).values()] == [False, True]
    assert settled(after, desk.history) is after
    assert settle_all(desk.store) == ()


def test_the_ledger_of_another_proposal_settles_nothing(desk) -> None:
    first = desk.file(desk.edit("a", BASE + "x\n"))
    desk.approval.approve(first.id, seen=desk.seen(first), groups=["g1"])
    second = desk.file(desk.edit("b", BASE + "y\n"))
    assert settled(second, desk.history) is second


def test_a_sweep_closes_what_was_deleted_by_hand_without_being_opened(desk) -> None:
    proposal = desk.file(desk.edit("net", BASE), desk.archive("a", "net"), desk.archive("b", "net"))
    other = desk.file(desk.edit("u", BASE + "x\n"))
    assert desk.approval.sweep() == ()
    desk.remove("b")
    assert desk.approval.sweep() == (proposal.id,)
    assert [change.waiting for change in changes_of(desk.store.get(proposal.id)).values()] == [True, True, False]
    assert desk.approval.sweep() == ()
    desk.remove("u")
    assert desk.approval.sweep() == (other.id,)
    assert desk.store.get(other.id).state is ProposalState.CLOSED
