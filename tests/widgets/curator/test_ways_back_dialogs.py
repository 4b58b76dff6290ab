"""The dialogs of the curator's ways back: nothing is agreed to that was not shown."""

from datetime import UTC, date, datetime

import pytest
from PySide6.QtCore import Qt

from app.cycles.values import RollbackPlan, RollbackStep, RunStep, RunUndo
from app.errors import Failure
from app.history.values import Entry, Origin, Record
from widgets.curator.rollback_dialog import RollbackDialog
from widgets.curator.undo_dialog import UndoDialog

AT = datetime(2026, 11, 28, 9, 0, tzinfo=UTC)
ENTRY = Entry("e7", AT, Record(Origin.USER, "edit", ("a",)), None, "t")


@pytest.fixture
def dialog(qtbot, theme):
    made = RollbackDialog(theme)
    qtbot.addWidget(made)
    made.set_days([(date(2026, 11, 27), 3), (date(2026, 11, 28), 1)])
    return made


def test_a_day_is_looked_at_before_one_can_go_back_to_it(qtbot, dialog):
    assert not dialog._yes.isEnabled()
    assert "1 step" in dialog._days.item(0).text()
    with qtbot.waitSignal(dialog.day_chosen) as told:
        dialog._days.setCurrentRow(1)
    assert told.args == [date(2026, 11, 27)]
    assert not dialog._yes.isEnabled()
    dialog.set_plan(RollbackPlan(ENTRY, (RollbackStep("archive", "b", "b", "b"), RollbackStep("pin", "a", "a", "a"))))
    assert [dialog._steps.topLevelItem(at).text(0) for at in range(2)] == ["goes to the archive", "is pinned"]
    with qtbot.waitSignal(dialog.agreed) as told:
        dialog._yes.click()
    assert told.args == ["e7"]


def test_what_stands_in_the_way_is_said_and_stops_it(dialog):
    dialog.set_plan(RollbackPlan(ENTRY, (RollbackStep("archive", "b", "b", "b"),), ("b is pinned.",)))
    assert "b is pinned." in dialog._told.text()
    assert not dialog._yes.isEnabled()


def test_a_day_like_today_changes_nothing(dialog):
    dialog.set_plan(RollbackPlan(ENTRY))
    assert dialog._told.text().startswith("The library stands exactly as after")
    assert not dialog._yes.isEnabled()


def test_a_failure_takes_the_button_away(dialog):
    dialog.set_plan(RollbackPlan(ENTRY, (RollbackStep("archive", "b", "b", "b"),)))
    dialog.show_failure(Failure("No history", "It is damaged."))
    assert not dialog._yes.isEnabled()
    assert dialog._pages.kind == "error"


def step(entry, **more):
    return RunStep(entry, AT, f"Fold into {entry}", (f"x/{entry}",), **more)


def test_only_free_and_chosen_steps_are_undone_newest_first(qtbot, theme):
    steps = (step("e3"), step("e2", conflicts=("It was edited since.",)), step("e1", undone=True), step("e0"))
    dialog = UndoDialog(theme, RunUndo("r", steps))
    qtbot.addWidget(dialog)
    assert dialog.chosen() == ("e3", "e0")
    dialog._tree.topLevelItem(3).setCheckState(0, Qt.CheckState.Unchecked)
    with qtbot.waitSignal(dialog.agreed) as told:
        dialog._yes.click()
    assert told.args == ["r", ("e3",)]


def test_a_run_that_changed_nothing_offers_nothing(qtbot, theme):
    dialog = UndoDialog(theme, RunUndo("r"))
    qtbot.addWidget(dialog)
    assert not dialog._yes.isEnabled()
