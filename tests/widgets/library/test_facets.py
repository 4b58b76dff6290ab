"""Facets and costs: counted over what the rest of the filter lets through, written into the filter by a click."""

from dataclasses import replace
from datetime import timedelta

import pytest
import sample_library

from app.skills.filter.values import count_facets, parse_filter
from app.skills.values import Library, Usage
from widgets.common.ages import now_utc
from widgets.library.pane import LibraryPane

BASE = sample_library.skills()[0]


def skill(name, **facts):
    return replace(BASE, id=name, name=name, **({"category": "", "tags": ()} | facts))


SKILLS = (
    skill("a", category="git", tags=("Rebase",)),
    skill("b", category="git", tags=("rebase-not",)),
    skill("c", category="python", tags=()),
)


def values(text, key):
    found = {facet.key: facet.values for facet in count_facets(SKILLS, parse_filter(text), {})}
    return {value: (count, chosen) for value, count, chosen in found.get(key, ())}


def test_a_facet_is_counted_without_its_own_terms_so_that_another_value_can_be_added():
    assert values("category:git", "category") == {"git": (2, True), "python": (1, False)}
    assert values("category:git name:a", "category") == {"git": (1, True)}


def test_a_key_in_which_all_are_alike_is_no_facet():
    assert values("", "source") == {}


@pytest.fixture
def pane(theme, qtbot):
    with theme.undressed():  # half the time
        made = LibraryPane(theme)
    qtbot.addWidget(made)
    made.resize(400, 600)
    made.set_library(Library(SKILLS))
    return made


def test_a_click_on_a_facet_writes_the_term_and_a_second_takes_it_out(pane):
    pane.head.facets.set_facets(count_facets(SKILLS, parse_filter(""), {}))
    chip = next(one for one in pane.head.facets.chips if one.name == "tag-Rebase")
    chip.click()
    assert pane.search.text() == "tag:rebase"
    assert pane.shown_ids == ("a",)
    chip.click()
    assert pane.search.text() == ""


def test_the_line_under_the_list_tells_what_the_catalogue_costs(pane):
    skills = (
        skill("on", catalogue_tokens=30),
        skill("off", catalogue_tokens=500, enabled=False),
        skill("double", catalogue_tokens=70, shadowed_by="on"),
    )
    pane.set_library(Library(skills))
    assert pane.told_cost == "3 · catalogue ≈ 30 tokens"
    pane.set_filter("name:off")
    assert pane.told_cost == "1 of 3 · catalogue ≈ 30 tokens"


def test_idle_days_never_fit_a_skill_without_data():
    now = now_utc()
    known = skill("known", usage=Usage(True, 3, last_used_at=now - timedelta(days=40)))
    fresh = skill("fresh", usage=Usage(True, 3, last_used_at=now))
    nothing = skill("nothing", usage=Usage())
    wanted = parse_filter("idle:>=30")
    assert [one.name for one in (known, fresh, nothing) if wanted.fits(one)] == ["known"]
    assert [one.name for one in (known, fresh, nothing) if parse_filter("used:<5").fits(one)] == ["known", "fresh"]
    assert [one.name for one in (known, fresh, nothing) if parse_filter("is:unrecorded").fits(one)] == ["nothing"]
