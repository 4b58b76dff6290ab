"""Editing by hand: a new skill begins with the words that were typed, whatever YAML would make of them."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.clock import system_clock
from app.cycles.editing import create
from app.cycles.home import OpenHome, home_key
from app.errors import AppError

DESCRIPTIONS = (
    "Brew tea: properly. Use when: somebody asks.",
    "Use # as a heading mark.",
    '"Quoted" at the beginning.',
    "[not a list] of things",
    "- no item",
    "> no fold",
    "it's {a}: b",
)


@pytest.fixture
def home(tmp_path: Path):
    opened = OpenHome(home_key(tmp_path / "home", system_clock))
    yield opened
    opened.close()


@pytest.mark.parametrize("description", DESCRIPTIONS)
def test_a_new_skill_keeps_its_description_to_the_letter(home: OpenHome, description: str) -> None:
    receipt = create(home, "tea-brewing", description, "")
    assert home.library().get(receipt.skill).description == description


def test_a_description_of_several_lines_becomes_one(home: OpenHome) -> None:
    receipt = create(home, "tea-brewing", "Brew tea.\nUse when asked.\n", "kitchen")
    assert receipt.skill == "kitchen/tea-brewing"
    assert home.library().get(receipt.skill).description == "Brew tea. Use when asked."


def test_a_name_that_is_none_is_refused_with_the_rule_for_names(home: OpenHome) -> None:
    with pytest.raises(AppError, match="lower-case letters"):
        create(home, "Tea: brewing", "Brew tea.", "")
    assert home.library().skills == ()


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(min_codepoint=33, max_codepoint=0x24F, exclude_categories=["Cc", "Cf", "Zs"]), min_size=1))
def test_any_printable_word_can_be_a_description(tmp_path_factory, word: str) -> None:
    opened = OpenHome(home_key(tmp_path_factory.mktemp("home"), system_clock))
    try:
        receipt = create(opened, "one-word", f"About {word}", "")
        assert opened.library().get(receipt.skill).description == f"About {word}"
    finally:
        opened.close()
