"""A full disk and a lost object are told by name, and nothing counts as recorded that is not on the disk."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pygit2
import pytest

from app.clock import fixed_clock
from app.errors import AppError, Kind
from app.history.failures import unwritable
from app.history.store import History
from app.history.values import Blob, Origin, Record

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
RECORD = Record(Origin.USER, "edit", ("a",))
FILES = {"SKILL.md": Blob(b"text\n")}


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    store = History(tmp_path / "history.git", fixed_clock(NOW))
    yield store
    store.close()


def room(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    monkeypatch.setattr("app.history.failures.shutil.disk_usage", lambda _path: SimpleNamespace(free=free))


def swallowed(*_given: object) -> pygit2.Oid:
    """What libgit2 does on some full disks: it names the commit that it did not write."""
    return pygit2.Oid(hex="1" * 40)


@pytest.mark.parametrize("said", ["failed to find pack entry", "failed to write out file: No space left on device"])
def test_a_full_disk_is_named_whatever_the_library_says(
    tmp_path: Path, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    room(monkeypatch, 4_000)
    error = unwritable(tmp_path, pygit2.GitError(said))
    assert error.kind is Kind.STORAGE
    assert error.text == f"The disk that holds {tmp_path} is full (4 kB free). Free space there, then try again."


def test_a_missing_object_on_a_disk_with_room_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room(monkeypatch, 10**9)
    error = unwritable(tmp_path, pygit2.GitError("object not found - failed to find pack entry (12ab)"))
    assert error.kind is Kind.CORRUPT
    assert error.text.startswith(f"An object is missing or damaged in {tmp_path} (object not found")


def test_an_entry_that_never_arrived_is_not_recorded(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    first = history.record({"skills/a": FILES}, RECORD)
    room(monkeypatch, 0)
    monkeypatch.setattr(pygit2.Repository, "create_commit", swallowed)
    with pytest.raises(AppError) as caught:
        history.record({"skills/a": {"SKILL.md": Blob(b"new\n")}}, RECORD)
    assert "is full" in caught.value.text
    assert history.tip() == first.id


def test_a_document_that_never_arrived_is_not_stored(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    room(monkeypatch, 0)
    monkeypatch.setattr(pygit2.Repository, "create_commit", swallowed)
    with pytest.raises(AppError) as caught:
        history.put_ref("proposals/x", {"a": b"1"}, None)
    assert "is full" in caught.value.text
    assert history.refs() == []


def test_a_document_whose_commit_is_lost_is_said_and_not_a_crash(history: History, tmp_path: Path) -> None:
    history.put_ref("proposals/x", {"a": b"1"}, None)
    lost = (tmp_path / "history.git/refs/melete/proposals/x").read_text().strip()
    (tmp_path / "history.git/objects" / lost[:2] / lost[2:]).unlink()
    with pytest.raises(AppError) as caught:
        History(tmp_path / "history.git", fixed_clock(NOW)).read_ref("proposals/x")
    assert (caught.value.kind, lost in caught.value.text) == (Kind.CORRUPT, True)
