"""Whatever is said and whatever tools answer, the engine ends its turn and never raises."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.cancel import CancelToken
from app.engine.builtin import BuiltinEngine
from app.providers.values import Completed, Message, ModelRequest, Role, StopReason, Text, ToolResult, ToolSpec, ToolUse

TOOLS = tuple(
    ToolSpec(name, "", {}) for name in ("skills_list", "skill_view", "skill_manage", "memory", "session_search")
)
PIECE = st.sampled_from(
    [
        "remember that ",
        "no, use a instead of b. ",
        "that worked ",
        "how do I ",
        "1. x\n2. y\n",
        "```sh\nls\n```\n",
        "show ",
        "create a skill called ",
        "add to skill x: ",
        "forget ",
        "call me ",
        "\n",
        "never ",
        "when ",
        "list my skills",
        "… 漢字 é ",
        "\u202e\ud7ff",
        '```json\n{"candidates": [{"name": "a-x"}, {"name": "a-y"}], "clusters": [["a-x", "a-y"]]}\n```\n',
    ]
)
SAID = st.lists(PIECE | st.text(max_size=8), min_size=1, max_size=6).map("".join)
VALUE = st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.lists(st.text(max_size=5), max_size=2)
SKILL = "---\nname: a-x\ndescription: x\n---\n\n# X\n\n- y\n"
FIELD = st.sampled_from(["name", "content", "skills", "files", "hits", "description", "error", "waiting", "binary"])
ANSWER = st.one_of(
    st.text(max_size=20),
    st.dictionaries(FIELD, VALUE | st.lists(st.dictionaries(FIELD, VALUE, max_size=3), max_size=3), max_size=5).map(
        json.dumps
    ),
    st.just(json.dumps({"success": True, "name": "a-x", "content": SKILL, "files": ["references/a.md"]})),
    st.just(json.dumps({"success": True, "skills": [{"name": "a-x", "description": "how use"}]})),
)


@given(
    st.lists(SAID, min_size=1, max_size=3),
    st.lists(ANSWER, min_size=1, max_size=4),
    st.sampled_from(["chat", "review", "curator"]),
)
@settings(deadline=None)
def test_every_turn_ends(said: list[str], answers: list[str], task: str) -> None:
    messages = [Message(Role.USER, (Text(text),)) for text in said]
    for step in range(12):
        request = ModelRequest("# Memory\n\nx\n", tuple(messages), TOOLS, 1000, task)
        done = list(BuiltinEngine().stream(request, CancelToken()))[-1]
        assert isinstance(done, Completed)
        if done.stop is StopReason.END_TURN:
            assert done.message.text
            return
        uses = [block for block in done.message.blocks if isinstance(block, ToolUse)]
        results = [ToolResult(u.id, u.name, answers[(step + n) % len(answers)]) for n, u in enumerate(uses)]
        messages += [done.message, Message(Role.USER, tuple(results))]
    raise AssertionError("no end after 12 answers")


@pytest.mark.parametrize("task", ["chat", "review"])
@pytest.mark.parametrize(
    "text",
    ["not works " * 40_000, "e.g. A " * 40_000, "1. x " * 40_000, "(" * 100_000, "remember " * 40_000, "`a` " * 50_000],
)
def test_long_and_repetitive_messages_cost_no_stall(text: str, task: str) -> None:
    messages = (Message(Role.USER, (Text(text),)), Message(Role.USER, (Text("# Review of this conversation"),)))
    begin = time.perf_counter()
    list(
        BuiltinEngine().stream(
            ModelRequest("", messages[: 1 if task == "chat" else 2], TOOLS, 100, task), CancelToken()
        )
    )
    assert time.perf_counter() - begin < 5
