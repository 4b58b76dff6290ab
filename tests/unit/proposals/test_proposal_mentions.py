"""Mentions of an absorbed skill are found where a skill is meant, and nowhere else."""

import pytest

from app.proposals.mentions import mentions_in, mentions_of


def lines(text: str, *names: str) -> list[int]:
    return [place.line for places in mentions_in("user", "SKILL.md", text, names).values() for place in places]


@pytest.mark.parametrize(
    "text",
    [
        "Run `alpha` first.",
        'load_skill("alpha")',
        "See [it](../alpha/SKILL.md).",
        "See [its part](../alpha/references/x.md).",
        "See [it](alpha).",
        "See [[alpha]] and [[alpha|it]].",
        "Use the alpha skill.",
        "The skill alpha helps.",
        "Start with @alpha now.",
        "Start with @skill:alpha now.",
        "Type `/alpha` here.",
    ],
)
def test_a_common_word_counts_where_a_skill_is_meant(text: str) -> None:
    assert lines(text, "alpha") == [1]


@pytest.mark.parametrize(
    "text",
    [
        "The alpha release is out.",
        "The alphabet.",
        "`alphabet` and `pre-alpha`",
        "[x](../alpha-two/SKILL.md)",
        "alpha",
        "mail@alpha.example",
    ],
)
def test_a_common_word_elsewhere_does_not_count(text: str) -> None:
    assert lines(text, "alpha") == []


def test_a_hyphenated_name_counts_wherever_it_stands_alone() -> None:
    assert lines("first net-ping, then\nnet-ping-fast\nxnet-ping\n(net-ping)", "net-ping") == [1, 4]


def test_related_skills_count_in_both_list_forms() -> None:
    flow = "---\nname: u\nmetadata:\n  related_skills: [alpha, beta]\n---\nalpha\n"
    block = "---\nname: u\nrelated_skills:\n- beta\n- alpha\nother: alpha\n---\n"
    assert lines(flow, "alpha") == [4]
    assert lines(block, "alpha") == [5]


def test_a_line_is_one_mention_a_name() -> None:
    found = mentions_in("user", "SKILL.md", "  `alpha` and `beta` and `alpha`  ", ["alpha", "beta"])
    assert {name: [(place.skill, place.line, place.text) for place in places] for name, places in found.items()} == {
        "alpha": [("user", 1, "`alpha` and `beta` and `alpha`")],
        "beta": [("user", 1, "`alpha` and `beta` and `alpha`")],
    }


def test_mentions_of_many_files_are_collected_by_name() -> None:
    texts = [("a", "SKILL.md", "`x-1`"), ("b", "references/r.md", "none\nx-1"), ("c", "SKILL.md", "nothing")]
    assert {
        name: [(m.skill, m.file, m.line) for m in found] for name, found in mentions_of(["x-1"], texts).items()
    } == {"x-1": [("a", "SKILL.md", 1), ("b", "references/r.md", 2)]}
