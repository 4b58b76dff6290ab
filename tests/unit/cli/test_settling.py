"""Conflicts and losses of a proposal can be dealt with on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import run

TEXT = "---\nname: {name}\ndescription: Does {name}. Use for {name}.\n---\n\n# {name}\n\n{body}\n"
LINES = "\n".join(f"- point {number}" for number in range(20))


@pytest.fixture
def cli(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Any:
    def say(*args: str, code: int = 0) -> Any:
        capfd.readouterr()
        ended = run(["--home", str(tmp_path / "home"), *args, "--json"])
        said = capfd.readouterr()
        assert ended == code, said
        return json.loads(said.out)

    for name in ("alpha", "beta"):
        folder = tmp_path / "home" / "skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(TEXT.format(name=name, body=LINES), encoding="utf-8")
    records = {name: {"created_by": "agent", "created_at": "2020-01-01T00:00:00+00:00"} for name in ("alpha", "beta")}
    (tmp_path / "home" / "skills" / ".usage.json").write_text(json.dumps(records), encoding="utf-8")
    return say


def test_a_conflict_is_settled_and_then_approved(cli: Any, tmp_path: Path) -> None:
    wish = {"action": "patch", "name": "alpha", "old_string": "point 7", "new_string": "point 7 theirs"}
    proposal = cli("tool", "skill_manage", json.dumps(wish), "--origin", "curator")["proposal"]
    file = tmp_path / "home" / "skills" / "alpha" / "SKILL.md"
    file.write_text(file.read_text().replace("point 7", "point 7 mine"), encoding="utf-8")
    assert cli("proposals", "show", proposal)["changes"][0]["conflicts"] == ["SKILL.md"]
    cli("proposals", "approve", proposal, "--all", code=1)
    settled = cli("proposals", "settle", proposal, "--change", "c1", "--take", "theirs")
    assert settled["changes"][0]["conflicts"] == []
    assert cli("proposals", "approve", proposal, "--all")["applied"] == ["c1"]
    assert "point 7 theirs" in file.read_text()


def test_what_a_merge_drops_is_listed_and_kept(cli: Any, tmp_path: Path) -> None:
    wish = {"action": "delete", "name": "alpha", "absorbed_into": "beta"}
    file = tmp_path / "home" / "skills" / "alpha" / "SKILL.md"
    file.write_text(file.read_text() + "\nMind the gap.\n", encoding="utf-8")
    proposal = cli("tool", "skill_manage", json.dumps(wish), "--origin", "curator")["proposal"]
    loss = cli("proposals", "show", proposal)["changes"][0]["loss"]
    assert {"unit", "kind", "text"} == set(loss["units"][0])
    assert "Mind the gap." in [item["text"] for item in loss["units"]]
    kept = cli("proposals", "keep", proposal, "--change", "c1", "--all")
    assert [change["action"] for change in kept["changes"]] == ["edit", "archive"]
    assert cli("proposals", "approve", proposal, "--all")["state"] == "applied"
    assert "Mind the gap." in (tmp_path / "home" / "skills" / "beta" / "SKILL.md").read_text()
