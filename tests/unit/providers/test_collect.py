import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.providers.collect import Collector
from app.providers.failures import ProviderError, Reason
from app.providers.values import Redacted, StopReason, Text, TextDelta, Thinking, ToolUse, Usage
from tests.fakes.messages_wire import Signed, expand


def play(*events, model="m"):
    collector = Collector(model)
    shown = [said for event in expand(events, "served", Signed()) for said in collector.take(event)]
    return collector.completed(), shown


def test_blocks_keep_their_order_and_their_bytes():
    done, _ = play(
        {"thinking": "  one\ttwo ", "signature": "sig=="},
        {"redacted": "ENC+/="},
        {"text": "Hello."},
        {"tool": "look", "id": "t1", "input": {"a": [1, None, "é"]}},
        {"stop": "tool_use"},
    )
    assert done.message.blocks == (
        Thinking("  one\ttwo ", "sig==", "m"),
        Redacted("ENC+/=", "m"),
        Text("Hello."),
        ToolUse("t1", "look", {"a": [1, None, "é"]}, json.dumps({"a": [1, None, "é"]}, ensure_ascii=False)),
    )
    assert done.stop is StopReason.TOOL_USE
    assert done.model == "served"


def test_a_stream_without_its_end_is_incomplete_even_when_a_reason_was_given():
    stop = {"raw": {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 3}}}
    done, _ = play({"tool": "look", "id": "t1", "input": {}}, stop)
    assert done.stop is StopReason.INCOMPLETE


def test_an_end_without_a_reason_is_incomplete():
    done, _ = play({"text": "half"}, {"raw": {"type": "message_stop"}})
    assert done.stop is StopReason.INCOMPLETE


@pytest.mark.parametrize("parts", [['{"a": 1'], ["[1, 2]"], ['"text"'], ["null"], ["{} {}"]])
def test_arguments_that_are_no_json_object_are_kept_as_they_came(parts):
    done, _ = play({"tool": "look", "id": "t1", "parts": parts}, {"stop": "tool_use"})
    assert done.message.blocks == (ToolUse("t1", "look", None, "".join(parts)),)


def test_a_call_without_arguments_has_an_empty_object():
    done, _ = play({"tool": "look", "id": "t1", "parts": [""]}, {"stop": "tool_use"})
    assert done.message.blocks[0].input == {}


def test_blank_texts_are_left_out():
    done, _ = play({"text": "  \n"}, {"text": "x"}, {"stop": "end_turn"})
    assert done.message.blocks == (Text("x"),)


def test_a_character_cut_in_two_is_shown_whole():
    done, shown = play({"text_parts": ["a\ud83d", "\ude00b"]}, {"stop": "end_turn"})
    assert [event.text for event in shown if isinstance(event, TextDelta)] == ["a", "😀b"]
    assert done.message.blocks == (Text("a😀b"),)


def test_half_a_character_becomes_a_replacement_mark():
    done, _ = play({"text_parts": ["a\ud83d", "b"]}, {"stop": "end_turn"})
    assert done.message.text == "a\ufffdb"


def test_an_error_event_is_raised_with_what_was_billed():
    with pytest.raises(ProviderError) as caught:
        play({"text": "half", "open": True}, {"error": ["overloaded_error", "Overloaded"]})
    assert caught.value.failure.reason == Reason.OVERLOADED
    assert caught.value.usage == Usage(input=11, output=1)


@pytest.mark.parametrize(("word", "stop"), [("stop", StopReason.END_TURN), ("refusal", StopReason.REFUSAL)])
def test_a_word_of_another_server_ends_the_answer_like_the_known_one(word, stop):
    done, _ = play({"text": "x"}, {"stop": word})
    assert done.stop is stop


def test_unknown_events_and_blocks_change_nothing():
    block = {"type": "content_block_start", "index": 5, "content_block": {"type": "server_thing", "x": 1}}
    done, _ = play({"raw": {"type": "news", "x": 1}}, {"raw": block}, {"text": "x"}, {"stop": "end_turn"})
    assert done.message.blocks == (Text("x"),)


@given(st.lists(st.text(min_size=1), min_size=1))
def test_the_pieces_shown_are_the_text_kept(pieces):
    done, shown = play({"text_parts": pieces}, {"stop": "end_turn"})
    text = "".join(event.text for event in shown if isinstance(event, TextDelta))
    assert done.message.text == (text if text.strip() else "")


KINDS = ("message_start", "content_block_start", "content_block_delta", "message_delta", "message_stop", "ping", "x")
KEYS = ("index", "delta", "content_block", "message", "usage", "text", "partial_json", "stop_reason", "id", "input")
VALUE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["text_delta", "tool_use", "thinking"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from((*KEYS, "type")), inner, max_size=4),
    max_leaves=8,
)
EVENT = st.builds(
    lambda kind, rest: {**rest, "type": kind}, st.sampled_from(KINDS), st.dictionaries(st.sampled_from(KEYS), VALUE)
)


@given(st.lists(EVENT, max_size=12))
def test_events_of_any_shape_are_survived(events):
    collector = Collector("m")
    for event in events:
        list(collector.take(event))
    assert collector.completed().message.blocks is not None
