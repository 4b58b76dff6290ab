import json
import os
import threading
import time

import pytest

from app.cancel import Cancelled, CancelToken
from app.errors import AppError
from app.providers.anthropic import AnthropicProvider
from app.providers.failures import ProviderError, Reason
from app.providers.keys import KeyStore
from app.providers.values import (
    Alive,
    Completed,
    Message,
    ModelRequest,
    Redacted,
    Role,
    StopReason,
    Text,
    TextDelta,
    Thinking,
    ToolResult,
    ToolSpec,
    ToolUse,
    Usage,
)
from tests.fakes.messages_server import MessagesServer

TOOLS = tuple(ToolSpec(name, f"about {name}", {"type": "object", "properties": {}}) for name in ("one", "two"))


def asked(*messages, system="You are Melete.", tools=TOOLS, limit=64_000):
    return ModelRequest(system, messages or (user("Hi."),), tools, limit)


def user(text):
    return Message(Role.USER, (Text(text),))


def provider(server, key="secret-key", **more):
    return AnthropicProvider("m", "", KeyStore({"ANTHROPIC_API_KEY": key, "ANTHROPIC_BASE_URL": server.url}), **more)


def one(events, **more):
    return {"responses": [{"events": events, **more}]}


def completed(server, request=None, token=None):
    events = list(provider(server).stream(request or asked(), token or CancelToken()))
    assert sum(isinstance(event, Completed) for event in events) == 1
    return events[-1]


def reader_ended():
    return wait_for(lambda: all(thread.name != "provider-read" for thread in threading.enumerate()))


def wait_for(condition, seconds=5.0):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        threading.Event().wait(0.005)
    return condition()


def test_a_large_limit_is_streamed_and_the_request_says_everything_once():
    with MessagesServer(one([{"text": "Hello."}, {"stop": "end_turn"}])) as server:
        done = completed(server)
        body = server.requests[0]
        headers = server.records[0]["headers"]
    assert done.message == Message(Role.ASSISTANT, (Text("Hello."),))
    assert done.usage == Usage(input=11, output=7)
    assert (body["stream"], body["max_tokens"], body["model"]) == (True, 64_000, "m")
    assert [tool["name"] for tool in body["tools"]] == ["one", "two"]
    assert headers["authorization"] == "Bearer secret-key"
    assert headers["x-stainless-retry-count"] == "0"


def test_the_cache_is_marked_behind_the_system_prompt_and_the_last_two_user_messages():
    talk = (
        user("a"),
        Message(Role.ASSISTANT, (Text("b"),)),
        user("c"),
        Message(Role.ASSISTANT, (Text("d"),)),
        user("e"),
    )
    with MessagesServer({}) as server:
        completed(server, asked(*talk))
        body = server.requests[0]
    assert "cache_control" in body["system"][0]
    marked = [
        message["content"][0]["text"] for message in body["messages"] if "cache_control" in message["content"][-1]
    ]
    assert marked == ["c", "e"]
    assert json.dumps(body).count("cache_control") == 3


def test_the_prefix_of_a_longer_conversation_is_the_same_bytes():
    def bare(message):
        return json.dumps(
            {
                "role": message["role"],
                "content": [{k: v for k, v in b.items() if k != "cache_control"} for b in message["content"]],
            }
        )

    short = (user("a"), Message(Role.ASSISTANT, (Text("b"),)), user("c"))
    with MessagesServer({}) as server:
        completed(server, asked(*short))
        completed(server, asked(*short, Message(Role.ASSISTANT, (Text("d"),)), user("review this")))
        first, second = server.requests
    assert (first["system"], first["tools"]) == (second["system"], second["tools"])
    assert list(map(bare, second["messages"][:3])) == list(map(bare, first["messages"]))


def test_reasoning_calls_and_results_go_back_byte_for_byte():
    events = [
        {"thinking": " a  b ", "signature": "sig=="},
        {"redacted": "ENC"},
        {"tool": "one", "id": "t1", "input": {"x": "é"}},
        {"stop": "tool_use"},
    ]
    with MessagesServer(one(events)) as server:
        answer = completed(server).message
        result = Message(Role.USER, (ToolResult("t1", "one", "no", is_error=True),))
        completed(server, asked(user("Hi."), answer, result))
        assert server.violations == []
        sent = server.requests[1]["messages"]
    assert answer.blocks[:2] == (Thinking(" a  b ", "sig==", "m"), Redacted("ENC", "m"))
    assert sent[1]["content"][2] == {"type": "tool_use", "id": "t1", "name": "one", "input": {"x": "é"}}
    assert sent[2]["content"][0]["is_error"] is True


def test_arguments_that_were_no_object_go_back_as_an_empty_one():
    call = Message(Role.ASSISTANT, (ToolUse("t1", "one", None, "{bad"),))
    with MessagesServer({}) as server:
        completed(server, asked(user("Hi."), call, Message(Role.USER, (ToolResult("t1", "one", "bad"),))))
        assert server.violations == []


def test_bytes_cut_anywhere_give_the_same_answer():
    events = [{"text_parts": ["Gr", "üße 😀"]}, {"tool": "one", "id": "t1", "input": {"x": "ü"}}, {"stop": "tool_use"}]
    with MessagesServer(one(events, chunk=1)) as server:
        done = completed(server)
    assert done.message.text == "Grüße 😀"
    assert done.message.blocks[1].input == {"x": "ü"}


def test_a_stream_that_ends_early_is_incomplete():
    with MessagesServer(one([{"text": "Half"}, {"tool": "one", "id": "t1", "parts": ['{"x"']}])) as server:
        assert completed(server).stop is StopReason.INCOMPLETE


def test_a_broken_connection_is_a_broken_answer():
    broken = MessagesServer(one([{"text": "Half", "open": True}], end="reset"))
    with broken as server, pytest.raises(ProviderError) as caught:
        completed(server)
    assert caught.value.failure.reason == Reason.INCOMPLETE
    assert caught.value.failure.retry


def test_an_overload_inside_a_stream_that_began_well_is_an_overload():
    events = [{"no_start": 1}, {"error": ["overloaded_error", "Overloaded"]}]
    with MessagesServer(one(events)) as server:
        with pytest.raises(ProviderError) as caught:
            completed(server)
        assert len(server.requests) == 1
    assert caught.value.failure.reason == Reason.OVERLOADED


def test_an_error_answer_carries_the_services_wish_to_wait():
    said = {"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}}
    with MessagesServer(one([], status=429, json=said, headers={"retry-after": "3"})) as server:
        with pytest.raises(ProviderError) as caught:
            completed(server)
        assert len(server.requests) == 1
    assert caught.value.failure.reason == Reason.RATE_LIMIT
    assert caught.value.retry_after == 3.0


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"content_type": "text/html", "body": "<html>log in</html>"}, Reason.FORMAT),
        ({"body": "not an event\n\n"}, Reason.INCOMPLETE),
        ({"body": "event: message_start\ndata: {broken\n\n"}, Reason.INCOMPLETE),
        ({"status": 302, "headers": {"location": "http://127.0.0.1:1/"}}, Reason.FORMAT),
    ],
)
def test_a_server_that_is_no_messages_api_is_told_in_words(more, reason):
    with MessagesServer(one([], **more)) as server, pytest.raises(ProviderError) as caught:
        completed(server)
    assert caught.value.failure.reason == reason


def test_nobody_there_is_a_failed_connection():
    with MessagesServer({}) as server:
        gone = provider(server)
    with pytest.raises(ProviderError) as caught:
        list(gone.stream(asked(), CancelToken()))
    assert caught.value.failure.reason == Reason.CONNECTION
    assert "Settings" in caught.value.failure.text


def test_pings_are_signs_of_life():
    with MessagesServer(one([{"ping": 1}, {"ping": 1}, {"text": "x"}, {"stop": "end_turn"}])) as server:
        events = list(provider(server).stream(asked(), CancelToken()))
    assert sum(isinstance(event, Alive) for event in events) >= 2
    assert TextDelta("x") in events


def test_silence_before_the_answer_is_reported_every_moment():
    with MessagesServer(one([], end="silent")) as server:
        token = CancelToken()
        stream = provider(server).stream(asked(), token)
        assert [next(stream), next(stream)] == [Alive(), Alive()]
        token.cancel()
        with pytest.raises(Cancelled):
            next(stream)
    assert reader_ended()


def test_a_connection_silent_for_too_long_is_given_up():
    silent = MessagesServer(one([{"text": "x", "open": True}], end="silent"))
    with silent as server, pytest.raises(ProviderError) as caught:
        list(provider(server, timeout=0.3).stream(asked(), CancelToken()))
    assert caught.value.failure.reason == Reason.TIMEOUT


@pytest.mark.parametrize("end", ["silent", "hang"])
def test_a_cancel_ends_a_blocked_read_at_once_and_the_service_notices(end):
    with MessagesServer(one([{"text": "x", "open": True}], end=end)) as server:
        token = CancelToken()
        stream = provider(server).stream(asked(), token)
        while next(stream) != TextDelta("x"):
            pass
        asked_at = []
        timer = threading.Timer(0.05, lambda: (asked_at.append(time.monotonic()), token.cancel()))
        timer.start()
        with pytest.raises(Cancelled):
            list(stream)
        assert time.monotonic() - asked_at[0] < 0.2
        timer.join()
        assert server.left.wait(2)
    assert reader_ended()


def test_a_cancelled_token_sends_nothing():
    token = CancelToken()
    token.cancel()
    with MessagesServer({}) as server:
        with pytest.raises(Cancelled):
            list(provider(server).stream(asked(), token))
        assert server.requests == []


def test_a_stream_that_is_dropped_closes_its_connection():
    with MessagesServer(one([{"text": "x", "open": True}], end="hang")) as server:
        stream = provider(server).stream(asked(), CancelToken())
        next(stream)
        stream.close()
        assert server.left.wait(2)
    assert reader_ended()


def test_without_a_key_nothing_is_sent_and_the_sentence_says_where_to_set_it():
    with MessagesServer({}) as server:
        with pytest.raises(AppError) as caught:
            list(provider(server, key="").stream(asked(), CancelToken()))
        assert server.requests == []
    assert caught.value.action == "settings.model"
    assert "Settings" in caught.value.text
    assert "TypeError" not in str(caught.value)


def test_a_key_entered_later_counts_at_the_next_request():
    with MessagesServer({}) as server:
        keys = KeyStore({"ANTHROPIC_BASE_URL": server.url})
        model = AnthropicProvider("m", "", keys)
        with pytest.raises(AppError):
            list(model.stream(asked(), CancelToken()))
        keys.store(server.url, "later")
        list(model.stream(asked(), CancelToken()))
        assert server.records[0]["headers"]["authorization"] == "Bearer later"


def test_the_key_of_one_address_is_not_sent_to_another():
    with MessagesServer({}) as server:
        model = AnthropicProvider("m", server.url, KeyStore({"ANTHROPIC_API_KEY": "official"}))
        with pytest.raises(AppError):
            list(model.stream(asked(), CancelToken()))
        assert server.requests == []


def test_what_the_environment_holds_for_other_programs_stays_there(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "other-token")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Gateway: internal\nAuthorization: Bearer other")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with MessagesServer({}) as server:
        completed(server)
        headers = server.records[0]["headers"]
    assert headers["authorization"] == "Bearer secret-key"
    assert "x-gateway" not in headers
    assert "other" not in json.dumps(headers)
    assert os.environ["ANTHROPIC_AUTH_TOKEN"] == "other-token"
