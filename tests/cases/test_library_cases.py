"""Libraries as people and other tools leave them: all rows there, the right one acted on, nothing rewritten unasked."""

import hashlib
import json
import shutil
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from tests.cases.runner import Cases, Melete, picture


def by_name(melete: Melete) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in melete.rows().values()}


def check_rows(cases: Cases, case: str, melete: Melete) -> dict[str, dict[str, Any]]:
    """What every case of this kind says of the list; the rows by their path."""
    expect = cases.json(case, "expect.json")
    rows = melete.rows()
    for key, want in expect.get("must_load", {}).items():
        form, _, rest = key.rpartition(":")
        path = unicodedata.normalize("NFC", rest) if form else key
        row = rows[path]
        assert row["load"] != "skip", (path, row["problems"])
        if "name" in want:
            assert row["name"] == unicodedata.normalize(
                "NFC", want["name"].rpartition(":")[2] if form else want["name"]
            )
        for field in ("description", "category"):
            if field in want:
                assert row[field] == want[field]
        if "tools" in want:
            assert row["allowed_tools"] == want["tools"]
        if "warn" in want:
            shown = [item for item in row["problems"] if item["severity"] != "info"]
            assert bool(shown) is want["warn"], (path, shown)
    for path in expect.get("must_report", ()):
        assert rows[path]["problems"], path
        assert all(item["message"] for item in rows[path]["problems"])
    for path in expect.get("must_not_list", ()):
        assert path not in rows
    if "rows" in expect:
        assert len([row for row in rows.values() if row["state"] != "archived"]) == expect["rows"]
    return rows


PLAIN = ["SK-01", "SK-03", "SK-07", "SK-11", "SK-12", "SK-13", "SK-15", "SK-20", "SK-21", "SK-22", "SK-28"]


@pytest.mark.parametrize("case", PLAIN)
def test_the_list_shows_every_skill_and_changes_no_file(cases: Cases, case: str) -> None:
    """SK-01, SK-03, SK-07, SK-11, SK-12, SK-13, SK-15, SK-20, SK-21, SK-22, SK-28."""
    melete = cases.library(case, managed=False)
    before = picture(melete.skills)
    rows = check_rows(cases, case, melete)
    after = {path: facts for path, facts in picture(melete.skills).items() if not path.startswith(".melete")}
    assert after == before
    edges = {(edge["from"], edge["to"]) for edge in melete.done("graph")["edges"]}
    assert {tuple(edge) for edge in cases.json(case, "expect.json").get("edges", [])} <= edges
    assert "\r" not in json.dumps(list(rows.values()))


def test_patches_keep_each_line_end(cases: Cases) -> None:
    """SK-03."""
    melete = cases.library("SK-03")
    for call in cases.json("SK-03", "calls.json"):
        assert melete.tool(call["tool"], call["input"], "review")["ok"]
    for path, digest in cases.json("SK-03", "expect.json")["after_hex_sha256"].items():
        assert hashlib.sha256((melete.skills / path).read_bytes()).hexdigest() == digest


def test_repeated_keys_are_named(cases: Cases) -> None:
    """SK-07."""
    melete = cases.library("SK-07")
    for path, key in (("two-desc", "description"), ("two-names", "name")):
        assert any(key in item["message"] for item in melete.rows()[path]["problems"])


@pytest.mark.parametrize("case", ["SK-11", "SK-12"])
def test_a_new_description_leaves_all_other_lines(cases: Cases, case: str) -> None:
    """SK-11, SK-12."""
    melete = cases.library(case)
    for path, row in melete.rows().items():
        file = melete.skills / path / "SKILL.md"
        before = file.read_bytes().splitlines(keepends=True)
        old = row["description"].split()[-1]
        call = {"action": "patch", "name": path, "old_string": old, "new_string": f"{old} Really."}
        answer = melete.tool("skill_manage", call, "chat")
        assert answer["verdict"] == "allow", answer
        changed = [
            one for one, two in zip(before, file.read_bytes().splitlines(keepends=True), strict=True) if one != two
        ]
        assert [line.split(b":")[0] for line in changed] == [b"description"]


def test_names_in_both_unicode_forms_are_one_name(cases: Cases) -> None:
    """SK-13."""
    melete = cases.library("SK-13")
    row = melete.rows()["résumé-check"]
    assert not [item for item in row["problems"] if item["rule"] == "NAME.DIR"]
    for form in ("NFC", "NFD"):
        typed = unicodedata.normalize(form, "résumé")
        assert list(melete.rows("--query", typed)) == ["résumé-check"]
        assert melete.done("resolve", unicodedata.normalize(form, "résumé-check"))["id"] == "résumé-check"
    melete.done("pin", unicodedata.normalize("NFD", "résumé-check"))
    assert melete.rows()["résumé-check"]["pinned"]


def test_every_action_moves_the_folder_of_its_row(cases: Cases) -> None:
    """SK-14."""
    melete = cases.library("SK-14")
    assert melete.done("show", "beta")["body"] == cases.json("SK-14", "expect.json")["must_load"]["beta"]["body"]
    folders = ["alpha", "beta", "Release-Notes"]
    assert set(melete.rows()) == set(folders)
    for path in folders:
        others = {name: picture(melete.skills / name) for name in folders if name != path}
        row = melete.rows()[path]
        word = row["description"].split()[-1]
        call = {"action": "patch", "name": path, "old_string": word, "new_string": f"{word}!"}
        assert melete.tool("skill_manage", call, "chat")["ok"]
        assert f"{word}!" in (melete.skills / path / "SKILL.md").read_text()
        assert melete.done("pin", path)["done"][0]["path"] == path
        assert [key for key, one in melete.rows().items() if one["pinned"]] == [path]
        melete.done("unpin", path)
        mine = picture(melete.skills / path)
        gone = melete.done("archive", path)["done"][0]["path"]
        assert not (melete.skills / path).exists()
        assert melete.done("restore", gone)["done"][0]["path"] == path
        assert picture(melete.skills / path) == mine
        assert {name: picture(melete.skills / name) for name in others} == others


def test_one_name_in_three_places_has_one_winner(cases: Cases, tmp_path: Path) -> None:
    """SK-16."""
    copy = cases.copy("SK-16")
    winners = set()
    for number, order in enumerate((sorted, lambda paths: sorted(paths, reverse=True))):
        base = tmp_path / f"copy{number}"
        for file in order(path for path in copy.rglob("SKILL.md")):
            target = base / file.relative_to(copy)
            target.parent.mkdir(parents=True)
            shutil.copy(file, target)
        melete = Melete(tmp_path / f"home{number}")
        melete.skills.mkdir(parents=True)
        (melete.skills / ".usage.json").write_text("{}")
        roots = [str(base / root) for root in cases.json("SK-16", "settings.json")["roots"]]
        melete.settings(f"[library]\nfolders = {json.dumps(roots)}\n")
        for _ in range(3):
            rows = melete.rows()
            assert len(rows) == 3
            open_ones = [path for path, row in rows.items() if row["shadowed_by"] is None]
            assert len(open_ones) == 1
            assert all(row["shadowed_by"] in (None, open_ones[0]) for row in rows.values())
            winner = Path(rows[open_ones[0]]["folder"]).relative_to(base)
            viewed = melete.tool("skill_view", {"name": "review"}, "chat")["result"]
            assert viewed["content"] == (base / winner / "SKILL.md").read_text()
            assert melete.done("resolve", "review")["id"] == open_ones[0]
            winners.add(winner)
        before = picture(base)
        refused = melete("archive", *[path for path in rows if path != open_ones[0]])
        assert refused.code == 1
        assert picture(base) == before
    assert winners == {Path("root-a/mine/review")}


def test_a_shadowed_row_of_the_home_is_archived_alone(cases: Cases) -> None:
    """SK-16: both in categories of the home."""
    copy = cases.copy("SK-16")
    melete = Melete(copy / "home")
    melete.home.mkdir()
    shutil.copytree(copy / "root-a", melete.skills)
    melete.done("archive", "team/review")
    assert (melete.skills / "mine/review/SKILL.md").exists()
    assert not (melete.skills / "team/review").exists()
    assert melete.done("resolve", "review")["id"] == "mine/review"


def test_one_skill_reached_over_links_is_one_skill(cases: Cases) -> None:
    """SK-17."""
    copy = cases.copy("SK-17")
    melete = Melete(copy / "home")
    melete.skills.mkdir(parents=True)
    (melete.skills / ".usage.json").write_text("{}")
    roots = [str(copy / root) for root in ("root-a", "root-b", "root-c")]
    melete.settings(f"[library]\nfolders = {json.dumps(roots)}\n")
    rows = melete.rows()
    expect = cases.json("SK-17", "expect.json")
    assert sorted(row["name"] for row in rows.values()) == expect["names"]
    assert len(melete.done("graph")["nodes"]) == expect["identities"]
    assert not [item for row in rows.values() for item in row["problems"] if "name" in item["message"].lower()]
    before = picture(copy / "root-a")
    assert melete("archive", "notes").code == 1
    assert picture(copy / "root-a") == before


def test_links_to_skills_inside_the_home_are_not_doubled(cases: Cases) -> None:
    """SK-17: the home itself holds the folder and a link to it."""
    copy = cases.copy("SK-17")
    melete = Melete(copy / "home")
    melete.home.mkdir()
    shutil.copytree(copy / "root-a", melete.skills, symlinks=True)
    assert sorted(row["name"] for row in melete.rows().values()) == ["notes", "plain-one"]
    melete.done("archive", "notes")
    assert sorted(melete.live()) == ["plain-one"]
    assert sorted(path.name for path in (melete.skills / ".archive").iterdir()) == ["notes"]
    melete.done("restore", "notes")
    assert sorted(melete.live()) == ["notes", "plain-one"]


def test_linked_folders_files_and_roots_are_listed_and_stay_links(cases: Cases) -> None:
    """SK-18."""
    copy = cases.copy("SK-18")
    melete = Melete(copy / "home")
    melete.skills.mkdir(parents=True)
    (melete.skills / ".usage.json").write_text("{}")
    melete.settings(f"[library]\nfolders = {json.dumps([str(copy / 'root-link')])}\n")
    rows = by_name(melete)
    assert set(rows) == set(cases.json("SK-18", "expect.json")["must_load"])
    for name, real in (("linked-dir", copy / "store/linked-dir"), ("linked-file", copy / "store/file-only.md")):
        assert rows[name]["load"] != "skip"
        assert Path(rows[name]["real"]) == real
        file = real / "SKILL.md" if real.is_dir() else real
        file.write_text(file.read_text() + "\nAppended.\n")
        assert "Appended." in melete.done("show", name)["body"]
    assert (copy / "library/linked-dir").is_symlink()
    assert (copy / "library/linked-file/SKILL.md").is_symlink()


def test_samples_inside_a_skill_are_not_skills(cases: Cases) -> None:
    """SK-21."""
    melete = cases.library("SK-21")
    melete.settings('[curator]\narchive = "automatic"\n')
    old = {"created_at": "2025-01-01T00:00:00+00:00", "last_used_at": "2025-11-27T12:00:00+00:00", "use_count": 1}
    melete.record(skill_writer=old, plain_one={**old, "last_used_at": "2026-06-14T12:00:00+00:00"})
    assert set(melete.rows()) == {"skill-writer", "plain-one"}
    before = picture(melete.skills / "skill-writer")
    for name in ("basic", "old-one", "demo"):
        assert not melete.tool("skill_view", {"name": name}, "chat")["ok"]
    melete.done("curator", "run")
    assert [path.name for path in (melete.skills / ".archive").iterdir()] == ["skill-writer"]
    assert picture(melete.skills / ".archive/skill-writer") == before


def test_hidden_and_generated_folders_hold_no_skills(cases: Cases) -> None:
    """SK-22."""
    melete = cases.library("SK-22")
    assert melete.archived() == set(cases.json("SK-22", "expect.json")["archive"])
    pack = melete.skills / "node_modules/pack2"
    pack.mkdir()
    (pack / "SKILL.md").write_text("---\nname: pack2\ndescription: must stay invisible\n---\n")
    assert melete.live() == {"plain-one"}
    assert melete.done("catalogue")["listed"] == ["plain-one"]


def test_incomplete_skills_are_not_offered_to_a_model(cases: Cases) -> None:
    """SK-28."""
    melete = cases.library("SK-28")
    rows = melete.rows()
    offered = set(melete.done("catalogue")["listed"])
    assert offered == {row["name"] for row in rows.values() if row["load"] != "skip"}
    assert all(row["description"] for row in rows.values() if row["name"] in offered)
    for path in cases.json("SK-28", "expect.json")["must_report"]:
        assert "Traceback" not in json.dumps(rows[path]["problems"])
        assert Path(rows[path]["folder"]).is_dir()


@pytest.mark.slow
def test_a_large_graph_has_all_nodes_and_relations(cases: Cases) -> None:
    """GR-01: the numbers; the picture is tried with the window."""
    melete = cases.library("GR-01", managed=False)
    expect = cases.json("GR-01", "expect.json")
    drawn = melete.done("graph")
    assert len(drawn["nodes"]) == expect["nodes"]
    related = {(edge["from"], edge["to"]) for edge in drawn["edges"] if edge["kind"] == "related"}
    assert len(related) == expect["edges"]
