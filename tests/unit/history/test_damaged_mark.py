"""The file that names the newest entry, cut or emptied by a crash of the machine: told in words, nothing else stops."""

from pathlib import Path

import pytest

from app.cli.main import run
from app.clock import Clock
from app.errors import AppError, Kind
from app.history.store import History
from app.history.values import Origin, Record


@pytest.mark.parametrize("left", [b"", b"\0" * 41, b"3f2a"])
def test_a_damaged_mark_of_the_newest_entry_is_a_clear_sentence(tmp_path: Path, clock: Clock, left: bytes) -> None:
    path = tmp_path / "history.git"
    first = History(path, clock)
    first.record({}, Record(Origin.USER, "pin", ("one",)))
    first.close()
    (path / "refs/heads/main").write_bytes(left)
    again = History(path, clock)
    try:
        with pytest.raises(AppError, match="move") as told:
            again.tip()
    finally:
        again.close()
    assert told.value.kind is Kind.CORRUPT
    assert (path / "refs/heads/main").read_bytes() == left


def test_the_library_is_listed_beside_a_damaged_history(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "home"
    assert run(["--home", str(home), "list"]) == 0
    (home / "history.git/refs/heads/main").write_bytes(b"")
    capfd.readouterr()
    assert run(["--home", str(home), "list"]) == 0
    listed = capfd.readouterr()
    assert "writing-skills" in listed.out
    assert "The history cannot be read" in listed.err
    assert run(["--home", str(home), "doctor"]) == 1
    assert run(["--home", str(home), "pin", "writing-skills"]) == 1
    assert "bug" not in capfd.readouterr().err
