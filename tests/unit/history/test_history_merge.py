from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.clock import fixed_clock
from app.history.store import History
from app.history.values import Blob, BlobKind

TEXT = b"one\ntwo\nthree\nfour\nfive\nsix\nseven\n"


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    store = History(tmp_path_factory.mktemp("merge") / "h.git", fixed_clock(datetime(2026, 1, 1, tzinfo=UTC)))
    yield store
    store.close()


def files(**named):
    return {name: Blob(data) for name, data in named.items()}


def test_edits_in_different_places_merge(history):
    ours, theirs = TEXT.replace(b"one", b"ONE"), TEXT.replace(b"seven", b"SEVEN")
    merge = history.merge(files(a=TEXT), files(a=ours), files(a=theirs))
    assert merge.clean
    assert merge.files == files(a=TEXT.replace(b"one", b"ONE").replace(b"seven", b"SEVEN"))


def test_edits_of_one_line_conflict_and_show_all_three_sides(history):
    ours, theirs = TEXT.replace(b"two", b"2"), TEXT.replace(b"two", b"II")
    merge = history.merge(files(a=TEXT), files(a=ours), files(a=theirs))
    (conflict,) = merge.conflicts
    assert (conflict.path, conflict.base, conflict.ours, conflict.theirs) == ("a", TEXT, ours, theirs)
    assert b"<<<<<<<" in merge.files["a"].data


def test_edit_against_delete_is_a_conflict_both_ways(history):
    edited = files(a=TEXT + b"more\n")
    for ours, theirs in ((edited, {}), ({}, edited)):
        merge = history.merge(files(a=TEXT), ours, theirs)
        assert [c.path for c in merge.conflicts] == ["a"]
        assert merge.files == edited


def test_a_moved_file_is_not_followed(history):
    merge = history.merge(files(a=TEXT), files(a=TEXT.replace(b"one", b"ONE")), files(b=TEXT))
    assert [c.path for c in merge.conflicts] == ["a"]


def test_a_gitattributes_file_does_not_force_a_clean_merge(history):
    attributes = b"* merge=union\n"
    sides = [files(**{".gitattributes": attributes, "a": TEXT.replace(b"two", word)}) for word in (b"two", b"2", b"II")]
    assert not history.merge(*sides).clean


def test_binary_files_changed_on_both_sides_conflict_and_stay_ours(history):
    merge = history.merge(files(a=b"\0a"), files(a=b"\0b"), files(a=b"\0c"))
    assert [c.path for c in merge.conflicts] == ["a"]
    assert merge.files == files(a=b"\0b")


def test_an_execute_bit_and_an_edit_merge(history):
    base, edited = Blob(TEXT), Blob(TEXT + b"x\n")
    merge = history.merge({"a": base}, {"a": edited}, {"a": Blob(TEXT, BlobKind.EXECUTABLE)})
    assert merge.clean
    assert merge.files == {"a": Blob(TEXT + b"x\n", BlobKind.EXECUTABLE)}


def test_a_file_where_the_other_made_a_folder_is_a_conflict(history):
    merge = history.merge({}, files(a=b"file"), {"a/b": Blob(b"inside")})
    assert [c.path for c in merge.conflicts] == ["a"]
    assert merge.files == {"a/b": Blob(b"inside")}


def test_line_ends_survive_a_merge(history):
    base = TEXT.replace(b"\n", b"\r\n")
    merge = history.merge(files(a=base), files(a=base.replace(b"one", b"1")), files(a=base.replace(b"seven", b"7")))
    assert merge.files["a"].data == base.replace(b"one", b"1").replace(b"seven", b"7")


_lines = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"d"]), max_size=6).map(b"".join)
_folder = st.dictionaries(st.sampled_from(["x", "y", "d/z"]), st.builds(Blob, _lines), max_size=3)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_folder, _folder)
def test_merging_with_an_unchanged_side_gives_the_other(history, base, other):
    for ours, theirs in ((base, other), (other, base), (other, other)):
        merge = history.merge(base, ours, theirs)
        assert merge.clean
        assert merge.files == other


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_folder, _folder, _folder)
def test_a_merge_never_raises_and_names_only_known_files(history, base, ours, theirs):
    merge = history.merge(base, ours, theirs)
    known = base.keys() | ours.keys() | theirs.keys()
    assert merge.files.keys() <= known
    assert {c.path for c in merge.conflicts} <= known
