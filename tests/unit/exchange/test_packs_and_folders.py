"""Which skills a source holds, and what of them is taken."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.cancel import Cancelled, CancelToken
from app.errors import AppError
from app.exchange.folders import hidden_folders, read_folder_packs
from app.exchange.limits import Limits, path_problem, twins
from app.exchange.packs import read_packs, skill_roots
from app.exchange.zips import open_zip
from tests.unit.exchange.conftest import SYMLINK, skill_text

LIMITS = Limits()


def packs_of(path: Path, limits: Limits = LIMITS):
    with open_zip(path, limits) as items:
        return read_packs(items, path.stem, limits, CancelToken())


def test_several_skills_of_one_archive_are_found_at_any_depth(archive) -> None:
    made = archive(
        [("repo/skills/a/SKILL.md", skill_text("a")), ("repo/b/SKILL.md", skill_text("b")), ("repo/x.md", b"")]
    )
    assert [pack.path for pack in packs_of(made)] == ["repo/b", "repo/skills/a"]


def test_a_skill_at_the_top_is_named_after_the_archive(archive) -> None:
    (pack,) = packs_of(archive([("SKILL.md", skill_text("demo")), ("references/a.md", b"a")], name="demo.skill"))
    assert (pack.path, pack.folder, sorted(pack.files)) == ("", "demo", ["SKILL.md", "references/a.md"])


def test_a_skill_inside_a_skill_belongs_to_it() -> None:
    assert skill_roots(["a/SKILL.md", "a/examples/b/SKILL.md", "c/d/skill.md"]) == ("a", "c/d")


def test_links_and_litter_are_left_out_and_named(archive) -> None:
    rows = [
        ("demo/SKILL.md", skill_text("demo")),
        ("demo/l", b"/etc/passwd"),
        ("demo/__MACOSX/x", b""),
        ("demo/node_modules/x/a.js", b""),
    ]
    (pack,) = packs_of(archive(rows, {"demo/l": SYMLINK}))
    assert sorted(pack.files) == ["SKILL.md"]
    assert {item.path for item in pack.left_out} == {"l", "__MACOSX/x", "node_modules/x/a.js"}


def test_a_linked_skill_file_is_no_skill_to_take(archive) -> None:
    (pack,) = packs_of(archive([("demo/SKILL.md", b"/etc/passwd"), ("demo/a.md", b"")], {"demo/SKILL.md": SYMLINK}))
    assert "SKILL.md" in pack.problem
    assert "SKILL.md" not in pack.files


@pytest.mark.parametrize("pair", [("A.md", "a.md"), ("caf\u00e9.md", "cafe\u0301.md"), ("x", "X/y.md"), ("D/a", "d/b")])
def test_names_some_disks_cannot_tell_apart_are_a_problem(archive, pair: tuple[str, str]) -> None:
    rows = [("demo/SKILL.md", skill_text("demo")), *((f"demo/{name}", b"") for name in pair)]
    (pack,) = packs_of(archive(rows))
    assert "apart" in pack.problem


@pytest.mark.parametrize("path", ["a/b ", "a.", "a\x07b", "x/" * 13 + "y", "n" * 201])
def test_paths_no_disk_should_get_are_a_problem(path: str) -> None:
    assert path_problem(path)


def test_a_file_over_the_limit_is_the_skills_problem_and_its_neighbour_comes_in(archive) -> None:
    made = archive([("a/SKILL.md", skill_text("a")), ("a/big.bin", os.urandom(3000)), ("b/SKILL.md", skill_text("b"))])
    large, plain = packs_of(made, Limits(file=2000))
    assert "big.bin" in large.problem
    assert plain.problem == ""


def test_a_folder_of_categories_gives_its_skills_with_their_places(folder) -> None:
    root = folder(
        {"web/a/SKILL.md": skill_text("a"), "b/SKILL.md": skill_text("b"), ".git/c/SKILL.md": skill_text("c")}
    )
    assert [pack.path for pack in read_folder_packs(root, Limits(), CancelToken())] == ["b", "web/a"]


def test_folders_that_are_not_looked_into_are_named_with_their_skills(folder) -> None:
    root = folder(
        {
            "a/SKILL.md": skill_text("a"),
            "a/.inside/x/SKILL.md": skill_text("x"),
            ".agents/skills/b/SKILL.md": skill_text("b"),
            ".agents/skills/c/SKILL.md": skill_text("c"),
            "web/.old/SKILL.md": skill_text("old"),
            ".git/SKILL.md": skill_text("git"),
            "node_modules/.x/SKILL.md": skill_text("x"),
        }
    )
    assert [one.text for one in hidden_folders(root, CancelToken())] == [".agents (2 skills)", "web/.old (1 skill)"]
    assert hidden_folders(root / "a", CancelToken()) == ()


def test_a_link_out_of_a_folder_is_never_read(folder, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    root = folder({"a/SKILL.md": skill_text("a")})
    (root / "a" / "out").symlink_to(tmp_path / "secret")
    (root / "linked").symlink_to(root / "a")
    one, linked = read_folder_packs(root, Limits(), CancelToken())
    assert sorted(one.files) == ["SKILL.md"]
    assert linked.problem
    assert linked.files == {}


def test_a_pipe_in_a_folder_does_not_hold_the_import_up(folder) -> None:
    root = folder({"a/SKILL.md": skill_text("a")})
    os.mkfifo(root / "a" / "pipe")
    (pack,) = read_folder_packs(root, Limits(), CancelToken())
    assert [(item.path, item.why) for item in pack.left_out] == [("pipe", "not a file")]


def test_a_folder_larger_than_allowed_is_refused_before_it_is_read(folder) -> None:
    root = folder({"a/SKILL.md": skill_text("a"), "a/x.bin": b"x" * 5000})
    with pytest.raises(AppError, match="Too large"):
        read_folder_packs(root, Limits(unpacked=4000), CancelToken())


def test_reading_a_folder_stops_when_it_is_asked_to(folder) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        read_folder_packs(folder({"a/SKILL.md": skill_text("a")}), Limits(), token)


@settings(max_examples=40)
@given(
    st.lists(
        st.text("aB/", min_size=1, max_size=5).filter(lambda text: "//" not in text and text.strip("/") == text),
        unique=True,
    )
)
def test_paths_without_twins_differ_on_every_disk(paths: list[str]) -> None:
    clashing = set(twins(paths))
    alone = [path.casefold() for path in paths if path not in clashing]
    assert len(alone) == len(set(alone))
    assert not any(one.startswith(f"{other}/") for one in alone for other in alone)
