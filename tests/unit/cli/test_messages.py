"""What the command line says on standard error can be shown to anybody's terminal."""

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
