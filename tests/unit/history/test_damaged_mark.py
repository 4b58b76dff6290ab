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


def damage(mark: Path, how: str) -> None:
    mark.unlink()
    if how == "folder":
        (mark / "below").mkdir(parents=True)
    elif how == "rubbish":
        mark.write_bytes(b"\0" * 41)


@pytest.mark.parametrize("how", ["folder", "rubbish", "gone"])
def test_the_newest_entry_is_found_again_and_what_stood_there_is_kept(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], how: str
) -> None:
    home = tmp_path / "home"
    assert run(["--home", str(home), "pin", "writing-skills"]) == 0
    capfd.readouterr()
    damage(home / "history.git/refs/heads/main", how)
    assert run(["--home", str(home), "history"]) == 0
    told = capfd.readouterr()
    assert "found again" in told.err
    assert [line.split()[3] for line in told.out.splitlines()] == ["pin", "import"]
    kept = list((home / "history.git/melete-kept").glob("main-*"))
    assert len(kept) == (how != "gone")
    assert run(["--home", str(home), "history"]) == 0
    assert capfd.readouterr().err == ""


def test_a_mark_that_is_a_folder_is_no_empty_history(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "history.git/refs/heads/main/x").mkdir(parents=True)
    history = History(tmp_path / "history.git", clock)
    try:
        with pytest.raises(AppError, match="damaged"):
            history.tip()
    finally:
        history.close()
