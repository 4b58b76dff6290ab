"""Writing: whole files only, never through a link, and whole lines only."""

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app import files
from app.errors import AppError, Kind
from app.files import append_line, link_below, remove_below, remove_leftovers, safe_parts, write_atomic, write_below

posix = pytest.mark.skipif(os.name != "posix", reason="links and modes as POSIX has them")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with nothing else in it."""
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


def names(folder: Path) -> list[str]:
    return sorted(item.name for item in folder.iterdir())


def test_a_file_is_replaced_whole_and_nothing_else_is_left(place):
    target = place / "deep" / "state.json"
    write_atomic(target, b"one")
    write_atomic(target, b"two")
    assert target.read_bytes() == b"two"
    assert names(target.parent) == ["state.json"]


@posix
def test_an_existing_files_mode_is_kept_and_a_new_one_follows_the_umask(place):
    old = os.umask(0o027)
    try:
        write_atomic(place / "new", b"x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((place / "new").stat().st_mode) == 0o640
    (place / "new").chmod(0o600)
    write_atomic(place / "new", b"y")
    assert stat.S_IMODE((place / "new").stat().st_mode) == 0o600
    write_atomic(place / "run.sh", b"#!", mode=0o755)
    assert stat.S_IMODE((place / "run.sh").stat().st_mode) == 0o755


def test_a_full_disk_leaves_the_old_file_and_no_temporary_one(place, monkeypatch):
    target = place / "state.json"
    write_atomic(target, b"old")

    def no_space(handle: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files.os, "write", no_space)
    with pytest.raises(AppError) as caught:
        write_atomic(target, b"new")
    assert caught.value.kind is Kind.STORAGE
    assert "No space left" in caught.value.text
    assert target.read_bytes() == b"old"
    assert names(place) == ["state.json"]


def test_a_write_in_small_pieces_is_still_whole(place, monkeypatch):
    real = os.write
    monkeypatch.setattr(files.os, "write", lambda handle, data: real(handle, bytes(data)[:3]))
    write_atomic(place / "a", b"0123456789")
    append_line(place / "b", b'"0123456789"')
    assert (place / "a").read_bytes() == b"0123456789"
    assert (place / "b").read_bytes() == b'"0123456789"\n'


@posix
@pytest.mark.parametrize("write", [write_atomic, append_line])
def test_a_link_with_the_files_name_is_refused_and_its_target_untouched(place, write):
    outside = place / "outside"
    outside.write_text("mine")
    (place / "state.json").symlink_to(outside)
    with pytest.raises(AppError) as caught:
        write(place / "state.json", b"{}")
    assert caught.value.kind is Kind.INVALID
    assert outside.read_text() == "mine"


@posix
@pytest.mark.parametrize("relative", ["link/file", "a/link/file", "link"])
def test_no_link_below_the_root_is_followed(place, relative):
    outside, root = place / "outside", place / "root"
    outside.mkdir()
    (root / "a").mkdir(parents=True)
    (root / "link").symlink_to(outside)
    (root / "a" / "link").symlink_to(outside)
    for act in (lambda: write_below(root, relative, b"x"), lambda: link_below(root, f"{relative}/more", b"t")):
        with pytest.raises(AppError) as caught:
            act()
        assert caught.value.kind is Kind.INVALID
    assert names(outside) == []


@posix
def test_removing_below_a_link_is_refused(place):
    outside, root = place / "outside", place / "root"
    outside.mkdir()
    root.mkdir()
    (outside / "file").write_text("mine")
    (root / "link").symlink_to(outside)
    with pytest.raises(AppError):
        remove_below(root, "link/file")
    assert (outside / "file").read_text() == "mine"


def test_removing_a_file_removes_the_folders_it_leaves_empty(place):
    write_below(place, "a/b/c/file", b"x")
    write_below(place, "a/other", b"x")
    remove_below(place, "a/b/c/file")
    remove_below(place, "a/b/c/file")
    assert names(place / "a") == ["other"]


@posix
def test_a_link_keeps_its_exact_target_text(place):
    link_below(place, "x/link", b"../else where")
    assert (place / "x" / "link").readlink() == Path("../else where")


@pytest.mark.parametrize(
    "relative", ["", "/etc/passwd", "../x", "a/../b", "a/./b", ".", "..", "a\\b", "a\0b", "C:/x", "C:x"]
)
def test_paths_that_could_leave_the_folder_are_refused(relative):
    with pytest.raises(AppError) as caught:
        safe_parts(relative)
    assert caught.value.kind is Kind.INVALID


@pytest.mark.parametrize("relative", ["a", "a/b.md", ".hidden/x", "naïve 名.md", "a..b/c"])
def test_ordinary_paths_are_taken_apart(relative):
    assert "/".join(safe_parts(relative)) == relative


def test_half_a_line_after_a_crash_is_set_aside_and_the_next_line_is_whole(place):
    path = place / "lines.jsonl"
    path.write_bytes(b'{"a": 1}\n{"b": ' + b"x" * 100_000)
    append_line(path, b'{"c": 3}')
    assert [json.loads(line) for line in path.read_bytes().splitlines()] == [{"a": 1}, {"c": 3}]
    assert path.with_name("lines.jsonl.torn").read_bytes() == b'{"b": ' + b"x" * 100_000 + b"\n"


def test_a_whole_last_line_without_its_line_break_stays(place):
    path = place / "lines.jsonl"
    path.write_bytes(b'{"a": 1}')
    append_line(path, b'{"b": 2}\n')
    assert path.read_bytes() == b'{"a": 1}\n{"b": 2}\n'


def test_a_line_the_disk_refuses_leaves_the_file_as_it_was(place, monkeypatch):
    path = place / "lines.jsonl"
    append_line(path, b'{"a": 1}')
    real, calls = os.write, []

    def half_then_full(handle: int, data: bytes) -> int:
        calls.append(data)
        if len(calls) == 1:
            return real(handle, bytes(data)[:4])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files.os, "write", half_then_full)
    with pytest.raises(AppError):
        append_line(path, b'{"b": 2}')
    assert path.read_bytes() == b'{"a": 1}\n'


def test_temporary_files_of_a_killed_write_are_removed_and_nothing_else(place):
    left = (".state.json.0a1b2c3d.tmp", "state.json", ".note.tmp", "x.0a1b2c3d.tmp", ".y.0a1b2c3g.tmp")
    for name in left:
        (place / name).touch()
    assert remove_leftovers(place) == 1
    assert names(place) == sorted(left[1:])
    assert remove_leftovers(place / "missing") == 0


_KILLED = """
import sys
from pathlib import Path
from app.files import append_line, write_atomic
folder = Path(sys.argv[1])
print("ready", flush=True)
for count in range(100000):
    write_atomic(folder / "state", str(count % 10).encode() * 50_000)
    append_line(folder / "lines.jsonl", b'"' + b"x" * 20_000 + b'"')
"""


@pytest.mark.slow
def test_killed_at_many_moments_there_is_never_half_a_file(place):
    for moment in range(40):
        command = [sys.executable, "-c", _KILLED, str(place)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3])
        assert process.stdout.readline() == b"ready\n"
        try:
            process.wait(0.005 * moment)
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()
        state = place / "state"
        if state.exists():
            data = state.read_bytes()
            assert len(data) == 50_000
            assert len(set(data)) == 1
    append_line(place / "lines.jsonl", b'"last"')
    for line in (place / "lines.jsonl").read_bytes().splitlines():
        json.loads(line)
