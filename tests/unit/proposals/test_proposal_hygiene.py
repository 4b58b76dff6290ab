"""The queue stays answerable: newer replaces older, no idea twice after a no, and an end to it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from app.history.values import Origin
from app.proposals.decisions import decide, with_changes
from app.proposals.hygiene import (
    in_the_way,
    over_the_cap,
    rejected_ideas,
    replace_older,
    to_forget,
    without_rejected,
)
from app.proposals.values import Change, Decision, Group, Proposal, ProposalState
from app.skills.values import Action

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


def edit(skill: str, result: str = "new", base: str | None = "old") -> Change:
    return Change("", skill, Action.PATCH if base else Action.CREATE, "", skill, "", base, result, (), name=skill)


def archive(skill: str, into: str = "", base: str = "old") -> Change:
    return Change("", skill, Action.ARCHIVE, "", skill, "", base, None, (), absorbed_into=into, name=skill)


def proposal(name: str, *groups: list[Change], day: int = 0) -> Proposal:
    made, number = [], 0
    for position, changes in enumerate(groups, 1):
        named = []
        for change in changes:
            number += 1
            named.append(replace(change, id=f"c{number}", group=f"g{position}"))
        made.append(Group(f"g{position}", "t", tuple(named)))
    at = NOW + timedelta(days=day)
    bare = Proposal(name, Origin.CURATOR, ProposalState.PENDING, at, "t", "", tuple(made), "base")
    return with_changes(bare, {})


def left(old: Proposal, new: Proposal) -> list[list[str]]:
    return [list(group.skills) for group in without_rejected(new.groups, rejected_ideas([old]), NOW)]


def test_a_newer_group_on_the_same_skill_replaces_the_older_group_only() -> None:
    old = proposal("old", [edit("a")], [edit("b")])
    (changed,) = replace_older([old], proposal("new", [edit("a", "newer")], day=1))
    assert [group.decision for group in changed.groups] == [Decision.REPLACED, Decision.WAITING]
    assert (changed.replaced_by, changed.state) == ("new", ProposalState.PENDING)
    assert "new" in changed.groups[0].changes[0].decision_reason


def test_decided_and_unrelated_groups_are_not_replaced() -> None:
    decided = decide(proposal("old", [edit("a")]), ["c1"], Decision.REJECTED)
    assert replace_older([decided, proposal("other", [edit("z")])], proposal("new", [edit("a")], day=1)) == ()


def test_a_rejected_change_is_not_proposed_again() -> None:
    rejected = decide(proposal("old", [edit("a")], [edit("b")]), ["c1"], Decision.REJECTED, "no")
    assert left(rejected, proposal("new", [edit("a")], [edit("b")], day=1)) == [["b"]]


def test_other_content_for_the_skill_is_another_idea() -> None:
    rejected = decide(proposal("old", [edit("a")]), ["c1"], Decision.REJECTED)
    assert left(rejected, proposal("new", [edit("a", "better")], day=1)) == [["a"]]


def test_a_rejected_fold_is_known_under_another_new_umbrella() -> None:
    old = proposal("old", [edit("u", base=None), archive("a", "u"), archive("b", "u")])
    rejected = decide(old, ["c1", "c2", "c3"], Decision.REJECTED)
    again = proposal("new", [edit("v", "other", base=None), archive("a", "v"), archive("b", "v")], day=1)
    assert left(rejected, again) == []


def test_a_fold_into_another_existing_umbrella_is_another_idea() -> None:
    rejected = decide(proposal("old", [archive("a", "u")]), ["c1"], Decision.REJECTED)
    assert left(rejected, proposal("new", [archive("a", "w")], day=1)) == [["a"]]


def test_an_archive_may_be_asked_again_once_the_skill_was_edited() -> None:
    rejected = decide(proposal("old", [archive("a")]), ["c1"], Decision.REJECTED)
    assert left(rejected, proposal("new", [archive("a", base="edited")], day=1)) == [["a"]]


def test_the_part_rejected_before_is_filed_as_rejected_in_a_group_with_something_new() -> None:
    rejected = decide(proposal("old", [archive("a", "u")]), ["c1"], Decision.REJECTED, "a stays")
    new = proposal("new", [edit("u"), archive("a", "u"), archive("b", "u")], day=1)
    (group,) = without_rejected(new.groups, rejected_ideas([rejected]), NOW)
    assert [change.decision for change in group.changes] == [Decision.WAITING, Decision.REJECTED, Decision.WAITING]
    assert group.changes[1].decision_reason == "a stays"


def test_an_idea_approved_later_is_no_longer_rejected() -> None:
    rejected = decide(proposal("one", [edit("a")]), ["c1"], Decision.REJECTED)
    approved = decide(proposal("two", [edit("a")], day=1), ["c1"], Decision.APPROVED)
    assert rejected_ideas([approved, rejected]) == {}


def test_past_the_cap_the_oldest_groups_are_closed() -> None:
    old = proposal("old", [edit("a")], [edit("b")], [edit("c")])
    new = proposal("new", [edit("d")], [edit("e")], day=1)
    (changed,) = over_the_cap([new, old], NOW, most=3)
    assert changed.id == "old"
    assert [group.decision for group in changed.groups] == [Decision.CLOSED, Decision.CLOSED, Decision.WAITING]


def test_at_the_cap_nothing_is_closed() -> None:
    assert over_the_cap([proposal("p", [edit("a")], [edit("b")])], NOW, most=2) == ()


def test_only_proposals_that_ended_unanswered_are_forgotten_oldest_first() -> None:
    ended = [decide(proposal(f"r{day}", [edit("a")], day=day), ["c1"], Decision.REPLACED) for day in range(4)]
    kept = decide(proposal("no", [edit("a")], day=-1), ["c1"], Decision.REJECTED)
    assert to_forget([*ended, kept, proposal("open", [edit("b")])], most=2) == ("r1", "r0")


def test_an_open_group_on_the_same_skill_is_in_the_way_of_reopening() -> None:
    old = proposal("old", [edit("a")], [edit("b")])
    new = proposal("new", [edit("a")], day=1)
    assert in_the_way(old, ["c1"], [old, new]) == new
    assert in_the_way(old, ["c2"], [old, new]) is None
