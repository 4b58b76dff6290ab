"""The reference validator's verdict: asked in a child, which may crash or hang over one skill; others have theirs."""

import sys
from pathlib import Path

import pytest

from app.skills import reference
from app.skills.validate import validate_path

FAKE = """
import os, signal
def validate(folder):
    if folder.name == "hangs":
        signal.pause()
    if folder.name == "dies":
        os._exit(139)
    if folder.name == "raises":
        raise RuntimeError("no")
    return ["wrong"] if folder.name == "wrong" else []
"""


@pytest.fixture
def validator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A validator that breaks in all ways, in the place of the real one."""
    package = tmp_path / "package/skills_ref"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "validator.py").write_text(FAKE)
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    monkeypatch.setattr(reference, "is_installed", lambda: True)
    monkeypatch.setattr("app.skills.validate.is_installed", lambda: True)


def put(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: d\n---\n\nBody\n")


@pytest.mark.usefixtures("validator")
def test_each_skill_gets_its_own_verdict_whatever_the_others_do() -> None:
    folders = ["/x/fine", "/x/dies", "/x/wrong", "/x/raises", "/x/hangs", "/x/good", "/x/dies"]
    assert list(reference.verdicts(folders, seconds=0.7)) == [
        "valid", "crash", "invalid", "crash", "crash", "valid", "crash",
    ]  # fmt: skip


@pytest.mark.usefixtures("validator")
def test_a_folder_of_many_has_a_verdict_in_each_line(tmp_path: Path) -> None:
    put(tmp_path / "all", "dies", "fine", "wrong")
    lines = list(validate_path(tmp_path / "all"))
    assert [line["reference"] for line in lines[:-1]] == ["crash", "valid", "invalid"]
    assert lines[-1] == {"collisions": []}


def test_without_the_package_there_is_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "skills_ref", None)
    put(tmp_path, "one")
    (line,) = validate_path(tmp_path / "one")
    assert line["reference"] is None
