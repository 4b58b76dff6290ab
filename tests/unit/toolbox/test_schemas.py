import json

import pytest

from app.history.values import Origin
from app.toolbox.arguments import checked
from app.toolbox.schemas import MEMORY, SESSION_SEARCH, SKILL_MANAGE, SKILL_VIEW, SPECS
from app.toolbox.values import ALL_TOOLS, CURATOR_TOOLS, BadArguments


def test_every_argument_of_every_tool_is_described():
    for spec in SPECS:
        for name, schema in spec.schema["properties"].items():
            assert schema["description"].strip(), (spec.name, name)


def test_where_merged_content_went_is_an_argument_whose_need_is_stated():
    described = SKILL_MANAGE.schema["properties"]["absorbed_into"]["description"]
    assert described.startswith("delete:")
    assert "Required for delete" in described


def test_the_memory_tool_states_per_action_which_texts_it_needs():
    properties = MEMORY.schema["properties"]
    assert properties["old_text"]["description"].startswith("replace, remove:")
    assert "required for both" in properties["old_text"]["description"]
    assert "required for both" in properties["content"]["description"]


def test_chat_review_and_curator_advertise_the_same_bytes(world):
    shown = {
        json.dumps([(spec.name, spec.description, spec.schema) for spec in world.dispatcher(origin, allowed).specs])
        for origin, allowed in ((Origin.CHAT, ALL_TOOLS), (Origin.REVIEW, ALL_TOOLS), (Origin.CURATOR, CURATOR_TOOLS))
    }
    assert len(shown) == 1


@pytest.mark.parametrize(
    ("spec", "given", "sentence"),
    [
        (SKILL_VIEW, {}, "skill_view needs the argument 'name'."),
        (SKILL_VIEW, {"name": None}, "skill_view needs the argument 'name'."),
        (SKILL_VIEW, {"name": 3}, "'name' must be a text, not a number."),
        (SKILL_VIEW, {"name": ["a"]}, "'name' must be a text, not a list."),
        (SKILL_VIEW, {"name": "a", "offset": True}, "'offset' must be a whole number, not true or false."),
        (
            SKILL_VIEW,
            {"name": "a", "filepath": "b"},
            "skill_view has no argument 'filepath'. Did you mean 'file_path'?",
        ),
        (SKILL_VIEW, {"name": "a", "zzz": 1}, "skill_view has no argument 'zzz'. It takes: name, file_path, offset."),
        (SKILL_MANAGE, {"action": "PATCH", "name": "a"}, "'action' cannot be 'PATCH'. It is one of: create, patch,"),
        (SKILL_MANAGE, {"action": "patch", "name": "a", "replace_all": "yes"}, "'replace_all' must be true or false"),
        (SESSION_SEARCH, {"limit": 0}, "'limit' must lie between 1 and 20."),
    ],
)
def test_what_is_wrong_with_arguments_is_said_in_a_sentence(spec, given, sentence):
    with pytest.raises(BadArguments) as caught:
        checked(spec, given)
    assert str(caught.value).startswith(sentence)


def test_null_counts_as_left_out():
    assert checked(SKILL_VIEW, {"name": "a", "file_path": None}) == {"name": "a"}
