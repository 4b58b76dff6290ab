"""The files of one skill, changed by hand: each act is one step that can be undone."""

from pathlib import Path

import pytest

from app.clock import system_clock
from app.cycles.folder import add_file, copy_in, remove_files, rename_file
from app.cycles.home import OpenHome, home_key
from app.cycles.library import change, undo_entry
from app.errors import AppError
from app.skills.values import Action, Request

TEXT = "---\nname: tea\ndescription: Brew tea.\n---\n\nPour.\n"


@pytest.fixture
def home(tmp_path: Path):
    opened = OpenHome(home_key(tmp_path / "home", system_clock))
    change(opened, Request(Action.CREATE, "tea", content=TEXT))
    yield opened
    opened.close()


def files(home: OpenHome) -> set[str]:
    return set(home.live.files("tea") or {})


def test_a_file_is_added_once_renamed_with_its_mode_and_removed_and_each_step_can_be_undone(home: OpenHome) -> None:
    add_file(home, "tea", "scripts/pour.sh", b"#!/bin/sh\n")
    with pytest.raises(AppError, match="already"):
        add_file(home, "tea", "scripts/pour.sh")
    (home.home.skills / "tea" / "scripts" / "pour.sh").chmod(0o755)
    renamed = rename_file(home, "tea", "scripts", "tools")
    assert files(home) == {"SKILL.md", "tools/pour.sh"}
    assert (home.home.skills / "tea" / "tools" / "pour.sh").stat().st_mode & 0o100
    removed = remove_files(home, "tea", "tools")
    assert files(home) == {"SKILL.md"}
    for entry in (removed.entry, renamed.entry):
        undo_entry(home, entry or "")
    assert files(home) == {"SKILL.md", "scripts/pour.sh"}


def test_dropped_files_and_folders_come_in_as_one_step_and_what_is_not_kept_stays(
    home: OpenHome, tmp_path: Path
) -> None:
    (home.home.skills / "tea" / "film.bin").write_bytes(b"x" * 2_000_001)
    (tmp_path / "notes" / "deep").mkdir(parents=True)
    (tmp_path / "notes" / "deep" / "a.md").write_text("a")
    (tmp_path / "b.md").write_text("b")
    copy_in(home, "tea", [tmp_path / "notes", tmp_path / "b.md"], "references")
    assert files(home) == {"SKILL.md", "references/notes/deep/a.md", "references/b.md"}
    assert (home.home.skills / "tea" / "film.bin").stat().st_size == 2_000_001


def test_skill_md_keeps_its_name_and_is_not_replaced_by_a_drop(home: OpenHome, tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_text("other")
    with pytest.raises(AppError, match="keeps its name"):
        rename_file(home, "tea", "SKILL.md", "OTHER.md")
    with pytest.raises(AppError, match=r"SKILL\.md would be replaced"):
        copy_in(home, "tea", [tmp_path / "SKILL.md"])
    with pytest.raises(AppError):
        remove_files(home, "tea", "SKILL.md")
    assert (home.home.skills / "tea" / "SKILL.md").read_text(encoding="utf-8") == TEXT


def test_a_name_that_leads_outside_is_refused(home: OpenHome) -> None:
    for path in ("../evil", "/etc/evil", "a//b", ".git/config"):
        with pytest.raises(AppError):
            add_file(home, "tea", path)
    assert files(home) == {"SKILL.md"}
