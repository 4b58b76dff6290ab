"""Conversations from elsewhere."""

import pytest

from app.clock import parse_time
from app.errors import AppError, Kind
from app.providers.values import Role, Text, Thinking, ToolResult, ToolUse


def test_a_session_keeps_its_id_title_and_time(store, load_case):
    line = load_case("SE-01", "sessions.jsonl")[0]
    info = store.import_session(line)
    assert (info.id, info.title) == ("s01", "Session s01")
    assert info.started_at == parse_time("2026-05-01T10:00:00+00:00")
    assert (info.turns, info.messages) == (1, 1)


def test_unanswered_calls_stay_and_the_turn_is_interrupted(store):
    history = [
        {"role": "user", "content": "Patch the skill please."},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "I will patch it."},
                {"type": "tool_use", "id": "tu_9", "name": "skill_view", "input": {"name": "plain-one"}},
            ],
        },
    ]
    info = store.import_session(history)
    last = store.messages(info.id)[-1].message
    assert last.blocks == (Text("I will patch it."), ToolUse("tu_9", "skill_view", {"name": "plain-one"}))
    assert (info.title, info.outcome) == ("Patch the skill please.", "interrupted")


def test_blocks_of_every_kind_keep_order_and_signature(store):
    content = [
        {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
        {"type": "text", "text": "a"},
        {"type": "tool_use", "id": "1", "name": "look", "input": {"x": 1}},
        {"type": "unheard_of", "y": 2},
    ]
    results = [
        {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "r"}], "is_error": True}
    ]
    info = store.import_session(
        {"messages": [{"role": "assistant", "content": content}, {"role": "user", "content": results}]}
    )
    first, second = (stored.message for stored in store.messages(info.id))
    assert first.blocks == (
        Thinking("hm", "c2ln"),
        Text("a"),
        ToolUse("1", "look", {"x": 1}),
        Text('{"type": "unheard_of", "y": 2}'),
    )
    assert second.blocks == (ToolResult("1", "look", "r", is_error=True),)


def test_rows_of_chat_apis_become_calls_and_one_message_of_results(store):
    rows = [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "hi"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "a", "function": {"name": "look", "arguments": '{"q": 1}'}},
                {"id": "b", "function": {"name": "look", "arguments": "{broken"}},
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": "one"},
        {"role": "tool", "tool_call_id": "b", "content": "two"},
        {"role": "assistant", "content": "done"},
    ]
    info = store.import_session({"messages": rows})
    messages = [stored.message for stored in store.messages(info.id)]
    assert [message.role for message in messages] == [Role.USER, Role.ASSISTANT, Role.USER, Role.ASSISTANT]
    assert messages[1].blocks == (ToolUse("a", "look", {"q": 1}), ToolUse("b", "look", None, "{broken"))
    assert messages[2].blocks == (ToolResult("a", "look", "one"), ToolResult("b", "look", "two"))
    assert (store.system(info.id), info.outcome, info.turns) == ("be brief", "done", 1)


def test_the_same_id_twice_is_refused(store):
    store.import_session({"session_id": "one", "messages": []})
    with pytest.raises(AppError) as caught:
        store.import_session({"session_id": "one", "messages": []})
    assert caught.value.kind is Kind.REFUSED


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"messages": "text"}, "messages"),
        ({}, "messages"),
        (7, "messages"),
        ([{"role": "user", "content": "a"}, "b"], "Message 2"),
        ([{"role": "robot", "content": "a"}], "robot"),
        ([{"role": "user", "content": 5}], "message 1"),
        ([{"role": "user", "content": [5]}], "message 1"),
        ([{"role": "assistant", "tool_calls": [{"id": "x"}]}], "message 1"),
    ],
)
def test_what_cannot_be_read_is_named_and_nothing_is_stored(store, data, said):
    with pytest.raises(AppError) as caught:
        store.import_session(data)
    assert caught.value.kind is Kind.INVALID
    assert said in caught.value.text
    assert store.list() == ()
