"""The curator by rules: lossless merges of siblings, declared deletions, honest report."""

import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.carry import new_places, rewritten
from app.engine.groups import Member, groups_of
from app.engine.merge import appended_body, list_items, merged_body, part_of
from app.text.loss import measure
from app.text.values import Fate


def curate(room, *clusters: list[str], **changes: dict[str, object]) -> str:
    rows = [
        {"id": f"work/{name}", "name": name, "uses": 1, **changes.get(name.replace("-", "_"), {})}
        for name in room.skills
    ]
    for row in rows:
        row.setdefault("description", f"About {row['name']}.")
        row.setdefault("pinned", False)
    listing = json.dumps({"candidates": rows, "clusters": list(clusters)})
    return room.say(f"Work on these.\n\n```json\n{listing}\n```\n", "curator")


def claims(answer: str) -> dict[str, list[dict[str, str]]]:
    return yaml.safe_load(answer.split("```yaml\n")[1].partition("```")[0])


@pytest.fixture
def csv_room(room):
    room.add(
        "csv-dedupe",
        "Remove doubles.",
        "# Doubles\n\n## Steps\n\n1. Sort: `sort -u a.csv`\n\n## Pitfalls\n\n- Keep a copy.\n- Mind the header.\n",
    )
    room.add(
        "csv-clean",
        "Clean up.",
        "# Cleaning\n\nLook first.\n\n## Steps\n\n1. Trim.\n\n## Pitfalls\n\n- Keep a copy.\n- Mind quotes.\n",
    )
    room.add("trip-plan", "Plan.", "# Trips\n")
    return room


def test_siblings_become_one_skill_and_are_deleted_with_their_successor(csv_room) -> None:
    answer = curate(csv_room, ["csv-dedupe", "csv-clean"])
    assert set(csv_room.skills) == {"csv-workflows", "trip-plan"}
    deletions = [given for name, given in csv_room.calls if given.get("action") == "delete"]
    assert [(d["name"], d["absorbed_into"]) for d in deletions] == [
        ("csv-dedupe", "csv-workflows"),
        ("csv-clean", "csv-workflows"),
    ]
    merged = [(row["from"], row["into"]) for row in claims(answer)["consolidations"]]
    assert merged == [("csv-dedupe", "csv-workflows"), ("csv-clean", "csv-workflows")]
    assert claims(answer)["prunings"] == []


def test_nothing_of_the_absorbed_skills_is_lost(csv_room) -> None:
    before = {name: {path: text.encode() for path, text in files.items()} for name, files in csv_room.skills.items()}
    curate(csv_room, ["csv-dedupe", "csv-clean"])
    result = {path: text.encode() for path, text in csv_room.skills["csv-workflows"].items()}
    for name in ("csv-dedupe", "csv-clean"):
        loss = measure(name, before[name], f"About {name}.", result)
        assert [item.unit.text for item in loss.units if item.fate is not Fate.KEPT] == []


def test_a_pitfall_said_twice_stands_once_and_names_its_parts(csv_room) -> None:
    curate(csv_room, ["csv-dedupe", "csv-clean"])
    text = csv_room.skills["csv-workflows"]["SKILL.md"]
    assert text.count("- Keep a copy.") == 1
    assert "## Pitfalls (all parts)\n\n- Keep a copy.\n" in text
    assert "### Pitfalls\n\n- Mind quotes." in text


def test_the_description_holds_the_words_of_every_part(csv_room) -> None:
    curate(csv_room, ["csv-dedupe", "csv-clean"])
    front = yaml.safe_load(csv_room.skills["csv-workflows"]["SKILL.md"].split("---")[1])
    assert front == {"name": "csv-workflows", "description": "About csv-dedupe. About csv-clean."}


def test_support_files_move_under_the_old_name_and_links_follow(csv_room) -> None:
    files = csv_room.skills["csv-clean"]
    files["SKILL.md"] += "\nSee [rules](references/rules.md#quotes) and `references/rules.md`.\n"
    files["references/rules.md"] = "Back to [start](../SKILL.md), next [more](more.md).\n"
    files["references/more.md"] = "More.\n"
    curate(csv_room, ["csv-dedupe", "csv-clean"])
    umbrella = csv_room.skills["csv-workflows"]
    assert umbrella["references/csv-clean-more.md"] == "More.\n"
    assert (
        umbrella["references/csv-clean-rules.md"] == "Back to [start](../SKILL.md), next [more](csv-clean-more.md).\n"
    )
    assert "[rules](references/csv-clean-rules.md#quotes) and `references/csv-clean-rules.md`" in umbrella["SKILL.md"]


def test_a_wide_member_takes_the_others_in_and_keeps_its_text(csv_room) -> None:
    body = "# CSV\n\nMy own words.  \n\n## Pitfalls\n\n- Keep a copy.\n"
    csv_room.add("csv-guide", '"All about CSV."', body)
    answer = curate(csv_room, ["csv-guide", "csv-dedupe", "csv-clean"])
    text = csv_room.skills["csv-guide"]["SKILL.md"]
    assert body.rstrip() in text
    assert text.count("- Keep a copy.") == 1
    assert "## Doubles" in text
    assert "**csv-guide**, which is wide enough already" in answer


def test_a_pinned_member_is_never_deleted(csv_room) -> None:
    csv_room.add("csv-split", "Split.", "# Split\n\n1. Cut.\n")
    curate(csv_room, ["csv-dedupe", "csv-clean", "csv-split"], csv_split={"pinned": True})
    assert set(csv_room.skills) == {"csv-split", "csv-workflows", "trip-plan"}
    assert "Cut." not in csv_room.skills["csv-workflows"]["SKILL.md"]


def test_a_package_with_scripts_takes_the_others_in_instead_of_moving(csv_room) -> None:
    csv_room.skills["csv-clean"]["scripts/clean.sh"] = "#!/bin/sh\n"
    answer = curate(csv_room, ["csv-dedupe", "csv-clean"])
    assert "**csv-clean**, whose own files have to stay where they are, takes in csv-dedupe." in answer
    assert set(csv_room.skills) == {"csv-clean", "trip-plan"}
    assert csv_room.skills["csv-clean"]["scripts/clean.sh"] == "#!/bin/sh\n"
    assert "`sort -u a.csv`" in csv_room.skills["csv-clean"]["SKILL.md"]


def test_strangers_with_like_words_are_named_and_left_alone(csv_room) -> None:
    answer = curate(csv_room, ["csv-dedupe", "trip-plan"])
    assert csv_room.writes() == []
    assert "csv-dedupe and trip-plan use similar words" in answer
    assert claims(answer) == {"consolidations": [], "prunings": []}


def test_a_refused_umbrella_deletes_nothing_and_is_reported(csv_room) -> None:
    csv_room.refuse["csv-workflows"] = "That name is archived."
    answer = curate(csv_room, ["csv-dedupe", "csv-clean"])
    assert set(csv_room.skills) == {"csv-dedupe", "csv-clean", "trip-plan"}
    assert "csv-clean was left alone: csv-workflows was refused: That name is archived." in answer
    assert claims(answer)["consolidations"] == []


def test_a_refused_deletion_is_not_claimed(csv_room) -> None:
    csv_room.refuse["csv-clean"] = "csv-clean is pinned."
    answer = curate(csv_room, ["csv-dedupe", "csv-clean"])
    assert [row["from"] for row in claims(answer)["consolidations"]] == ["csv-dedupe"]
    assert "csv-clean was left alone: csv-clean is pinned." in answer


def test_an_existing_skill_of_the_umbrellas_name_is_not_overwritten(csv_room) -> None:
    csv_room.add("csv-workflows", "Mine.", "# Mine\n")
    mine = csv_room.skills["csv-workflows"]["SKILL.md"]
    answer = curate(csv_room, ["csv-dedupe", "csv-clean"])
    assert csv_room.skills["csv-workflows"]["SKILL.md"] == mine
    assert csv_room.writes() == []
    assert "there is another skill called csv-workflows" in answer


def test_a_member_that_cannot_be_read_is_left_alone(csv_room) -> None:
    rows = [{"id": n, "name": n, "description": "x"} for n in ("csv-dedupe", "csv-gone")]
    listing = json.dumps({"candidates": rows, "clusters": [["csv-dedupe", "csv-gone"]]})
    answer = csv_room.say(f"```json\n{listing}\n```", "curator")
    assert "csv-gone was left alone: There is no skill csv-gone." in answer
    assert csv_room.writes() == []


def test_without_the_writing_tool_it_only_describes(csv_room) -> None:
    csv_room.tools = ("skills_list", "skill_view")
    answer = curate(csv_room, ["csv-dedupe", "csv-clean"])
    assert csv_room.writes() == []
    assert len(claims(answer)["consolidations"]) == 2


@pytest.mark.parametrize("message", ["", "no list", "```json\nnot json\n```", '```json\n{"candidates": 3}\n```'])
def test_a_message_without_candidates_is_a_complete_answer(room, message: str) -> None:
    answer = room.say(message or "go", "curator")
    assert "Nothing was folded" in answer
    assert claims(answer) == {"consolidations": [], "prunings": []}


def test_front_matter_that_differs_is_kept_as_text_and_what_agrees_is_carried(csv_room) -> None:
    for name, tools in (("csv-dedupe", "Read"), ("csv-clean", "Bash")):
        text = csv_room.skills[name]["SKILL.md"]
        extra = f"license: MIT\nallowed-tools: {tools}\n---\n"
        csv_room.skills[name]["SKILL.md"] = text.replace("---\n\n", f"{extra}\n", 1)
    curate(csv_room, ["csv-dedupe", "csv-clean"])
    text = csv_room.skills["csv-workflows"]["SKILL.md"]
    front = yaml.safe_load(text.split("---")[1])
    assert front["license"] == "MIT"
    assert "allowed-tools" not in front
    assert "Doubles:\n\n```yaml\nallowed-tools: Read\n```" in text


def test_the_tags_of_all_parts_are_the_tags_of_the_umbrella(csv_room) -> None:
    for name, tags in (("csv-dedupe", "tables, sorting"), ("csv-clean", "tables, quotes")):
        text = csv_room.skills[name]["SKILL.md"]
        csv_room.skills[name]["SKILL.md"] = text.replace("---\n\n", f"metadata:\n  tags: {tags}\n---\n\n", 1)
    curate(csv_room, ["csv-dedupe", "csv-clean"])
    front = yaml.safe_load(csv_room.skills["csv-workflows"]["SKILL.md"].split("---")[1])
    assert front["metadata"] == {"tags": "tables, sorting, quotes"}


def test_skills_that_a_note_names_are_left_out(csv_room) -> None:
    rows = [{"id": name, "name": name, "description": f"About {name}."} for name in csv_room.skills]
    listing = json.dumps({"candidates": rows, "clusters": [["csv-dedupe", "csv-clean"]], "note": "not csv-clean!"})
    csv_room.say(f"Again.\n\n```json\n{listing}\n```\n", "curator")
    assert set(csv_room.skills) == {"csv-dedupe", "csv-clean", "trip-plan"}


def test_what_would_be_too_long_to_read_moves_to_a_reference(csv_room) -> None:
    long = "".join(f"{n}. Step number {n}\n" for n in range(1, 600))
    csv_room.add("csv-long", "Long.", f"# Long\n\n## Steps\n\n{long}")
    curate(csv_room, ["csv-dedupe", "csv-clean", "csv-long"])
    umbrella = csv_room.skills["csv-workflows"]
    assert umbrella["SKILL.md"].count("\n") < 500
    assert "[references/csv-long.md](references/csv-long.md)" in umbrella["SKILL.md"]
    assert long in umbrella["references/csv-long.md"]


def member(name: str, **changes: object) -> Member:
    values = {"description": "", "category": "", "pinned": False, "uses": 0, "content": "---\nname: x\n---\n"} | changes
    return Member(name=name, **values)  # type: ignore[arg-type]


def test_two_hints_that_would_make_the_same_umbrella_become_one_group() -> None:
    one, two = [member("git-rebase"), member("git-undo")], [member("git-bisect"), member("git-worktrees")]
    (group,) = groups_of([one, two])
    assert group.name == "git-workflows"
    assert len(group.absorbed) == 4


def test_versions_of_one_text_fold_into_the_most_used() -> None:
    text = "Write the monthly expense report from receipts"
    (group,) = groups_of(
        [[member("expenses", description=text, uses=1), member("receipts-report", description=text, uses=9)]]
    )
    assert (group.target.name if group.target else "", [m.name for m in group.absorbed]) == (
        "receipts-report",
        ["expenses"],
    )


SECTION = st.sampled_from(
    [
        "## Steps\n\n1. One\n2. Two\n",
        "## Pitfalls\n\n- A\n- B\n",
        "## Pitfalls\n\n- B\n- C\n",
        "## Notes\n\nSome words.\n",
        "## Code\n\n```sh\n# not a heading\nls\n```\n",
        "Setext\n------\n\ntext here\n",
        "### Deep\n\n* x\n  y\n* z\n",
        "plain\n",
    ]
)


@settings(deadline=None)
@given(st.lists(st.lists(SECTION, min_size=1, max_size=4), min_size=2, max_size=4))
def test_any_merge_keeps_every_unit(bodies: list[list[str]]) -> None:
    texts = {f"part-{n}": f"# Part {n}\n\n" + "\n".join(body) for n, body in enumerate(bodies)}
    parts = [part_of(name, "About it.", text) for name, text in texts.items()]
    first = next(iter(texts))
    new = merged_body("All", parts)
    old = appended_body(texts[first], first, parts[1:])
    for name, text in texts.items():
        for result in (new, old):
            loss = measure(name, {"SKILL.md": text.encode()}, "", {"SKILL.md": result.encode()})
            assert [item.unit.text for item in loss.units if item.fate is Fate.DROPPED] == []


def test_only_plain_bullet_lists_are_taken_apart() -> None:
    assert list_items("- a\n  b\n\n- c\n") == ("- a\n  b", "- c")
    assert list_items("- a\ntext\n- b\n") == ()
    assert list_items("1. a\n2. b\n") == ()
    assert list_items("- a\n  ```\n  - b\n  ```\n") == ()


def test_links_are_rewritten_only_where_they_mean_the_file() -> None:
    places = new_places("a", ["references/x.md"])
    text = "[x](references/x.md) references/x.md.bak my/references/x.md [y](https://e.test/references/x.md)"
    expected = "[x](references/a-x.md) references/x.md.bak my/references/x.md [y](https://e.test/references/x.md)"
    assert rewritten(text, places) == expected


def test_long_descriptions_are_shortened_and_keep_every_trigger_word(csv_room) -> None:
    long = "Work with tables. " + "This sentence is only long and says little more than that. " * 12
    for name, word in (("csv-dedupe", "zebra"), ("csv-clean", "giraffe")):
        body = csv_room.skills[name]["SKILL.md"]
        csv_room.skills[name]["SKILL.md"] = body.replace("description: ", f"description: {long} {word} ")
    changes = {n: {"description": f"{long} {w}"} for n, w in (("csv_dedupe", "zebra"), ("csv_clean", "giraffe"))}
    curate(csv_room, ["csv-dedupe", "csv-clean"], **changes)
    front = yaml.safe_load(csv_room.skills["csv-workflows"]["SKILL.md"].split("---")[1])
    assert len(front["description"]) <= 1024
    assert {"zebra", "giraffe"} <= set(front["description"].replace(",", " ").replace(".", " ").split())


def test_a_file_that_is_no_text_keeps_its_skill_out(csv_room, monkeypatch) -> None:
    csv_room.skills["csv-clean"]["assets/logo.png"] = "x"
    view = csv_room._skill_view

    def binary(given):
        data = view(given)
        return data | {"binary": True, "content": ""} if "file_path" in given else data

    monkeypatch.setattr(csv_room, "_skill_view", binary)
    answer = curate(csv_room, ["csv-dedupe", "csv-clean"])
    assert csv_room.writes() == []
    assert "csv-clean was left alone: its file assets/logo.png is no text." in answer


def test_parts_with_the_same_words_share_them() -> None:
    parts = [part_of(name, f"About {name}.", f"# {name}\n\n1. Read twice.\n2. Act.\n") for name in ("dns", "ping")]
    text = merged_body("Net", parts)
    assert text.count("1. Read twice.") == 1
    assert "## dns\n\nAbout dns.\n" in text
    assert text.endswith("## Common to all parts\n\n1. Read twice.\n2. Act.\n")
