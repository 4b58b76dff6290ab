import pytest

from app.providers.values import Message, Role, Text, ToolResult, ToolUse
from app.sessions.values import MessageState


@pytest.fixture
def talk(world):
    """One earlier conversation about tomatoes."""
    session = world.sessions.create("Garden", "m", "")
    turn = world.sessions.start_turn(session.id)
    for role, text in ((Role.USER, "How do I grow tomatoes?"), (Role.ASSISTANT, "In pots, with sun.")):
        world.sessions.add_message(session.id, turn, Message(role, (Text(text),)), MessageState.COMPLETE)
    return session.id


def test_words_find_the_conversation(world, talk):
    outcome, said = world.call(world.dispatcher(), "session_search", query="tomatoes")
    assert [hit["session"] for hit in said["hits"]] == [talk]
    assert "tomatoes" in said["hits"][0]["snippet"]
    assert "no longer be true" in said["note"]
    assert not outcome.result.untrusted


def test_nothing_found_is_said(world, talk):
    _, said = world.call(world.dispatcher(), "session_search", query="bicycles")
    assert (said["success"], said["hits"], said["note"]) == (True, [], "Nothing was found.")


def test_a_conversation_is_read_as_who_said_what(world, talk):
    _, said = world.call(world.dispatcher(), "session_search", session=talk)
    assert [(row["role"], row["text"]) for row in said["messages"]] == [
        ("user", "How do I grow tomatoes?"),
        ("assistant", "In pots, with sun."),
    ]


def test_a_long_conversation_is_shown_from_both_ends(world, talk):
    turn = world.sessions.start_turn(talk)
    for number in range(50):
        world.sessions.add_message(talk, turn, Message(Role.USER, (Text(f"Line {number}"),)), MessageState.COMPLETE)
    _, said = world.call(world.dispatcher(), "session_search", session=talk)
    assert (len(said["messages"]), said["left_out"]) == (30, 22)
    assert said["messages"][-1]["text"] == "Line 49"


def test_without_words_the_latest_conversations_are_listed(world, talk):
    _, said = world.call(world.dispatcher(), "session_search")
    assert [(row["session"], row["title"]) for row in said["sessions"]] == [(talk, "Garden")]


def test_a_query_and_a_session_at_once_are_refused(world, talk):
    _, said = world.call(world.dispatcher(), "session_search", query="x", session=talk)
    assert said["error"] == "session_search takes a query or a session, not both."


def test_an_unknown_session_is_an_answer(world):
    outcome, said = world.call(world.dispatcher(), "session_search", session="nope")
    assert outcome.result.is_error
    assert said["error"]


def test_words_of_tools_and_of_untrusted_conversations_mark_the_run(world, talk):
    turn = world.sessions.start_turn(talk)
    call = Message(Role.ASSISTANT, (ToolUse("t", "look", {}),))
    result = Message(Role.USER, (ToolResult("t", "look", "zebra stripes", untrusted=True),))
    world.sessions.add_message(talk, turn, call, MessageState.COMPLETE)
    world.sessions.add_message(talk, turn, result, MessageState.COMPLETE)
    assert world.call(world.dispatcher(), "session_search", query="zebra")[0].result.untrusted
    dispatcher = world.dispatcher()
    world.untrusted_sessions.add(talk)
    assert world.call(dispatcher, "session_search", query="tomatoes")[0].result.untrusted
    assert dispatcher.untrusted is True
