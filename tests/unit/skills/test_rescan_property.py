"""Looking again at what changed gives the same library as looking at everything."""

import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.clock import fixed_clock
from app.paths import Home
from app.settings import LibrarySettings
from app.skills.scan import rescan, scan

LATER = fixed_clock(datetime.now(UTC) + timedelta(days=1))
SPOTS = ["a", "b", "cat", "cat/a", "cat/b", "cat/sub/c", ".archive/a", ".archive/b", "cat/node_modules/x", ".hidden/y"]
STEPS = st.tuples(st.sampled_from(["write", "break", "file", "delete", "move", "link"]), *[st.sampled_from(SPOTS)] * 2)


def play(skills: Path, step: tuple[str, str, str]) -> list[Path]:
    """Do one thing to the library and tell which paths a watcher would name."""
    kind, here, there = step
    spot, other = skills / here, skills / there
    if spot.is_symlink() or any(parent.is_symlink() for parent in spot.parents):
        spot.unlink(missing_ok=True) if spot.is_symlink() else None
        return [spot]
    if kind in ("write", "break"):
        spot.mkdir(parents=True, exist_ok=True)
        text = "Mentions `a` and `b`." if kind == "write" else "x"
        front = f"name: {spot.name}\ndescription: {text}" if kind == "write" else "description: ["
        (spot / "SKILL.md").write_text(f"---\n{front}\n---\n{text}\n")
        return [spot / "SKILL.md"]
    if kind == "file":
        spot.mkdir(parents=True, exist_ok=True)
        (spot / "notes.txt").write_text("x")
        return [spot / "notes.txt"]
    if kind == "delete":
        shutil.rmtree(spot, ignore_errors=True)
        return [spot]
    free = not other.exists() and not other.is_symlink() and other.parent.is_dir() and not other.is_relative_to(spot)
    if not spot.is_dir() or not free:
        return []
    spot.rename(other) if kind == "move" else other.symlink_to(spot)
    return [spot, other]


@settings(deadline=None)
@given(steps=st.lists(STEPS, min_size=1, max_size=12), batch=st.integers(1, 4))
@example(steps=[("write", "cat/a", "a"), ("link", "cat", "a"), ("write", "cat", "a")], batch=1)
@example(steps=[("file", ".archive/a", "a"), ("link", ".archive/a", "a"), ("write", ".archive/a", "a")], batch=1)
def test_looking_again_equals_looking_at_everything(
    steps: list[tuple[str, str, str]], batch: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = Home(tmp_path_factory.mktemp("home"))
    home.skills.mkdir()
    library = scan(home, LibrarySettings(), LATER)
    for start in range(0, len(steps), batch):
        changed = [path for step in steps[start : start + batch] for path in play(home.skills, step)]
        library = rescan(library, home, LibrarySettings(), LATER, changed)
        assert library == scan(home, LibrarySettings(), LATER)


def age(skills: Path) -> None:
    """Give every folder an old time, so that the next change in it gives it another one whatever the clock's steps."""
    for folder in [skills, *skills.rglob("*")]:
        if folder.is_dir() and not folder.is_symlink():
            os.utime(folder, ns=(1, 1_000_000_000))


@settings(deadline=None)
@given(steps=st.lists(STEPS, min_size=1, max_size=12), batch=st.integers(1, 4))
def test_a_second_look_lists_what_changed_and_equals_a_first_look(
    steps: list[tuple[str, str, str]], batch: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = Home(tmp_path_factory.mktemp("home"))
    home.skills.mkdir()
    library = scan(home, LibrarySettings(), LATER)
    for start in range(0, len(steps), batch):
        age(home.skills)
        library = scan(home, LibrarySettings(), LATER, previous=library)
        for step in steps[start : start + batch]:
            play(home.skills, step)
        library = scan(home, LibrarySettings(), LATER, previous=library)
        assert library == scan(home, LibrarySettings(), LATER)


def test_a_second_look_at_an_unchanged_library_gives_the_same_object(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for spot in ("a", "cat/b", ".archive/c"):
        play(home.skills, ("write", spot, spot))
        play(home.skills, ("file", spot, spot))
    first = scan(home, LibrarySettings(), LATER)
    assert scan(home, LibrarySettings(), LATER, previous=first) is first
    home.usage.write_text('{"a": {"pinned": true}}')
    second = scan(home, LibrarySettings(), LATER, previous=first)
    assert [skill.id for skill in second.skills if skill.pinned] == ["a"]


def test_a_folder_that_changed_just_before_the_look_is_listed_again(tmp_path: Path) -> None:
    home = Home(tmp_path)
    play(home.skills, ("write", "a", "a"))
    times = (home.skills / "a").stat().st_mtime_ns
    just_then = fixed_clock(datetime.fromtimestamp(times / 1e9, UTC) + timedelta(seconds=1))
    first = scan(home, LibrarySettings(), just_then)
    play(home.skills, ("file", "a", "a"))
    os.utime(home.skills / "a", ns=(times, times))
    assert scan(home, LibrarySettings(), just_then, previous=first).skills[0].file_count == 2
