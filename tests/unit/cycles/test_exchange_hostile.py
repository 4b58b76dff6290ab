"""Whatever a source holds: nothing is written outside the library, nothing of it is run, and trouble is a sentence."""

import contextlib
import io
import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.cancel import CancelToken
from app.clock import Clock
from app.cycles.exchange import default_picks, look, take
from app.cycles.home import OpenHome, home_key
from app.errors import AppError
from app.exchange.values import Choice

TEXT = b"---\nname: demo\ndescription: A sample. Use in tests.\n---\n"
NAMES = st.sampled_from(
    [
        "demo/SKILL.md",
        "demo/a.md",
        "demo/A.md",
        "../x",
        "/x",
        "demo/../../x",
        "demo\\x",
        "demo/.git/config",
        "x/SKILL.md",
    ]
)


@pytest.fixture
def home(tmp_path: Path, clock: Clock):
    opened = OpenHome(home_key(tmp_path / "home", clock))
    opened.home.skills.mkdir(parents=True)
    yield opened
    opened.close()


def bring(home: OpenHome, source: Path):
    work = look(home, str(source), CancelToken())
    while True:
        try:
            next(work)
        except StopIteration as stop:
            return take(home, stop.value, default_picks(stop.value, on_clash=Choice.SKIP, accept=True))


def everything(root: Path) -> dict[str, bytes]:
    """All files below a folder but the home."""
    paths = [path for path in root.rglob("*") if path.is_file() and not path.is_relative_to(root / "home")]
    return {str(path): path.read_bytes() for path in paths}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(
        st.tuples(NAMES, st.sampled_from([TEXT, b"x", b"\0"])), min_size=1, max_size=4, unique_by=lambda r: r[0]
    ),
    cut=st.integers(0, 400),
    flips=st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=3),
)
def test_any_archive_is_imported_or_refused_and_nothing_leaves_the_library(
    home: OpenHome, tmp_path: Path, rows, cut: int, flips
) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as target:
        for name, data in rows:
            target.writestr(zipfile.ZipInfo(name), data)
    data = bytearray(stream.getvalue())
    for place, value in flips:
        data[place % len(data)] = value
    source = tmp_path / "source.zip"
    source.write_bytes(data[: len(data) - cut] if cut > 300 else data)
    before = everything(tmp_path)
    with contextlib.suppress(AppError):
        bring(home, source)
    assert everything(tmp_path) == before
    assert all(not path.is_symlink() for path in home.home.skills.rglob("*"))


def test_a_folder_swapped_for_a_link_below_the_library_is_not_written_through(home: OpenHome, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (home.home.skills / "web").symlink_to(outside)
    folder = tmp_path / "src" / "web" / "demo"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_bytes(TEXT)
    report = bring(home, tmp_path / "src")
    assert list(outside.iterdir()) == []
    assert (report.done, [name for name, _ in report.refused]) == ((), ["demo"])


def test_a_script_of_a_source_is_kept_and_never_run(home: OpenHome, tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "SKILL.md").write_bytes(TEXT)
    (folder / "setup.sh").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    (folder / "setup.sh").chmod(0o755)
    assert bring(home, folder).done
    assert os.access(home.home.skills / "demo" / "setup.sh", os.X_OK)
    assert not (tmp_path / "ran").exists()


def test_a_name_that_is_a_path_names_no_place_outside(home: OpenHome, tmp_path: Path) -> None:
    for number, name in enumerate(["../../evil", "/etc/evil", "a/b", "con", ".", "~"]):
        folder = tmp_path / "src" / f"s{number}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_bytes(TEXT.replace(b"demo", f"'{name}'".encode()))
    before = everything(tmp_path)
    report = bring(home, tmp_path / "src")
    assert everything(tmp_path) == before
    assert all("/" not in taken.path and not taken.path.startswith(".") for taken in report.done)
