"""Hidden characters are shown."""

from widgets.common.reveal import reveal_spans, revealed


def test_bidi_and_zero_width_characters_are_named():
    assert revealed("a\u202eb\u200bc\x07") == "a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩"


def test_plain_text_and_line_ends_stay():
    assert revealed("Grüße\r\n\tEnde 日本") == "Grüße\r\n\tEnde 日本"


def test_joiners_with_a_meaning_stay():
    family = "\U0001f468\u200d\U0001f469"
    assert revealed(family) == family
    assert revealed("می\u200cخواهم") == "می\u200cخواهم"
    assert revealed("pass\u200dword") == "pass⟨U+200D⟩word"


def test_marked_ranges_move_along():
    assert reveal_spans("a\u202ebc", ((2, 4),)) == ("a⟨U+202E⟩bc", ((9, 11),))
