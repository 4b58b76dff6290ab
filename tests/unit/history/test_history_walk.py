import os
import stat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.errors import AppError, Kind
from app.history.trees import decode_tree, encode_tree, file_item, hash_files
from app.history.values import Blob, BlobKind
from app.history.walk import read_folder, write_folder

LIMIT = 2_000_000


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "skill").mkdir()
    return tmp_path / "skill"


def test_files_links_and_execute_bits_are_read(folder):
    (folder / "sub").mkdir()
    (folder / "SKILL.md").write_bytes(b"a\r\n")
    (folder / "sub/run").write_bytes(b"x")
    (folder / "sub/run").chmod(0o755)
    (folder / "out").symlink_to("/etc/passwd")
    walk = read_folder(folder, limit=LIMIT)
    assert walk.files == {
        "SKILL.md": Blob(b"a\r\n"),
        "out": Blob(b"/etc/passwd", BlobKind.LINK),
        "sub/run": Blob(b"x", BlobKind.EXECUTABLE),
    }
    assert walk.folders == ("sub",)


def test_a_link_to_a_folder_is_not_entered(tmp_path):
    (tmp_path / "skill").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other/secret").write_bytes(b"s")
    (tmp_path / "skill/in").symlink_to("../other")
    (tmp_path / "skill/self").symlink_to(".")
    assert set(read_folder(tmp_path / "skill", limit=LIMIT).files) == {"in", "self"}


def test_generated_folders_and_large_files_are_listed_as_not_kept(folder):
    (folder / "node_modules/x").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "big").write_bytes(b"12345678901")
    (folder / "fits").write_bytes(b"1234567890")
    walk = read_folder(folder, limit=10)
    assert set(walk.files) == {"fits"}
    assert [(n.path, n.why, n.size) for n in walk.not_kept] == [
        (".git", "generated folder", 0),
        ("big", "too large", 11),
        ("node_modules", "generated folder", 0),
    ]


def test_a_git_file_is_kept(folder):
    (folder / ".git").write_bytes(b"gitdir: x")
    assert read_folder(folder, limit=LIMIT).files == {".git": Blob(b"gitdir: x")}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_listed_and_never_opened(folder):
    os.mkfifo(folder / "pipe")
    walk = read_folder(folder, limit=LIMIT)
    assert not walk.files
    assert [(n.path, n.why) for n in walk.not_kept] == [("pipe", "not a file")]


def test_a_folder_that_is_missing_or_a_link_is_refused(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for name in ("gone", "link"):
        with pytest.raises(AppError) as caught:
            read_folder(tmp_path / name, limit=LIMIT)
        assert caught.value.kind is Kind.NOT_FOUND


def test_a_written_folder_reads_back_the_same(tmp_path):
    files = {
        "SKILL.md": Blob(b"text"),
        "a/b/run.sh": Blob(b"#!/bin/sh", BlobKind.EXECUTABLE),
        "a/link": Blob(b"../SKILL.md", BlobKind.LINK),
        ".gitattributes": Blob(b"* text"),
        "git~1": Blob(b"x"),
    }
    write_folder(tmp_path / "new", files)
    assert read_folder(tmp_path / "new", limit=LIMIT).files == files
    assert stat.S_IMODE((tmp_path / "new/a/b/run.sh").stat().st_mode) == 0o755


def test_writing_never_leaves_the_folder(tmp_path):
    (tmp_path / "new").mkdir()
    with pytest.raises(AppError):
        write_folder(tmp_path / "new", {"../out": Blob(b"x")})
    (tmp_path / "new/up").symlink_to(tmp_path)
    with pytest.raises(AppError):
        write_folder(tmp_path / "new", {"up/out": Blob(b"x")})
    assert not (tmp_path / "out").exists()


_names = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=6).filter(
    lambda name: name not in {".", ".."}
)


@settings(deadline=None)
@given(st.dictionaries(_names, st.sampled_from(list(BlobKind)), max_size=5))
def test_a_tree_decodes_to_what_was_encoded(kinds):
    items = {name: file_item(kind, "ab" * 20) for name, kind in kinds.items()}
    assert decode_tree(encode_tree(items)) == items


@settings(deadline=None)
@given(st.dictionaries(_names, st.binary(max_size=8), min_size=1, max_size=5))
def test_the_hash_of_files_depends_on_names_and_bytes_alone(files):
    blobs = {f"d/{name}": Blob(data) for name, data in files.items()}
    assert hash_files(blobs) == hash_files(dict(reversed(blobs.items())))
    assert hash_files(blobs) != hash_files({**blobs, "extra": Blob(b"")})
