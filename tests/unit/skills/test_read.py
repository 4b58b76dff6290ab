"""Reading the files of a skill: inside it only, never through links, never blocking."""

import os
from pathlib import Path

import pytest

from app.clock import system_clock
from app.errors import AppError, Kind
from app.paths import Home
from app.settings import LibrarySettings
from app.skills.read import list_files, read_file, read_skill_text
from app.skills.scan import scan
from app.skills.values import Skill


@pytest.fixture
def skill(tmp_path: Path) -> Skill:
    folder = tmp_path / "home" / "skills" / "demo"
    (folder / "references").mkdir(parents=True)
    (folder / "SKILL.md").write_bytes(b"\xef\xbb\xbf---\r\nname: demo\r\ndescription: d\r\n---\r\nBody\r\n")
    (folder / "references" / "a.md").write_text("text")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("secret")
    (folder / "link").symlink_to(tmp_path / "secret" / "key")
    (folder / "folder").symlink_to(tmp_path / "secret")
    os.mkfifo(folder / "pipe")
    (row,) = scan(Home(tmp_path / "home"), LibrarySettings(), system_clock).skills
    return row


def test_the_text_keeps_its_line_ends_and_loses_the_byte_order_mark(skill: Skill) -> None:
    assert read_skill_text(skill) == "---\r\nname: demo\r\ndescription: d\r\n---\r\nBody\r\n"


def test_links_and_pipes_are_listed(skill: Skill) -> None:
    assert list_files(skill) == ("SKILL.md", "folder", "link", "pipe", "references/a.md")


def test_a_file_is_read_by_its_path(skill: Skill) -> None:
    assert read_file(skill, "references/a.md") == b"text"


@pytest.mark.parametrize("path", ["link", "folder/key", "pipe", "references", "../secret/key", "/etc/passwd", ""])
def test_what_is_no_plain_file_inside_is_not_read(skill: Skill, path: str) -> None:
    with pytest.raises(AppError) as caught:
        read_file(skill, path)
    assert caught.value.kind is Kind.INVALID


@pytest.mark.parametrize("path", ["gone.md", "gone/a.md"])
def test_a_missing_file_is_said_to_be_missing(skill: Skill, path: str) -> None:
    with pytest.raises(AppError) as caught:
        read_file(skill, path)
    assert caught.value.kind is Kind.NOT_FOUND


def test_a_skill_that_went_away_is_said_to_be_missing(skill: Skill) -> None:
    (skill.folder / "SKILL.md").unlink()
    with pytest.raises(AppError) as caught:
        read_skill_text(skill)
    assert caught.value.kind is Kind.NOT_FOUND
