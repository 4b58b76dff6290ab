"""The review's one line: only real changes, each said once."""

import pytest

from app.agent.values import ToolEnded
from app.cycles.summary import actions_of, read_action, summary_line
from app.providers.values import ToolResult, ToolUse


def ended(tool: str, arguments: dict, content: str, entry: str | None = None) -> ToolEnded:
    return ToolEnded(ToolUse("1", tool, arguments), ToolResult("1", tool, content), entry=entry)


@pytest.mark.parametrize(
    "odd",
    ["[]", "null", "42", '"saved"', '[{"success": true}]', '{"success": "yes"}', "{not json", "", '{"success": false}'],
)
def test_odd_results_say_nothing_and_never_raise(odd: str) -> None:
    assert read_action("memory", {"action": "add"}, odd) is None


def test_results_of_other_tools_say_nothing() -> None:
    assert read_action("skill_view", {"name": "a"}, '{"success": true}') is None


def test_changes_are_said_in_order_and_once() -> None:
    events = [
        ended("memory", {"action": "add", "target": "user"}, '{"success": true, "target": "user"}', "e1"),
        ended("skill_manage", {"action": "patch", "name": "git"}, '{"success": true, "name": "git"}', "e2"),
        ended("skill_manage", {"action": "patch", "name": "git"}, '{"success": true, "name": "git"}', "e3"),
    ]
    line = summary_line(actions_of(events))
    assert line == "Self-improvement review: updated your user profile · improved git"


def test_what_waits_is_said_as_waiting() -> None:
    event = ended("skill_manage", {"action": "create", "name": "git"}, '{"success": false, "verdict": "propose"}')
    assert summary_line(actions_of([event])) == "Self-improvement review: waits to create git"


def test_nothing_learned_is_no_line() -> None:
    assert summary_line(()) == ""
