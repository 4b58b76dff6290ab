"""The filter language."""

import sample_library
from hypothesis import given, settings
from hypothesis import strategies as st

from app.skills.filter.values import Filter, has_term, parse_filter, with_term
from app.skills.values import Author, Load, Source, State


def skill(**more):
    return sample_library._skill(0, "python", "testing-python", "Write pytest suites", **more)


def fits(text, waiting=0, **more):
    return parse_filter(text).fits(skill(**more), waiting)


def test_words_look_into_name_id_and_description():
    assert fits("testing")
    assert fits("python/test")
    assert fits("PYTEST suites")
    assert not fits("pytest rust")


def test_a_quoted_word_holds_blanks():
    assert fits('"pytest suites"')
    assert not fits('"suites pytest"')


def test_states_are_alternatives_of_each_other():
    assert fits("state:stale state:active", state=State.ACTIVE)
    assert fits("state:stale state:active", state=State.STALE)
    assert not fits("state:stale", state=State.ACTIVE)


def test_a_broken_skill_has_no_state():
    assert not fits("state:active", load=Load.SKIP)
    assert fits("is:broken", load=Load.SKIP)


def test_different_keys_must_all_fit():
    assert fits("pinned:yes source:hub", pinned=True, source=Source.HUB)
    assert not fits("pinned:yes source:hub", pinned=False, source=Source.HUB)


def test_counts_compare():
    uses = skill().usage.uses
    assert fits(f"used:{uses}")
    assert fits(f"used:<{uses + 1}")
    assert fits(f"used:>={uses}")
    assert not fits(f"used:>{uses}")


def test_a_minus_turns_a_term_round():
    assert fits("-author:agent", author=Author.USER)
    assert not fits("-author:agent", author=Author.AGENT)
    assert not fits("-testing")


def test_waiting_comes_from_outside():
    assert fits("is:waiting", waiting=2)
    assert not fits("is:waiting")


def test_managed_and_author_are_separate_facts():
    assert fits("managed:no author:agent", managed=False, author=Author.AGENT)


def test_composed_and_decomposed_letters_find_the_same():
    one = sample_library._skill(0, "", "re\u0301sume\u0301", "")
    assert parse_filter("r\u00e9sum\u00e9").fits(one)
    assert parse_filter("re\u0301sume\u0301").fits(sample_library._skill(0, "", "r\u00e9sum\u00e9", ""))


def test_what_is_not_understood_is_told_and_looked_for_as_words():
    parsed = parse_filter("colour:red state:gone used:many")
    assert len(parsed.problems) == 3
    assert [term.key for term in parsed.terms] == ["", "", ""]


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_a_filter(text):
    parsed = parse_filter(text)
    parsed.fits(skill())
    assert isinstance(parsed, Filter)


@settings(deadline=None)
@given(st.text(alphabet='ab:-" state<3', max_size=30))
def test_written_back_it_means_the_same(text):
    parsed = parse_filter(text)
    assert parse_filter(str(parsed)).terms == parsed.terms


def test_a_term_is_put_in_and_taken_out():
    text = with_term("pytest", "state", "stale", on=True)
    assert text == "pytest state:stale"
    assert has_term(parse_filter(text), "state", "stale")
    assert with_term(text, "state", "stale", on=False) == "pytest"
    assert with_term(text, "state", "stale", on=True) == text
