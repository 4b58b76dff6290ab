"""Old names rewritten in every way a text can name a skill, and nothing else."""

import pytest

from app.skills.heal_mentions import Successor, healed

TO = {"narrow": Successor("wide", "cat/wide")}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Use `narrow` or `/narrow`, not `narrower`.", "Use `wide` or `/wide`, not `narrower`."),
        ("`cat/narrow/SKILL.md`", "`cat/wide/SKILL.md`"),
        ("skill_view('narrow')", "skill_view('wide')"),
        ("The narrow skill helps; a narrow road stays.", "The wide skill helps; a narrow road stays."),
        ("[it](../narrow/SKILL.md#steps)", "[it](../cat/wide/SKILL.md#steps)"),
        ("[its notes](../narrow/notes.md) narrow", "[its notes](../narrow/notes.md) narrow"),
        ("---\r\nrelated_skills: [a, narrow]\r\nname: narrow-road\r\n---\r\nnarrow",
         "---\r\nrelated_skills: [a, wide]\r\nname: narrow-road\r\n---\r\nnarrow"),
        ("---\nmetadata:\n  hermes:\n    related_skills:\n      - Narrow\n      - b\n    tags: [narrow]\n---\n",
         "---\nmetadata:\n  hermes:\n    related_skills:\n      - wide\n      - b\n    tags: [narrow]\n---\n"),
    ],
)  # fmt: skip
def test_a_name_is_rewritten_where_it_means_the_skill(before, after):
    assert healed(before, TO, "reader") == after


def test_a_link_from_a_folder_below_is_written_from_there():
    assert healed("[x](../../narrow/SKILL.md)", TO, "reader/references") == "[x](../../cat/wide/SKILL.md)"
