import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.skills.patching import NotPatched, Patched, apply_patch

TEXT = b"Step one: read.\nStep two: count.\nStep two: count.\n"


def test_one_exact_place_is_replaced():
    assert apply_patch(TEXT, "one: read", "one: write") == Patched(TEXT.replace(b"read", b"write"), 1)


def test_an_empty_new_text_deletes():
    assert apply_patch(TEXT, "Step one: read.\n", "") == Patched(TEXT.partition(b"\n")[2], 1)


@pytest.mark.parametrize(
    ("old", "new"),
    [(None, "x"), ("", "x"), ("  \n", "x"), ("Step one", None), (["Step one"], "x"), ("Step one", 3)],
)
def test_missing_blank_and_foreign_values_are_refused_in_words(old, new):
    refused = apply_patch(TEXT, old, new)
    assert isinstance(refused, NotPatched)
    assert refused.why.endswith(".")


def test_equal_texts_are_refused():
    assert isinstance(apply_patch(TEXT, "Step one", "Step one"), NotPatched)
    assert isinstance(apply_patch(b"a\r\nb", "a\r\nb", "a\nb"), NotPatched)


def test_two_places_are_refused_with_their_number_and_lines():
    refused = apply_patch(TEXT, "Step two: count.", "x")
    assert (refused.count, "2 places (lines 2, 3)" in refused.why) == (2, True)


def test_replace_all_takes_every_place():
    assert apply_patch(TEXT, "two: count", "two: sum", True) == Patched(TEXT.replace(b"two: count", b"two: sum"), 2)


def test_an_absent_text_gets_the_closest_line_as_a_hint():
    assert "Line 1 comes closest" in apply_patch(TEXT, "Step one: reed.", "x").why
    assert "no line comes close" in apply_patch(TEXT, "zzzz", "x").why


def test_a_difference_in_spaces_is_named():
    assert "Line 1 differs from it in spaces alone" in apply_patch(TEXT, "Step  one:\tread.", "x").why


def test_a_text_that_is_there_already_is_said():
    assert "already is" in apply_patch(TEXT, "Step three", "Step two: count.").why


def test_a_text_with_plain_line_ends_finds_windows_ones_and_keeps_them():
    patched = apply_patch(b"a\r\nb\r\nc\r\n", "a\nb", "a\nB\nx")
    assert patched == Patched(b"a\r\nB\r\nx\r\nc\r\n", 1)


def test_each_line_keeps_its_own_end_where_their_number_is_the_same():
    assert apply_patch(b"a\r\nb\nc\r\n", "a\nb\nc", "1\n2\n3") == Patched(b"1\r\n2\n3\r\n", 1)


def test_a_line_put_into_a_windows_file_gets_windows_ends():
    assert apply_patch(b"a\r\nb\r\n", "a", "a\nnew") == Patched(b"a\r\nnew\r\nb\r\n", 1)


def test_a_file_that_is_no_text_is_refused():
    assert isinstance(apply_patch(b"\xff\xfe a", "a", "b"), NotPatched)


def test_patterns_in_the_old_text_are_plain_text():
    assert apply_patch(b"a.*b axxb", ".*", "+") == Patched(b"a+b axxb", 1)
    assert apply_patch(b"x \\1 y", "x", "\\1") == Patched(b"\\1 \\1 y", 1)


# Each text has one kind of line end: a lone CR beside a LF reads as one line end or as two, whoever looks.
_WORDS = st.builds(
    lambda text, end: text.replace("\n", end),
    st.text(st.sampled_from("ab \n"), max_size=12),
    st.sampled_from(["\n", "\r\n"]),
)


@given(_WORDS, _WORDS.filter(str.strip), _WORDS)
def test_a_unique_text_is_replaced_where_it_stands(head, old, new):
    data = (head + "<" + old + ">").encode()
    done = apply_patch(data, "<" + old + ">", "[" + new + "]")
    plain = new.replace("\r\n", "\n").replace("\r", "\n")
    assert isinstance(done, Patched)
    assert done.data.startswith(head.encode() + b"[")
    assert done.data.decode().replace("\r\n", "\n").replace("\r", "\n").endswith("[" + plain + "]")


@given(st.binary(max_size=20), st.text(max_size=5), st.text(max_size=5), st.booleans())
def test_a_patch_answers_and_never_raises_and_success_changes_the_file(data, old, new, everywhere):
    done = apply_patch(data, old, new, everywhere)
    assert isinstance(done, NotPatched) or done.data != data
