"""Patterns compiled when they are first needed."""

import re

from app.patterns import compiled


def test_a_pattern_is_compiled_once():
    assert compiled("a+b") is compiled("a+b")
    assert compiled("a+b").fullmatch("aab") is not None


def test_flags_make_another_pattern():
    assert compiled("a", re.IGNORECASE).match("A") is not None
    assert compiled("a").match("A") is None
