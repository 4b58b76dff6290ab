"""Changing one field of a front matter without touching anything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import AppError
from app.skills.front import set_field
from app.skills.parse import parse_skill

FULL = b"""---
# who we are
name: demo   # keep me
description: "Old text"  # and me
license:   MIT
x-own: [a, b]
metadata:
  hermes:
    tags: [Deploy]   # nested

allowed-tools: Read
---

Body --- stays.
"""

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


def said(data: bytes, key: str) -> object:
    return parse_skill(data, "demo").front.fields.get(key)


def test_only_the_value_changes_and_its_quotes_and_comment_stay() -> None:
    assert set_field(FULL, "description", "New text") == FULL.replace(b'"Old text"', b'"New text"')


def test_a_plain_value_stays_plain_and_keeps_its_blanks() -> None:
    assert set_field(FULL, "license", "Apache-2.0") == FULL.replace(b"MIT", b"Apache-2.0")


def test_a_value_that_needs_quotes_gets_them() -> None:
    assert b"license:   'Use when: always'\n" in set_field(FULL, "license", "Use when: always")


def test_a_value_that_looks_like_a_number_is_quoted() -> None:
    assert b"license:   '1.10'\n" in set_field(FULL, "license", "1.10")


def test_a_new_field_goes_to_the_end() -> None:
    assert set_field(FULL, "compatibility", "Linux") == FULL.replace(
        b"allowed-tools: Read\n", b"allowed-tools: Read\ncompatibility: Linux\n"
    )


def test_removing_a_field_removes_its_lines_alone() -> None:
    gone = b"metadata:\n  hermes:\n    tags: [Deploy]   # nested\n"
    assert set_field(FULL, "metadata", None) == FULL.replace(gone, b"")


def test_removing_a_missing_field_changes_nothing() -> None:
    assert set_field(FULL, "compatibility", None) == FULL


def test_setting_the_same_text_changes_nothing() -> None:
    assert set_field(FULL, "name", "demo") == FULL


def test_windows_line_ends_and_byte_order_mark_stay() -> None:
    data = b"\xef\xbb\xbf" + FULL.replace(b"\n", b"\r\n")
    assert set_field(data, "name", "other") == data.replace(b"name: demo", b"name: other")


def test_several_lines_become_a_block_with_the_files_line_ends() -> None:
    data = FULL.replace(b"\n", b"\r\n")
    changed = set_field(data, "compatibility", "one\ntwo")
    assert b"compatibility: |-\r\n  one\r\n  two\r\n---" in changed


def test_a_folded_block_is_replaced_whole() -> None:
    data = b"---\nname: x\ndescription: >\n  long\n  text\n\n# note\nlicense: MIT\n---\n"
    assert set_field(data, "description", "short") == b"---\nname: x\ndescription: short\n\n# note\nlicense: MIT\n---\n"


def test_of_a_repeated_field_the_last_one_that_counts_is_changed() -> None:
    data = b"---\nname: x\ndescription: first\nlicense: MIT\ndescription: second\n---\n"
    assert set_field(data, "description", "third") == data.replace(b"second", b"third")


def test_changing_another_field_keeps_both_lines_of_a_repeated_one() -> None:
    data = b"---\nname: x\ndescription: first\nlicense: MIT\ndescription: second\n---\n"
    assert set_field(data, "license", "BSD") == data.replace(b"MIT", b"BSD")


def test_a_broken_unquoted_value_is_replaced_by_a_quoted_one() -> None:
    data = b"---\nname: x\ndescription:   Use when: always\n---\n"
    assert set_field(data, "description", "Use if: never") == b"---\nname: x\ndescription: 'Use if: never'\n---\n"


def test_an_alias_is_replaced_without_touching_its_anchor() -> None:
    data = b"---\nname: &n demo\ndescription: *n\n---\n"
    assert set_field(data, "description", "own") == b"---\nname: &n demo\ndescription: own\n---\n"


def test_changing_an_anchored_value_that_others_repeat_is_refused() -> None:
    with pytest.raises(AppError):
        set_field(b"---\nname: &n demo\ndescription: *n\n---\n", "name", "other")


def test_a_front_matter_in_braces_is_refused_for_new_fields() -> None:
    with pytest.raises(AppError):
        set_field(b"---\n{name: x, description: y}\n---\n", "license", "MIT")


def test_a_file_without_front_matter_is_refused() -> None:
    with pytest.raises(AppError):
        set_field(b"# Heading\n", "name", "x")


def test_stray_bytes_in_the_body_survive() -> None:
    data = b"---\nname: x\ndescription: y\n---\ncaf\xe9\n"
    assert set_field(data, "name", "z") == data.replace(b"name: x", b"name: z")


@given(value=TEXTS, key=st.sampled_from(["name", "description", "license", "compatibility", "metadata"]))
def test_any_text_is_read_back_exactly_and_other_fields_stay(value: str, key: str) -> None:
    changed = set_field(FULL, key, value)
    before, after = parse_skill(FULL, "demo").front.fields, parse_skill(changed, "demo").front.fields
    assert after[key] == value
    assert {k: v for k, v in after.items() if k != key} == {k: v for k, v in before.items() if k != key}
    assert changed.endswith(b"---\n\nBody --- stays.\n")


@given(value=TEXTS, old=TEXTS, end=st.sampled_from([b"\n", b"\r\n"]))
def test_going_there_and_back_keeps_every_other_line(value: str, old: str, end: bytes) -> None:
    start = set_field(FULL.replace(b"\n", end), "description", old)
    back = set_field(set_field(start, "description", value), "description", old)
    assert said(back, "description") == old
    lines = [line for line in FULL.replace(b"\n", end).split(end) if not line.startswith(b"description")]
    assert all(line in back for line in lines)


@given(value=TEXTS)
def test_adding_and_removing_a_field_gives_the_same_bytes(value: str) -> None:
    assert set_field(set_field(FULL, "compatibility", value), "compatibility", None) == FULL
