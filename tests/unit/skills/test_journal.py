"""All or nothing: the program is killed before every single change of the disk, and started again."""

import json
import os
import sys

import pytest

from app.errors import AppError, Kind
from app.history.values import Blob, Origin
from app.skills.journal import recover
from app.skills.values import Action, Request, Writer

CURATOR = Writer(Origin.CURATOR, run="r1", approved=True)
#: What changes names on disk; the child dies before its n-th call.
KILLERS = ("rename", "replace", "unlink", "rmdir", "mkdir", "symlink", "link")


def action(bed):
    """One action that touches everything: a new folder, changed and removed files, archives, forwards, records."""
    files = {"SKILL.md": Blob(bed.text("kept", "Changed.\n").encode()), "new/file.txt": Blob(b"n")}
    return [
        Request(Action.CREATE, "umbrella", content=bed.text("umbrella")),
        Request(Action.PUT, "kept", files=files),
        Request(Action.ARCHIVE, "one", absorbed_into="umbrella"),
        Request(Action.ARCHIVE, "two", absorbed_into="umbrella"),
    ]


def prepare(bed):
    for name in ("one", "two"):
        bed.create(name, Writer(Origin.REVIEW))
    bed.put_on_disk("kept", gone=b"g")
    bed.live.observe_outside()
    bed.pass_days(30)


def state(bed):
    library = bed.live.library()
    return (
        {name: value[:3] for name, value in bed.tree().items()},
        {skill.id: (skill.state, skill.managed) for skill in library.skills},
        {name: forward.into for name, forward in library.forwards.items()},
    )


def die_before(bed, number):
    """Run the action in a child that dies before its n-th change of the disk. False when it got through."""
    child = os.fork()
    if child == 0:
        counted = 0

        def deadly(real):
            def call(*args, **kwargs):
                nonlocal counted
                counted += 1
                if counted == number:
                    os._exit(9)
                return real(*args, **kwargs)

            return call

        for name in KILLERS:
            setattr(os, name, deadly(getattr(os, name)))
        try:
            bed.open()
            bed.door.do_all(action(bed), CURATOR)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_kill_at_any_point_leaves_all_or_nothing(bed, tmp_path):
    prepare(bed)
    nothing = state(bed)
    fresh = type(bed)(tmp_path / "whole")
    prepare(fresh)
    fresh.door.do_all(action(fresh), CURATOR)
    everything = state(fresh)
    fresh.history.close()
    seen = []
    number = 1
    while die_before(bed, number):
        bed.history.close()
        bed.open()
        assert recover(bed.home, bed.history, bed.live._lock) == []
        newest = bed.history.entries()[0].record
        now = state(bed)
        done = newest.action == "apply"
        assert now == (everything if done else nothing), f"killed before change {number}"
        assert bed.live.observe_outside() == []
        assert not (bed.home.journal / "plan.json").exists()
        assert not (bed.home.journal / "stage").exists() or not list((bed.home.journal / "stage").iterdir())
        seen.append(done)
        if done:
            assert (newest.origin, newest.run) == (Origin.CURATOR, "r1")
            assert bed.undo(bed.history.entries()[0].id).entry
            bed.do(Action.PURGE, ".archive/umbrella", to="delete")
            bed.home.forwards.unlink()
            (bed.home.skills / ".archive").rmdir()
            nothing = state(bed)
        number += 1
    assert number > 25
    assert seen == sorted(seen)
    assert {True, False} == set(seen)


def stop_halfway(bed, monkeypatch):
    """Leave a plan behind whose second archive was not done."""
    prepare(bed)
    calls = []

    def fails(home, step, staged=None, **more):
        calls.append(step)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return real(home, step, staged, **more)

    from app.skills import journal

    real = journal.carry_out
    monkeypatch.setattr(journal, "carry_out", fails)
    with pytest.raises(KeyboardInterrupt):
        bed.door.do_all(action(bed), CURATOR)
    monkeypatch.setattr(journal, "carry_out", real)


def test_a_folder_written_meanwhile_stops_the_plan_with_a_question(bed, monkeypatch):
    stop_halfway(bed, monkeypatch)
    (bed.home.skills / "kept/new/file.txt").unlink(missing_ok=True)
    (bed.home.skills / "kept/SKILL.md").write_text("somebody else\n")
    (notice,) = recover(bed.home, bed.history, bed.live._lock)
    assert "kept" in notice.text
    assert bed.live.journal.waiting()
    assert (bed.home.skills / "kept/SKILL.md").read_text() == "somebody else\n"
    with pytest.raises(AppError) as caught:
        bed.do(Action.PIN, "two")
    assert (caught.value.kind, caught.value.action) == (Kind.REFUSED, "journal")


def test_leaving_things_as_they_are_keeps_the_rest_aside(bed, monkeypatch):
    stop_halfway(bed, monkeypatch)
    (bed.home.skills / "kept/SKILL.md").write_text(bed.text("kept", "Somebody else.\n"))
    recover(bed.home, bed.history, bed.live._lock)
    kept = bed.live.journal.drop()
    assert json.loads((kept / "plan.json").read_text())["record"]["run"] == "r1"
    assert not bed.live.journal.waiting()
    assert bed.do(Action.PIN, "kept").ok
    assert "Somebody else." in bed.body("kept")
    assert bed.live.journal.drop() is None


def test_an_interrupted_action_is_finished_before_the_next_one(bed, monkeypatch):
    stop_halfway(bed, monkeypatch)
    assert bed.do(Action.PIN, "umbrella").ok
    actions = [entry.record.action for entry in bed.history.entries(limit=2)]
    assert actions == ["pin", "apply"]
    assert ".archive/two" in bed.ids()


def test_a_stage_without_a_plan_is_thrown_away(bed):
    left = bed.home.journal / "stage/abc"
    left.mkdir(parents=True)
    (left / "0").write_bytes(b"half")
    assert recover(bed.home, bed.history, bed.live._lock) == []
    assert not left.exists()


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"id": "x", "version": 99}', b"\xff\x00"])
def test_a_damaged_plan_is_kept_as_a_copy_and_said(bed, data):
    bed.home.journal.mkdir(parents=True)
    (bed.home.journal / "plan.json").write_bytes(data)
    (notice,) = recover(bed.home, bed.history, bed.live._lock)
    assert notice.text
    copies = list((bed.home.journal / "aside").rglob("plan.json"))
    assert [copy.read_bytes() for copy in copies] == [data]
    assert bed.create("alpha") == "alpha"


def test_a_file_changed_between_plan_and_write_is_not_overwritten(bed, monkeypatch):
    bed.create("alpha")
    from app.skills import journal

    real = journal.check

    def meddle(home, steps):
        (bed.home.skills / "alpha/SKILL.md").write_text("meanwhile\n")
        real(home, steps)

    monkeypatch.setattr(journal, "check", meddle)
    with pytest.raises(AppError) as caught:
        bed.do(Action.PATCH, "alpha", old="Body", new="Text")
    assert caught.value.kind is Kind.REFUSED
    assert (bed.home.skills / "alpha/SKILL.md").read_text() == "meanwhile\n"
    assert not bed.live.journal.waiting()


def test_a_full_disk_while_staging_changes_nothing(bed, monkeypatch):
    bed.create("alpha")
    before, tip = bed.tree(), bed.history.tip()
    from app.skills import journal

    def full(*_args, **_more):
        raise AppError(Kind.STORAGE, "Nothing was written", "No space left on device.")

    monkeypatch.setattr(journal, "write_atomic", full)
    with pytest.raises(AppError):
        bed.do(Action.PATCH, "alpha", old="Body", new="Text")
    assert (bed.tree(), bed.history.tip()) == (before, tip)
    assert list((bed.home.journal / "stage").iterdir()) == []


def test_a_disk_that_refuses_the_first_step_leaves_no_plan_behind(bed, monkeypatch):
    bed.create("alpha")
    before, tip = bed.tree(), bed.history.tip()
    from app.skills import journal

    def refuses(*_args, **_more):
        raise AppError(Kind.STORAGE, "Nothing was written", "Permission denied.")

    monkeypatch.setattr(journal, "carry_out", refuses)
    with pytest.raises(AppError):
        bed.do(Action.ARCHIVE, "alpha")
    monkeypatch.undo()
    assert not bed.live.journal.waiting()
    assert (bed.tree(), bed.history.tip()) == (before, tip)
    assert bed.do(Action.ARCHIVE, "alpha").ok


def test_a_disk_that_refuses_a_later_step_leaves_a_question_and_no_crash(bed, monkeypatch):
    stop_halfway(bed, monkeypatch)
    from app.skills import journal

    def refuses(*_args, **_more):
        raise AppError(Kind.STORAGE, "Nothing was written", "Permission denied.")

    with monkeypatch.context() as patched:
        patched.setattr(journal, "carry_out", refuses)
        (notice,) = recover(bed.home, bed.history, bed.live._lock)
    assert "Permission denied." in notice.text
    assert recover(bed.home, bed.history, bed.live._lock) == []
    assert ".archive/two" in bed.ids()


def test_a_disk_that_is_full_between_two_steps_says_that_the_action_goes_on_by_itself(bed, monkeypatch):
    bed.create("alpha")
    from app.skills import journal

    def full(*_args, **_more):
        raise AppError(Kind.STORAGE, "Nothing was written", "No space left on device.")

    with monkeypatch.context() as patched:
        patched.setattr(journal, "write_sidecars", full)
        with pytest.raises(AppError) as caught:
            bed.do(Action.ARCHIVE, "alpha")
        assert caught.value.title == "Half carried out"
        assert "no need to repeat it" in caught.value.text
        (notice,) = recover(bed.home, bed.history, bed.live._lock)
        assert notice.title == "An interrupted action is not finished yet"
    assert recover(bed.home, bed.history, bed.live._lock) == []
    assert bed.ids() == [".archive/alpha"]
    assert bed.recorded_is_on_disk()


def test_a_folder_without_permission_is_said_before_anything_happens(bed, monkeypatch):
    bed.create("alpha", category="cat")
    before = bed.tree()
    from app.skills import carry

    locked = bed.home.skills / "cat/alpha"
    monkeypatch.setattr(carry.os, "access", lambda path, mode: path != locked)
    with pytest.raises(AppError) as caught:
        bed.do(Action.PATCH, "cat/alpha", old="Body", new="Text")
    assert (caught.value.kind, str(locked) in caught.value.text) == (Kind.STORAGE, True)
    assert bed.tree() == before
    assert not bed.live.journal.waiting()


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff"])
def test_damaged_forwards_are_rebuilt_from_the_ledger(bed, data):
    prepare(bed)
    bed.door.do_all(action(bed), CURATOR)
    bed.do(Action.RENAME, "umbrella", to="canopy")
    whole = {name: (forward.into, forward.hash) for name, forward in bed.live.library().forwards.items()}
    bed.home.forwards.write_bytes(data)
    (notice,) = recover(bed.home, bed.history, bed.live._lock)
    rebuilt = {name: (forward.into, forward.hash) for name, forward in bed.live.library().forwards.items()}
    assert {name: into for name, (into, _) in rebuilt.items()} == {name: into for name, (into, _) in whole.items()}
    assert rebuilt["one"] == whole["one"]
    assert [copy.read_bytes() for copy in bed.home.skills.glob(".forwards.json.broken-*")] == [data]
    assert "rebuilt" in notice.text
    assert recover(bed.home, bed.history, bed.live._lock) == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each file is flushed on its own")
def test_very_many_folders_are_flushed_together_before_the_plan_and_before_it_goes(bed, monkeypatch):
    """Two flushes of the disks instead of one or more a file: without a plan yet, and while it is still there."""
    flushes, fsyncs = [], []
    real = os.fsync
    monkeypatch.setattr("app.skills.journal.flush_disks", lambda: flushes.append(waiting(bed)))
    monkeypatch.setattr(os, "fsync", lambda handle: (fsyncs.append(handle), real(handle)))
    count = 200
    wanted = [Request(Action.CREATE, f"skill-{n}", content=bed.text(f"skill-{n}")) for n in range(count)]
    receipts = bed.door.do_all(wanted, Writer(Origin.USER))
    assert all(receipt.ok for receipt in receipts)
    assert flushes == [False, True]
    assert len(fsyncs) < count / 4
    assert not waiting(bed)
    assert len(bed.live.library().skills) == count


def waiting(bed):
    return (bed.home.journal / "plan.json").exists()
