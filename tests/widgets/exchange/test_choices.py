"""What is picked: proposals first, dangers only when they are accepted, every choice only where it can be made."""

import sample_exchange as sample

from app.exchange.values import Choice, Pick
from widgets.exchange.choices import Choices


def choices(*offers) -> Choices:
    return Choices(sample.look(*offers))


def test_what_is_proposed_is_picked_until_somebody_chooses():
    made = choices()
    assert made.count == 2
    assert made.picks()[0] == Pick("skills/git-notes", Choice.IMPORT)
    assert [pick.choice for pick in made.picks()] == [
        Choice.IMPORT,
        Choice.SKIP,
        Choice.SKIP,
        Choice.UPDATE,
        Choice.SKIP,
    ]


def test_a_dangerous_skill_comes_in_only_after_its_dangers_were_accepted():
    made = choices(sample.DANGEROUS)
    assert not made.free("skills/web-release")
    made.accept("skills/web-release", on=True)
    assert made.picks() == (Pick("skills/web-release", Choice.IMPORT, "", True),)
    made.accept("skills/web-release", on=False)
    assert made.count == 0


def test_a_choice_that_cannot_be_made_changes_nothing():
    made = choices(sample.BROKEN)
    made.choose("skills/half", Choice.IMPORT)
    assert made.choice("skills/half") is Choice.SKIP


def test_one_decision_for_all_names_that_are_taken():
    made = choices()
    made.decide_clashes(Choice.RENAME)
    assert made.choice("skills/meeting-notes") is Choice.RENAME
    assert made.choice("skills/sql-basics") is Choice.RENAME
    assert made.choice("skills/git-notes") is Choice.IMPORT
    assert made.choice("skills/web-release") is Choice.SKIP


def test_a_new_name_is_missed_when_it_is_empty():
    made = choices(sample.TAKEN)
    made.choose("skills/meeting-notes", Choice.RENAME)
    made.rename("skills/meeting-notes", "  ")
    assert made.unnamed == "skills/meeting-notes"
    made.rename("skills/meeting-notes", " minutes ")
    assert made.unnamed == ""
    assert made.picks()[0].new_name == "minutes"
