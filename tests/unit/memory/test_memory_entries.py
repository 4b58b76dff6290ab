"""The file format: entries between lines of §, whatever stands in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.entries import join_entries, locate, same_fact, size, split_entries
from app.memory.reversal import reverse

ENTRY = (
    st.text(min_size=1)
    .map(lambda t: t.replace("\r", "").strip())
    .filter(lambda t: t and not t.startswith("\ufeff") and all(line.strip() != "§" for line in t.split("\n")))
)


@given(st.lists(ENTRY))
def test_entries_written_and_read_are_the_same(entries):
    assert list(split_entries(join_entries(entries))) == entries
    assert size(entries) == len(join_entries(entries))


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", ()),
        ("\n \n", ()),
        ("one", ("one",)),
        ("one\n§\ntwo", ("one", "two")),
        ("one\r\n§\r\ntwo\r\nlines\r\n", ("one", "two\nlines")),
        ("\ufeffone\n\n§ \n\ntwo\n", ("one", "two")),
        ("§\none\n§\n§\ntwo\n§", ("one", "two")),
        ("price 5 § per unit\nx§y", ("price 5 § per unit\nx§y",)),
    ],
)
def test_files_of_other_hands_are_read(text, entries):
    assert split_entries(text) == entries


@pytest.mark.parametrize("other", ["  Prefers  short\nanswers. ", "PREFERS short answers", "- Ｐrefers short answers!"])
def test_blanks_case_and_character_forms_make_no_new_fact(other):
    assert same_fact("Prefers short answers.", other)


def test_another_word_makes_a_new_fact():
    assert not same_fact("Prefers short answers.", "Prefers short answers in chat.")


@pytest.mark.parametrize(
    ("wanted", "places"),
    [
        ("tea", (0, 1)),
        ("Likes tea", (0,)),
        ("likes  TEA", (0,)),
        ("green", (1,)),
        ("GREEN", (1,)),
        ("Coffee", (2,)),
        ("nothing", ()),
        ("  ", ()),
    ],
)
def test_a_piece_of_text_means_the_entries_it_fits_best(wanted, places):
    assert locate(("Likes tea", "Likes tea, green", "Coffee at nine"), wanted) == places


@given(before=st.lists(ENTRY, unique=True, max_size=6), after=st.lists(ENTRY, unique=True, max_size=6))
def test_a_step_undone_at_once_gives_what_was_before(before, after):
    entries, missing = reverse(before, after, after)
    assert (sorted(entries), missing) == (sorted(before), [])


def test_undoing_keeps_what_was_written_since():
    assert reverse(["a", "b"], ["a"], ["a", "c"]) == (["a", "b", "c"], [])
    assert reverse(["a"], ["a", "b"], ["a", "b", "c"]) == (["a", "c"], [])
    assert reverse(["a"], ["A"], ["A", "c"]) == (["a", "c"], [])
    assert reverse(["a"], ["A"], ["changed", "c"]) == (["changed", "c"], ["A"])
