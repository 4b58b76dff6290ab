"""What is exported comes back byte for byte, and the same content is always the same file."""

import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.cancel import CancelToken
from app.clock import Clock
from app.cycles.exchange import default_picks, look, take
from app.cycles.exchange_out import export
from app.cycles.home import OpenHome, home_key
from app.errors import AppError
from app.exchange.packing import Form
from app.history.trees import hash_files
from app.history.values import Blob, BlobKind
from app.history.walk import read_folder, write_folder

TEXT = b"---\nname: demo\ndescription: A sample. Use in tests.\n---\n"
NAMES = st.from_regex(r"[a-z][a-z0-9_-]{0,7}(\.[a-z]{1,3})?", fullmatch=True)
FILES = st.dictionaries(
    st.lists(NAMES, min_size=1, max_size=3).map("/".join),
    st.tuples(st.binary(max_size=60), st.booleans()),
    max_size=6,
)


@pytest.fixture
def home(tmp_path: Path, clock: Clock):
    opened = OpenHome(home_key(tmp_path / "home", clock))
    yield opened
    opened.close()


def put(home: OpenHome, files: dict[str, Blob] | None = None, name: str = "demo") -> Path:
    folder = home.home.skills / name
    write_folder(folder, {"SKILL.md": Blob(TEXT.replace(b"demo", name.encode())), **(files or {})})
    return folder


def played(work):
    while True:
        try:
            next(work)
        except StopIteration as stop:
            return stop.value


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=FILES, form=st.sampled_from(list(Form)))
def test_import_of_an_export_is_the_skill_byte_for_byte(tmp_path_factory, clock: Clock, files, form: Form) -> None:
    there_and_back(tmp_path_factory, clock, files, form)


@pytest.mark.slow
@pytest.mark.timeout(240)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=FILES, form=st.sampled_from(list(Form)))
def test_import_of_an_export_is_the_skill_byte_for_byte_many_times(tmp_path_factory, clock, files, form: Form) -> None:
    there_and_back(tmp_path_factory, clock, files, form)


def there_and_back(tmp_path_factory, clock: Clock, files, form: Form) -> None:
    tmp = tmp_path_factory.mktemp("round")
    paths = [path for path in files if not any(other.startswith(f"{path}/") for other in files)]
    kinds = {path: (BlobKind.EXECUTABLE if files[path][1] else BlobKind.FILE) for path in paths}
    blobs = {path: Blob(files[path][0], kinds[path]) for path in paths if path.lower() != "skill.md"}
    one, other = (OpenHome(home_key(tmp / name, clock)) for name in ("one", "other"))
    try:
        folder = put(one, blobs)
        dest = export(one, ["demo"], tmp / "out", form).done[0][1]
        seen = played(look(other, dest, CancelToken()))
        assert take(other, seen, default_picks(seen, accept=True)).refused == ()
        there = read_folder(other.home.skills / "demo", limit=10_000_000).files
        assert dict(there) == dict(read_folder(folder, limit=10_000_000).files)
        assert hash_files(there) == other.history.tree_id("skills/demo")
    finally:
        one.close()
        other.close()


def test_the_same_content_gives_the_same_bytes_whatever_the_times(home: OpenHome, tmp_path: Path) -> None:
    folder = put(home, {"b.md": Blob(b"b"), "a/x.sh": Blob(b"x", BlobKind.EXECUTABLE)})
    export(home, ["demo"], tmp_path / "one.skill")
    (folder / "b.md").touch()
    export(home, ["demo"], tmp_path / "two.skill")
    assert (tmp_path / "one.skill").read_bytes() == (tmp_path / "two.skill").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.skill") as made:
        assert made.namelist() == ["demo/SKILL.md", "demo/a/x.sh", "demo/b.md"]


def test_links_and_generated_folders_stay_behind_and_are_named(home: OpenHome, tmp_path: Path) -> None:
    folder = put(home, {"node_modules/x.js": Blob(b"x")})
    (tmp_path / "secret").write_text("secret")
    (folder / "out").symlink_to(tmp_path / "secret")
    report = export(home, ["demo"], tmp_path / "out.zip")
    assert {path for _, path, _ in report.left_out} == {"out", "node_modules"}
    assert b"secret" not in (tmp_path / "out.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "out.zip") as made:
        assert made.namelist() == ["demo/SKILL.md"]


def test_several_skills_go_into_one_archive_and_come_back(home: OpenHome, tmp_path: Path, clock: Clock) -> None:
    put(home)
    put(home, name="other")
    export(home, ["demo", "other"], tmp_path / "all.zip")
    again = OpenHome(home_key(tmp_path / "again", clock))
    seen = played(look(again, str(tmp_path / "all.zip"), CancelToken()))
    assert [one.name for one in take(again, seen, default_picks(seen)).done] == ["demo", "other"]
    again.close()


def test_nothing_is_replaced_unless_it_is_said(home: OpenHome, tmp_path: Path) -> None:
    put(home)
    (tmp_path / "out" / "demo").mkdir(parents=True)
    (tmp_path / "out" / "demo" / "mine.md").write_text("mine")
    with pytest.raises(AppError, match="is there already"):
        export(home, ["demo"], tmp_path / "out")
    assert (tmp_path / "out" / "demo" / "mine.md").exists()
    export(home, ["demo"], tmp_path / "out", replace=True)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["demo"]
    assert sorted(path.name for path in (tmp_path / "out" / "demo").iterdir()) == ["SKILL.md"]


def test_nothing_is_exported_into_the_library(home: OpenHome) -> None:
    put(home)
    with pytest.raises(AppError, match="outside"):
        export(home, ["demo"], home.home.skills / "copy")
