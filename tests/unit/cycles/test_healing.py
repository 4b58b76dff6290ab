"""Healing as a proposal: nothing changes before it is approved, and then every file of a skill does."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.cycles.approval import approve_named
from app.cycles.healing import heal_mentions, old_names
from app.cycles.home import OpenHome, home_key
from app.cycles.library import act, change
from app.errors import AppError
from app.skills.values import Action, Request


@pytest.fixture
def home(tmp_path: Path) -> OpenHome:
    made = OpenHome(home_key(tmp_path / "home", lambda: datetime(2026, 6, 1, 12, tzinfo=UTC)))
    for name, body in (
        ("reader", "Use `narrow`."),
        ("narrow", "Text."),
        ("middle", "Text."),
        ("wide", "From `narrow`."),
    ):
        text = f"---\nname: {name}\ndescription: Does {name}.\n---\n\n{body}\n"
        change(made, Request(Action.CREATE, name, content=text))
    change(made, Request(Action.WRITE_FILE, "reader", file="references/a.md", content="See `narrow`.\n"))
    change(made, Request(Action.ARCHIVE, "narrow", absorbed_into="middle"))
    change(made, Request(Action.ARCHIVE, "middle", absorbed_into="wide"))
    return made


def test_a_chain_is_followed_to_its_end_in_all_files_once_approved(home: OpenHome) -> None:
    before = home.history.tree_hash()
    proposal = heal_mentions(home)
    assert proposal is not None
    assert home.history.tree_hash() == before
    assert [change.skill for group in proposal.groups for change in group.changes] == ["reader"]
    outcome = approve_named(home, proposal.id, everything=True)
    assert outcome.applied, outcome
    folder = home.home.skills / "reader"
    assert "Use `wide`." in (folder / "SKILL.md").read_text()
    assert (folder / "references/a.md").read_text() == "See `wide`.\n"
    assert "From `narrow`." in (home.home.skills / "wide/SKILL.md").read_text()
    assert heal_mentions(home) is None


def test_a_name_that_is_live_again_is_left_alone(home: OpenHome) -> None:
    assert act(home, Action.RESTORE, ["narrow"]).done
    assert set(old_names(home.library())) == {"middle"}
    assert heal_mentions(home) is None
    with pytest.raises(AppError, match="no old name"):
        heal_mentions(home, ["narrow"])
