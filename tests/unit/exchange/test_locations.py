"""What a source's text means, and which addresses are not taken."""

from pathlib import Path

import pytest

from app.errors import AppError, Kind
from app.exchange.location import locate
from app.exchange.values import Location, SourceKind
from tests.unit.exchange.conftest import skill_text


@pytest.mark.parametrize(
    ("text", "place", "ref", "inside"),
    [
        ("https://h.org/o/r", "https://h.org/o/r", "", ""),
        ("https://h.org/o/r.git#next", "https://h.org/o/r.git", "next", ""),
        ("https://h.org/o/r#v1:skills/a", "https://h.org/o/r", "v1", "skills/a"),
        ("https://github.com/o/r/tree/main/skills/a", "https://github.com/o/r", "main", "skills/a"),
        ("https://gitlab.com/o/r/-/tree/main/s/", "https://gitlab.com/o/r", "main", "s"),
    ],
)
def test_addresses_name_a_repository_a_branch_and_a_folder(text: str, place: str, ref: str, inside: str) -> None:
    assert locate(text) == Location(SourceKind.GIT, place, ref, inside)


@pytest.mark.parametrize(
    "text",
    [
        "http://h.org/o/r",
        "git://h.org/o/r",
        "ssh://h.org/o/r",
        "git@h.org:o/r.git",
        "ext::sh -c x://y",
        "ftp://h.org/r",
        "https://user:pw@h.org/o/r",
        "https://h.org",
        "https://h.org/o/r#a..b",
    ],
)
def test_addresses_that_are_not_taken_say_why(text: str) -> None:
    with pytest.raises(AppError) as told:
        locate(text)
    assert told.value.kind in (Kind.USAGE, Kind.NOT_FOUND)


def test_a_folder_that_leads_out_of_the_repository_is_refused() -> None:
    with pytest.raises(AppError, match="not a path inside"):
        locate("https://h.org/o/r#main:../../x")


def test_plain_http_passes_when_it_is_allowed() -> None:
    assert locate("http://h.org/o/r", insecure=True).place == "http://h.org/o/r"


def test_paths_are_told_apart_by_what_they_are(folder, archive, bare, tmp_path: Path) -> None:
    root = folder({"a/SKILL.md": skill_text("a")})
    assert locate(str(root)).kind is SourceKind.FOLDER
    assert locate(str(root / "a" / "SKILL.md")).place == str(root / "a")
    assert locate(str(archive([("a/SKILL.md", b"")]))).kind is SourceKind.ZIP
    assert locate(f"file://{bare({'a/SKILL.md': b''})}").kind is SourceKind.GIT
    (tmp_path / "x.txt").write_text("x")
    with pytest.raises(AppError, match="no zip"):
        locate(str(tmp_path / "x.txt"))
    with pytest.raises(AppError, match="does not exist"):
        locate(str(tmp_path / "nowhere"))
