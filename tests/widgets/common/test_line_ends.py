"""Line ends survive the editor."""

from hypothesis import given, settings
from hypothesis import strategies as st

from widgets.common.line_ends import plain, restored

texts = st.lists(
    st.tuples(st.sampled_from(["", "a", "b", "long line"]), st.sampled_from(["\n", "\r\n", "\r"])), max_size=8
)


@settings(deadline=None)
@given(texts, st.sampled_from(["", "end"]))
def test_an_untouched_text_comes_back_byte_for_byte(parts, tail):
    base = "".join(line + end for line, end in parts) + tail
    assert restored(plain(base), base) == base


def test_one_kind_of_end_is_used_throughout():
    assert restored("a\nnew\nb\n", "a\r\nb\r\n") == "a\r\nnew\r\nb\r\n"


def test_with_several_kinds_each_line_keeps_its_own():
    assert restored("a\nnew\nb\nc\n", "a\r\nb\nc\r\n") == "a\r\nnew\r\nb\nc\r\n"
