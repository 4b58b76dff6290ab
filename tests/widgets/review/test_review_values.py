"""The pure parts of the review page: what belongs together, what may be approved, how rows are ordered."""

from dataclasses import replace

import pytest
from sample_review import ABSORBED, NOW, SINGLE, UMBRELLA, curator, in_conflict, review

from app.proposals.values import Decision, Group, Outcome, ProposalState
from widgets.common.ages import age_word, span_word
from widgets.review.choice import blocked, toggled, unseen
from widgets.review.inbox import Shown, fits, rows_of
from widgets.review.readiness import readiness
from widgets.review.sitting import Sitting
from widgets.review.words import action_word, kept_word

GROUP = Group("g1", "Fold", (UMBRELLA, ABSORBED))
SEEN = {"c0": UMBRELLA.seen, "c1": ABSORBED.seen}


def test_leaving_the_umbrella_out_leaves_the_absorbed_out():
    assert toggled(GROUP, {"c0", "c1"}, "c0", on=False) == frozenset()


def test_taking_an_absorbed_skill_takes_its_umbrella():
    assert toggled(GROUP, set(), "c1", on=True) == {"c0", "c1"}


def test_the_umbrella_can_be_taken_alone():
    assert toggled(GROUP, {"c0", "c1"}, "c1", on=False) == {"c0"}


def test_a_change_is_unseen_until_its_present_hash_was_shown():
    assert unseen(GROUP, {"c0", "c1"}, {"c0": UMBRELLA.seen}) == ABSORBED
    assert unseen(GROUP, {"c0"}, {"c0": "an older revision"}) == UMBRELLA
    assert unseen(GROUP, {"c0", "c1"}, SEEN) is None


def test_approving_needs_a_choice_that_was_seen_and_has_no_conflict():
    assert readiness(GROUP, {"c0", "c1"}, SEEN, UMBRELLA).may_approve
    assert not readiness(GROUP, set(), SEEN, UMBRELLA).may_approve
    assert not readiness(GROUP, {"c0", "c1"}, {}, UMBRELLA).may_approve
    stuck = Group("g1", "Fold", (in_conflict(),))
    state = readiness(stuck, {"c0"}, {"c0": UMBRELLA.seen}, in_conflict())
    assert not state.may_approve
    assert "testing-python" in state.hint
    assert state.may_edit
    assert blocked(stuck, {"c0"}) is not None


def test_a_rejected_group_can_only_be_reopened():
    rejected = replace(SINGLE, decision=Decision.REJECTED)
    state = readiness(Group("h1", "x", (rejected,), Decision.REJECTED), set(), {}, rejected)
    assert (state.waiting, state.may_approve, state.may_edit, state.may_reopen) == (False, False, False, True)


def test_waiting_rows_come_first_newest_on_top():
    done = review(replace(SINGLE, decision=Decision.APPROVED), "p3")
    rows = rows_of([done, curator(), review()])
    assert [row.proposal.id for row in rows] == ["p2", "p1", "p3"]


@pytest.mark.parametrize(
    ("shown", "found"),
    [
        (Shown.WAITING, ["p2", "p1"]),
        (Shown.REVIEW, ["p2"]),
        (Shown.CURATOR, ["p1"]),
        (Shown.MOVED, ["p1"]),
        (Shown.DECIDED, ["p3"]),
    ],
)
def test_filters(shown, found):
    moved = curator(replace(UMBRELLA, moved_on=True), ABSORBED)
    rows = rows_of([review(replace(SINGLE, decision=Decision.REJECTED), "p3"), moved, review()])
    assert [row.proposal.id for row in rows if fits(row, shown)] == found


def test_actions_in_words(qapp):
    assert action_word(ABSORBED) == "Absorb"
    assert action_word(replace(ABSORBED, absorbed_into="")) == "Archive"
    assert action_word(UMBRELLA) == "Change"
    assert action_word(replace(UMBRELLA, base=None)) == "New"
    assert kept_word(ABSORBED) == "1 dropped"


def test_the_summary_counts_and_its_undo_goes_backwards(qapp):
    sitting = Sitting()
    sitting.add(Outcome("p1", ProposalState.APPLIED, applied=("a", "b"), entries=("e1", "e2")))
    sitting.add(Outcome("p2", ProposalState.REJECTED))
    sitting.add(Outcome("p3", ProposalState.APPLIED, applied=("c",), entries=("e3",)))
    assert sitting.words() == "3 applied, 1 rejected."
    assert sitting.entries == ("e3", "e2", "e1")


@pytest.mark.parametrize(
    ("seconds", "word"), [(5, "now"), (300, "5 min"), (7_300, "2 h"), (200_000, "2 d"), (3e6, "4 w"), (4e7, "1 y")]
)
def test_ages(seconds, word):
    then = NOW.fromtimestamp(NOW.timestamp() - seconds, NOW.tzinfo)
    assert age_word(then, NOW) == word


def test_an_unknown_time_and_the_future_have_no_age():
    assert age_word(None, NOW) == ""
    assert age_word(NOW.replace(year=2027), NOW) == "now"


@pytest.mark.parametrize(("seconds", "word"), [(10, "1 min"), (2_400, "40 min"), (21_600, "6 h"), (432_000, "5 d")])
def test_spans(seconds, word):
    assert span_word(seconds) == word
