"""A repository is read from its objects alone: nothing in it is obeyed, and no name in it leaves its folder."""

from pathlib import Path

import pytest

from app.cancel import CancelToken
from app.errors import AppError
from app.exchange.git_tree import GitTree
from app.exchange.limits import Limits
from app.exchange.packs import read_packs
from tests.unit.exchange.conftest import skill_text

HOOK = "#!/bin/sh\ntouch {}\n"


def packs_of(path: Path, ref: str = ""):
    return read_packs(GitTree(path, ref).items(Limits(), CancelToken()), "source", Limits(), CancelToken())


def test_files_and_execute_bits_of_the_newest_commit_are_read(bare) -> None:
    (pack,) = packs_of(bare({"skills/demo/SKILL.md": skill_text("demo"), "skills/demo/run.sh": (0o100755, b"x")}))
    assert {path: blob.kind.value for path, blob in pack.files.items()} == {"SKILL.md": "file", "run.sh": "executable"}


def test_links_and_submodules_are_left_out(bare) -> None:
    rows = {
        "demo/SKILL.md": skill_text("demo"),
        "demo/l": (0o120000, b"/etc/passwd"),
        "demo/sub": (0o160000, b"\x11" * 20),
    }
    (pack,) = packs_of(bare(rows))
    assert sorted(pack.files) == ["SKILL.md"]
    assert {item.path: item.why.split(";")[0] for item in pack.left_out} == {"l": "a link", "sub": "a submodule"}


@pytest.mark.parametrize("name", ["..", ".", "a\\b", "a\u2215b"])
def test_a_name_that_could_leave_its_folder_refuses_the_repository(bare, name: str) -> None:
    with pytest.raises(AppError, match="could leave the folder"):
        packs_of(bare({"demo/SKILL.md": skill_text("demo"), f"demo/{name}": b"x"}))


def test_a_dot_git_folder_inside_is_left_out(bare) -> None:
    (pack,) = packs_of(bare({"demo/SKILL.md": skill_text("demo"), "demo/.git/config": b"[core]\n"}))
    assert sorted(pack.files) == ["SKILL.md"]


def test_the_repositorys_own_configuration_is_never_read(bare, tmp_path: Path) -> None:
    path = bare({"demo/SKILL.md": skill_text("demo")})
    (path / "config").write_text("this is [no configuration\n\tworktree = /\n")
    (path / "hooks").mkdir(exist_ok=True)
    (path / "hooks" / "post-checkout").write_text(HOOK.format(tmp_path / "ran"))
    assert [pack.path for pack in packs_of(path)] == ["demo"]
    assert not (tmp_path / "ran").exists()


def test_packed_references_and_detached_heads_are_found(bare) -> None:
    path = bare({"demo/SKILL.md": skill_text("demo")})
    commit = GitTree(path).commit
    (path / "refs" / "heads" / "main").unlink()
    (path / "packed-refs").write_text(f"# pack-refs with: peeled\n{commit} refs/heads/main\n")
    assert GitTree(path).commit == commit
    assert GitTree(path, "main").commit == commit
    (path / "HEAD").write_text(f"{commit}\n")
    assert GitTree(path).commit == commit


def test_a_branch_that_is_not_there_is_named(bare) -> None:
    with pytest.raises(AppError, match="'next'"):
        GitTree(bare({"demo/SKILL.md": skill_text("demo")}), "next")


def test_a_missing_object_is_told_as_damage(bare) -> None:
    path = bare({"demo/SKILL.md": skill_text("demo")})
    commit = GitTree(path).commit
    (path / "objects" / commit[:2] / commit[2:]).unlink()
    with pytest.raises(AppError, match="damaged"):
        GitTree(path)


def test_a_tree_of_very_many_names_is_refused(bare) -> None:
    path = bare({f"demo/{number}.md": b"" for number in range(60)})
    with pytest.raises(AppError, match="Too large"):
        GitTree(path).items(Limits(files=10), CancelToken())
