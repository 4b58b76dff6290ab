import json

import pytest

from app.cancel import Cancelled, CancelToken
from app.history.values import Origin
from app.providers.values import ToolUse
from app.toolbox import dispatcher as room
from app.toolbox.values import ALL_TOOLS, CURATOR_TOOLS, Refused


def test_an_unknown_tool_is_refused_with_the_alternatives(world):
    dispatcher = world.dispatcher()
    outcome, said = world.call(dispatcher, "run_command", command="rm -rf /")
    assert outcome.result.is_error
    assert outcome.verdict == "refuse"
    assert said["success"] is False
    assert "skills_list, skill_view, skill_manage, memory, session_search" in said["error"]
    assert [(note.tool, note.skill) for note in dispatcher.refused] == [("run_command", "")]


def test_a_tool_outside_the_whitelist_is_refused_though_it_is_advertised(world):
    dispatcher = world.dispatcher(Origin.CURATOR, CURATOR_TOOLS)
    outcome, said = world.call(dispatcher, "memory", action="add", content="x")
    assert "memory" in [spec.name for spec in dispatcher.specs]
    assert outcome.result.is_error
    assert said["error"].startswith("'memory' cannot be used in this run. Use one of these instead: skills_list,")
    assert not world.home.memories.exists()


def test_refused_calls_are_kept_for_a_report_with_their_sentence(world):
    dispatcher = world.dispatcher()
    world.call(dispatcher, "skill_manage", action="delete", name="ghost")
    assert dispatcher.refused == [
        Refused("skill_manage", "delete", "ghost", dispatcher.refused[0].why),
    ]
    assert "There is no skill 'ghost'" in dispatcher.refused[0].why


@pytest.mark.parametrize("tool", sorted(ALL_TOOLS))
@pytest.mark.parametrize("given", [{"": 1}, {"name": {}}, {"action": [], "name": ""}, {"query": 5}, {"limit": "x"}])
def test_senseless_arguments_are_answered_in_words(world, tool, given):
    outcome, said = world.call(world.dispatcher(), tool, given)
    assert outcome.result.is_error
    assert "Error" not in said["error"]
    assert "Traceback" not in said["error"]


def test_arguments_that_are_no_object_are_answered_in_words(world):
    outcome = world.dispatcher().call(ToolUse("c", "skills_list", None, "[]"), CancelToken())
    assert "one JSON object" in outcome.result.content


def test_a_cancelled_token_runs_nothing(world):
    world.add("plain-one")
    token = CancelToken()
    token.cancel()
    call = ToolUse("c", "skill_manage", {"action": "delete", "name": "plain-one", "absorbed_into": ""})
    with pytest.raises(Cancelled):
        world.dispatcher().call(call, token)
    assert (world.home.skills / "plain-one").is_dir()


def test_a_result_that_is_too_long_is_cut_and_says_so(world, monkeypatch):
    monkeypatch.setattr(room, "RESULT_LIMIT", 300)
    for number in range(20):
        world.add(f"skill-{number}")
    _, said = world.call(world.dispatcher(), "skills_list")
    assert said["cut"] is True
    assert "was cut after 300" in said["note"]
    assert said["text"].startswith('{"success": true, "count": 20')


def test_a_skill_from_elsewhere_marks_the_run_and_its_later_writes(world):
    folder = world.add("hub-one", managed=False)
    world.home.hub_lock.parent.mkdir()
    world.home.hub_lock.write_text(json.dumps({"installed": {"hub-one": {"install_path": "hub-one"}}}))
    world.add("own-one")
    dispatcher = world.dispatcher(Origin.REVIEW, must_read=True)
    world.call(dispatcher, "skill_view", name="own-one")
    assert dispatcher.untrusted is False
    outcome, said = world.call(dispatcher, "skill_view", name="hub-one")
    assert outcome.result.untrusted
    assert "comes from elsewhere" in said["origin"]
    assert dispatcher.untrusted is True
    outcome, said = world.call(
        dispatcher, "skill_manage", action="patch", name="own-one", old_string="Count", new_string="Sum"
    )
    assert outcome.verdict == "propose"
    assert said["waiting"] is True
    assert b"Count" in world.text("own-one")
    outcome, _ = world.call(dispatcher, "memory", action="add", content="The user likes tea.")
    assert outcome.verdict == "propose"
    assert folder.is_dir()


def test_used_skills_are_named_once_by_id(world):
    world.add("one", category="tools")
    world.add("two")
    dispatcher = world.dispatcher()
    world.call(dispatcher, "skill_view", name="one")
    world.call(dispatcher, "skill_view", name="tools/one")
    world.call(dispatcher, "skill_view", name="ghost")
    world.call(dispatcher, "skills_list")
    assert dispatcher.skills_used == ("tools/one",)
