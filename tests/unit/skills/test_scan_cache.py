"""A look that begins from the scan cache is the look of somebody who reads everything, whatever the cache holds."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import app
from app.clock import fixed_clock
from app.errors import AppError, Kind
from app.paths import Home
from app.settings import LibrarySettings
from app.skills import scan_cache
from app.skills.last_look import LastLook
from app.skills.scan import Seen, scan
from app.skills.scan_cache import kept_of, load_cache, store_cache
from app.skills.values import Library

LATER = fixed_clock(datetime.now(UTC) + timedelta(days=1))
PLAIN = LibrarySettings()
SPOTS = ["a", "b", "cat/a", "cat/b", "cat/sub/c", ".archive/a"]
KINDS = ["write", "same size", "file", "delete", "move", "link", "replace", "back", "mode", "link file"]
STEPS = st.tuples(st.sampled_from(KINDS), *[st.sampled_from(SPOTS)] * 2)


def put(home: Home, skill_id: str, word: str = "first", more: str = "") -> Path:
    folder = home.skills / skill_id
    folder.mkdir(parents=True, exist_ok=True)
    front = f"name: {folder.name}\ndescription: The {word} text.\n{more}"
    (folder / "SKILL.md").write_text(f"---\n{front}---\nSee `b` and [c](../b/SKILL.md), [n](notes.txt).\n")
    return folder


def store(home: Home, look: Library | None = None, wanted: LibrarySettings = PLAIN) -> Library:
    """Look at everything and keep it on the disk."""
    look = look or scan(home, wanted, LATER)
    assert isinstance(look.seen, Seen)
    store_cache(home, look.seen.roots, kept_of(look))
    return look


def warm(home: Home, wanted: LibrarySettings = PLAIN) -> Library:
    """A new process's first look."""
    return scan(home, wanted, LATER, previous=load_cache(home, wanted))


def reading(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the skills that are read from now on."""
    read: list[str] = []
    real = app.skills.scan.digest_of

    def noted(place: object, now: datetime) -> object:
        read.append(place.id)  # type: ignore[attr-defined]
        return real(place, now)  # type: ignore[arg-type]

    monkeypatch.setattr(app.skills.scan, "digest_of", noted)
    return read


def tick(home: Home) -> None:
    """Let the file system's coarse clock go on, so that the next change has another time."""
    probe = home.root / "probe"
    probe.write_text("")
    began = probe.stat().st_ctime_ns
    while probe.stat().st_ctime_ns == began:
        os.utime(probe)


def play(home: Home, outside: Path, step: tuple[str, str, str]) -> None:
    """One thing that somebody does to the library behind the program's back."""
    kind, here, there = step
    spot, other = home.skills / here, home.skills / there
    file = spot / "SKILL.md"
    if any(path.is_symlink() for path in (spot, *spot.parents)):
        spot.unlink() if spot.is_symlink() else None
    elif kind == "write" or not file.is_file():
        put(home, here)
    elif kind == "same size":
        before = file.stat()
        file.write_bytes(file.read_bytes().replace(b"first", b"other"))
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    elif kind == "file":
        before = spot.stat()
        (spot / "notes.txt").write_text("x")
        os.utime(spot, ns=(before.st_atime_ns, before.st_mtime_ns))
    elif kind == "delete":
        shutil.rmtree(spot)
    elif kind == "mode":
        spot.chmod(0o700)
    elif kind in ("move", "link"):
        free = not other.exists() and other.parent.is_dir() and not other.is_relative_to(spot)
        if free and not other.is_symlink():
            spot.rename(other) if kind == "move" else other.symlink_to(spot)
    elif kind == "replace":
        times = spot.stat()
        shutil.copytree(spot, outside / "copy")
        changed = outside / "copy" / "SKILL.md"
        changed.write_bytes(changed.read_bytes().replace(b"The ", b"New "))
        shutil.rmtree(spot)
        shutil.move(outside / "copy", spot)
        os.utime(spot, ns=(times.st_atime_ns, times.st_mtime_ns))
    elif kind == "back":
        os.utime(file, ns=(1, 1_000_000_000))
    elif kind == "link file" and not file.is_symlink():
        target = outside / "target.md"
        shutil.copy(file, target)
        file.unlink()
        file.symlink_to(target)


@settings(deadline=None, max_examples=60)
@given(steps=st.lists(STEPS, min_size=1, max_size=10), batch=st.integers(1, 3))
def test_a_look_from_the_cache_equals_a_look_at_everything(
    steps: list[tuple[str, str, str]], batch: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home, outside = Home(tmp_path_factory.mktemp("home")), tmp_path_factory.mktemp("outside")
    for skill_id in ("a", "cat/b"):
        put(home, skill_id)
    store(home)
    for start in range(0, len(steps), batch):
        tick(home)
        for step in steps[start : start + batch]:
            play(home, outside, step)
        found = warm(home)
        assert found == scan(home, PLAIN, LATER)
        store(home, found)


def test_what_did_not_change_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, other = Home(tmp_path / "home"), tmp_path / "other"
    for skill_id in ("a", "cat/b", ".archive/c"):
        put(home, skill_id)
    put(Home(other), "d")
    (home.skills / "d").symlink_to(other / "skills" / "d")
    before = store(home)
    read = reading(monkeypatch)
    assert warm(home) == before
    assert read == []
    tick(home)
    put(home, "cat/b", "other")
    assert warm(home).get("cat/b").description == "The other text."  # type: ignore[union-attr]
    assert read == ["cat/b"]


def test_a_home_that_was_moved_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path / "old")
    put(home, "cat/a")
    store(home)
    moved = Home(home.root.rename(tmp_path / "new"))
    read = reading(monkeypatch)
    assert warm(moved) == scan(moved, PLAIN, LATER, previous=warm(moved))
    assert [skill.folder for skill in warm(moved).skills] == [moved.skills / "cat" / "a"]
    assert read == []


def test_folders_of_the_settings_may_come_and_go(tmp_path: Path) -> None:
    home, other = Home(tmp_path / "home"), Home(tmp_path / "other")
    put(home, "a")
    put(other, "x/b")
    wider = LibrarySettings(folders=(str(other.skills),))
    single = LibrarySettings(folders=(str(other.skills / "x" / "b"),))
    for kept_with in (PLAIN, wider, single):
        store(home, wanted=kept_with)
        for wanted in (PLAIN, wider, single):
            assert warm(home, wanted) == scan(home, wanted, LATER)


@pytest.mark.parametrize("changed", ["SKILL.md", "notes.txt"])
def test_what_changed_just_before_it_was_read_is_not_kept(tmp_path: Path, changed: str) -> None:
    home = Home(tmp_path)
    put(home, "b")
    folder = put(home, "a")
    tick(home)
    (folder / changed).open("a").close()
    with (folder / changed).open("a") as stream:
        stream.write(" ")
    file_at, folder_at = ((path.stat().st_ctime_ns / 1e9) for path in (folder / "SKILL.md", folder))
    between = abs(file_at - folder_at) / 2
    for seconds, kept in ((2 - between, {"b"}), (3, {"a", "b"})):
        clock = fixed_clock(datetime.fromtimestamp(max(file_at, folder_at), UTC) + timedelta(seconds=seconds))
        look = scan(home, PLAIN, clock)
        assert {place.id for place, _ in kept_of(look).values()} == kept


def rewritten(data: bytes, change: Callable[[list[str]], None]) -> bytes:
    """The cache with other lines and the head that belongs to them, as an attacker would write it."""
    lines = data.partition(b"\n")[2].decode().split("\n")
    change(lines)
    body = "\n".join(lines).encode()
    return scan_cache._head(body) + body


def with_entry(change: Callable[[list[int], list[str]], None]) -> Callable[[bytes], bytes]:
    """A change of the first skill's line."""

    def changed(lines: list[str]) -> None:
        numbers, texts = json.loads(lines[2])
        change(numbers, texts)
        lines[2] = json.dumps([numbers, texts], separators=(",", ":"))

    return lambda data: rewritten(data, changed)


def text_at(place: int, text: object) -> Callable[[bytes], bytes]:
    return with_entry(lambda _, texts: texts.__setitem__(place, text))  # type: ignore[arg-type]


def number_at(place: int, number: object) -> Callable[[bytes], bytes]:
    return with_entry(lambda numbers, _: numbers.__setitem__(place, number))  # type: ignore[arg-type]


def line_at(place: int, text: str) -> Callable[[bytes], bytes]:
    return lambda data: rewritten(data, lambda lines: lines.__setitem__(place, text))


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut off": lambda data: data[: len(data) // 2],
    "a line too few": lambda data: data.rpartition(b"\n")[0],
    "one letter": lambda data: data.replace(b"The first", b"The fIrst", 1),
    "zeros": lambda data: bytes(len(data)),
    "no text": lambda _: bytes(range(256)),
    "another program": lambda data: data.replace(b"scan cache 1", b"scan cache 2", 1),
    "no JSON": line_at(2, "[["),
    "endless JSON": line_at(2, "[" * 100_000),
    "an endless number": line_at(2, f"[[{'9' * 10_000}],[]]"),
    "no roots": line_at(0, "{}"),
    "a finding of no kind": line_at(1, '[["A","no severity",null,"","x"]]'),
    "a value for a line": line_at(2, "null"),
    "a number for a text": text_at(5, 5),
    "a text for a number": number_at(4, "5"),
    "another root": number_at(0, 7),
    "a time beyond the calendar": number_at(7, 1 << 90),
    "more texts than there are": number_at(13, 9),
    "fewer than none": number_at(13, -1),
    "the folder above": text_at(0, "../../skills/x"),
    "an absolute path": text_at(0, "/etc"),
    "a skipped folder": text_at(0, "node_modules/x"),
    "too deep": text_at(0, "1/2/3/4/5/6/7"),
    "the library itself": text_at(0, ""),
    "above the archive": text_at(0, ".archive/.."),
    "another file": text_at(2, "secret.md"),
    "a NUL": text_at(0, "a\0b"),
    "no file name": text_at(0, "a\ud800b"),
    "no load": text_at(3, "run"),
    "a folder that is not there": text_at(0, "gone"),
    "a folder that is no skill": text_at(0, "cat"),
    "a folder in a skill": text_at(0, "cat/b/notes"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_or_hostile_cache_changes_nothing_and_is_replaced(tmp_path: Path, name: str) -> None:
    home = Home(tmp_path / "home")
    put(Home(tmp_path), "x")
    for skill_id in ("a", "cat/b", "node_modules/x", "1/2/3/4/5/6/7"):
        put(home, skill_id)
    (home.skills / "cat" / "b" / "notes").mkdir()
    store(home)
    whole = home.scan_cache.read_bytes()
    damaged = DAMAGE[name](whole)
    assert damaged != whole
    home.scan_cache.write_bytes(damaged)
    found = warm(home)
    assert found == scan(home, PLAIN, LATER)
    store(home, found)
    assert home.scan_cache.read_bytes() == whole


def test_what_is_no_plain_file_is_neither_read_nor_followed(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    put(home, "a")
    store(home)
    whole = home.scan_cache.rename(tmp_path / "elsewhere")
    home.scan_cache.symlink_to(whole)
    assert load_cache(home, PLAIN) is None
    store(home)
    assert home.scan_cache.is_symlink()
    home.scan_cache.unlink()
    home.scan_cache.mkdir()
    assert load_cache(home, PLAIN) is None
    store(home)
    home.scan_cache.rmdir()
    os.mkfifo(home.scan_cache)
    assert load_cache(home, PLAIN) is None
    store(home)
    assert load_cache(home, PLAIN) is not None


def test_a_cache_that_others_may_write_is_not_used(tmp_path: Path) -> None:
    home = Home(tmp_path)
    put(home, "a")
    store(home)
    home.scan_cache.chmod(0o620)
    assert load_cache(home, PLAIN) is None
    store(home)
    assert home.scan_cache.stat().st_mode & 0o777 == 0o600
    assert load_cache(home, PLAIN) is not None


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_a_cache_of_another_user_is_used_when_the_home_is_theirs_too(tmp_path: Path) -> None:
    home = Home(tmp_path)
    put(home, "a")
    store(home)
    os.chown(home.scan_cache, 4242, -1)
    assert load_cache(home, PLAIN) is None
    os.chown(home.root, 4242, -1)
    assert load_cache(home, PLAIN) is not None


def test_another_version_of_the_program_reads_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path)
    put(home, "a")
    store(home)
    monkeypatch.setattr(app, "__version__", "99.0")
    assert load_cache(home, PLAIN) is None


def test_names_that_are_no_text_survive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path)
    folder = put(home, "caf\u00e9")
    try:
        (folder / os.fsdecode(b"\xff.txt")).write_text("x")
    except OSError:
        pytest.skip("this file system takes text only")
    before = store(home)
    read = reading(monkeypatch)
    assert warm(home) == before
    assert read == []


def test_a_disk_that_takes_nothing_is_no_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path)
    put(home, "a")

    def full(*_: object, **__: object) -> None:
        raise AppError(Kind.STORAGE, "Nothing was written", "The disk is full.")

    monkeypatch.setattr(scan_cache, "write_below", full)
    store(home)
    assert not home.scan_cache.exists()


def kept_by(home: Home) -> int:
    """What a process that only looks leaves behind: the inode of the cache, 0 when there is none."""
    last = LastLook()
    last.library = scan(home, PLAIN, LATER, previous=last.before(home, PLAIN))
    last.keep(home)
    return home.scan_cache.stat().st_ino if home.scan_cache.exists() else 0


def test_the_cache_is_written_when_it_saves_some_work(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for number in range(19):
        put(home, f"s-{number}")
    assert kept_by(home) == 0
    put(home, "s-19")
    first = kept_by(home)
    assert first != 0
    shutil.rmtree(home.skills / "s-0")
    assert kept_by(home) == first
    for number in range(1, 20):
        shutil.rmtree(home.skills / f"s-{number}")
        put(home, f"t-{number}")
    assert kept_by(home) != first


def test_readers_beside_writers_always_find_a_whole_cache(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for number in range(30):
        put(home, f"s-{number}")
    look = store(home)
    program = (
        "import sys\nfrom pathlib import Path\nfrom app.paths import Home\nfrom app.settings import LibrarySettings\n"
        "from app.skills.scan_cache import kept_of, load_cache, store_cache\n"
        "home = Home(Path(sys.argv[1]))\nlook = load_cache(home, LibrarySettings())\n"
        "for _ in range(100):\n    store_cache(home, look.seen.roots, kept_of(look))\n"
    )
    here = Path(app.__file__).parents[1]
    writers = [subprocess.Popen([sys.executable, "-c", program, str(home.root)], cwd=here) for _ in range(2)]
    looks = 0
    while any(writer.poll() is None for writer in writers):
        found = load_cache(home, PLAIN)
        assert found is not None
        assert len(found.seen.digests) == 30
        looks += 1
    assert [writer.wait() for writer in writers] == [0, 0]
    assert looks > 0
    assert warm(home) == look
    assert [path.name for path in home.root.iterdir() if path.name.startswith(".")] == []
