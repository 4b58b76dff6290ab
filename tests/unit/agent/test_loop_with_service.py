"""The loop against a service that refuses broken conversations, through the real client library."""

import json
import threading
import time

import pytest

from app.agent import recovery
from app.agent.loop import run_loop
from app.agent.values import Ending, LoopLimits, MessageAdded, Stalled, TextArrived, ToolOutcome, TurnEnded, Waiting
from app.cancel import CancelToken
from app.providers.anthropic import AnthropicProvider
from app.providers.keys import KeyStore
from app.providers.values import Message, Role, Text, Thinking, ToolResult, ToolUse
from tests.fakes.messages_server import MessagesServer

OVERLOADED = {"events": [{"no_start": 1}, {"error": ["overloaded_error", "Overloaded"]}], "times": 0}


class Talk:
    """A conversation with the service over several turns."""

    def __init__(self, server, history=()):
        keys = KeyStore({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": server.url})
        self.model = AnthropicProvider("m", "", keys)
        self.history = list(history)

    def send(self, text, *, token=None, on=None, queued=(), limits=None):
        self.history.append(Message(Role.USER, (Text(text),)))
        waiting = [queued] if queued else []
        events = []
        loop = run_loop(
            self.model,
            "system",
            tuple(self.history),
            (),
            lambda use, token: ToolOutcome(ToolResult(use.id, use.name, "no", is_error=use.name == "missing")),
            token or CancelToken(),
            limits or LoopLimits(),
            queued=lambda: waiting.pop() if waiting else (),
        )
        for event in loop:
            events.append(event)
            if isinstance(event, MessageAdded):
                self.history.append(event.message)
            if on:
                on(event)
        assert isinstance(events[-1], TurnEnded)
        return events


def blocks(server, request, message):
    return [block["type"] for block in server.requests[request]["messages"][message]["content"]]


@pytest.mark.slow
def test_an_overload_inside_the_stream_is_waited_out_with_growing_gaps():
    good = {"events": [{"text": "The answer is seven."}, {"stop": "end_turn"}]}
    with MessagesServer({"responses": [OVERLOADED | {"times": 2}, good]}) as server:
        events = Talk(server).send("What is three plus four?")
        times = [record["at"] for record in server.records]
    assert events[-1].ending is Ending.DONE
    assert sum(isinstance(event, Waiting) for event in events) == 2
    assert 0.5 <= times[1] - times[0] < times[2] - times[1]


def test_an_overload_that_stays_ends_in_a_readable_sentence(monkeypatch):
    monkeypatch.setattr(recovery, "_FIRST_PAUSE", 0.001)
    with MessagesServer({"responses": [OVERLOADED]}) as server:
        ended = Talk(server).send("What is three plus four?")[-1]
        assert len(server.requests) == 6
    assert ended.ending is Ending.FAILED
    assert (
        ended.reason == "The service is overloaded. It has too much to do right now. Try again. It said: “Overloaded”"
    )


def test_a_stored_session_that_ended_inside_a_tool_goes_on():
    stored = (
        Message(Role.USER, (Text("Patch it."),)),
        Message(Role.ASSISTANT, (Text("I will patch it."), ToolUse("tu_1", "patch", {}), ToolUse("tu_2", "patch", {}))),
    )
    with MessagesServer({"default": {"events": [{"text": "Back on track."}, {"stop": "end_turn"}]}}) as server:
        talk = Talk(server, stored)
        talk.send("Go on.")
        assert server.violations == []
        assert blocks(server, 0, 2) == ["tool_result", "tool_result", "text"]
    assert talk.history[-1].text == "Back on track."


def test_blocks_go_back_in_the_order_they_came_and_queued_text_after_the_results():
    first = {
        "events": [
            {"thinking": "hm", "signature": "s1=="},
            {"redacted": "ENC"},
            {"text": "Looking."},
            {"tool": "look", "id": "t1", "input": {}},
            {"tool": "missing", "id": "t2", "input": {}},
            {"stop": "tool_use"},
        ]
    }
    with MessagesServer({"responses": [first]}) as server:
        talk = Talk(server)
        talk.send("Look.", queued=("By the way, hurry.",))
        talk.send("Again.")
        assert server.violations == []
        assert blocks(server, 1, 1) == ["thinking", "redacted_thinking", "text", "tool_use", "tool_use"]
        assert blocks(server, 1, 2) == ["tool_result", "tool_result", "text"]
        assert [block.get("is_error", False) for block in server.requests[1]["messages"][2]["content"][:2]] == [
            False,
            True,
        ]


def test_another_model_gets_the_conversation_without_foreign_reasoning():
    first = {"events": [{"thinking": "hm", "signature": "s1=="}, {"text": "Yes."}, {"stop": "end_turn"}]}
    with MessagesServer({"responses": [first]}) as server:
        talk = Talk(server)
        talk.send("Is it?")
        assert any(isinstance(block, Thinking) for block in talk.history[1].blocks)
        talk.model = AnthropicProvider("other", server.url, talk.model._keys)
        talk.send("Sure?")
        assert server.violations == []
        assert blocks(server, 1, 1) == ["text"]


def test_a_stalled_stream_is_noticed_and_stop_ends_it():
    hang = {"events": [{"text": "Half", "open": True}], "end": "hang"}
    with MessagesServer({"responses": [hang]}) as server:
        talk, token = Talk(server), CancelToken()
        stopped = []

        def stop(event):
            if isinstance(event, Stalled):
                stopped.append(time.monotonic())
                token.cancel()

        events = talk.send("Hello?", token=token, on=stop, limits=LoopLimits(stall_seconds=0.2))
        assert time.monotonic() - stopped[0] < 1
        assert events[-1].ending is Ending.STOPPED
        assert server.left.wait(2)
        talk.send("Again?")
        assert server.violations == []
        assert server.requests[1]["messages"][1]["content"][0]["text"] == "Half"


def test_stop_in_a_long_answer_keeps_the_text_and_the_next_request_is_valid():
    words = [f"word{number} " for number in range(2000)]
    long = {"events": [{"text_parts": words}, {"stop": "end_turn"}], "event_ms": 5}
    short = {"events": [{"text": "Short one."}, {"stop": "end_turn"}]}
    with MessagesServer({"responses": [long, short]}) as server:
        talk, token = Talk(server), CancelToken()
        seen = threading.Event()

        def stop(event):
            if isinstance(event, TextArrived) and "word20" in event.text and not seen.is_set():
                seen.set()
                token.cancel()

        ended = talk.send("Tell me everything.", token=token, on=stop)[-1]
        assert ended.ending is Ending.STOPPED
        assert server.left.wait(2)
        assert talk.history[1].text.startswith("word0 word1 ")
        talk.send("Short, please.")
        assert server.violations == []
        assert talk.history[-1].text == "Short one."
        assert json.dumps(server.requests[1]).count("word20 ") == 1


def test_the_same_failing_call_for_ever_is_ended():
    again = {"events": [{"text": "Trying."}, {"tool": "missing", "id": "auto"}, {"stop": "tool_use"}], "times": 0}
    with MessagesServer({"responses": [again]}) as server:
        talk = Talk(server)
        ended = talk.send("Try.")[-1]
        assert (ended.ending, len(server.requests)) == (Ending.LIMIT, 3)
        server.responses = []
        assert talk.send("Never mind.")[-1].ending is Ending.DONE
        assert server.violations == []


@pytest.mark.parametrize("end", ["ok", "reset"])
def test_a_call_whose_stream_was_cut_is_asked_for_again_and_run_once(end, monkeypatch):
    monkeypatch.setattr(recovery, "_FIRST_PAUSE", 0.001)
    cut = {"events": [{"tool": "look", "id": "t1", "input": {}, "open": True}], "end": end}
    whole = {"events": [{"tool": "look", "id": "t2", "input": {}}, {"stop": "tool_use"}]}
    with MessagesServer({"responses": [cut, whole]}) as server:
        talk = Talk(server)
        assert talk.send("Look.")[-1].ending is Ending.DONE
        assert server.violations == []
    assert [block.id for message in talk.history for block in message.blocks if isinstance(block, ToolUse)] == ["t2"]
