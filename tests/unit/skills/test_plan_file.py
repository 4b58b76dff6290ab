"""A plan of an interrupted action that is no readable file: said, kept aside, and the library goes on."""

from pathlib import Path

import pytest

from app.cli.main import run


@pytest.mark.parametrize("what", ["folder", "rubbish"])
def test_a_plan_that_is_none_is_kept_aside_and_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], what: str
) -> None:
    home = tmp_path / "home"
    assert run(["--home", str(home), "list"]) == 0
    plan = home / "skills/.melete/plan.json"
    if what == "folder":
        (plan / "inside").mkdir(parents=True)
    else:
        plan.write_bytes(b"\x00{")
    capfd.readouterr()
    assert run(["--home", str(home), "pin", "writing-skills"]) == 0
    told = capfd.readouterr()
    assert "kept as a copy" in told.err
    assert "bug" not in told.err
    assert (home / "skills/.melete/aside/1/plan.json").exists()
    assert not plan.exists()
    assert run(["--home", str(home), "list"]) == 0
    assert capfd.readouterr().err == ""
