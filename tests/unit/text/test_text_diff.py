"""Differences: exact bytes back, stable hunks, word marks, odd files."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import AppError
from app.text.diff import apply_hunks, diff_files, diff_text, split_lines
from app.text.values import FileStatus, LineKind

LINE = st.sampled_from([b"alpha", b"beta", b"gamma delta", b"", b"caf\xc3\xa9", b"\xff\xfe", b"lone\rcr", b"x" * 30])
END = st.sampled_from([b"\n", b"\r\n"])
TEXT = st.builds(
    lambda lines, tail: b"".join(line + end for line, end in lines) + tail,
    st.lists(st.tuples(LINE, END), max_size=40),
    st.sampled_from([b"", b"no end", b"caf\xc3\xa9"]),
)


def edited(text: bytes, places: list[int], new: bytes) -> bytes:
    lines = text.split(b"\n")
    for place in places:
        lines[place % len(lines)] = new
    return b"\n".join(lines)


@given(old=TEXT, new=TEXT)
def test_all_hunks_give_the_new_text_and_none_the_old(old: bytes, new: bytes) -> None:
    diff = diff_text("SKILL.md", old, new)
    assert apply_hunks(old, diff, [hunk.id for hunk in diff.hunks]) == new
    assert apply_hunks(old, diff, []) == old


@given(text=TEXT, places=st.lists(st.integers(0, 60), max_size=4), new=LINE, chosen=st.sets(st.integers(0, 3)))
def test_a_choice_of_hunks_takes_exactly_those(text: bytes, places: list[int], new: bytes, chosen: set[int]) -> None:
    after = edited(text, places, new)
    diff = diff_text("SKILL.md", text, after)
    ids = [hunk.id for number, hunk in enumerate(diff.hunks) if number in chosen]
    half = apply_hunks(text, diff, ids)
    rest = diff_text("SKILL.md", half, after)
    assert apply_hunks(half, rest, [hunk.id for hunk in rest.hunks]) == after
    assert len(diff_text("SKILL.md", text, half).hunks) <= len(ids)


def test_choosing_the_first_of_two_hunks_leaves_the_second_place_as_it_was() -> None:
    old = b"".join(b"line %d\r\n" % n for n in range(30))
    new = old.replace(b"line 3\r\n", b"third\r\n").replace(b"line 25\r\n", b"later\n")
    diff = diff_text("a", old, new)
    assert len(diff.hunks) == 2
    assert apply_hunks(old, diff, [diff.hunks[0].id]) == old.replace(b"line 3\r\n", b"third\r\n")
    assert apply_hunks(old, diff, [diff.hunks[1].id]) == old.replace(b"line 25\r\n", b"later\n")


def test_a_changed_line_end_is_a_changed_line() -> None:
    diff = diff_text("a", b"one\r\ntwo\n", b"one\ntwo\n")
    removed, added = diff.hunks[0].lines[:2]
    assert (removed.text, removed.end, removed.kind) == ("one", "\r\n", LineKind.REMOVED)
    assert (added.text, added.end, added.kind) == ("one", "\n", LineKind.ADDED)


def test_a_missing_final_line_end_is_seen_and_named_by_an_empty_end() -> None:
    diff = diff_text("a", b"one\ntwo", b"one\ntwo\n")
    ends = [(line.kind, line.end) for line in diff.hunks[0].lines if line.kind is not LineKind.CONTEXT]
    assert ends == [(LineKind.REMOVED, ""), (LineKind.ADDED, "\n")]


def test_word_marks_cover_only_the_changed_words() -> None:
    diff = diff_text("a", b"run the old command now\n", b"run the new command now\n")
    removed, added = diff.hunks[0].lines
    assert [removed.text[a:b] for a, b in removed.spans] == ["old"]
    assert [added.text[a:b] for a, b in added.spans] == ["new"]


def test_a_line_is_marked_against_its_likeliest_partner_when_lines_were_inserted() -> None:
    old = b"send the weekly report to Ana\n"
    new = b"open the calendar first\nsend the weekly report to Bob\n"
    added = [line for line in diff_text("a", old, new).hunks[0].lines if line.kind is LineKind.ADDED]
    assert [line.text[a:b] for line in added for a, b in line.spans] == ["Bob"]


def test_added_and_removed_files_carry_all_their_lines() -> None:
    added = diff_text("n", None, b"a\nb\n")
    removed = diff_text("n", b"a\nb\n", None)
    assert (added.status, added.added, added.removed, added.old_hash) == (FileStatus.ADDED, 2, 0, "")
    assert (removed.status, removed.added, removed.removed, removed.new_hash) == (FileStatus.REMOVED, 0, 2, "")


def test_a_binary_file_has_sizes_and_hashes_and_no_hunks() -> None:
    diff = diff_text("logo.png", b"\x89PNG\0\1", b"\x89PNG\0\2\3")
    assert diff.binary
    assert (diff.hunks, diff.old_size, diff.new_size) == ((), 6, 7)
    assert diff.old_hash != diff.new_hash
    with pytest.raises(AppError):
        apply_hunks(b"\x89PNG\0\1", diff, [])


def test_folders_list_changed_files_and_changed_modes_only() -> None:
    old = {"SKILL.md": b"a\n", "same": b"s", "scripts/run": b"#!/bin/sh\n", "gone": b"g"}
    new = {"SKILL.md": b"b\n", "same": b"s", "scripts/run": b"#!/bin/sh\n", "come": b"c"}
    found = diff_files(old, new, {"scripts/run": "made executable"})
    assert [(file.path, file.status.value) for file in found] == [
        ("SKILL.md", "modified"),
        ("come", "added"),
        ("gone", "removed"),
        ("scripts/run", "modified"),
    ]
    assert (found[3].mode, found[3].hunks) == ("made executable", ())


def test_hunk_ids_are_the_same_for_the_same_texts_and_differ_by_place() -> None:
    old = b"x\n" * 40
    lines = old.split(b"\n")
    lines[2] = lines[30] = b"y"
    first, second = (diff_text("a", old, b"\n".join(lines)) for _ in range(2))
    assert [h.id for h in first.hunks] == [h.id for h in second.hunks]
    assert len({h.id for h in first.hunks}) == 2


def test_hunks_of_another_text_are_refused() -> None:
    diff = diff_text("a", b"one\n", b"two\n")
    with pytest.raises(AppError, match="moved on"):
        apply_hunks(b"three\n", diff, [diff.hunks[0].id])
    with pytest.raises(AppError, match="not found"):
        apply_hunks(b"one\n", diff, ["beef"])


def test_two_megabytes_with_every_tenth_line_changed_take_no_stall() -> None:
    lines = [b"%d some words of an ordinary line of text in a file" % n for n in range(40_000)]
    old = b"\n".join(lines)
    lines[::10] = [line + b" changed" for line in lines[::10]]
    begin = time.perf_counter()
    diff = diff_text("big", old, b"\n".join(lines))
    assert time.perf_counter() - begin < 5
    assert len(diff.hunks) == 4000


@given(st.binary(max_size=200))
def test_lines_joined_are_the_bytes(data: bytes) -> None:
    assert "".join(split_lines(data)).encode("utf-8", "surrogateescape") == data


def test_the_runs_between_the_hunks_and_their_old_sides_are_the_whole_old_text():
    old = "".join(f"line {n}\n" for n in range(40))
    new = old.replace("line 9\n", "").replace("line 30\n", "line thirty\nmore\n")
    diff = diff_text("a", old.encode(), new.encode())
    sides = ["".join(line.text + line.end for line in hunk.lines if line.old_number) for hunk in diff.hunks]
    runs = ["".join(run) for run in diff.between]
    assert runs[0] + sides[0] + runs[1] + sides[1] + runs[2] == old
