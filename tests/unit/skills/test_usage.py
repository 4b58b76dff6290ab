"""The usage sidecar: counters, unknown keys, damage, and several writers at once."""

import json
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import AppError, Kind
from app.skills.order import usage_keys
from app.skills.usage import (
    UsageFile,
    author_of,
    count,
    dump_records,
    is_managed,
    is_pinned,
    parse_records,
    set_fields,
    state_of,
    usage_of,
)
from app.skills.values import Author, State

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)


def test_a_missing_file_is_no_data_and_no_trouble(tmp_path: Path) -> None:
    assert UsageFile(tmp_path / ".usage.json").look() == ({}, None)
    assert usage_of(None).known is False


def test_counting_a_use_keeps_unknown_keys_of_the_record_and_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / ".usage.json"
    path.write_text('{"a": {"use_count": 2, "theirs": [1]}, "other": {"x": 1}, "odd": 5}')
    UsageFile(path).update(lambda records: count(records, "use", "a", AT))
    assert json.loads(path.read_text()) == {
        "a": {"use_count": 3, "theirs": [1], "last_used_at": "2026-06-01T12:00:00+00:00"},
        "other": {"x": 1},
        "odd": 5,
    }


def test_a_damaged_file_gives_a_notice_and_is_kept_before_the_next_write(tmp_path: Path) -> None:
    path = tmp_path / ".usage.json"
    path.write_bytes(b'{"a": {"use_c')
    records, notice = UsageFile(path).look()
    assert (records, notice is not None) == ({}, True)
    UsageFile(path).update(lambda found: count(found, "view", "a", AT))
    (copy,) = tmp_path.glob(".usage.json.broken-*")
    assert copy.read_bytes() == b'{"a": {"use_c'
    assert usage_of(UsageFile(path).read()["a"]).views == 1


def test_an_update_that_changes_nothing_leaves_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / ".usage.json"
    path.write_text('{"a":{"pinned":true}}')
    UsageFile(path).update(lambda records: None)
    assert path.read_text() == '{"a":{"pinned":true}}'


def test_a_file_that_is_a_folder_is_a_sentence_to_act_on(tmp_path: Path) -> None:
    (tmp_path / ".usage.json").mkdir()
    with pytest.raises(AppError) as caught:
        UsageFile(tmp_path / ".usage.json").update(lambda records: None)
    assert caught.value.kind is Kind.STORAGE


def test_writers_at_the_same_time_lose_no_count(tmp_path: Path) -> None:
    path = tmp_path / ".usage.json"

    def work() -> None:
        for _ in range(10):
            UsageFile(path).update(lambda records: count(records, "use", "a", AT))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert usage_of(UsageFile(path).read()["a"]).uses == 40


def test_a_field_set_to_none_is_removed() -> None:
    records = {"a": {"pinned": True, "x": 1}}
    set_fields(records, "a", pinned=None, state="stale")
    assert records == {"a": {"x": 1, "state": "stale"}}


def test_damaged_values_count_as_no_data() -> None:
    usage = usage_of({"use_count": "many", "view_count": -3, "patch_count": True, "last_used_at": "yesterday"})
    assert (usage.known, usage.uses, usage.views, usage.patches, usage.last_used_at) == (False, 0, 0, 0, None)


def test_managed_author_and_state_are_separate_facts() -> None:
    adopted = {"created_by": "agent", "_melete_author": "user", "state": "stale"}
    assert (is_managed(adopted), author_of(adopted), state_of(adopted)) == (True, Author.USER, State.STALE)
    assert is_managed({"agent_created": True}) is True
    assert (is_managed({"created_by": None}), author_of({}), state_of({})) == (False, Author.UNKNOWN, State.ACTIVE)


def test_a_record_is_kept_under_the_name_until_a_second_skill_has_it() -> None:
    one = ("review", "review", "mine/review", False, False)
    two = ("review", "review", "team/review", False, False)
    gone = ("review", "review", ".archive/review", True, False)
    assert usage_keys([one]) == ["review"]
    assert usage_keys([one, two]) == ["mine/review", "team/review"]
    assert usage_keys([one, gone]) == ["review", ".archive/review"]
    assert usage_keys([gone]) == ["review"]


def test_a_name_with_a_slash_is_kept_under_the_folders_name() -> None:
    odd = ("cat/kit", "cat/kit", "tools/kit-folder", False, False)
    assert usage_keys([odd]) == ["kit-folder"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), JSON, max_size=4))
def test_records_are_read_back_as_they_were_written(records: dict) -> None:
    assert parse_records(dump_records(records)) == json.loads(json.dumps(records))


@given(st.binary(max_size=60))
def test_no_bytes_make_reading_raise(data: bytes) -> None:
    found = parse_records(data)
    assert found is None or isinstance(found, dict)


def test_an_odd_pin_still_pins() -> None:
    assert [is_pinned({"pinned": value}) for value in (True, 1, "yes")] == [True] * 3
    assert [is_pinned({"pinned": value}) for value in (None, False, 0, "", "no")] == [False] * 5


def test_an_unchanged_file_gives_the_records_known_already(tmp_path):
    file = UsageFile(tmp_path / ".usage.json")
    file.path.write_text('{"one": {"use_count": 1}}')
    records, _, mark = file.look_again("", {})
    assert file.look_again(mark, records)[0] is records
    file.path.write_text('{"one": {"use_count": 2}}')
    assert file.look_again(mark, records)[0] == {"one": {"use_count": 2}}


def test_a_damaged_file_never_stands_for_what_is_known(tmp_path):
    file = UsageFile(tmp_path / ".usage.json")
    file.path.write_text("{")
    records, notice, mark = file.look_again("", {"one": {}})
    assert (records, mark) == ({}, "")
    assert notice is not None
