"""A lock that a killed writer left behind does not stop the next one."""

from pathlib import Path

from app.clock import Clock
from app.history.store import History
from app.history.values import Blob, Origin, Record

RECORD = Record(Origin.USER, "edit", ("a",))


def test_an_entry_is_written_past_a_dead_writers_lock(tmp_path: Path, clock: Clock) -> None:
    history = History(tmp_path / "history.git", clock)
    first = history.record({"skills/a": {"SKILL.md": Blob(b"one")}}, RECORD)
    (tmp_path / "history.git" / "refs" / "heads" / "main.lock").touch()
    second = history.record({"skills/a": {"SKILL.md": Blob(b"two")}}, RECORD)
    assert second.parent == first.id
    history.close()


def test_a_document_is_written_and_dropped_past_a_dead_writers_lock(tmp_path: Path, clock: Clock) -> None:
    history = History(tmp_path / "history.git", clock)
    history.put_ref("proposals/x", {"proposal.json": b"{}"}, None)
    lock = tmp_path / "history.git" / "refs" / "melete" / "proposals" / "x.lock"
    lock.touch()
    history.put_ref("proposals/x", {"proposal.json": b"[]"}, None)
    assert history.read_ref("proposals/x") == {"proposal.json": b"[]"}
    lock.touch()
    history.drop_ref("proposals/x")
    assert history.refs() == []
    history.close()
