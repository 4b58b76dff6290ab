import json

import pytest

from app.history.values import Origin
from app.skills.values import Action, Request, Writer

CONTENT = "---\nname: fresh\ndescription: Made here. Use in tests.\n---\n\n# fresh\n\n1. Read.\n"
PLAIN = "Step one: read.\nStep two: count.\nStep three: say it.\nStep two: count.\n"


def patch(**more):
    return {"action": "patch", "name": "plain-one", **more}


def test_a_skill_made_by_a_review_is_managed_and_can_be_changed_without_a_view(world):
    dispatcher = world.dispatcher(Origin.REVIEW, must_read=True)
    outcome, said = world.call(
        dispatcher, "skill_manage", action="create", name="fresh", content=CONTENT, category="new"
    )
    assert (outcome.verdict, said["success"], said["path"]) == ("allow", True, "new/fresh")
    assert outcome.entry == world.history.tip()
    outcome, said = world.call(
        dispatcher, "skill_manage", action="patch", name="fresh", old_string="1. Read.", new_string="1. Read twice."
    )
    assert said["success"] is True
    assert b"Read twice" in (world.home.skills / "new" / "fresh" / "SKILL.md").read_bytes()
    assert json.loads(world.home.usage.read_text())["fresh"]["created_by"] == "agent"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (patch(new_string="x"), "needs 'old_string'"),
        (patch(old_string="", new_string="x"), ""),
        (patch(old_string="Step one: read.", new_string="Step one: read."), ""),
        (patch(old_string="Step two: count.", new_string="Step two: sum."), "2"),
        (patch(old_string="Step four", new_string="y"), ""),
        (patch(old_string="Step one: read."), "needs 'new_string'"),
        (patch(old_string=None, new_string="x"), "needs 'old_string'"),
        (patch(old_string=["Step one: read."], new_string="x"), "must be a text, not a list"),
        (patch(name="not-there", old_string="a", new_string="b"), "There is no skill 'not-there'"),
        (patch(file_path="references/none.md", old_string="a", new_string="b"), "none.md"),
        (patch(action="PATCH", old_string="Step one", new_string="b"), "one of: create, patch"),
        (patch(old_string="Step one", new_string="b", content="c"), "does not take 'content'"),
    ],
)
def test_a_patch_that_cannot_be_done_changes_nothing_and_says_why(world, arguments, part):
    world.add("plain-one", body=PLAIN)
    before = world.text("plain-one")
    outcome, said = world.call(world.dispatcher(), "skill_manage", arguments)
    assert outcome.result.is_error
    assert said["success"] is False
    assert part in said["error"]
    assert "Error" not in said["error"]
    assert world.text("plain-one") == before


def test_all_places_are_replaced_when_asked_and_a_text_can_be_deleted(world):
    world.add("plain-one", body=PLAIN)
    call = patch(old_string="Step two: count.", new_string="Step two: sum.", replace_all=True)
    assert world.call(world.dispatcher(), "skill_manage", call)[1]["success"] is True
    assert world.call(world.dispatcher(), "skill_manage", patch(old_string="Step one: read.\n", new_string=""))[1][
        "success"
    ]
    assert world.text("plain-one").count(b"Step two: sum.") == 2
    assert b"Step one" not in world.text("plain-one")


def test_a_text_with_the_line_ends_of_windows_keeps_them(world):
    world.add("win-skill", body="Alpha line.\nBeta line.\n", end="\r\n")
    before = world.text("win-skill")
    call = {
        "action": "patch",
        "name": "win-skill",
        "old_string": "Alpha line.\nBeta line.",
        "new_string": "Alpha line.\nBeta two.",
    }
    assert world.call(world.dispatcher(), "skill_manage", call)[1]["success"] is True
    assert world.text("win-skill") == before.replace(b"Beta line.", b"Beta two.")


def test_writing_what_stands_there_already_is_no_success(world):
    world.add("plain-one")
    text = world.text("plain-one").decode()
    outcome, said = world.call(world.dispatcher(), "skill_manage", action="edit", name="plain-one", content=text)
    assert outcome.result.is_error
    assert "exactly this content already" in said["error"]


def test_a_fork_must_have_read_the_file_it_changes(world):
    folder = world.add("plain-one", body=PLAIN)
    (folder / "references").mkdir()
    (folder / "references" / "a.md").write_text("old")
    dispatcher = world.dispatcher(Origin.REVIEW, must_read=True)
    text = world.text("plain-one").decode() + "More.\n"
    call = {"action": "edit", "name": "plain-one", "content": text}
    note = {"action": "write_file", "name": "plain-one", "file_path": "references/a.md", "file_content": "new"}
    outcome, said = world.call(dispatcher, "skill_manage", call)
    assert outcome.result.is_error
    assert "has not been read" in said["error"]
    world.call(dispatcher, "skill_view", name="plain-one")
    assert world.call(dispatcher, "skill_manage", call)[1]["success"] is True
    assert world.call(dispatcher, "skill_manage", note)[1]["success"] is False
    world.call(dispatcher, "skill_view", name="plain-one", file_path="references/a.md")
    assert world.call(dispatcher, "skill_manage", note)[1]["success"] is True
    assert world.call(dispatcher, "skill_manage", {**note, "file_path": "references/b.md"})[1]["success"] is True


def test_the_chat_changes_a_skill_it_has_not_viewed(world):
    world.add("plain-one", body=PLAIN)
    text = world.text("plain-one").decode() + "More.\n"
    call = {"action": "edit", "name": "plain-one", "content": text}
    assert world.call(world.dispatcher(), "skill_manage", call)[1]["success"] is True


@pytest.mark.parametrize(
    ("arguments", "ok"),
    [
        ({"action": "patch", "name": "pinned-one", "old_string": "Count", "new_string": "Sum"}, True),
        ({"action": "delete", "name": "pinned-one", "absorbed_into": "own-one"}, False),
        ({"action": "patch", "name": "bundled-one", "old_string": "Count", "new_string": "Sum"}, False),
        ({"action": "delete", "name": "bundled-one", "absorbed_into": "own-one"}, False),
        ({"action": "write_file", "name": "hub-one", "file_path": "references/a.md", "file_content": "x"}, False),
        ({"action": "create", "name": "hub-one", "content": CONTENT.replace("fresh", "hub-one")}, False),
        ({"action": "delete", "name": "hand-one", "absorbed_into": "own-one"}, False),
        ({"action": "patch", "name": "own-one", "old_string": "Count", "new_string": "Sum"}, True),
    ],
)
def test_a_review_changes_only_what_it_may(world, arguments, ok):
    world.add("own-one")
    world.add("hand-one", managed=False)
    world.add("pinned-one", record={"pinned": True})
    world.add("bundled-one", managed=False)
    world.add("hub-one", managed=False)
    world.home.bundled_manifest.write_text("bundled-one:" + "0" * 40 + "\n")
    world.home.hub_lock.parent.mkdir()
    world.home.hub_lock.write_text(json.dumps({"installed": {"hub-one": {"install_path": "hub-one"}}}))
    before = {path: path.read_bytes() for path in world.home.skills.rglob("SKILL.md")}
    outcome, said = world.call(world.dispatcher(Origin.REVIEW), "skill_manage", arguments)
    assert said["success"] is ok
    if not ok:
        assert outcome.verdict == "refuse"
        assert len(said["error"]) > 20
        assert {path: path.read_bytes() for path in world.home.skills.rglob("SKILL.md")} == before


def test_a_change_the_user_decides_is_handed_on_and_nothing_is_written(world):
    world.add("hand-one", managed=False)
    before = world.text("hand-one")
    call = {
        "action": "patch",
        "name": "hand-one",
        "old_string": "Count",
        "new_string": "Sum",
        "reason": "Sums are asked.",
    }
    outcome, said = world.call(world.dispatcher(Origin.REVIEW), "skill_manage", call)
    assert (outcome.verdict, outcome.proposal, outcome.result.is_error) == ("propose", "p1", False)
    assert (said["success"], said["waiting"], said["proposal"]) == (False, True, "p1")
    request, receipt = world.proposed[0]
    assert (request.action, request.skill, request.old, request.reason) == (
        Action.PATCH,
        "hand-one",
        "Count",
        "Sums are asked.",
    )
    assert receipt.why
    assert world.text("hand-one") == before


def test_what_waits_already_is_not_proposed_again(world):
    world.add("hand-one", managed=False)
    dispatcher = world.dispatcher(Origin.REVIEW)
    call = {"action": "patch", "name": "hand-one", "old_string": "Count", "new_string": "Sum"}
    world.call(dispatcher, "skill_manage", call)
    outcome, said = world.call(dispatcher, "skill_manage", call)
    assert outcome.result.is_error
    assert "waits for the user's decision already" in said["error"]
    assert len(world.proposed) == 1


def test_an_idea_the_user_decided_against_is_refused(world):
    world.add("hand-one", managed=False)
    dispatcher = world.dispatcher(Origin.REVIEW)
    object.__setattr__(dispatcher._around, "propose", lambda request, receipt: "")
    call = {"action": "patch", "name": "hand-one", "old_string": "Count", "new_string": "Sum"}
    outcome, said = world.call(dispatcher, "skill_manage", call)
    assert outcome.verdict == "refuse"
    assert "decided against" in said["error"]


def test_what_was_merged_is_changed_where_it_went(world):
    world.add("old-one")
    world.add("umbrella")
    world.door.do(Request(Action.ARCHIVE, "old-one", absorbed_into="umbrella"), Writer(Origin.USER))
    call = {"action": "patch", "name": "old-one", "old_string": "Count", "new_string": "Sum"}
    outcome, said = world.call(world.dispatcher(), "skill_manage", call)
    assert outcome.result.is_error
    assert "umbrella" in said["error"]


@pytest.mark.parametrize("into", ["never-existed", "src-1", "../live-target", None, ["live-target"]])
def test_a_delete_must_say_truly_where_the_content_went(world, into):
    world.add("src-1")
    world.add("live-target")
    call = {"action": "delete", "name": "src-1", "absorbed_into": into}
    outcome, said = world.call(world.dispatcher(Origin.REVIEW), "skill_manage", call)
    assert outcome.result.is_error
    assert said["error"]
    assert world.text("src-1")
    assert world.proposed == []


def test_a_draft_says_that_it_waits(world):
    dispatcher = world.dispatcher(draft=True)
    outcome, said = world.call(dispatcher, "skill_manage", action="create", name="fresh", content=CONTENT)
    assert (said["success"], said["verdict"], outcome.verdict) == (True, "propose", "propose")
    assert "waits for the user" in said["note"]
