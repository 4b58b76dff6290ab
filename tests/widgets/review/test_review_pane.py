"""The review page: nothing is approved that was not on the screen, decisions are asked for exactly."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from sample_review import NEW_TEXT, SINGLE, curator, in_conflict, light, review

from app.errors import Failure
from app.proposals.values import Decision, Outcome, ProposalState
from widgets.review.pane import ReviewPane


def click(qtbot, widget):
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def tabs(pane):
    bar = pane._page._tabs
    return [bar.tabText(at) for at in range(bar.count()) if bar.isTabVisible(at)]


def test_an_empty_inbox_says_what_will_be_here(pane):
    assert pane._pages.kind == "loading"
    pane.set_proposals([])
    assert pane._pages.kind == "empty"


def test_details_are_asked_for_and_only_then_can_it_be_approved(qtbot, pane):
    with qtbot.waitSignal(pane.details_requested) as told:
        pane.set_proposals([light(review())])
    assert told.args == ["p2"]
    assert not pane._bar.approve.isEnabled()
    pane.show_details(review())
    assert pane._bar.approve.isEnabled()


def test_approve_names_the_changes_and_the_hash_that_was_shown(qtbot, full):
    with qtbot.waitSignal(full.approve_requested) as told:
        click(qtbot, full._bar.approve)
    assert told.args == ["p2", ("d0",), {"d0": "result0"}, {}]
    assert not full._bar.isEnabled()


def test_every_change_of_a_group_has_to_be_looked_at(qtbot, full):
    full.show_proposal("p1")
    assert not full._bar.approve.isEnabled()
    assert full._bar._hint.text() == "Look at pytest-flaky before approving."
    full._page.go_to("c1")
    assert full._bar.approve.isEnabled()
    with qtbot.waitSignal(full.approve_requested) as told:
        click(qtbot, full._bar.approve)
    assert told.args == ["p1", ("c0", "c1"), {"c0": "result0", "c1": "base1"}, {}]


def test_only_the_checked_changes_are_decided(qtbot, full):
    full.show_proposal("p1")
    full._page._head.list.item(1).setCheckState(Qt.CheckState.Unchecked)
    with qtbot.waitSignal(full.approve_requested) as told:
        click(qtbot, full._bar.approve)
    assert told.args[1:] == [("c0",), {"c0": "result0"}, {}]


def test_content_on_a_hidden_page_does_not_count_as_seen(qtbot, theme):
    pane = ReviewPane(theme)
    qtbot.addWidget(pane)
    pane.resize(1000, 640)
    pane.set_proposals([light(review())])
    pane.show_details(review())
    assert not pane._bar.approve.isEnabled()
    pane.show()
    qtbot.waitUntil(pane._bar.approve.isEnabled)
    pane.close()


def test_a_new_revision_must_be_shown_before_it_can_be_approved(full, qtbot):
    assert full._bar.approve.isEnabled()
    revised = replace(SINGLE, result="result1", moved_on=True, revision=2)
    full.details_requested.disconnect()
    asked = []
    full.details_requested.connect(asked.append)
    full.set_proposals([light(review(revised)), light(curator())])
    assert asked == ["p2"]
    assert not full._bar.approve.isEnabled()
    full.show_details(review(revised))
    assert full._bar.approve.isEnabled()
    assert "revision 2" in full._page._head.banner.accessibleName()


def test_a_conflict_cannot_be_approved_but_edited(qtbot, pane):
    stuck = curator(in_conflict())
    pane.set_proposals([light(stuck)])
    pane.show_details(stuck)
    assert not pane._bar.approve.isEnabled()
    assert pane._bar.edit.isEnabled()
    assert "SKILL.md" in pane._page._head.banner.accessibleName()
    click(qtbot, pane._bar.edit)
    assert pane._page._editor.text.text == NEW_TEXT
    pane._page._editor.text.setPlainText("mine\n")
    save = next(item for item in pane._page._editor.findChildren(QPushButton) if "Save" in item.text())
    with qtbot.waitSignal(pane.edit_saved) as told:
        click(qtbot, save)
    assert told.args == ["p1", "c0", "mine\n"]
    assert not pane._page.editing


def test_rejecting_asks_for_the_reason_in_place(qtbot, full):
    click(qtbot, full._bar.reject)
    assert full._bar.asking
    full._bar._text.setText("too close to another one")
    with qtbot.waitSignal(full.reject_requested) as told:
        qtbot.keyClick(full._bar._text, Qt.Key.Key_Return)
    assert told.args == ["p2", ("d0",), "too close to another one"]
    assert not full._bar.asking


def test_keys_approve_reject_edit_and_walk(qtbot, full):
    qtbot.keyClick(full, Qt.Key.Key_J)
    assert full._row.proposal.id == "p1"
    qtbot.keyClick(full, Qt.Key.Key_A)
    assert full._page.change.id == "c1"
    with qtbot.waitSignal(full.approve_requested):
        qtbot.keyClick(full, Qt.Key.Key_A)
    full.set_busy(False)
    qtbot.keyClick(full, Qt.Key.Key_K)
    assert full._row.proposal.id == "p2"
    qtbot.keyClick(full, Qt.Key.Key_R)
    assert full._bar.asking
    qtbot.keyClick(full, Qt.Key.Key_Escape)
    assert not full._bar.asking
    qtbot.keyClick(full, Qt.Key.Key_E)
    assert full._page.editing


def test_keys_do_nothing_while_a_decision_is_carried_out(qtbot, full):
    full.set_busy(True)
    with qtbot.assertNotEmitted(full.approve_requested):
        qtbot.keyClick(full, Qt.Key.Key_A)


def test_letters_typed_into_the_reason_decide_nothing(qtbot, full):
    click(qtbot, full._bar.reject)
    with qtbot.assertNotEmitted(full.approve_requested):
        qtbot.keyClicks(full._bar._text, "aaaj")
    assert full._bar._text.text() == "aaaj"
    assert full._row.proposal.id == "p2"


def test_tabs_show_what_there_is(full):
    assert tabs(full) == ["Diff", "Proposed", "Current"]
    full.show_proposal("p1")
    full._page.go_to("c1")
    assert tabs(full) == ["Diff", "Current", "Loss"]
    full._page._tabs.setCurrentIndex(3)
    assert full._page._loss._told.text() == "Of 3 pieces 1 are kept, 1 reworded, 1 dropped."


def test_what_led_to_it_is_one_click_away(qtbot, full):
    with qtbot.waitSignal(full.turn_requested) as told:
        click(qtbot, full._page._head.turn)
    assert told.args == ["s1", "t1"]
    full.show_proposal("p1")
    with qtbot.waitSignal(full.report_requested) as told:
        click(qtbot, full._page._head.report)
    assert told.args == ["20261128-090000"]
    with qtbot.waitSignal(full.skill_selected) as told:
        click(qtbot, full._page._head.skill)
    assert told.args == ["testing/testing-python"]


def test_counts_are_told_and_decided_ones_can_be_reopened(qtbot, full):
    rejected = review(replace(SINGLE, decision=Decision.REJECTED, decision_reason="no"))
    full.details_requested.disconnect()
    with qtbot.waitSignal(full.count_changed) as told:
        full.set_proposals([light(curator()), light(rejected)])
    assert told.args == [1]
    full.show_proposal("p2")
    full.show_details(rejected)
    assert full._page._head.why.text() == "no"
    with qtbot.waitSignal(full.reopen_requested) as told:
        click(qtbot, full._bar._reopen)
    assert told.args == ["p2", ("d0",)]


def test_a_refusal_is_said_where_it_was_asked_for(full):
    sentence = "The skill was changed meanwhile. Look at the new revision."
    full.show_outcome(Outcome("p2", ProposalState.PENDING, refused=(("writing/release-notes", sentence),)))
    full.set_proposals([light(curator()), light(review())])
    assert full._bar._told.text() == sentence
    full.show_proposal("p1")
    assert full._bar._told.text() == ""


def test_after_the_last_a_summary_offers_one_undo(qtbot, full):
    full.show_outcome(Outcome("p2", ProposalState.APPLIED, applied=("release-notes",), entries=("e1",)))
    full.show_outcome(Outcome("p1", ProposalState.APPLIED, applied=("a", "b"), entries=("e2",)))
    full.set_proposals([light(_done(item)) for item in (review(), curator())])
    assert full._pages.kind == "empty"
    assert full._pages.state._text.text() == "3 applied."
    with qtbot.waitSignal(full.undo_requested) as told:
        full._pages.state.action_requested.emit("undo")
    assert told.args == [("e2", "e1")]


def test_a_failure_is_shown_and_the_page_can_be_read_again(qtbot, full):
    full.set_busy(True)
    full.show_failure(Failure("The disk is full", "Nothing was written."))
    assert full._bar._told.text() == "The disk is full. Nothing was written."
    assert full._bar.isEnabled()
    full.show_details(review())
    full.set_proposals([])
    full.show_failure(Failure("The disk is full", "Nothing was read."))
    assert full._pages.kind == "error"
    with qtbot.waitSignal(full.refresh_requested):
        full._pages.action_requested.emit("retry")


def test_a_narrow_page_shows_one_side_with_a_way_back(qtbot, full):
    full.resize(420, 600)
    qtbot.waitUntil(lambda: not full._inbox.isVisible())
    click(qtbot, full._sides._back)
    assert full._inbox.isVisible()
    full.show_proposal("p1")
    assert not full._inbox.isVisible()
    full.resize(1000, 600)
    qtbot.waitUntil(full._inbox.isVisible)


def _done(proposal):
    groups = tuple(
        replace(
            group,
            decision=Decision.APPROVED,
            changes=tuple(replace(change, decision=Decision.APPROVED) for change in group.changes),
        )
        for group in proposal.groups
    )
    return replace(proposal, groups=groups, state=ProposalState.APPLIED)
