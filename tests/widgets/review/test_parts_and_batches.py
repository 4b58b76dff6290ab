"""The review page in depth: parts of a change, older revisions, several at once, conflicts, notes to the fork."""

from dataclasses import replace
from time import thread_time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from sample_review import ABSORBED, NOW, SINGLE, UMBRELLA, curator, in_conflict, light, review

from app.proposals.values import Decision, Outcome, ProposalState
from app.skills.values import Action, Finding, Severity
from app.text.diff import diff_text
from app.text.values import Fate
from widgets.review.batch import BatchDialog, aged_rows, batches, opened_rows
from widgets.review.conflict_view import ConflictView
from widgets.review.cost import cost_of, cost_word
from widgets.review.lineage import Shown, rows_of, unfolded
from widgets.review.words import Row

OLD = "".join(f"line {n}\n" for n in range(60))
NEW = OLD.replace("line 3\n", "line three\n").replace("line 50\n", "line fifty\n")
DIFF = diff_text("SKILL.md", OLD.encode(), NEW.encode())
FIRST, SECOND = (hunk.id for hunk in DIFF.hunks)
TWO_PARTS = replace(SINGLE, files=(DIFF,), before_text=OLD, after_text=NEW)


@pytest.fixture
def parted(pane):
    """A proposal whose one change has two parts, on the screen."""
    full = review(TWO_PARTS)
    pane.set_proposals([light(full)])
    pane.show_details(full)
    return pane


def test_a_part_that_is_left_out_has_to_be_worked_out_before_approving(qtbot, parted):
    with qtbot.waitSignal(parted.narrow_requested) as told:
        parted.carry_out("review.next_part")
        parted.carry_out("review.part")
    assert told.args == ["p2", "d0", {"SKILL.md": frozenset({SECOND})}]
    assert not parted._bar.approve.isEnabled()
    assert parted._bar._hint.text() == "Working out the chosen parts of release-notes…"
    parted.show_part("p2", replace(TWO_PARTS, result="narrow", revision=1, after_text="the rest"))
    assert parted._bar.approve.isEnabled()
    with qtbot.waitSignal(parted.approve_requested) as told:
        parted.carry_out("review.approve")
    assert told.args == ["p2", ("d0",), {"d0": "narrow"}, {"d0": {"SKILL.md": frozenset({SECOND})}}]


def test_a_part_taken_back_makes_the_change_whole_again(qtbot, parted):
    parted.carry_out("review.next_part")
    parted.carry_out("review.part")
    parted.carry_out("review.part")
    with qtbot.waitSignal(parted.approve_requested) as told:
        parted.carry_out("review.approve")
    assert told.args == ["p2", ("d0",), {"d0": "result0"}, {}]


def test_without_any_part_nothing_can_be_approved(qtbot, parted):
    for _ in range(2):
        parted.carry_out("review.next_part")
        parted.carry_out("review.part")
    with qtbot.assertNotEmitted(parted.narrow_requested, wait=300):
        assert parted._bar._hint.text().startswith("No part of release-notes is chosen")
    assert not parted._bar.approve.isEnabled()


def test_another_revision_is_whole_again(parted):
    parted.carry_out("review.next_part")
    parted.carry_out("review.part")
    parted.show_details(review(replace(TWO_PARTS, result="other", revision=2)))
    assert parted._page._diff.view.all_chosen
    assert parted._bar.approve.isEnabled()


def test_dropped_pieces_can_be_kept(qtbot, full):
    full.show_proposal("p1")
    full._page.go_to("c1")
    with qtbot.waitSignal(full.keep_requested) as told:
        full._page._loss._keep_all.click()
    assert told.args == ["p1", "c1", (2,)]


def test_less_than_sixty_percent_kept_is_an_alarm(full):
    units = tuple(replace(unit, fate=Fate.DROPPED) for unit in ABSORBED.loss.units)
    lost = replace(ABSORBED, loss=replace(ABSORBED.loss, units=units))
    full.show_proposal("p1")
    full.show_details(curator(UMBRELLA, lost))
    full._page.go_to("c1")
    assert full._page._head.banner.accessibleName().startswith("Only 0 % of this skill is kept: 3 pieces")
    assert full._page._head.banner.property("card") == "danger"


def test_a_note_goes_back_to_the_fork(qtbot, full):
    full.carry_out("review.revise")
    assert not full._bar._really.isEnabled()
    qtbot.keyClicks(full._bar._text, "keep the examples")
    with qtbot.waitSignal(full.revise_requested) as told:
        qtbot.keyClick(full._bar._text, Qt.Key.Key_Return)
    assert told.args == ["p2", "h1", "keep the examples"]
    full.set_revising(True)
    full.show_step("skill_view release-notes")
    assert full._bar._step.text == "skill_view release-notes"
    assert not full.actions_here.action("review.approve").isEnabled()
    with qtbot.waitSignal(full.revise_cancelled):
        full._bar._work.findChild(QPushButton).click()
    full.set_revising(False)
    assert full.actions_here.action("review.approve").isEnabled()


def test_what_is_wrong_is_said_while_one_types(qtbot, full):
    full.carry_out("review.edit")
    editor = full._page._editor
    with qtbot.waitSignal(full.check_requested) as told:
        editor.text.setPlainText("---\nname: x\n---\n")
    assert told.args == ["p2", "d0", "---\nname: x\n---\n"]
    wrong = Finding("SK.DESC", Severity.ERROR, 2, "The description is missing.", "")
    full.show_findings("d0", "an older text", (wrong,))
    assert editor._save.isEnabled()
    full.show_findings("d0", "---\nname: x\n---\n", (wrong,))
    assert editor._found.text == "line 2: The description is missing."
    assert not editor._save.isEnabled()


def test_a_conflict_is_settled_with_one_side_or_a_written_result(qtbot, theme):
    view = ConflictView(theme)
    qtbot.addWidget(view)
    stuck = replace(in_conflict(), after_text="<<<<<<< mine\nb\n=======\nc\n>>>>>>> proposed\n")
    view.set_change(stuck)
    assert [pane.text for pane in view._sides] == ["b", "a", "c"]
    assert not view._save.isEnabled()
    view._result.setPlainText("b and c\n")
    with qtbot.waitSignal(view.settled) as told:
        view._save.click()
    assert told.args == ["c0", "", {"SKILL.md": "b and c\n"}]
    mine = next(item for item in view.findChildren(QPushButton) if item.text() == "Take mine")
    with qtbot.waitSignal(view.settled) as told:
        mine.click()
    assert told.args == ["c0", "mine", {}]


def test_a_skill_edited_since_is_archived_as_it_is_or_kept_by_rejecting(qtbot, theme):
    view = ConflictView(theme)
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.show()
    view.set_change(in_conflict(ABSORBED))
    assert not view._mine.isVisible()
    assert not view._below.isVisible()
    with qtbot.waitSignal(view.settled) as told:
        view._theirs.click()
    assert told.args == ["c1", "theirs", {}]
    view.set_change(in_conflict())
    assert view._mine.isVisible()


def replaced(number="p0"):
    """An older proposal about the umbrella that another one has replaced."""
    old = curator(replace(UMBRELLA, decision=Decision.REPLACED), number=number)
    groups = tuple(replace(group, decision=Decision.REPLACED) for group in old.groups)
    return replace(old, groups=groups, created_at=NOW.replace(year=2025))


def test_older_revisions_hang_folded_below_what_replaced_them():
    rows = rows_of([curator(), replaced()])
    assert [(row.proposal.id, [old.proposal.id for old in row.older]) for row in rows] == [("p1", ["p0"])]
    assert [row.proposal.id for row in unfolded(rows, Shown.WAITING, ())] == ["p1"]
    assert [row.proposal.id for row in unfolded(rows, Shown.WAITING, {("p1", "g1")})] == ["p1", "p0"]


def test_right_unfolds_older_revisions_and_left_folds_them(qtbot, full):
    full.set_proposals([light(curator()), light(replaced())])
    full.show_proposal("p1")
    qtbot.keyClick(full._inbox.view, Qt.Key.Key_Right)
    assert full._inbox.place == (1, 2)
    qtbot.keyClick(full._inbox.view, Qt.Key.Key_Left)
    assert full._inbox.place == (1, 1)


AGED = replace(
    ABSORBED, id="a0", group="x", skill="old-one", name="old-one", absorbed_into="", into=None, base="treeA", loss=None
)


def row(change, number):
    """One waiting row of a group with one change."""
    proposal = review(change, number)
    return Row(proposal, proposal.groups[0])


def test_only_what_was_seen_as_it_is_can_be_approved_together():
    seen = {"p2": {"d0": "result0"}, "p3": {"d0": "older"}}
    script = replace(SINGLE, has_script=True)
    rows = [row(SINGLE, "p2"), row(SINGLE, "p3"), row(script, "p4")]
    assert [item.proposal.id for item in opened_rows(rows, seen | {"p4": {"d0": "result0"}})] == ["p2"]


def test_archives_by_age_are_the_one_class_that_needs_no_look():
    merged = row(replace(AGED, absorbed_into="top", into="top"), "p5")
    assert aged_rows([row(AGED, "p3"), row(SINGLE, "p4"), merged]) == [row(AGED, "p3")]
    assert AGED.action is Action.ARCHIVE
    (batch,) = batches([row(AGED, "p3")])
    assert (batch.proposal, batch.changes, dict(batch.seen)) == ("p3", ("a0",), {"a0": "treeA"})


def test_a_batch_leaves_out_what_was_unchecked(qtbot, theme):
    dialog = BatchDialog(theme, [], [row(AGED, "p3"), row(AGED, "p4")])
    qtbot.addWidget(dialog)
    dialog._list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert dialog._yes.text() == "Approve 1"
    with qtbot.waitSignal(dialog.approved) as told:
        dialog._yes.click()
    assert [batch.proposal for batch in told.args[0]] == ["p4"]


def test_a_batch_waits_for_every_answer(full):
    full._send(batches([row(AGED, "p3"), row(AGED, "p4")]))
    assert not full._bar.isEnabled()
    full.show_outcome(replace_outcome("p3"))
    full.set_proposals([light(review())])
    assert not full._bar.isEnabled()
    full.show_outcome(replace_outcome("p4"))
    assert not full._bar.isEnabled()
    full.set_proposals([light(review())])
    assert full._bar.isEnabled()


def replace_outcome(number):
    """A decision that was carried out."""
    return Outcome(number, ProposalState.APPLIED, applied=("a0",))


def test_cost_counts_the_catalogue_line_and_the_body():
    text = "---\nname: abcd\ndescription: twelve chars\n---\n" + "x" * 40
    assert cost_of(text, "abcd").listed == 4
    assert cost_of(text, "abcd").read == 10
    group = review(replace(SINGLE, name="abcd", before_text="", after_text=text)).groups[0]
    assert cost_word(group) == "Always listed: 0 → 4 tokens. When read: 0 → 10."


def test_a_low_page_gives_its_room_to_the_difference(qtbot, full):
    full.resize(700, 480)
    full.show_proposal("p1")
    qtbot.waitUntil(lambda: full._page._head._short.isVisible())
    assert not full._page._head.title.isVisible()
    assert full._page._diff.view.height() > 150


@pytest.mark.slow
def test_five_hundred_waiting_rows_and_a_two_megabyte_difference_do_not_stall(qtbot, pane):
    many = [light(review(replace(SINGLE, id=f"d{n}"), f"q{n}")) for n in range(500)]
    pane.set_proposals(many[:1])  # the page itself is built at the first proposal
    began = thread_time()
    pane.set_proposals(many)
    assert thread_time() - began < 0.2
    old = "".join(f"line {n} with some words to make it long enough\n" for n in range(40_000))
    big = diff_text("SKILL.md", old.encode(), old.replace("some words", "other words").encode())
    full = review(replace(SINGLE, id="d0", files=(big,), before_text=old, after_text=old), "q0")
    pane.show_proposal("q0")
    began = thread_time()
    pane.show_details(full)
    assert thread_time() - began < 0.2
    assert pane._bar.approve.isEnabled()
