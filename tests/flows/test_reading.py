"""Stored conversations in the real window: found, read where something was said, branched, deleted and brought back."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from app.clock import system_clock
from app.database import Database
from app.providers.values import Message, Role, Text, ToolResult, ToolUse
from app.sessions.schema import MIGRATIONS
from app.sessions.store import SessionStore
from app.sessions.values import MessageState
from widgets.chat.card import AnswerCard
from widgets.chat.error_card import ErrorCard
from widgets.chat.note_line import NoteLine
from widgets.chat.plain_text import PlainText
from widgets.chat.tool_line import ToolLine


def talk(shop, title: str, answers: int, at: int = -1, said: str = "", tool: str = "") -> str:
    """Store a conversation of that many long answers; answer `at` has `said` at its end, or a tool says `tool`."""
    database = Database(shop.root / "melete.db", MIGRATIONS)
    try:
        store = SessionStore(database, system_clock)
        session = store.create(title, "basic").id
        for number in range(answers):
            turn = store.start_turn(session)
            blocks = [Text("words to fill the page " * 60 + (said if number == at else ""))]
            asked = Message(Role.USER, (Text(f"question {number}"),))
            store.add_message(session, turn, asked, MessageState.COMPLETE)
            if number == at and tool:
                call = ToolUse("c1", "skill_view", {"name": "one"})
                store.add_message(session, turn, Message(Role.ASSISTANT, (call,)), MessageState.COMPLETE)
                result = ToolResult("c1", "skill_view", tool)
                store.add_message(session, turn, Message(Role.USER, (result,)), MessageState.COMPLETE)
            store.add_message(session, turn, Message(Role.ASSISTANT, tuple(blocks)), MessageState.COMPLETE)
        return session
    finally:
        database.close()


def find(shop, window, words: str) -> None:
    """Search on the page and open the first hit, as a user does."""
    pane = window.panes.sessions
    window.panes.frame.show_page("sessions")
    pane._search.set_text_now(words)
    shop.wait(lambda: bool(pane._model.rows) and pane._model.rows[0].message >= 0)
    with shop.qtbot.waitSignal(window.services.sessions.was_read, timeout=5000):
        pane._view.clicked.emit(pane._model.index(0))


def lifted(window) -> list[str]:
    """The words on a ground of their own that stand in sight."""
    view = window.panes.reader._transcript
    found = []
    for text in view.findChildren(PlainText):
        for mark in text.extraSelections():
            place = text.mapTo(view.viewport(), text.cursorRect(mark.cursor).topLeft())
            if view.viewport().rect().contains(place):
                found.append(mark.cursor.selectedText())
    return found


def test_a_hit_in_the_middle_of_a_long_conversation_is_brought_into_sight_and_lifted_out(shop, styled):
    talk(shop, "Other", 2)
    talk(shop, "Long", 120, 60, "and then the zeppelin landed")
    window = shop.open()
    find(shop, window, "zeppelin")
    reader = window.panes.reader
    shop.wait(lambda: lifted(window) == ["zeppelin"])
    marked = reader._transcript._marker.card
    assert isinstance(marked, AnswerCard)
    assert "zeppelin" in marked.text
    shop.wait(lambda: not reader._earlier.busy)
    assert lifted(window) == ["zeppelin"]
    assert len(reader._transcript.cards) < 100
    bar = reader._transcript.verticalScrollBar()
    for _ in range(3):
        before = len(reader._later._newer)
        bar.setValue(bar.maximum())
        shop.wait(lambda left=before: len(reader._later._newer) < left)


def test_words_a_tool_said_are_unfolded(shop, styled):
    talk(shop, "Tools", 3, 1, tool=json.dumps({"content": "the quagga is extinct"}))
    window = shop.open()
    find(shop, window, "quagga")
    shop.wait(lambda: lifted(window) == ["quagga"])
    line = window.panes.reader._transcript._marker.card
    assert isinstance(line, ToolLine)
    assert line.head.isChecked()


def test_reading_leaves_the_open_chat_alone_and_continue_takes_it_over(shop):
    old = talk(shop, "Old talk", 2)
    window = shop.open()
    new = shop.say(window, "Hello.").session.id
    with shop.qtbot.waitSignal(window.services.sessions.was_read, timeout=5000):
        window.steering.follow("session", old)
    assert window.services.chat.session == new
    assert window.panes.frame.page == "sessions"
    window.panes.sessions._strip._continue.click()
    shop.wait(lambda: window.services.chat.session == old)


def test_continue_waits_for_an_answer_that_is_being_written(shop, service):
    old = talk(shop, "Old talk", 1)
    service(
        {"event_ms": 20, "responses": [{"times": 0, "events": [{"text_parts": ["x "] * 500}, {"stop": "end_turn"}]}]}
    )
    shop.settings('[review]\nmode = "off"\n')
    window = shop.open()
    window.panes.chat.send_requested.emit("Write.")
    shop.wait(lambda: window.services.chat.session is not None)
    told = []
    window.steering.inform = told.append
    window.steering.go_on(old)
    assert "Stop it" in told[0]
    assert window.services.chat.session != old
    window.services.chat.stop()
    shop.wait(lambda: not window.services.chat.busy)


def test_a_branch_holds_everything_up_to_the_marked_message(shop):
    talk(shop, "Branchy", 3)
    window = shop.open()
    pane, reader = window.panes.sessions, window.panes.reader
    window.panes.frame.show_page("sessions")
    shop.wait(lambda: bool(pane._model.rows))
    with shop.qtbot.waitSignal(window.services.sessions.was_read, timeout=5000):
        pane._view.clicked.emit(pane._model.index(0))
    shop.qtbot.keyClick(reader._transcript, Qt.Key.Key_K)
    for _ in range(2):
        shop.qtbot.keyClick(reader._transcript, Qt.Key.Key_K)
    assert pane._strip._branch.text() == "Branch here"
    pane._strip._branch.click()
    shop.wait(lambda: window.services.chat.session is not None)
    said = [stored.message.text for stored in shop.messages(window)]
    assert len(said) == 4
    assert said[2] == "question 1"


def test_delete_is_undone_with_everything_in_it(shop):
    session = talk(shop, "Keep me", 2)
    window = shop.open()
    pane, notices = window.panes.sessions, window.panes.notices
    window.panes.frame.show_page("sessions")
    shop.wait(lambda: bool(pane._model.rows))
    pane.set_current(session)
    pane._strip._others.actions()[1].trigger()
    shop.wait(lambda: pane._model.rows == ())
    notices.action_requested.emit(f"restore-session:{session}")
    shop.wait(lambda: [row.session for row in pane._model.rows] == [session])
    with shop.qtbot.waitSignal(window.services.sessions.was_read, timeout=5000) as read:
        window.services.sessions.read(session)
    assert [stored.message.text for stored in read.args[1]][::2] == ["question 0", "question 1"]


def test_an_export_is_written_where_the_user_says(shop, monkeypatch):
    session = talk(shop, "Export me", 1)
    target = shop.root / "talk.md"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window = shop.open()
    pane = window.panes.sessions
    window.panes.frame.show_page("sessions")
    shop.wait(lambda: bool(pane._model.rows))
    pane.set_current(session)
    pane._strip._export.menu().actions()[0].trigger()
    shop.wait(target.exists)
    assert target.read_text(encoding="utf-8").startswith("# Export me\n")


def test_a_dropped_file_stands_in_the_message_and_its_words_are_nobodys_own(shop):
    note = shop.root / "note.md"
    note.write_text("Always use tabs.\n")
    window = shop.open()
    pane = window.panes.chat
    pane.files_dropped.emit((str(note),))
    shop.wait(lambda: "[file: note.md]" in pane.draft)
    assert "Always use tabs." in pane.draft
    result = shop.say(window, pane.draft)
    assert result.snapshot.untrusted
    told = []
    window.steering.tell_failure = told.append
    pane.files_dropped.emit((str(shop.root),))
    assert pane.draft == ""


def test_a_new_conversation_hears_nothing_of_the_answer_that_was_left(shop, service):
    slow = {"times": 0, "events": [{"text_parts": ["left over "] * 500}, {"stop": "end_turn"}]}
    service({"event_ms": 5, "responses": [slow | {"event_ms": 5}]})
    shop.settings('[review]\nmode = "off"\n')
    window = shop.open()
    pane = window.panes.chat
    pane.send_requested.emit("Write.")
    shop.wait(lambda: any(isinstance(card, AnswerCard) for card in pane._transcript.cards), 40)
    ended = []
    window.services.chat.turn_ended.connect(ended.append)
    pane.new_requested.emit()
    shop.wait(lambda: bool(ended))
    assert pane._transcript.cards == ()
    assert window.services.chat.session is None
    assert not pane.running


@pytest.mark.slow
def test_a_conversation_opened_again_can_be_reviewed_and_says_when_there_is_nothing_new(shop):
    shop.settings('[review]\nmode = "off"\n')
    first = shop.open()
    session = shop.say(first, "I prefer short answers without flattery.").session.id
    shop.close(first)
    window = shop.open()
    with shop.qtbot.waitSignal(window.services.chat.session_loaded, timeout=5000):
        window.steering.go_on(session)
    said = []
    window.steering.inform = said.append
    shop.settings('[review]\nmode = "tell"\n')
    with shop.qtbot.waitSignal(window.services.review.reviewed, timeout=20_000) as reviewed:
        window.panes.chat.review_requested.emit()
    assert "user profile" in reviewed.args[0].line
    notes = [card for card in window.panes.chat._transcript.cards if isinstance(card, NoteLine)]
    assert len(notes) == 1
    with shop.qtbot.waitSignal(window.services.review.reviewed, timeout=20_000):
        window.panes.chat.review_requested.emit()
    shop.wait(lambda: any("nothing new" in text for text in said))


def test_a_conversation_that_was_killed_is_offered_at_the_next_start_and_can_be_tried_again(shop, service):
    service({"responses": [{"times": 0, "events": [{"text": "Whole."}, {"stop": "end_turn"}]}]})
    shop.settings('[review]\nmode = "off"\n')
    database = Database(shop.root / "melete.db", MIGRATIONS)
    store = SessionStore(database, system_clock)
    session = store.create("Cut off", "claude").id
    turn = store.start_turn(session)
    store.add_message(session, turn, Message(Role.USER, (Text("Tell me."),)), MessageState.COMPLETE)
    store.add_message(session, turn, Message(Role.ASSISTANT, (Text("Half of"),)), MessageState.STREAMING)
    database.close()
    window = shop.open()
    shop.wait(lambda: any("interrupted" in text for text in window.panes.notices.texts))
    with shop.qtbot.waitSignal(window.services.chat.session_loaded, timeout=5000):
        window.panes.notices.action_requested.emit(f"session:{session}")
    pane = window.panes.chat
    half = next(card for card in pane._transcript.cards if isinstance(card, AnswerCard))
    assert half._state.text() == "The program ended while this was being written."
    (card,) = [card for card in pane._transcript.cards if isinstance(card, ErrorCard)]
    with shop.qtbot.waitSignal(window.services.chat.turn_ended, timeout=20_000) as ended:
        card._retry.click()
    assert ended.args[0].reply == "Whole."
