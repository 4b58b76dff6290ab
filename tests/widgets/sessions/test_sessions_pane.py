"""The conversations: list, search hits, and what can be done with the chosen one."""

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.errors import Failure
from app.providers.values import Usage
from app.sessions.values import Hit, HitKind, SessionInfo
from widgets.sessions.pane import SessionsPane
from widgets.sessions.rows import row_of, row_of_hit

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def info(number, title, **more):
    return SessionInfo(f"s{number}", title, NOW, NOW - timedelta(days=number), turns=number, **more)


SESSIONS = (info(1, "Flaky upload test"), info(2, "Release notes"))
HIT = Hit(HitKind.SESSION, "s1", "Flaky upload test", "the upload\ntest is flaky", ((19, 24),), "", 1.0, NOW, 7, True)


@pytest.fixture
def pane(qtbot, theme):
    made = SessionsPane(theme, QWidget())
    qtbot.addWidget(made)
    made.resize(420, 560)
    made.show()
    qtbot.waitExposed(made)
    made.set_sessions(SESSIONS)
    yield made
    made.close()


def click(qtbot, widget):
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def search(qtbot, pane, text):
    with qtbot.waitSignal(pane.search_requested) as told:
        pane._search.set_text_now(text)
    return told.args[0]


def test_a_row_says_when_how_long_and_what_it_cost():
    usage = Usage(1_200, 300, 30_000, 0, 0.04)
    row = row_of(info(2, "Release notes", model="basic", usage=usage, skills=("a", "b"), outcome="failed"), NOW)
    assert row.facts == "2 d · 2 turns · basic · 31.5k tokens · $0.04 · the last turn failed"
    assert row.detail == "a, b"


def test_a_hit_keeps_its_marks_and_the_message():
    row = row_of_hit(HIT, NOW)
    assert row.detail == "the upload test is flaky"
    assert row.detail[slice(*row.marks[0])] == "flaky"
    assert row.message == 7
    assert row.facts == "now · tool"


def test_continue_branch_and_export_act_on_the_chosen_one(qtbot, pane):
    pane.set_current("s2")
    with qtbot.waitSignal(pane.continue_requested) as told:
        click(qtbot, pane._strip._continue)
    assert told.args == ["s2"]
    with qtbot.waitSignal(pane.branch_requested) as told:
        click(qtbot, pane._strip._branch)
    assert told.args == ["s2", -1]
    for action, form in zip(pane._strip._export.menu().actions(), ("markdown", "sharegpt"), strict=True):
        with qtbot.waitSignal(pane.export_requested) as told:
            action.trigger()
        assert told.args == ["s2", form]


def test_without_a_choice_nothing_can_be_done(qtbot, theme):
    pane = SessionsPane(theme, QWidget())
    qtbot.addWidget(pane)
    assert pane._pages.kind == "loading"
    pane.set_sessions(())
    assert pane._pages.kind == "empty"
    assert not any(made.isEnabled() for made in pane._strip._buttons)


def test_deleting_needs_no_question_as_it_can_be_taken_back(qtbot, pane):
    pane.set_current("s1")
    with qtbot.waitSignal(pane.delete_requested) as told:
        pane._strip._others.actions()[1].trigger()
    assert told.args == ["s1"]


def test_choosing_another_row_takes_the_question_back(pane):
    pane.set_current("s1")
    pane._strip._others.actions()[0].trigger()
    assert pane._strip._form.isVisible()
    pane.set_current("s2")
    assert not pane._strip._form.isVisible()


def test_renaming_takes_a_title_and_no_blank_one(qtbot, pane):
    pane.set_current("s1")
    pane._strip._others.actions()[0].trigger()
    pane._strip._name.setText("  Upload test ")
    with qtbot.waitSignal(pane.rename_requested) as told:
        qtbot.keyClick(pane._strip._name, Qt.Key.Key_Return)
    assert told.args == ["s1", "Upload test"]
    pane._strip._others.actions()[0].trigger()
    pane._strip._name.setText("  ")
    with qtbot.assertNotEmitted(pane.rename_requested):
        qtbot.keyClick(pane._strip._name, Qt.Key.Key_Return)


def test_a_search_shows_hits_and_opens_at_the_message(qtbot, pane):
    assert search(qtbot, pane, "flaky") == "flaky"
    pane.set_hits("flaky", (HIT,))
    assert [row.message for row in pane._model.rows] == [7]
    with qtbot.waitSignal(pane.opened) as told:
        pane._view.clicked.emit(pane._model.index(0))
    assert told.args == ["s1", 7, ("flaky",)]
    pane.grab()


def test_a_search_can_leave_out_what_only_tools_said(qtbot, pane):
    search(qtbot, pane, "flaky")
    assert pane._tools.isVisible()
    with qtbot.waitSignal(pane.search_requested) as told:
        click(qtbot, pane._tools)
    assert told.args == ["flaky", False]
    pane._search.clear_now()
    assert not pane._tools.isVisible()


def test_what_did_not_finish_is_counted_and_can_be_shown_alone(qtbot, pane):
    assert not pane._unfinished.isVisible()
    pane.set_sessions((*SESSIONS, info(3, "Cut", outcome="interrupted"), info(4, "Done", outcome="done")))
    assert pane._unfinished.text() == "not finished 1"
    click(qtbot, pane._unfinished)
    assert [row.title for row in pane._model.rows] == ["Cut"]
    assert "interrupted" in pane._model.rows[0].facts
    click(qtbot, pane._unfinished)
    assert len(pane._model.rows) == 4


def test_an_answer_to_an_older_question_is_not_shown(qtbot, pane):
    search(qtbot, pane, "flaky")
    search(qtbot, pane, "release")
    pane.set_hits("flaky", (HIT,))
    assert len(pane._model.rows) == 2


def test_only_conversations_are_listed(qtbot, pane):
    search(qtbot, pane, "x")
    skill = Hit(HitKind.SKILL, "one", "one", "x", (), "", 1.0)
    pane.set_hits("x", (skill, HIT))
    assert [row.session for row in pane._model.rows] == ["s1"]


def test_nothing_found_offers_all_again(qtbot, pane):
    search(qtbot, pane, "zzz")
    pane.set_hits("zzz", ())
    assert pane._pages.kind == "filtered"
    pane._pages.action_requested.emit("clear")
    assert pane._pages.kind == "content"
    assert len(pane._model.rows) == 2


def test_a_new_list_keeps_the_choice(pane):
    pane.set_current("s2")
    pane.set_sessions((info(0, "Newest"), *SESSIONS))
    assert pane.current.session == "s2"


def test_a_failure_can_be_tried_again(qtbot, pane):
    pane.show_failure(Failure("The database is busy", "Try again."))
    assert pane._pages.kind == "error"
    with qtbot.waitSignal(pane.refresh_requested):
        pane._pages.action_requested.emit("retry")


def test_what_is_read_stands_beside_the_list_where_there_is_room_and_in_its_place_where_not(qtbot, pane):
    pane.resize(900, 560)
    pane.show_reading(SESSIONS[1])
    assert pane._pages.isVisible()
    assert pane._reading._title.text == "Release notes"
    assert pane._reading.width() > pane._pages.width()
    pane.resize(420, 560)
    assert not pane._pages.isVisible()
    click(qtbot, pane._reading._back)
    assert pane._pages.isVisible()
    assert not pane._reading.isVisible()


def test_escape_leads_back_to_the_list(qtbot, pane):
    pane.show_reading(SESSIONS[0])
    qtbot.keyClick(pane._reading, Qt.Key.Key_Escape)
    assert not pane._reading.isVisible()
    assert pane._view.hasFocus()


def test_a_branch_begins_at_the_marked_message_of_what_is_read(qtbot, pane):
    pane.resize(900, 560)
    pane.show_reading(SESSIONS[0])
    assert pane._strip._branch.text() == "Branch"
    pane.set_place(5)
    assert pane._strip._branch.text() == "Branch here"
    with qtbot.waitSignal(pane.branch_requested) as told:
        click(qtbot, pane._strip._branch)
    assert told.args == ["s1", 5]
    pane.set_current("s2")
    with qtbot.waitSignal(pane.branch_requested) as told:
        click(qtbot, pane._strip._branch)
    assert told.args == ["s2", -1]


def test_typing_a_search_leads_from_reading_to_what_is_found(qtbot, pane):
    pane.show_reading(SESSIONS[0])
    search(qtbot, pane, "flaky")
    assert pane._pages.isVisible()
