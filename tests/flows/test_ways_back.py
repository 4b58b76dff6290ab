"""Ways back: each undo takes back what it stands beside, and says so only when it did."""

import json
from datetime import UTC, datetime

from app.providers.values import Message, Role, Text
from app.sessions.values import MessageState, StoredMessage
from widgets.chat.note_line import NoteLine

TEXT = "---\nname: shared\ndescription: Sample.\n---\n\n{}\n"


def told_by_a_review(entry: str) -> StoredMessage:
    words = Message(Role.ASSISTANT, (Text("Self-improvement review: improved shared"),))
    data = json.dumps({"entries": [entry], "proposals": [], "icon": "brain"})
    at = datetime(2026, 6, 1, tzinfo=UTC)
    return StoredMessage(1, "s", "t", words, MessageState.COMPLETE, at, "review", data)


def saved(shop, window, line: str) -> str:
    """Save the skill with this line; the id of the step."""
    skills = window.services.skills
    with shop.qtbot.waitSignal(skills.saved, timeout=10_000) as told:
        skills.save("shared", TEXT.format(line), "")
    return told.args[0].entry


def test_an_undo_that_something_stands_in_the_way_of_leaves_the_card_as_it_was(shop):
    shop.put("shared", text=TEXT.format("first"))
    window = shop.open()
    older = saved(shop, window, "second")
    saved(shop, window, "third")
    window.panes.chat.add_message(told_by_a_review(older))
    (card,) = window.panes.chat.findChildren(NoteLine)
    with shop.qtbot.waitSignal(window.services.skills.undone, timeout=10_000) as told:
        window.panes.chat.undo_requested.emit(older)
    assert told.args[1].entry is None
    assert card._undo.isEnabled()
    assert "third" in (shop.skills / "shared" / "SKILL.md").read_text(encoding="utf-8")


def test_each_deleted_conversation_can_be_brought_back(shop):
    window = shop.open()
    for words in ("About tea.", "About bread."):
        with shop.qtbot.waitSignal(window.services.chat.turn_ended, timeout=20_000):
            window.services.chat.send(words)
        window.services.chat.new_session()
    sessions = window.services.sessions
    with shop.qtbot.waitSignal(sessions.listed, timeout=10_000) as told:
        sessions.refresh()
    before = {info.id for info in told.args[0]}
    first, second = sorted(before)
    for session in (first, second):
        with shop.qtbot.waitSignal(sessions.removed, timeout=10_000):
            sessions.delete(session)
    for session in (first, second):
        window.panes.notices.action_requested.emit(f"restore-session:{session}")
    left: list[set[str]] = []
    sessions.listed.connect(lambda infos: left.append({info.id for info in infos}))
    shop.wait(lambda: bool(left) and left[-1] == before)


def test_lines_added_to_the_open_conversation_leave_the_focus_where_it_is(shop):
    window = shop.open()
    chat = window.services.chat
    with shop.qtbot.waitSignal(chat.turn_ended, timeout=20_000):
        chat.send("Hello.")
    taken: list[bool] = []
    window.steering.show_chat = lambda: taken.append(True)
    with shop.qtbot.waitSignal(chat.session_loaded, timeout=10_000):
        window.steering.reload_chat()
    assert taken == []
    session = chat.session
    chat.new_session()
    with shop.qtbot.waitSignal(chat.session_loaded, timeout=10_000):
        chat.open_session(session)
    assert taken == [True]
