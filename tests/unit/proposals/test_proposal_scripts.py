"""A change that brings, alters or removes something runnable is known as such."""

from app.history.values import Blob, BlobKind
from app.proposals.scripts import script_changes

SKILL = Blob(b"---\nname: a\n---\n")


def test_scripts_are_known_by_folder_bit_and_first_line() -> None:
    after = {
        "SKILL.md": SKILL,
        "scripts/a.txt": Blob(b"text"),
        "deep/scripts/b": Blob(b"text"),
        "tool": Blob(b"text", BlobKind.EXECUTABLE),
        "run": Blob(b"#!/bin/sh\n"),
        "scripts.md": Blob(b"text"),
        "references/x.md": Blob(b"text"),
    }
    assert script_changes({"SKILL.md": SKILL}, after) == ("deep/scripts/b", "run", "scripts/a.txt", "tool")


def test_an_unchanged_script_is_no_script_change() -> None:
    before = {"SKILL.md": SKILL, "scripts/a": Blob(b"1")}
    assert script_changes(before, {"SKILL.md": Blob(b"other"), "scripts/a": Blob(b"1")}) == ()


def test_the_execute_bit_alone_is_a_script_change() -> None:
    assert script_changes({"a": Blob(b"1")}, {"a": Blob(b"1", BlobKind.EXECUTABLE)}) == ("a",)


def test_removing_a_script_counts_and_archiving_does_not() -> None:
    before = {"SKILL.md": SKILL, "scripts/a": Blob(b"1")}
    assert script_changes(before, {"SKILL.md": SKILL}) == ("scripts/a",)
    assert script_changes(before, None) == ()
