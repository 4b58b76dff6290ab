"""Ranking of a short list."""

from widgets.common.matching import score


def test_a_start_beats_a_word_beats_letters():
    ranked = sorted(["my testing", "attest", "testing", "t-e-s-t-i"], key=lambda title: -score("testi", title))
    assert ranked[:2] == ["testing", "my testing"]
    assert score("testi", "t-e-s-t-i") > 0


def test_every_word_must_fit():
    assert score("git rebase", "rebase a branch", "git") > 0
    assert score("git merge", "rebase a branch", "git") == 0


def test_composed_and_decomposed_letters_are_the_same():
    assert score("caf\u00e9", "cafe\u0301-menu") > 0
    assert score("cafe\u0301", "caf\u00e9-menu") > 0
