import json

import pytest

from app.history.values import Origin
from app.skills.values import Action, Request, Writer
from app.toolbox import skill_tools


def names(said):
    return [row["name"] for row in said["skills"]]


def test_the_list_has_what_may_be_used_by_category_and_name(world):
    world.add("zeta")
    world.add("alpha", category="tools")
    world.add("beta", category="tools", managed=False)
    (world.home.skills / "broken").mkdir()
    (world.home.skills / "broken" / "SKILL.md").write_text("no front matter")
    world.door.do(Request(Action.ARCHIVE, "zeta"), Writer(Origin.USER))
    _, said = world.call(world.dispatcher(), "skills_list")
    assert names(said) == ["alpha", "beta"]
    assert said["skills"][0] == {
        "name": "alpha",
        "description": "Does a thing. Use in tests.",
        "category": "tools",
        "managed": True,
    }


def test_a_category_and_a_query_narrow_the_list(world):
    world.add("alpha", category="tools")
    world.add("tomatoes", category="garden", description="Grows tomatoes in pots. Use for gardens.")
    _, said = world.call(world.dispatcher(), "skills_list", category="garden")
    assert names(said) == ["tomatoes"]
    _, said = world.call(world.dispatcher(), "skills_list", query="growing a tomato")
    assert names(said) == ["tomatoes"]
    _, said = world.call(world.dispatcher(), "skills_list", category="nope")
    assert said["error"] == "There is no category 'nope'. Categories: garden, tools."


def test_a_long_list_says_how_many_it_left_out(world, monkeypatch):
    monkeypatch.setattr(skill_tools, "LIST_LIMIT", 400)
    for number in range(10):
        world.add(f"skill-{number}")
    _, said = world.call(world.dispatcher(), "skills_list")
    assert said["count"] == 10
    assert len(said["skills"]) + said["left_out"] == 10
    assert "query" in said["note"]


def test_a_view_shows_the_whole_text_and_the_files_and_is_counted_for_the_chat_only(world):
    folder = world.add("one", category="tools", end="\r\n")
    (folder / "references").mkdir()
    (folder / "references" / "notes.md").write_text("Notes.")
    _, said = world.call(world.dispatcher(), "skill_view", name="one")
    assert said["content"].encode() == (folder / "SKILL.md").read_bytes()
    assert (said["path"], said["files"], said["managed"]) == ("tools/one", ["references/notes.md"], True)
    _, said = world.call(world.dispatcher(), "skill_view", name="one", file_path="./references/notes.md")
    assert (said["file_path"], said["content"]) == ("references/notes.md", "Notes.")
    world.call(world.dispatcher(Origin.REVIEW), "skill_view", name="one")
    assert [skill.id for skill in world.viewed] == ["tools/one", "tools/one"]


@pytest.mark.parametrize(
    "path", ["../two/SKILL.md", "/etc/passwd", "references/../../two/SKILL.md", "link.md", "none.md"]
)
def test_a_view_never_leaves_the_skill(world, path):
    folder = world.add("one")
    world.add("two")
    (folder / "link.md").symlink_to(world.home.skills / "two" / "SKILL.md")
    outcome, said = world.call(world.dispatcher(), "skill_view", name="one", file_path=path)
    assert outcome.result.is_error
    assert "two" not in said.get("content", "")


def test_a_name_that_is_a_path_out_of_the_library_is_no_skill(world):
    world.add("one")
    outcome, said = world.call(world.dispatcher(), "skill_view", name="../skills/one")
    assert outcome.result.is_error
    assert said["error"].startswith("No such skill")


def test_a_file_that_is_no_text_says_so(world):
    folder = world.add("one")
    (folder / "assets").mkdir()
    (folder / "assets" / "a.bin").write_bytes(b"\x00\xff")
    _, said = world.call(world.dispatcher(), "skill_view", name="one", file_path="assets/a.bin")
    assert (said["binary"], said["content"]) == (True, "")


def test_a_text_that_is_too_long_goes_on_at_an_offset(world, monkeypatch):
    monkeypatch.setattr(skill_tools, "VIEW_LIMIT", 100)
    world.add("one", body="x" * 300)
    text = world.text("one").decode()
    _, first = world.call(world.dispatcher(), "skill_view", name="one")
    _, second = world.call(world.dispatcher(), "skill_view", name="one", offset=first["next_offset"])
    assert first["cut"] is True
    assert first["content"] + second["content"] == text[:200]
    assert first["characters"] == len(text)


def test_a_merged_name_shows_the_umbrella_and_says_so(world):
    world.add("old-one")
    world.add("umbrella")
    world.door.do(Request(Action.ARCHIVE, "old-one", absorbed_into="umbrella"), Writer(Origin.USER))
    _, said = world.call(world.dispatcher(), "skill_view", name="old-one")
    assert (said["name"], said["forwarded_from"]) == ("umbrella", "old-one")
    assert said["note"] == "'old-one' was merged into 'umbrella', which is shown here."


def test_an_unknown_name_offers_near_ones(world):
    world.add("plain-one")
    _, said = world.call(world.dispatcher(), "skill_view", name="plain-on")
    assert "Did you mean plain-one?" in said["error"]


def test_a_broken_skill_is_named_with_its_reason(world):
    (world.home.skills / "broken").mkdir()
    (world.home.skills / "broken" / "SKILL.md").write_text("no front matter")
    outcome, said = world.call(world.dispatcher(), "skill_view", name="broken")
    assert outcome.result.is_error
    assert said["error"].startswith("The skill 'broken' cannot be used: ")


def test_a_linked_skill_is_text_from_elsewhere(world, tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    (real / "SKILL.md").write_text("---\nname: linked\ndescription: Elsewhere. Use never.\n---\n\nDo it.\n")
    (world.home.skills / "linked").symlink_to(real)
    outcome, _ = world.call(world.dispatcher(), "skill_view", name="linked")
    assert json.loads(outcome.result.content)["success"] is True
    assert outcome.result.untrusted
