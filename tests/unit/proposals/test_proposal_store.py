"""Proposals on disk: filed once, listed newest first, decided step by step, and a queue in order."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.errors import AppError, Kind
from app.history.store import History
from app.history.values import Blob, Origin, Snapshot
from app.locks import HomeLock
from app.memory.values import Target
from app.proposals.decisions import changes_of
from app.proposals.filing import About
from app.proposals.grouping import Drafted, memory_change
from app.proposals.store import ProposalStore
from app.proposals.values import Decision, MemoryAction, MemoryStep, Proposal, ProposalState
from app.skills.values import Action

ABOUT = About(Origin.CURATOR, base="0" * 40)


class Ticking:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = datetime(2026, 6, 15, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, days: float = 1) -> None:
        self.now += timedelta(days=days)


@pytest.fixture
def clock() -> Ticking:
    return Ticking()


@pytest.fixture
def store(tmp_path: Path, clock: Ticking) -> Iterator[ProposalStore]:
    history = History(tmp_path / "history.git", clock)
    yield ProposalStore(history, clock, HomeLock(tmp_path / ".lock"))
    history.close()


def folder(text: str) -> Snapshot:
    return {"SKILL.md": Blob(text.encode())}


def edit(skill: str, text: str = "new") -> Drafted:
    return Drafted(skill, skill, Action.PATCH, "old", folder(text))


def archive(skill: str, into: str = "", base: str = "old") -> Drafted:
    return Drafted(skill, skill, Action.ARCHIVE, base, None, absorbed_into=into, into=into or None)


def filed(store: ProposalStore, *drafted: Drafted) -> Proposal:
    proposal = store.file(drafted, ABOUT)
    assert proposal is not None
    return proposal


def test_nothing_changed_files_nothing(store: ProposalStore) -> None:
    assert store.file([], ABOUT) is None
    assert store.list() == ()


def test_a_filed_proposal_is_read_back_with_its_folders(store: ProposalStore, clock: Ticking) -> None:
    about = About(Origin.REVIEW, "b" * 40, "title", "reason", "run", "session", "turn", untrusted=True)
    proposal = store.file([edit("a", "text")], about)
    assert proposal is not None
    assert (proposal.origin, proposal.base, proposal.title, proposal.reason) == (
        Origin.REVIEW, "b" * 40, "title", "reason",
    )  # fmt: skip
    assert (proposal.run, proposal.session, proposal.turn, proposal.untrusted) == ("run", "session", "turn", True)
    assert proposal.created_at == clock.now
    assert store.get(proposal.id) == proposal
    (change,) = changes_of(proposal).values()
    assert store.history.load(change.result or "") == folder("text")


def test_without_a_title_the_groups_name_the_proposal(store: ProposalStore) -> None:
    assert filed(store, edit("a"), edit("b"), archive("c")).title == "Change a and 2 more"


def test_the_list_is_newest_first_and_by_state(store: ProposalStore, clock: Ticking) -> None:
    first = filed(store, edit("a"))
    clock.forward()
    second = filed(store, edit("b"))
    store.reject(first.id)
    assert [item.id for item in store.list()] == [second.id, first.id]
    assert [item.id for item in store.list(ProposalState.PENDING)] == [second.id]
    assert [item.id for item in store.list(ProposalState.REJECTED)] == [first.id]


def test_a_unique_beginning_of_an_id_is_enough(store: ProposalStore, clock: Ticking) -> None:
    first = filed(store, edit("a"))
    clock.forward()
    filed(store, edit("b"))
    assert store.get(first.id[:8]).id == first.id
    for wrong in ("2026", "nothing", ""):
        with pytest.raises(AppError) as caught:
            store.get(wrong)
        assert caught.value.kind is Kind.NOT_FOUND


def test_four_runs_with_the_same_answers_leave_one_open_proposal_with_its_age(
    store: ProposalStore, clock: Ticking
) -> None:
    asked_first = clock.now
    for run in range(4):
        newest = filed(store, edit("u", f"text {run}"), archive("a", "u"))
        clock.forward(7)
    (waiting,) = store.list(ProposalState.PENDING)
    assert waiting.id == newest.id
    assert waiting.waiting_since == asked_first
    assert [item.state for item in store.list()[1:]] == [ProposalState.REPLACED] * 3
    assert store.list()[1].replaced_by == newest.id


def test_a_rejected_idea_is_not_filed_again_until_it_is_reopened(store: ProposalStore, clock: Ticking) -> None:
    rejected = store.reject(filed(store, archive("a")).id, reason="needed")
    clock.forward()
    assert store.file([archive("a")], ABOUT) is None
    assert changes_of(rejected)["c1"].decision_reason == "needed"
    assert store.reopen(rejected.id).state is ProposalState.PENDING
    clock.forward()
    assert store.file([archive("a")], ABOUT) is not None


def test_rejecting_an_umbrellas_change_rejects_what_it_would_absorb(store: ProposalStore) -> None:
    proposal = filed(store, edit("u"), archive("a", "u"), edit("b"))
    after = store.reject(proposal.id, ["c1"], "no")
    assert [change.decision for change in changes_of(after).values()] == [
        Decision.REJECTED, Decision.REJECTED, Decision.WAITING,
    ]  # fmt: skip


def test_rejecting_one_archive_leaves_the_rest_waiting(store: ProposalStore) -> None:
    proposal = filed(store, edit("u"), archive("a", "u"), archive("b", "u"))
    after = store.reject(proposal.id, ["c2"])
    assert [change.decision for change in changes_of(after).values()] == [
        Decision.WAITING, Decision.REJECTED, Decision.WAITING,
    ]  # fmt: skip


def test_unknown_and_decided_changes_are_refused(store: ProposalStore) -> None:
    proposal = filed(store, edit("a"), edit("b"))
    store.reject(proposal.id, ["c1"])
    for wrong in ("c9", "c1"):
        with pytest.raises(AppError) as caught:
            store.reject(proposal.id, [wrong])
        assert caught.value.kind is Kind.USAGE


def test_reopening_is_refused_while_a_newer_proposal_waits_on_the_skill(store: ProposalStore, clock: Ticking) -> None:
    old = store.reject(filed(store, edit("a")).id)
    clock.forward()
    new = filed(store, edit("a", "other"))
    with pytest.raises(AppError) as caught:
        store.reopen(old.id)
    assert new.id in caught.value.text
    store.reject(new.id)
    assert store.reopen(old.id).state is ProposalState.PENDING


def test_reopening_what_nobody_rejected_is_refused(store: ProposalStore) -> None:
    with pytest.raises(AppError) as caught:
        store.reopen(filed(store, edit("a")).id)
    assert caught.value.kind is Kind.REFUSED


def test_the_queue_never_holds_more_than_two_hundred_groups(store: ProposalStore, clock: Ticking) -> None:
    first = filed(store, *[edit(f"a{number}") for number in range(150)])
    clock.forward()
    filed(store, *[edit(f"b{number}") for number in range(60)])
    assert sum(len(item.waiting) for item in store.list()) == 200
    closed = [group.skills for group in store.get(first.id).groups if group.decision is Decision.CLOSED]
    assert closed == [(f"a{number}",) for number in range(10)]


def test_a_damaged_proposal_hides_no_other_and_is_logged_once(
    store: ProposalStore, caplog: pytest.LogCaptureFixture
) -> None:
    good = filed(store, edit("a"))
    store.history.put_ref("proposals/broken", {"proposal.json": b"{"}, None)
    store.history.put_ref("proposals/empty", {}, None)
    assert [item.id for item in store.list()] == [good.id]
    assert [item.id for item in store.list()] == [good.id]
    assert sorted(record.args[0] for record in caplog.records) == ["proposals/broken", "proposals/empty"]
    with pytest.raises(AppError) as caught:
        store.get("broken")
    assert caught.value.kind is Kind.CORRUPT


def test_a_new_revision_keeps_the_folders_of_the_older_ones(store: ProposalStore) -> None:
    proposal = filed(store, edit("a", "one"))
    change = changes_of(proposal)["c1"]
    again = replace(proposal, groups=(replace(proposal.groups[0], changes=(replace(change, revision=1),)),))
    store.save(again, {"c1/1": folder("two")})
    tree = store.history.ref_tree(f"proposals/{proposal.id}")
    kept = store.history.load(tree or "")
    assert {path: blob.data for path, blob in kept.items()} == {
        "c1/0/SKILL.md": b"one",
        "c1/1/SKILL.md": b"two",
    }


def one_turn(store: ProposalStore, *drafted: Drafted, turn: str = "t", untrusted: bool = False) -> Proposal:
    about = About(Origin.REVIEW, "0" * 40, session="s", turn=turn, untrusted=untrusted)
    proposal = store.file(drafted, about)
    assert proposal is not None
    return proposal


def test_what_one_fork_asks_for_piece_by_piece_joins_one_proposal(store: ProposalStore) -> None:
    first = one_turn(store, edit("a"))
    second = one_turn(store, archive("b", "u"), untrusted=True)
    third = one_turn(store, edit("u"))
    assert first.id == second.id == third.id
    assert [list(group.skills) for group in third.groups] == [["a"], ["u", "b"]]
    assert third.untrusted
    assert third.title == "Change a and 1 more"
    assert one_turn(store, edit("c"), turn="other").id != first.id


def test_two_wishes_of_a_fork_for_one_skill_are_merged(store: ProposalStore) -> None:
    base = store.history.store(folder("1\n2\n3\n4\n5\n6\n7\n8\n9\n"))
    first, second = ("1a\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\n9b\n")
    seen = changes_of(one_turn(store, replace(edit("a", first), base=base, reason="one")))["c1"].seen
    (change,) = changes_of(one_turn(store, replace(edit("a", second), base=base, reason="two"))).values()
    assert store.history.load(change.result or "") == folder("1a\n2\n3\n4\n5\n6\n7\n8\n9b\n")
    assert (change.id, change.revision, change.reason) == ("c1", 1, "one two")
    assert change.seen != seen


def test_of_two_wishes_that_cannot_be_merged_the_second_counts(store: ProposalStore) -> None:
    base = store.history.store(folder("same\n"))
    one_turn(store, replace(edit("a", "first\n"), base=base))
    (change,) = changes_of(one_turn(store, replace(edit("a", "second\n"), base=base))).values()
    assert store.history.load(change.result or "") == folder("second\n")


def test_a_fork_cannot_ask_again_for_what_was_rejected_a_moment_ago(store: ProposalStore) -> None:
    proposal = one_turn(store, edit("a"), edit("b"))
    store.reject(proposal.id, ["c1"])
    about = About(Origin.REVIEW, "0" * 40, session="s", turn="t")
    assert store.file([edit("a")], about) is None
    assert [change.decision for change in changes_of(store.get(proposal.id)).values()] == [
        Decision.REJECTED, Decision.WAITING,
    ]  # fmt: skip


def test_two_memory_wishes_for_one_file_wait_side_by_side(store: ProposalStore, clock: Ticking) -> None:
    tea, town = (MemoryStep(MemoryAction.ADD, Target.USER, text) for text in ("Likes tea", "Lives in Lima"))
    one_turn(store, memory_change(tea))
    clock.forward()
    filed(store, memory_change(town))
    clock.forward()
    newest = filed(store, memory_change(tea))
    waiting = store.list(ProposalState.PENDING)
    assert [item.groups[0].changes[0].memory for item in waiting] == [tea, town]
    assert waiting[0].id == newest.id
