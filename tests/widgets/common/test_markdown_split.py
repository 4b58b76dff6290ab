"""Cutting long texts into pieces."""

from hypothesis import given, settings
from hypothesis import strategies as st

from widgets.common.markdown_split import body_of, pieces, references_in, too_hard


@settings(deadline=None)
@given(st.text(alphabet="ab \n#-.", max_size=400), st.integers(8, 60))
def test_pieces_hold_every_character_in_order(text, size):
    assert "".join(pieces(text, size)) == text


def test_pieces_are_bounded():
    assert all(len(piece) <= 100 for piece in pieces("x" * 1000 + "\n" + "word " * 100, 100))


def test_a_cut_fence_is_closed_and_opened_again():
    found = list(pieces("```python\n" + "a = 1\n" * 30 + "```\nend\n", 60))
    assert all(piece.startswith("```python\n") for piece in found[:-1])
    assert all(piece.rstrip().endswith("```") for piece in found[:-1])


def test_a_cut_table_gets_its_head_again():
    found = list(pieces("| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 30, 400))
    assert len(found) > 2
    assert all(piece.startswith("| a | b |\n|---|---|\n") for piece in found)


HEAD = "| a | b |\n|---|---|\n"


def test_what_follows_a_long_table_gets_no_empty_head():
    for after in ("\nText after.\n", "# Heading\n\nText.\n", "- item\n", "> quote\n"):
        found = list(pieces(HEAD + "| 1 | 2 |\n" * 12 + after, 400))
        assert len(found) > 1
        for piece in found:
            assert not piece.startswith(HEAD) or piece.removeprefix(HEAD).startswith("|"), (after, piece)


def test_a_head_is_never_parted_from_its_first_row():
    for length in range(40, 130):
        found = list(pieces("x" * length + "\n" + HEAD + "| 1 | 2 |\n", 200))
        assert "".join(found) == "x" * length + "\n" + HEAD + "| 1 | 2 |\n"
        assert all(HEAD + "| 1" in piece for piece in found if "|" in piece), found


def test_front_matter_is_taken_off_with_any_line_end():
    assert body_of("---\nname: a\n---\n# T\n") == "# T\n"
    assert body_of("---\r\nname: a\r\n---\r\n# T\r\n") == "# T\r\n"
    assert body_of("\ufeff---\nname: a\n---\nT") == "T"
    assert body_of("---\n---\nT") == "T"


def test_a_rule_in_the_body_stays():
    assert body_of("---\nname: a\n---\n\n---\n\nText\n") == "\n---\n\nText\n"
    assert body_of("Text\n\n---\n\nmore\n---\n") == "Text\n\n---\n\nmore\n---\n"


def test_references_are_found_anywhere():
    assert references_in("x\n\n[Ref One]: https://e.org 'T'\n") == {"REF ONE": {"title": "", "href": "https://e.org"}}


def test_hard_pieces_are_recognised():
    assert too_hard(">" * 300 + " deep\n")
    assert too_hard("".join("  " * depth + "- item\n" for depth in range(40)))
    assert too_hard("[" * 300)
    assert not too_hard("[a](b) " * 300)
    assert not too_hard("- a\n  - b\n    - c\n\n> quote\n")
