"""Archives made to mislead are refused as a whole, before a single file of them is read."""

import struct
import zipfile
from pathlib import Path

import pytest

from app.errors import AppError
from app.exchange.limits import Limits
from app.exchange.zips import open_zip
from tests.unit.exchange.conftest import DEVICE, SYMLINK, skill_text

LIMITS = Limits()

GOOD = ("demo/SKILL.md", skill_text("demo"))


def names(path: Path, limits: Limits = LIMITS) -> list[str]:
    with open_zip(path, limits) as items:
        return sorted(items)


@pytest.mark.parametrize(
    "path",
    [
        "../evil.md",
        "demo/../../evil.md",
        "/etc/evil",
        "demo\\evil.md",
        "C:evil.md",
        "demo//evil.md",
        "./evil.md",
        "a\0b",
    ],
)
def test_an_entry_that_could_leave_the_folder_refuses_the_archive(archive, path: str) -> None:
    with pytest.raises(AppError, match="Nothing of the archive is imported"):
        names(archive([GOOD, (path, b"x")]))


def test_two_entries_of_one_name_refuse_the_archive(archive) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        made = archive([GOOD, ("demo/a.md", b"1"), ("demo/a.md", b"2")])
    with pytest.raises(AppError, match="twice"):
        names(made)


def test_a_device_refuses_the_archive(archive) -> None:
    with pytest.raises(AppError, match="device"):
        names(archive([GOOD, ("demo/null", b"")], {"demo/null": DEVICE}))


def test_an_entry_that_unpacks_to_hundreds_of_times_its_size_refuses_the_archive(archive) -> None:
    with pytest.raises(AppError, match="200 times"):
        names(archive([GOOD, ("demo/zeros.bin", b"\0" * 3_000_000)]))


def test_more_bytes_than_allowed_refuse_the_archive(archive) -> None:
    with pytest.raises(AppError, match="Too large"):
        names(archive([GOOD, ("demo/a.bin", bytes(range(256)) * 40)]), Limits(unpacked=5_000))


def test_more_entries_than_allowed_refuse_the_archive(archive) -> None:
    with pytest.raises(AppError, match="entries"):
        names(archive([GOOD, *((f"demo/{n}.md", b"x") for n in range(9))]), Limits(files=4))


def test_an_encrypted_entry_refuses_the_archive(archive) -> None:
    made = archive([GOOD])
    data = bytearray(made.read_bytes())
    central = data.index(b"PK\x01\x02")
    data[central + 8 : central + 10] = struct.pack("<H", 1)
    made.write_bytes(data)
    with pytest.raises(AppError, match="encrypted"):
        names(made)


def test_an_entry_that_lies_about_its_size_is_not_read(archive) -> None:
    made = archive([("demo/SKILL.md", skill_text("demo") * 40)])
    data = bytearray(made.read_bytes())
    central = data.index(b"PK\x01\x02")
    data[central + 24 : central + 28] = struct.pack("<I", 10)
    made.write_bytes(data)
    with open_zip(made, Limits()) as items, pytest.raises(AppError, match=r"another size|damaged"):
        items["demo/SKILL.md"].read()


def test_damaged_bytes_are_an_error_that_says_so(archive) -> None:
    made = archive([("demo/SKILL.md", skill_text("demo") * 40)])
    data = bytearray(made.read_bytes())
    data[60:80] = b"\xff" * 20
    made.write_bytes(data)
    with open_zip(made, Limits()) as items, pytest.raises(AppError, match=r"damaged|size"):
        items["demo/SKILL.md"].read()


def test_half_an_archive_is_an_error_that_says_so(archive, tmp_path: Path) -> None:
    made = archive([GOOD])
    made.write_bytes(made.read_bytes()[:-30])
    with pytest.raises(AppError, match="zip archive"):
        names(made)


def test_a_link_is_listed_as_a_link_and_not_followed(archive) -> None:
    made = archive([GOOD, ("demo/passwd", b"/etc/passwd")], {"demo/passwd": SYMLINK})
    with open_zip(made, Limits()) as items:
        assert items["demo/passwd"].kind.value == "link"


def test_execute_bits_come_along(archive) -> None:
    made = archive([GOOD, ("demo/run.sh", b"echo\n")], {"demo/run.sh": 0o100755})
    with open_zip(made, Limits()) as items:
        assert items["demo/run.sh"].kind.value == "executable"
        assert items["demo/SKILL.md"].kind.value == "file"


def test_an_archive_packed_in_another_way_is_refused(tmp_path: Path) -> None:
    made = tmp_path / "x.zip"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_BZIP2) as target:
        target.writestr("demo/SKILL.md", skill_text("demo"))
    with pytest.raises(AppError, match="not supported"):
        names(made)


def test_an_archive_that_asks_for_an_unknown_version_is_an_error_that_says_so(archive) -> None:
    made = archive([GOOD])
    data = bytearray(made.read_bytes())
    data[data.index(b"PK\x01\x02") + 6] = 200
    made.write_bytes(data)
    with pytest.raises(AppError, match="zip archive"):
        names(made)
