"""Homes without permission: each command says in one sentence what cannot be used, and nothing is lost.

Root may read everything, so the command is run by a process that has become somebody else.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases.runner import PROJECT, Answer

NOBODY = 65534
#: Everything is imported, and commands run, before the rights are given away: nobody may not read the libraries.
SCRIPT = """
import contextlib, io, json, os, sys, tempfile
from app.cli.main import run
def quietly(words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    return code, out.getvalue(), err.getvalue()
with tempfile.TemporaryDirectory() as warm:
    for words in (["doctor"], ["chat", "-m", "hello"], ["curator", "run", "--dry-run"]):
        quietly(["--home", warm, *words])
if os.getuid() == 0:
    os.setgroups([]), os.setgid(NOBODY), os.setuid(NOBODY)
print(json.dumps([quietly(words) for words in json.loads(sys.argv[1])]))
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions of another kind"),
]


def asked(home: Path, *commands: str) -> dict[str, Answer]:
    """Run commands one after another as somebody without rights; their answers by command."""
    words = [["--home", str(home), *command.split()] for command in commands]
    script = SCRIPT.replace("NOBODY", str(NOBODY))
    environ = {**os.environ, "PYTHONPATH": str(PROJECT), "HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", script, json.dumps(words)],
        capture_output=True, text=True, timeout=120, env=environ, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answers = [Answer(*parts) for parts in json.loads(done.stdout)]
    for answer in answers:
        assert "bug in Melete" not in answer.err, answer.err
        assert "Traceback" not in answer.err
    return dict(zip(commands, answers, strict=True))


@pytest.fixture
def home() -> Iterator[Path]:
    """A home with the bundled skills that belongs to nobody. Not below pytest's own folder, which is root's alone."""
    with tempfile.TemporaryDirectory(prefix="melete-rights-") as name:
        Path(name).chmod(0o755)
        made = Path(name) / "home"
        made.mkdir()
        if os.getuid() == 0:
            os.chown(made, NOBODY, NOBODY)
        assert asked(made, "list", "chat -m hello")["list"].code == 0
        yield made
        subprocess.run(["chmod", "-R", "u+rwX", str(made)], check=True)


def content(home: Path) -> dict[str, bytes]:
    """All files of the library as root (or the owner) sees them."""
    skills = home / "skills"
    return {str(path.relative_to(skills)): path.read_bytes() for path in sorted(skills.rglob("*.md"))}


def test_a_read_only_home_is_read_and_says_what_cannot_be_written(home: Path) -> None:
    before = content(home)
    subprocess.run(["chmod", "-R", "a-w", str(home)], check=True)
    told = asked(home, "list", "show writing-skills", "search git", "history", "pin writing-skills", "chat -m hi")
    assert [told[one].code for one in ("list", "show writing-skills", "search git", "history")] == [0, 0, 0, 0]
    assert "writing-skills" in told["list"].out
    for command in ("pin writing-skills", "chat -m hi"):
        assert told[command].code == 1
        assert "permission" in told[command].err.lower() or "writable" in told[command].err
    assert content(home) == before


def test_a_library_that_cannot_be_listed_was_not_emptied(home: Path) -> None:
    before = content(home)
    (home / "skills").chmod(0)
    told = asked(home, "list", "pin writing-skills", "search git", "doctor", "curator run", "history")
    (home / "skills").chmod(0o755)
    assert "no skills can be shown" in told["list"].out
    for command, answer in told.items():
        if command != "history":
            assert "Change its permissions" in answer.err + answer.out, command
    assert content(home) == before
    after = asked(home, "list", "history")
    assert "10 active" in after["list"].out
    assert [line.split()[3] for line in after["history"].out.splitlines()] == ["import"]


@pytest.mark.parametrize("mode", [0o000, 0o444, 0o111])
def test_a_home_that_cannot_be_entered_is_named_itself(home: Path, mode: int) -> None:
    home.chmod(mode)
    told = asked(home, "list")["list"]
    home.chmod(0o755)
    assert told.code == 1
    assert told.err.startswith(f"No home there. {home} cannot be a home: Permission denied.")


def test_a_skill_that_cannot_be_read_is_a_row_with_the_reason_and_goes_through_the_archive_whole(home: Path) -> None:
    before = content(home)
    file = home / "skills/writing-skills/SKILL.md"
    file.chmod(0)
    told = asked(
        home, "list --state broken", "show writing-skills", "archive writing-skills", "restore writing-skills", "doctor"
    )
    assert "Permission denied" in told["list --state broken"].out
    assert "Change its permissions" in told["show writing-skills"].out
    assert told["archive writing-skills"].code == told["restore writing-skills"].code == 0
    file.chmod(0o644)
    assert content(home) == before


def test_a_folder_of_skills_that_cannot_be_listed_keeps_their_pins_and_history(home: Path) -> None:
    folder = home / "skills/category"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner/SKILL.md").write_text("---\nname: inner\ndescription: x\n---\n\nBody\n")
    if os.getuid() == 0:
        subprocess.run(["chown", "-R", str(NOBODY), str(folder)], check=True)
    asked(home, "pin inner")
    folder.chmod(0)
    told = asked(home, "list", "doctor")
    assert "cannot be listed" in told["list"].out
    folder.chmod(0o755)
    after = asked(home, "list", "history inner")
    assert "inner [pinned]" in after["list"].out
    assert [line.split()[3] for line in after["history inner"].out.splitlines()] == ["pin", "outside"]


def test_a_database_that_cannot_be_read_leaves_the_library_usable(home: Path) -> None:
    data = (home / "melete.db").read_bytes()
    (home / "melete.db").chmod(0)
    told = asked(home, "list", "pin writing-skills", "search git", "search git --in sessions", "chat -m hi")
    assert [told[one].code for one in ("list", "pin writing-skills", "search git")] == [0, 0, 0]
    assert "reading-git-history" in told["search git"].out
    for command in ("search git", "search git --in sessions", "chat -m hi"):
        assert "change the permissions" in told[command].err, command
    assert told["chat -m hi"].code == 1
    (home / "melete.db").chmod(0o644)
    assert (home / "melete.db").read_bytes() == data


def test_a_usage_file_that_cannot_be_read_refuses_a_pin_before_anything_is_begun(home: Path) -> None:
    usage = home / "skills/.usage.json"
    if not usage.exists():
        asked(home, "pin writing-skills", "unpin writing-skills")
    usage.chmod(0)
    told = asked(home, "pin writing-skills", "list")
    assert told["pin writing-skills"].code == 1
    assert "permissions" in told["pin writing-skills"].err
    assert not (home / "skills/.melete/plan.json").exists()
    usage.chmod(0o644)
    assert "[pinned]" not in asked(home, "list")["list"].out


def test_a_history_that_cannot_be_read_is_told_once_and_never_said_to_be_moved_away(home: Path) -> None:
    folder = home / "history.git"
    folder.chmod(0)
    told = asked(home, "list", "pin writing-skills")
    folder.chmod(0o755)
    assert "writing-skills" in told["list"].out
    assert told["list"].err.count("The history cannot be read") == 1
    assert "Change its permissions" in told["pin writing-skills"].err
    assert "Move it away" not in told["list"].err
