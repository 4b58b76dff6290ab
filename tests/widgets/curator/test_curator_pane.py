"""The curator page: what holds it back, a run under way, past runs and their reports."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt

from app.curator.values import CuratorStatus, Gate, RunRow, Thresholds
from app.errors import Failure
from widgets.common.ages import now_utc
from widgets.curator.pane import CuratorPane
from widgets.curator.words import gates_of

AT = datetime(2026, 11, 28, 9, 0, tzinfo=UTC)
RUN = RunRow("20261128-090000", AT, "built-in", False, 12, 48_000, 0.31, 59, 57, 3, 1, 4, "3 merged, 1 archived")


def status(**more):
    now = now_utc()
    given = CuratorStatus(
        enabled=True,
        paused=False,
        gate=Gate.NOT_DUE,
        why="The next run is due in 5 days.",
        last_run_at=now - timedelta(days=2, minutes=1),
        next_run_at=now + timedelta(days=5),
        idle_s=4_000,
        run_count=6,
        thresholds=Thresholds(),
    )
    return replace(given, **more)


@pytest.fixture
def pane(qtbot, theme):
    with theme.undressed():  # half the time
        made = CuratorPane(theme)
    qtbot.addWidget(made)
    made.resize(900, 760)
    made.show()
    qtbot.waitExposed(made)
    made.set_status(status())
    yield made
    made.close()


def click(qtbot, widget):
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def test_the_card_says_why_not_now_and_when(pane):
    card = pane._card
    assert card._why.text() == "The next run is due in 5 days."
    assert card._facts.text == "Last run: 2 d ago · Next: in 5 d · 6 runs"
    assert "Every 168 h after 2 h" in card._limits.text()
    assert card._state.text == "on"


def test_a_library_that_was_never_curated_says_so(pane):
    """The schedule counts from a moment that was no run."""
    pane.set_status(status(run_count=0))
    assert pane._card._facts.text == "Last run: never · Next: in 5 d · 0 runs"


def test_every_gate_is_named_with_whether_it_is_open(pane):
    gates = gates_of(status(idle_s=600, paused=True))
    assert gates == [("switched on", True), ("paused", False), ("due in 5 d", False), ("idle: 10 min of 2 h", False)]


def test_a_cut_short_run_is_told(pane):
    pane.set_status(status(cut_short="20261128-090000"))
    assert pane._card._why.text().startswith("The last run was cut short")


def test_actions_offer_what_fits_the_chosen_run(qtbot, pane):
    actions = pane.actions_here
    assert not actions.action("curator.review").isEnabled()
    pane.set_runs([RUN])
    pane.show_report(RUN.run, "# Report")
    assert actions.action("curator.review").isEnabled()
    with qtbot.waitSignal(pane.review_requested) as told:
        actions.action("curator.review").trigger()
    assert told.args == [RUN.run]
    pane.set_runs([replace(RUN, waiting=0)])
    assert not actions.action("curator.review").isEnabled()


def test_run_now_and_dry_run_differ(qtbot, pane):
    for widget, dry in ((pane._card._run, False), (pane._card._dry, True)):
        with qtbot.waitSignal(pane.run_requested) as told:
            click(qtbot, widget)
        assert told.args == [dry]


def test_pause_and_resume(qtbot, pane):
    with qtbot.waitSignal(pane.pause_requested) as told:
        click(qtbot, pane._card._pause)
    assert told.args == [True]
    pane.set_status(status(paused=True, gate=Gate.PAUSED, why="Paused by you."))
    assert pane._card._state.text == "paused"
    assert "Next: not planned" in pane._card._facts.text
    with qtbot.waitSignal(pane.pause_requested) as told:
        click(qtbot, pane._card._pause)
    assert told.args == [False]


@pytest.mark.parametrize("held", [{"running": True, "gate": Gate.RUNNING}, {"enabled": False, "gate": Gate.DISABLED}])
def test_a_running_run_and_a_disabled_curator_refuse_run_now(pane, held):
    pane.set_status(status(**held))
    assert not pane._card._run.isEnabled()
    assert not pane._card._dry.isEnabled()


def test_a_running_run_shows_where_it_is_and_can_be_cancelled(qtbot, pane):
    pane.set_status(status(running=True))
    pane.set_progress("merging", "testing/pytest-flaky", 50, 1200)
    pane.add_log("skill_view pytest-flaky")
    assert pane._progress.isVisible()
    assert [chip.text for chip in pane._progress._steps.values()] == ["✓ Ages", "2 Siblings", "3 Report"]
    assert pane._progress._skill.text == "testing/pytest-flaky"
    assert pane._progress._used.text == "50 calls of 200 · 1,200 tokens"
    assert "pytest-flaky" in pane._progress._log.toPlainText()
    with qtbot.waitSignal(pane.cancel_requested):
        click(qtbot, pane._progress._cancel)
    assert not pane._progress._cancel.isEnabled()
    pane.set_status(status(running=False))
    assert not pane._progress.isVisible()


def test_the_newest_report_opens_by_itself_and_a_late_other_one_does_not(qtbot, pane):
    older = replace(RUN, run="older")
    with qtbot.waitSignal(pane.report_requested) as told:
        pane.set_runs([RUN, older])
    assert told.args == [RUN.run]
    assert pane._pages.kind == "loading"
    pane.show_report("older", "# Other")
    assert pane._pages.kind == "loading"
    pane.show_report(RUN.run, "# Curator run\n\n[one](skill:one)")
    assert pane._pages.kind == "content"
    assert "Curator run" in pane._report._text.toPlainText()
    assert pane._report._counts[0].text() == "59"
    assert pane._report._counts[1].text() == "57"


def test_counts_that_come_after_the_report_are_shown(pane):
    pane.set_runs([replace(RUN, before=0, after=0)])
    pane.show_report(RUN.run, "# Run")
    pane.set_runs([RUN])
    assert pane._report._counts[0].text() == "59"


def test_choosing_a_run_asks_for_its_report(qtbot, pane):
    pane.set_runs([RUN, replace(RUN, run="older")])
    with qtbot.waitSignal(pane.report_requested) as told:
        pane._table.selectRow(1)
    assert told.args == ["older"]


def test_links_of_a_report_select(qtbot, pane):
    pane.set_runs([RUN])
    pane.show_report(RUN.run, "[one](skill:one) [p](proposal:p1)")
    with qtbot.waitSignal(pane.skill_selected) as told:
        pane._report._text.follow("skill:one")
    assert told.args == ["one"]
    with qtbot.waitSignal(pane.proposal_opened) as told:
        pane._report._text.follow("proposal:p1")
    assert told.args == ["p1"]


def test_rows_say_what_came_of_a_run(pane):
    failed = replace(RUN, run="r2", error="The model is overloaded", dry_run=True, before=5, after=5, cost=0.0)
    pane.set_runs([RUN, failed])
    model = pane._table.model()
    texts = [[model.index(row, column).data() for column in range(8)] for row in range(2)]
    assert texts[0][2:] == ["59 → 57", "3", "1", "4", "12 · 48.0k · $0.31", "3 merged, 1 archived"]
    assert texts[1][1] == "built-in, dry run"
    assert texts[1][2] == "5"
    assert texts[1][7] == "failed: The model is overloaded"


def test_without_a_run_a_dry_run_is_offered(qtbot, pane):
    pane.set_runs([])
    assert pane._pages.kind == "empty"
    with qtbot.waitSignal(pane.run_requested) as told:
        pane._pages.action_requested.emit("dry")
    assert told.args == [True]


def test_a_failure_is_said_and_forgotten_at_the_next_run(pane):
    pane.show_failure(Failure("Overloaded", "Try again later."))
    assert pane._failure.text() == "Overloaded. Try again later."
    pane.set_status(status(running=True))
    assert not pane._failure.isVisible()
    pane.set_status(status())


def test_in_a_low_window_the_page_scrolls_instead_of_squeezing(qtbot, pane):
    pane.set_runs([RUN])
    pane.show_report(RUN.run, "# Run")
    pane.resize(420, 420)
    qtbot.waitUntil(lambda: pane._pages.height() >= 240)
    assert pane._table.isColumnHidden(1)
