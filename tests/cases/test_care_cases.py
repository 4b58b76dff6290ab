"""Looking after a library with commands: narrowed lists, ways back, fixes, old names, deletions."""

import json

from tests.cases.runner import Melete, later


def put(melete: Melete, name: str, body: str = "Body.\n", head: str = "") -> None:
    folder = melete.skills / name
    folder.mkdir(parents=True)
    front = f"---\nname: {folder.name}\ndescription: Does {folder.name}.\n{head}---\n\n"
    (folder / "SKILL.md").write_text(front + body)


def names(melete: Melete, *words: str) -> list[str]:
    return [row["name"] for row in melete.done("list", *words)["skills"]]


def test_a_query_narrows_the_list_as_in_the_window(melete: Melete) -> None:
    for name in ("one", "two", "cat/three"):
        put(melete, name)
    melete.record(
        one={"use_count": 5, "created_by": "agent", "last_used_at": "2026-01-01T00:00:00Z"},
        two={"use_count": 1, "last_used_at": later(melete.now or "", -1)},
    )
    melete.done("pin", "two")
    assert names(melete, "--query", "pinned:yes") == ["two"]
    assert names(melete, "--query", "used:<3 -category:cat") == ["two"]
    assert names(melete, "--query", "idle:>30") == ["one"]
    assert names(melete, "--query", "is:unrecorded") == ["three"]
    assert names(melete, "--query", "does t") == ["three", "two"]
    answer = melete("list", "--query", "colour:red")
    assert (answer.data["skills"], "colour:" in answer.err) == ([], True)
    facets = melete.done("list", "--facets")["facets"]
    assert facets["managed"] == {"no": 2, "yes": 1}


def test_the_list_says_what_its_skills_cost_an_agent(melete: Melete) -> None:
    put(melete, "one", "x" * 400)
    data = melete.done("list")
    row = data["skills"][0]
    assert row["body_tokens"] >= 100
    assert data["catalogue"] == {"skills": 1, "tokens": row["catalogue_tokens"]}


def test_a_version_and_the_whole_library_come_back(melete: Melete) -> None:
    put(melete, "one", "First.\n")
    melete.done("pin", "one")
    (first,) = [entry["id"] for entry in melete.done("history")["entries"] if entry["action"] == "pin"]
    (melete.skills / "one/SKILL.md").write_text((melete.skills / "one/SKILL.md").read_text().replace("First", "Second"))
    melete.done("unpin", "one")
    shown = melete.done("revert", "one", "--to", first)
    assert (shown["entry"], shown["files"]) == (None, ["SKILL.md"])
    assert "-Second." in shown["diff"]
    assert "Second" in (melete.skills / "one/SKILL.md").read_text()
    preview = melete.done("rollback", "--to", first)
    assert [(step["what"], step["path"]) for step in preview["steps"]] == [("change", "one"), ("pin", "one")]
    assert melete.done("rollback", "--to", first, "--apply")["entry"]
    assert "First" in (melete.skills / "one/SKILL.md").read_text()
    assert melete.rows()["one"]["pinned"]
    assert melete("rollback", "--to", first, "--apply").code == 1


def test_the_library_of_a_day_says_what_became_of_each(melete: Melete) -> None:
    put(melete, "one")
    put(melete, "two")
    melete.done("pin", "one")
    day, melete.now = melete.now, later(melete.now or "", days=2)
    melete.done("archive", "two")
    put(melete, "three")
    melete.done("pin", "three")
    then = melete.done("history", "--at", day or "")
    assert {row["path"]: (row["fate"], row["now"]) for row in then["skills"]} == {
        "one": ("same", "one"), "two": ("archived", ".archive/two"),
    }  # fmt: skip
    assert then["since"] == ["three"]
    assert melete("history", "--at", "1999-01-01").code == 1
    assert melete("history", "--at", "yesterday").code == 2


def test_fixes_and_old_names_are_mended_by_command(melete: Melete) -> None:
    put(melete, "odd", head="risk: high\ncolour: red\n")
    put(melete, "reader", "Use `narrow`.\n")
    put(melete, "narrow")
    put(melete, "wide")
    done = melete.done("fix", "odd", "reader")["done"]
    assert [(item["path"], item["rules"]) for item in done] == [("odd", ["FIELD.UNKNOWN"] * 2), ("reader", [])]
    call = {"action": "delete", "name": "narrow", "absorbed_into": "wide"}
    filed = melete.tool("skill_manage", call, "chat")
    melete.done("proposals", "approve", filed["proposal"], "--all")
    healed = melete.done("heal")
    assert [change["skill"] for change in healed["changes"]] == ["reader"]
    melete.done("proposals", "approve", healed["proposal"], "--all")
    assert "`wide`" in (melete.skills / "reader/SKILL.md").read_text()
    assert melete.done("heal")["proposal"] is None


def test_a_purge_is_listed_then_confirmed_and_only_of_archived_skills(melete: Melete) -> None:
    put(melete, "one")
    put(melete, "two")
    melete.done("archive", "one")
    listed = melete("purge", "one", "two")
    assert listed.code == 1
    assert [item["id"] for item in listed.data["items"]] == [".archive/one"]
    assert [item["name"] for item in listed.data["refused"]] == ["two"]
    assert melete.archived() == {"one"}
    done = melete.done("purge", "one", "--for-good", "--yes")
    assert [item["path"] for item in done["done"]] == [".archive/one"]
    assert melete.archived() == set()
    (entry,) = melete.done("history", "--limit", "1")["entries"]
    assert melete.done("undo", entry["id"])["entry"]
    assert melete.archived() == {"one"}


def test_what_is_not_kept_and_what_is_double_is_listed(melete: Melete) -> None:
    body = "".join(f"- Step {number} of the very same recipe.\n" for number in range(20))
    put(melete, "one", body)
    put(melete, "two", body)
    (melete.skills / "one/big.bin").write_bytes(bytes(3_000_000))
    (file,) = melete.done("not-kept")["files"]
    assert (file["skill"], file["path"], file["size"]) == ("one", "big.bin", 3_000_000)
    (pair,) = melete.done("duplicates")["pairs"]
    assert {pair["one"], pair["other"]} == {"one", "two"}
    assert pair["equal_lines"] == pair["lines"] == 20


def test_a_bundled_skill_goes_back_to_what_is_shipped(tmp_path) -> None:
    melete = Melete(tmp_path / "home")
    melete.done("list")
    file = melete.skills / "writing-skills/SKILL.md"
    shipped = file.read_bytes()
    file.write_bytes(shipped + b"\nMine.\n")
    assert melete.rows()["writing-skills"]["edited_here"]
    assert melete.done("reset", "writing-skills")["done"][0]["path"] == "writing-skills"
    assert file.read_bytes() == shipped
    assert not melete.rows()["writing-skills"]["edited_here"]
    put(melete, "own")
    refused = melete("reset", "own")
    assert (refused.code, json.loads(refused.out)["refused"][0]["name"]) == (1, "own")


def test_restore_means_the_archived_folder_also_when_a_live_skill_has_its_name(melete: Melete) -> None:
    """SK-14: two skills, each named like the other's folder."""
    for folder, name in (("alpha", "beta"), ("beta", "alpha")):
        (melete.skills / folder).mkdir()
        text = f"---\nname: {name}\ndescription: In {folder}. Use in tests.\n---\n# {name}\n"
        (melete.skills / folder / "SKILL.md").write_text(text)
    melete.done("archive", "alpha")
    assert melete.done("restore", "alpha")["done"] == [{"name": "beta", "path": "alpha"}]
