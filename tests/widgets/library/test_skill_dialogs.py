"""Dialogs about skills: nothing is deleted unread, nothing is refused in silence, and the archive is offered."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sample_library

from app.cycles.values import ActionReport, Lookalike, PurgeItem
from app.errors import Failure
from widgets.library.doubles_dialog import DoublesDialog
from widgets.library.new_skill import NewSkillDialog
from widgets.library.purge_dialog import PurgeDialog
from widgets.library.report_dialog import ReportDialog
from widgets.library.skill_actions import SKILL_ACTIONS
from widgets.library.skill_header import SkillHeader


def spy(signal):
    said = []
    signal.connect(lambda *args: said.append(args))
    return said


def test_deleting_for_good_lists_names_dates_and_sizes_and_waits_for_a_tick(theme, qtbot):
    item = PurgeItem(".archive/tea", "tea", datetime(2026, 6, 1, 12, tzinfo=UTC), ("SKILL.md",), 2048, "drinks")
    dialog = PurgeDialog(theme, (item,))
    qtbot.addWidget(dialog)
    confirmed = spy(dialog.confirmed)
    (line,) = dialog.lines
    assert "tea" in line
    assert "2026" in line
    assert not dialog.delete_button.isEnabled()
    dialog.sure.click()
    dialog.delete_button.click()
    assert confirmed == [((".archive/tea",), False)]


def test_what_was_not_done_is_listed_with_reasons_and_what_was_can_be_taken_back(theme, qtbot):
    report = ActionReport("archive", (("a", ".archive/a"),), (("git/b", "b is pinned."),), ("e1",))
    dialog = ReportDialog(theme, report)
    qtbot.addWidget(dialog)
    undone, selected = spy(dialog.undo_requested), spy(dialog.select_requested)
    assert dialog.windowTitle() == "Archive: 1 done, 1 not"
    assert dialog.reasons == ("b is pinned.",)
    dialog._on_undo()
    dialog._on_select()
    assert (undone, selected) == ([(("e1",),)], [(("git/b",),)])


def test_a_name_that_is_in_the_archive_offers_to_restore_it(theme, qtbot):
    dialog = NewSkillDialog(theme)
    qtbot.addWidget(dialog)
    dialog.show()
    restored = spy(dialog.restore_requested)
    dialog._name.setText("tea")
    dialog.set_refused(
        Failure("It is in the archive", "The archived skill tea has this name.", action="restore:.archive/tea")
    )
    assert dialog.told == "The archived skill tea has this name."
    dialog._name.setText("teas")
    assert not dialog.restore_button.isVisible()
    dialog.set_refused(Failure("It is in the archive", "It is there.", action="restore:.archive/tea"))
    dialog.restore_button.click()
    assert restored == [(".archive/tea",)]


def test_a_pair_says_why_and_asks_for_the_difference(theme, qtbot):
    dialog = DoublesDialog(theme)
    qtbot.addWidget(dialog)
    asked = spy(dialog.compare_requested)
    pair = Lookalike("a/tea", "b/tea", 0.625, ("tea", "pour"), 10, 12)
    dialog.set_pairs((pair,), {"a/tea": "tea", "b/tea": "tea-two"})
    assert asked == [("a/tea", "b/tea")]
    assert dialog.reason(pair) == "62% alike · 10 of 12 lines are the same · both about tea, pour"
    dialog.set_pairs((), {})
    assert dialog._pages.state.title == "No near-duplicates"


def test_every_action_for_skills_has_a_shortcut_of_its_own():
    keys = [spec.keys for spec in SKILL_ACTIONS]
    assert all(keys)
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    ("facts", "word"),
    [
        ({"managed": True}, "may still improve"),
        ({"managed": False}, "holds you, too"),
        ({"real": Path("/elsewhere")}, "no effect"),
        ({"in_home": False}, "no effect"),
    ],
)
def test_a_pin_says_what_it_blocks_and_where_it_has_no_effect(theme, qtbot, facts, word):
    skill = replace(sample_library.skills()[0], pinned=False, **facts)
    header = SkillHeader(theme)
    qtbot.addWidget(header)
    header.set_skill(skill)
    assert word in header.pin_button.toolTip()
    assert header.pin_button.isEnabled() is (word != "no effect")
