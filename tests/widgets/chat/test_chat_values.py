"""The pure parts of the chat: items, words, blocks of a stream, completion, commands."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_chat import stored

from app.providers.values import Role, Text, Thinking, ToolResult, ToolUse
from app.sessions.values import MessageState
from widgets.chat.commands import Command, command_in
from widgets.chat.completion import Choice, Typed, matching, typed_in
from widgets.chat.items import AnswerItem, ErrorItem, NoteItem, ThinkingItem, ToolItem, YouItem, items_of
from widgets.chat.stream import BlockStream
from widgets.chat.words import arguments, cut, one_line, size_word, summary_of, time_word

CALL = ToolUse("c1", "skill_view", {"name": "one"})


def test_an_answer_keeps_the_order_of_its_blocks():
    message = stored(1, Role.ASSISTANT, Thinking("hm"), Text("first"), CALL, Text("then"))
    kinds = [type(item) for item in items_of((message,))]
    assert kinds == [ThinkingItem, AnswerItem, ToolItem, AnswerItem]


def test_a_result_goes_to_the_call_it_answers():
    result = ToolResult("c1", "skill_view", json.dumps({"success": False, "message": "waits", "proposal": "p7"}))
    items = items_of((stored(1, Role.ASSISTANT, CALL), stored(2, Role.USER, result)))
    assert items == (ToolItem(CALL, result, "one", proposal="p7"),)


def test_a_call_without_a_result_stays_visible():
    (item,) = items_of((stored(1, Role.ASSISTANT, CALL),))
    assert item.result is None
    assert not item.running


def test_a_message_that_only_carries_results_is_no_card():
    assert items_of((stored(1, Role.USER, ToolResult("x", "y", "z")),)) == ()


def test_an_interrupted_answer_says_so():
    (item,) = items_of((stored(1, Role.ASSISTANT, "half", state=MessageState.INTERRUPTED),))
    assert item.state is MessageState.INTERRUPTED


def test_a_review_line_carries_its_entries():
    data = json.dumps({"entries": ["e1", "e2"], "proposals": ["p"], "icon": "brain"})
    (item,) = items_of((stored(1, Role.ASSISTANT, "learned", kind="review", data=data),))
    assert item == NoteItem("learned", "thinking", ("e1", "e2"), ("p",))


@pytest.mark.parametrize("data", ["", "no json", "[1]", '{"entries": "e"}', '{"entries": null}'])
def test_data_that_is_not_as_expected_only_loses_its_buttons(data):
    (item,) = items_of((stored(1, Role.ASSISTANT, "learned", kind="review", data=data),))
    assert (item.text, item.entries) == ("learned", ())


def test_a_stored_failure_is_an_error_card():
    data = json.dumps({"title": "No key", "text": "Enter one.", "retry": True, "action": "settings.model"})
    (item,) = items_of((stored(1, Role.ASSISTANT, "", kind="error", data=data),))
    assert item == ErrorItem("No key", "Enter one.", "", True, "settings.model")


def test_user_words_are_shown_as_written():
    assert items_of((stored(1, Role.USER, "hello\nthere"),))[0].text == "hello\nthere"
    assert isinstance(items_of((stored(1, Role.USER, "x"),))[0], YouItem)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (json.dumps({"success": True, "message": "Patched SKILL.md."}), "Patched SKILL.md."),
        (json.dumps({"success": False, "error": "No such skill."}), "No such skill."),
        (json.dumps({"success": True, "hits": [1, 2, 3]}), "3 found"),
        (json.dumps({"success": True, "name": "one", "files": ["a"], "description": "What it is"}), "What it is"),
        ("plain text\nmore", "plain text"),
        ("\n\n", ""),
    ],
)
def test_a_result_in_a_few_words(content, told):
    assert summary_of(ToolResult("i", "n", content)) == told


def test_a_huge_line_is_cut_for_the_view_and_short_text_is_not():
    shown, shortened = cut("x" * 2_000_000)
    assert shortened
    assert len(shown) < 25_000
    assert max(map(len, shown.split("\n"))) <= 2_001
    assert cut("a\nb") == ("a\nb", False)


@pytest.mark.parametrize(("count", "word"), [(0, "0 B"), (812, "812 B"), (14_200, "14.2 KB"), (2_000_000, "2.0 MB")])
def test_sizes(count, word):
    assert size_word(count) == word


@pytest.mark.parametrize(
    ("seconds", "word"), [(0, ""), (0.0004, "1 ms"), (0.041, "41 ms"), (1.24, "1.2 s"), (200, "3 min")]
)
def test_times(seconds, word):
    assert time_word(seconds) == word


def test_arguments_are_readable_lines_or_the_raw_text():
    assert arguments({"name": "one", "n": 3}, "") == "name: one\nn: 3"
    assert arguments(None, '{"broken') == '{"broken'


def test_one_line_is_the_first_that_says_something():
    assert one_line("\n\n  hello \nworld") == "hello"
    assert len(one_line("x" * 500)) == 120


blocks = st.lists(
    st.sampled_from(["text", "- item", "```py", "```", "", "| a | b |", "|---|---|", "# head", "~~~", "    code"]),
    max_size=30,
)


@given(blocks, st.integers(1, 9))
def test_a_stream_loses_and_adds_nothing_however_it_is_cut(lines, step):
    text = "\n".join(lines)
    stream, closed = BlockStream(), []
    for start in range(0, len(text), step):
        stream.feed(text[start : start + step])
        closed.extend(stream.closed())
        assert "".join(closed).replace("\n", "") + stream.raw_tail.replace("\n", "") == text[: start + step].replace(
            "\n", ""
        )
    stream.finish()
    closed.extend(stream.closed())
    assert "".join(closed).split() == text.split()


def test_a_block_ends_at_a_blank_line_but_not_inside_code():
    stream = BlockStream()
    stream.feed("one\n\n```py\na\n\nb\n")
    assert list(stream.closed()) == ["one\n\n"]
    assert stream.in_code
    assert stream.tail.endswith("```\n")
    stream.feed("```\n")
    assert list(stream.closed()) == ["```py\na\n\nb\n```\n"]


@pytest.mark.parametrize(
    ("before", "typed"),
    [
        ("/", Typed("/", "")),
        ("/re", Typed("/", "re")),
        ("see @te", Typed("@", "te")),
        ("@", Typed("@", "")),
        ("mail me@example", None),
        ("see /re", None),
        ("plain", None),
    ],
)
def test_what_is_being_completed(before, typed):
    assert typed_in(before) == typed


def test_beginnings_come_first():
    names = tuple(Choice(name) for name in ("pytest-flaky", "testing-python", "release-notes"))
    assert [choice.text for choice in matching(names, "test")] == ["testing-python", "pytest-flaky"]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/new", Command.NEW),
        (" /Help ", Command.HELP),
        ("/review", Command.REVIEW),
        ("/nonsense", Command.UNKNOWN),
        ("/usr/bin", Command.MESSAGE),
        ("/new please", Command.MESSAGE),
        ("hello", Command.MESSAGE),
        ("/", Command.MESSAGE),
    ],
)
def test_commands(text, command):
    assert command_in(text) is command
