"""Hidden characters are shown, needed joiners are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.invisible import hidden, reveal, terminal_safe

PLAIN = [
    "Family emoji 👨‍👩‍👧 is fine, नमस्ते and می‌خواهم too.",
    "❤️ 1️⃣ #️⃣ ☎️ and the flag 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "skin 👩🏽‍🚀 and heart ❤️‍🔥",
    "tab\tand line\r\nends\n",
    "葛󠄀城 with its variant, naïve café, שלום, 漢字",
]


@pytest.mark.parametrize("text", PLAIN)
def test_ordinary_writing_stays(text: str) -> None:
    assert hidden(text) == ()
    assert reveal(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("tea\u200b and\u2060 coffee", "tea[U+200B] and[U+2060] coffee"),
        ("Name is \u202egnp.exe\u202c now", "Name is [U+202E]gnp.exe[U+202C] now"),
        ("a\U000e0064b", "a[U+E0064]b"),
        ("pay\u200dpal and pay\u200cpal", "pay[U+200D]pal and pay[U+200C]pal"),
        ("red \x1b[31m", "red [U+001B][31m"),
        ("over\rwritten", "over[U+000D]written"),
        ("\ufeffstart", "[U+FEFF]start"),
        ("soft\u00adhyphen\u3164", "soft[U+00AD]hyphen[U+3164]"),
        ("a\ufe0f", "a[U+FE0F]"),
        ("می\u200c\u200cخواهم", "می[U+200C][U+200C]خواهم"),
    ],
)
def test_hidden_characters_become_marks(text: str, shown: str) -> None:
    assert reveal(text) == shown


def test_bytes_that_were_no_text_are_shown_as_bytes() -> None:
    assert reveal(b"caf\xe9".decode("utf-8", "surrogateescape")) == "caf[0xE9]"


def test_each_hidden_character_is_named_with_its_place() -> None:
    assert hidden("ab\u200bc\x1b") == ((2, 0x200B, "ZERO WIDTH SPACE"), (4, 0x1B, "ESCAPE"))


def test_one_line_for_a_list_has_no_line_ends() -> None:
    assert terminal_safe("a\n\tb\u200b", one_line=True) == "a b[U+200B]"


@given(st.text())
def test_what_is_printed_has_nothing_hidden_left(text: str) -> None:
    assert hidden(terminal_safe(text)) == ()
    terminal_safe(text).encode("utf-8")
