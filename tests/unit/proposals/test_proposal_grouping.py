"""An umbrella and what it absorbs are one group; everything else stands alone."""

from app.history.values import Blob
from app.memory.values import Target
from app.proposals.grouping import Drafted, arrange, make_changes, memory_change, words
from app.proposals.values import Group, MemoryAction, MemoryStep
from app.skills.values import Action

FILES = {"SKILL.md": Blob(b"x")}


def edit(skill: str, base: str | None = "old") -> Drafted:
    return Drafted(skill, skill, Action.CREATE if base is None else Action.PATCH, base, FILES)


def archive(skill: str, into: str = "") -> Drafted:
    return Drafted(skill, skill, Action.ARCHIVE, "old", None, absorbed_into=into, into=into or None)


def group_changes(items: list[Drafted], results: list[str | None]) -> tuple[Group, ...]:
    return arrange(make_changes(items, results))


def grouped(*items: Drafted) -> list[list[str]]:
    groups = group_changes(list(items), [None if item.result is None else "new" for item in items])
    return [list(group.skills) for group in groups]


def test_an_umbrella_comes_first_in_its_group() -> None:
    assert grouped(archive("a", "u"), archive("b", "u"), edit("u", None)) == [["u", "a", "b"]]


def test_single_changes_are_groups_of_their_own() -> None:
    assert grouped(edit("a"), archive("b"), edit("c", None)) == [["a"], ["b"], ["c"]]


def test_skills_absorbed_by_an_unchanged_umbrella_are_one_group() -> None:
    assert grouped(archive("a", "u"), archive("b", "u"), archive("c", "v")) == [["a", "b"], ["c"]]


def test_a_chain_of_umbrellas_is_one_group() -> None:
    assert grouped(edit("v"), archive("a", "u"), archive("u", "v")) == [["v", "a", "u"]]


def test_a_loop_does_not_hang() -> None:
    assert sorted(skill for skills in grouped(archive("a", "b"), archive("b", "a")) for skill in skills) == ["a", "b"]


def test_ids_are_numbered_over_the_whole_proposal() -> None:
    groups = group_changes([edit("a"), archive("b", "u"), edit("u")], ["1", None, "2"])
    assert [(group.id, [change.id for change in group.changes]) for group in groups] == [
        ("g1", ["c1"]),
        ("g2", ["c3", "c2"]),
    ]


def test_titles_say_what_would_happen() -> None:
    items = [edit("u"), archive("a", "u"), archive("b", "u"), archive("c"), edit("d"), edit("e", None)]
    groups = group_changes(items, ["1", None, None, None, "2", "3"])
    assert [group.title for group in groups] == ["Fold a and b into u", "Archive c", "Change d", "Create e"]


def test_a_chain_is_titled_by_its_end() -> None:
    assert group_changes([archive("a", "u"), archive("u", "v")], [None, None])[0].title == "Fold a and u into v"


def test_long_enumerations_are_counted() -> None:
    assert words(["a"]) == "a"
    assert words(["a", "b", "c"]) == "a, b and c"
    assert words(["a", "b", "c", "d", "e"]) == "a, b and 3 more"


def test_what_joins_later_goes_on_counting_and_keeps_known_groups() -> None:
    first = group_changes([archive("a", "u"), edit("b")], [None, "1"])
    known = [change for group in first for change in group.changes]
    later = make_changes([archive("c", "u"), edit("d")], [None, "2"], [change.id for change in known])
    groups = arrange([*known, *later])
    assert [(group.id, [change.id for change in group.changes]) for group in groups] == [
        ("g1", ["c1", "c3"]),
        ("g2", ["c2"]),
        ("g3", ["c4"]),
    ]


def test_wishes_about_memory_are_each_alone() -> None:
    steps = [MemoryStep(MemoryAction.ADD, Target.USER, text) for text in ("Likes tea", "Lives in Lima")]
    groups = group_changes([memory_change(step) for step in steps], ["1", "2"])
    assert [(group.title, group.skills) for group in groups] == [
        ("Add to what is known of you: Likes tea", ("memories/USER.md",)),
        ("Add to what is known of you: Lives in Lima", ("memories/USER.md",)),
    ]
