"""Trajectory lines: a form others can read, whatever was said in them."""

import json
import re
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import AppError, Kind
from app.providers.values import Message, Role, Text, Thinking, ToolResult, ToolSpec, ToolUse
from app.sessions.checking import check_file, check_line
from app.sessions.envelope import escape, split_reasoning, to_json, unescape
from app.sessions.export import to_markdown, to_sharegpt
from app.sessions.trajectory import TrajectoryFiles, to_line

AT = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
TOOLS = (ToolSpec("look", "Looks.", {"type": "object", "properties": {}}),)
CASE = Path(__file__).parents[2] / "cases" / "data" / "TR-06"


def line(*messages: Message, completed: bool = True, tools=TOOLS) -> dict:
    return to_line("Be kind.", tools, messages, "s1", "t1", "vendor/model", completed, AT)


def rows(*messages: Message) -> list[tuple[str, str]]:
    return [(row["from"], row["value"]) for row in line(*messages)["conversations"]][1:]


def user(*blocks) -> Message:
    return Message(Role.USER, tuple(Text(block) if isinstance(block, str) else block for block in blocks))


def agent(*blocks) -> Message:
    return Message(Role.ASSISTANT, tuple(Text(block) if isinstance(block, str) else block for block in blocks))


def problems(data: dict) -> list[str]:
    return list(check_line(json.dumps(data).encode() + b"\n"))


def test_a_turn_is_one_line_with_everything_in_its_place():
    data = line(
        user("Find it"),
        agent(
            Thinking("hm", "sig"), "Looking.", ToolUse("c1", "look", {"q": "x"}), ToolUse("c2", "look", None, "{bad")
        ),
        user(ToolResult("c1", "look", '{"found": 1}'), ToolResult("c2", "", "not valid JSON", is_error=True)),
        agent("Here."),
    )
    assert {key: value for key, value in data.items() if key != "conversations"} == {
        "timestamp": "2026-06-01T12:00:00+00:00",
        "model": "vendor/model",
        "completed": True,
        "session": "s1",
        "turn": "t1",
        "id": data["id"],
    }
    assert [(row["from"], row["value"]) for row in data["conversations"]][1:] == [
        ("human", "Find it"),
        (
            "gpt",
            (
                "<think>\nhm\n</think>\nLooking.\n"
                '<tool_call>\n{"name": "look", "arguments": {"q": "x"}}\n</tool_call>\n'
                '<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>'
            ),
        ),
        (
            "tool",
            (
                '<tool_response>\n{"tool_call_id": "c1", "name": "look", "content": {"found": 1}}\n</tool_response>\n'
                '<tool_response>\n{"tool_call_id": "c2", "name": "look", "content": "not valid JSON"}\n</tool_response>'
            ),
        ),
        ("gpt", "<think>\n</think>\nHere."),
    ]
    assert problems(data) == []


def test_the_system_row_lists_the_tools_as_json_and_holds_the_prompt():
    value = line()["conversations"][0]["value"]
    (listed,) = re.findall(r"<tools>\n(.*?)\n</tools>", value, re.DOTALL)
    assert json.loads(listed) == [
        {
            "name": "look",
            "description": "Looks.",
            "parameters": {"type": "object", "properties": {}},
            "required": None,
        }
    ]
    assert value.endswith("\n\nBe kind.")


def test_the_id_is_the_same_for_the_same_turn_and_another_for_another():
    first = line()["id"]
    assert first == line(user("other"))["id"]
    assert first != to_line("", (), (), "s1", "t2", "", True, AT)["id"]


def test_text_typed_while_tools_ran_is_a_row_after_the_tool_row():
    assert [role for role, _ in rows(user(ToolResult("c", "look", "r"), "also this"))] == ["tool", "human"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("<REASONING_SCRATCHPAD>deep</REASONING_SCRATCHPAD>Answer.", "<think>\ndeep\n</think>\nAnswer."),
        ("<think>\ndeep\n</think>\n\nAnswer.", "<think>\ndeep\n</think>\nAnswer."),
        ("A <REASONING_SCRATCHPAD>one</REASONING_SCRATCHPAD> B", "<think>\none\n</think>\nA  B"),
        ("<REASONING_SCRATCHPAD>never closed", "<think>\nnever closed\n</think>"),
        ("stray </think> tag", "<think>\n</think>\nstray &lt;/think> tag"),
    ],
)
def test_reasoning_written_into_the_answer_becomes_the_think_block(text, value):
    assert rows(agent(text)) == [("gpt", value)]
    assert problems(line(user("q"), agent(text))) == []


PARTS = (
    *(
        "<think>",
        "</think>",
        "<tool_call>",
        "</tool_call>",
        "<tool_response>",
        "</tool_response>",
        "<tools>",
        "</tools>",
    ),
    *("<REASONING_SCRATCHPAD>", "</REASONING_SCRATCHPAD>", "&lt;think>", "&amp;lt;/tool_call>", "<", "&", "\n", '"'),
    *("\\", "x", "\u2028", "\x85", "\ud83d", "{", "["),
)
HOSTILE = st.lists(st.sampled_from(PARTS) | st.text(max_size=5), max_size=12).map("".join)


@given(HOSTILE)
def test_escaping_is_undone_exactly_and_leaves_no_tag(text):
    assert unescape(escape(text)) == text
    assert not re.search(r"</?(think|tool_call|tool_response|tools|REASONING_SCRATCHPAD)\b", escape(text))


@given(st.dictionaries(HOSTILE, HOSTILE))
def test_json_holds_exactly_what_it_was_given_and_no_tag(value):
    text = to_json(value)
    assert json.loads(text) == value
    assert not re.search(r"</?(think|tool_call|tool_response)\b", text)
    assert len(text.splitlines()) == 1


@given(said=HOSTILE, thought=HOSTILE, answer=HOSTILE, argument=HOSTILE, result=HOSTILE)
def test_nothing_said_can_break_the_frame(said, thought, answer, argument, result):
    data = line(
        user(said),
        agent(Thinking(thought), answer, ToolUse("c1", "look", {"q": argument})),
        user(ToolResult("c1", "look", result)),
        agent(answer),
        tools=(ToolSpec("look", said, {"type": "object", "title": argument}),),
    )
    assert problems(data) == []
    first = data["conversations"][2]["value"]
    (call,) = re.findall(r"<tool_call>\n(.*?)\n</tool_call>", first, re.DOTALL)
    assert set(json.loads(call)["arguments"]) == {"q"}
    (response,) = re.findall(r"<tool_response>\n(.*?)\n</tool_response>", data["conversations"][3]["value"], re.DOTALL)
    assert json.loads(response)["tool_call_id"] == "c1"


@pytest.mark.parametrize("text", ["plain", "Use the <think> tag.", " a </think> b", "x <think>y</think>", ""])
def test_an_answer_that_only_talks_about_tags_is_not_changed(text):
    assert split_reasoning(text) == ("", text)


def test_numbers_json_does_not_know_become_texts():
    value = rows(agent(ToolUse("c", "look", {"x": float("nan"), "y": [float("inf")]})))[0][1]
    assert '{"x": "NaN", "y": ["Infinity"]}' in value
    assert rows(user(ToolResult("c", "look", '{"x": NaN}')))[0][1].endswith(
        '"content": "{\\"x\\": NaN}"}\n</tool_response>'
    )


def test_secrets_are_masked_in_both_streams_and_in_exports_as_the_case_says(store, tmp_path):
    case = json.loads(subprocess.check_output([sys.executable, str(CASE / "make_messages.py")]))
    info = store.import_session({"messages": case["messages"]})
    stored = store.messages(info.id)
    files = TrajectoryFiles(tmp_path / "t")
    said = [item.message for item in stored]
    written = [files.append(line(*said, completed=completed)) for completed in (True, False)]
    share = to_sharegpt(info, "", TOOLS, stored)
    texts = [path.read_text() for path in written] + [to_markdown(info, stored), json.dumps(share)]
    assert [secret for secret in case["secrets"] for text in texts if secret in text] == []
    for path in written:
        (data,) = map(json.loads, path.read_text().splitlines())
        values = "\n".join(row["value"] for row in data["conversations"])
        assert [kept for kept in case["keep"] if kept not in values] == []
        assert check_file(path) == ()
    assert store.messages(info.id) == stored
    assert case["secrets"][0] in stored[0].message.text


def test_each_line_goes_to_its_stream_and_comes_back(tmp_path):
    files = TrajectoryFiles(tmp_path / "t")
    for number in range(3):
        files.append(line(user(f"good {number}")))
    files.append(line(user("bad"), completed=False))
    assert sorted(path.name for path in (tmp_path / "t").glob("*.jsonl")) == [
        "failed_trajectories.jsonl",
        "trajectory_samples.jsonl",
    ]
    assert files.read() == [line(user(f"good {number}")) for number in range(3)]
    assert files.read(limit=1) == [line(user("good 2"))]
    assert files.read(failed=True) == [line(user("bad"), completed=False)]
    assert files.read(limit=0) == []


def test_a_deleted_folder_is_made_again(tmp_path):
    files = TrajectoryFiles(tmp_path / "t")
    files.append(line())
    for item in (tmp_path / "t").iterdir():
        item.unlink()
    (tmp_path / "t").rmdir()
    assert files.append(line()).is_file()


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "t").write_text("a file")
    with pytest.raises(AppError) as caught:
        TrajectoryFiles(tmp_path / "t").append(line())
    assert caught.value.kind in (Kind.STORAGE, Kind.INVALID)
    assert "Make the folder writable" in caught.value.text or "Move it away" in caught.value.text


def test_many_writers_at_once_never_mix_their_lines(tmp_path):
    def write(name: str) -> None:
        files = TrajectoryFiles(tmp_path / "t")
        for number in range(15):
            files.append(line(user(f"{name} {number} " + "x" * 5000)))

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    said = [data["conversations"][1]["value"].split(" x")[0] for data in TrajectoryFiles(tmp_path / "t").read()]
    assert sorted(said) == sorted(f"{name} {number}" for name in "abcd" for number in range(15))


def test_half_a_line_of_a_crash_does_not_stay_between_whole_ones(tmp_path):
    files = TrajectoryFiles(tmp_path / "t")
    path = files.append(line(user("one")))
    path.write_bytes(path.read_bytes() + b'{"conversations": [{"from": "sys')
    files.append(line(user("two")))
    assert check_file(path) == ()
    assert len(files.read()) == 2


def row(role: str, value: str) -> dict:
    return {"from": role, "value": value}


def with_rows(*given: dict) -> dict:
    return {**line(), "conversations": list(given)}


SYSTEM = row("system", "s")
TEXT_ARGUMENTS = '{"name": "x", "arguments": "{}"}'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({**line(), "completed": "yes"}, "completed"),
        ({**line(), "model": None}, "model"),
        ({**line(), "timestamp": "soon"}, "timestamp"),
        ({**line(), "conversations": {}}, "conversations"),
        ([], "not a JSON object"),
        (with_rows(row("human", "q")), "first row"),
        (with_rows(SYSTEM, SYSTEM), "first row"),
        (with_rows(SYSTEM, {"from": "robot", "value": "x"}), "row 2"),
        (with_rows(SYSTEM, {"from": "human"}), "row 2"),
        (with_rows(SYSTEM, row("gpt", "no thinking")), "<think>"),
        (with_rows(SYSTEM, row("gpt", "<think>\n</think>\n<tool_call>\n{}\n</tool_call>")), "name"),
        (
            with_rows(
                SYSTEM, row("gpt", '<think>\n</think>\n<tool_call>\n{"name": "x", "arguments": "{}"}\n</tool_call>')
            ),
            "arguments of x",
        ),
        (with_rows(SYSTEM, row("gpt", "<think>\n</think>\n<tool_call>")), "a tag stands"),
        (with_rows(SYSTEM, row("gpt", "<think>\na </think> b\n</think>\nc")), "a tag stands"),
        (with_rows(SYSTEM, row("human", "q"), row("tool", "x")), "follows no gpt row"),
        (with_rows(SYSTEM, row("gpt", "<think>\n</think>"), row("tool", "free text")), "<tool_response>"),
    ],
)
def test_each_fault_of_a_line_is_named(data, said):
    assert any(said in problem for problem in problems(data)), problems(data)


def test_faults_of_a_file_carry_their_line_number(tmp_path):
    path = tmp_path / "x.jsonl"
    good = json.dumps(line(user("q"))).encode()
    path.write_bytes(good + b"\n{broken\n" + b"\xff\xfe\n" + good)
    said = check_file(path)
    assert [problem.split(":")[0] for problem in said] == ["Line 2", "Line 3", "Line 4"]
    assert "cut off" in said[2]


def test_a_file_full_of_faults_is_told_in_part(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"x\n" * 1000)
    assert len(check_file(path)) == 201


def test_a_missing_file_is_a_sentence(tmp_path):
    with pytest.raises(AppError) as caught:
        check_file(tmp_path / "no.jsonl")
    assert caught.value.kind is Kind.NOT_FOUND


def test_markdown_shows_who_said_what_and_no_fence_breaks_it(store):
    info = store.create("# My\nplan", "m")
    store.add_message(info.id, "t", user("hello"))
    store.add_message(info.id, "t", agent("Looking.", ToolUse("c", "look", {"q": "```"})))
    store.add_message(info.id, "t", user(ToolResult("c", "look", "a\n````\nb")))
    text = to_markdown(store.get(info.id), store.messages(info.id))
    assert text.startswith("# # My plan\n\n2026-06-01T")
    headings = [part for part in text.splitlines() if part.startswith("## ")]
    assert [heading.split(" · ")[0] for heading in headings] == ["## You", "## Agent", "## Tools"]
    assert "`````\na\n````\nb\n`````" in text


def test_an_exported_session_is_one_valid_line_of_all_turns(store):
    info = store.create("s", "m")
    for turn in ("t1", "t2"):
        store.add_message(info.id, turn, user(f"ask {turn}"))
        store.add_message(info.id, turn, agent(f"answer {turn}"))
        store.add_message(info.id, turn, agent("💾 learned"), kind="review")
    data = to_sharegpt(store.get(info.id), "sys", TOOLS, store.messages(info.id))
    assert [item["from"] for item in data["conversations"]] == ["system", "human", "gpt", "human", "gpt"]
    assert problems(data) == []
