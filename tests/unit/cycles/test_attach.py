"""Files that are dropped into a message."""

from pathlib import Path

import pytest

from app.cycles.attach import LIMIT_BYTES, holds_file, quote_file, quote_files
from app.errors import AppError


def test_a_file_is_quoted_with_its_name_in_a_fence_it_cannot_close(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("# Note\n```py\nx\n```\n", encoding="utf-8")
    assert quote_file(note) == "[file: note.md]\n````\n# Note\n```py\nx\n```\n````\n"
    assert holds_file("Look at this:\n\n" + quote_file(note))
    assert not holds_file("see [file: note.md] there")


def test_several_files_stand_one_after_the_other(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(name)
    assert quote_files([str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]).count("[file: ") == 2


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda path: path.mkdir(), "folder"),
        (lambda path: path.write_bytes(b"x" * (LIMIT_BYTES + 1)), "KB"),
        (lambda path: path.write_bytes(b"\xff\xfe\x00"), "UTF-8"),
        (lambda path: path.write_bytes(b"a\x00b"), "binary"),
        (lambda _path: None, "No such file"),
    ],
)
def test_what_is_no_text_file_is_refused_in_words(tmp_path: Path, make, word: str) -> None:
    path = tmp_path / "thing"
    make(path)
    with pytest.raises(AppError) as told:
        quote_file(path)
    assert word in told.value.text
    assert "thing" in told.value.text
