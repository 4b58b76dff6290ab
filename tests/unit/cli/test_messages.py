"""What the command line says on standard error can be shown to anybody's terminal."""

import json
import os
from pathlib import Path

import pytest

from app.cli.main import run


@pytest.mark.parametrize("command", ["show", "resolve"])
def test_a_name_with_control_and_bidi_characters_is_escaped_in_the_answer(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    code = run(["--home", str(tmp_path / "home"), command, "no\x1b[31msuch\u202eskill"])
    told = capfd.readouterr().err
    assert code == 1
    assert "skill" in told
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert "202e" in told.lower()


def answer(capfd: pytest.CaptureFixture[str], home: Path, *words: str) -> tuple[int, str]:
    capfd.readouterr()
    code = run(["--home", str(home), *words])
    return code, capfd.readouterr().out


def test_a_broken_skill_is_shown_with_its_reason_and_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "home/skills/torn"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("no front matter")
    code, told = answer(capfd, tmp_path / "home", "show", "torn")
    assert code == 0
    assert "FM.OPEN line 1" in told
    assert "no front matter" in told
    (folder / "SKILL.md").unlink()
    (folder / "SKILL.md").mkdir()
    assert "SKILL.md is a folder" in answer(capfd, tmp_path / "home", "show", "torn")[1]


def test_a_query_that_nothing_fits_says_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--home", str(tmp_path / "home"), "list", "--query", "nothing-like-this"]) == 0
    said = capfd.readouterr()
    assert "No skill fits" in said.err
    assert said.out == "10 active\n"


def test_a_finding_about_a_folder_names_no_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, told = answer(capfd, tmp_path / "home", "validate", str(tmp_path / "nowhere"))
    assert code == 1
    assert "error DIR.MISSING: " in told


def test_doctor_says_which_skill_is_broken_in_a_whole_sentence(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "home/skills/torn"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("no front matter")
    assert "NOT library: broken: torn. `melete validate`" in answer(capfd, tmp_path / "home", "doctor")[1]


def test_doctor_sees_a_library_that_cannot_be_written(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    assert "ok  home: " in answer(capfd, home, "doctor")[1]
    monkeypatch.setattr(os, "access", lambda place, mode: Path(place) != home / "skills")  # root may write anywhere
    code, told = answer(capfd, home, "doctor")
    assert code == 1
    assert f"NOT home: {home / 'skills'} cannot be written. Change the permissions." in told


def test_the_history_of_a_skill_deleted_outside_leads_back_to_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    folder = home / "skills/brief"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: brief\ndescription: Be brief. Use always.\n---\n\nBe brief.\n")
    assert answer(capfd, home, "list")[0] == 0
    (folder / "SKILL.md").unlink()
    folder.rmdir()
    code, told = answer(capfd, home, "history", "brief")
    assert code == 0
    assert answer(capfd, home, "undo", told.split()[0])[0] == 0
    assert "Be brief." in (folder / "SKILL.md").read_text()
    assert answer(capfd, home, "history", "never-was")[0] == 1


def test_the_name_of_a_skill_that_is_gone_is_enough_while_only_one_had_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    for place in ("notes/brief", "talks/brief"):
        folder = home / "skills" / place
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\nname: brief\ndescription: Brief in {place}.\n---\n\nText\n")
        assert answer(capfd, home, "list")[0] == 0
        (folder / "SKILL.md").unlink()
        folder.rmdir()
        assert answer(capfd, home, "list")[0] == 0
        if place == "notes/brief":
            code, told = answer(capfd, home, "history", "brief")
            assert (code, len(told.splitlines())) == (0, 2)
            assert "notes/brief" in told
    assert answer(capfd, home, "history", "brief")[0] == 1
    assert answer(capfd, home, "history", "notes/brief")[0] == 0


def test_a_source_that_is_not_there_is_refused_by_every_command_alike(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    gone = str(tmp_path / "gone.json")
    for words in (("import", gone), ("sessions", "import", gone), ("trajectories", "check", gone)):
        assert answer(capfd, tmp_path / "home", *words)[0] == 1


def test_removing_the_last_memory_says_that_nothing_is_left(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "home"
    assert answer(capfd, home, "memory", "add", "I like tea")[1].strip() == "memory: I like tea"
    assert answer(capfd, home, "memory", "remove", "tea") == (0, "nothing is remembered here\n")


@pytest.mark.parametrize("name", ["..", "a/../../b", ".", "x\\y"])
def test_a_name_that_is_a_path_is_never_shown_as_a_name(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    folder = tmp_path / "home/skills/own-name"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: x\n---\n\nBody\n")
    (row,) = json.loads(answer(capfd, tmp_path / "home", "list", "--json")[1])["skills"]
    assert row["name"] == "own-name"
    assert "NAME.CHARSET" in {item["rule"] for item in row["problems"]}


def test_folders_that_differ_in_composition_or_case_only_collide(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for folder, name in (("caf\u00e9", "one"), ("cafe\u0301", "two"), ("x/Abc", "three"), ("x/abc", "four")):
        (tmp_path / "all" / folder).mkdir(parents=True)
        (tmp_path / "all" / folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: x\n---\n\nBody\n")
    lines = answer(capfd, tmp_path, "validate", str(tmp_path / "all"), "--json")[1].splitlines()
    groups = [[Path(path).name for path in group] for group in json.loads(lines[-1])["collisions"]]
    assert groups == [["cafe\u0301", "caf\u00e9"], ["Abc", "abc"]]


def test_the_tour_stands_in_the_list_of_commands(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    assert "\n  tour " in capfd.readouterr().out
