"""Mentions of an absorbed skill are listed with their place, and only where a skill is meant."""

from app.history.values import Blob
from app.proposals.mentions import mentions_of


def places(desk, *absorbed: str, apart: tuple[str, ...] = ()) -> dict[str, list[tuple[str, int, str]]]:
    library = desk.library()
    rows = [library.get(name) for name in absorbed]
    found = mentions_of(rows, {*absorbed, *apart}, library)
    return {name: [(m.skill, m.line, m.text) for m in mentions] for name, mentions in found.items()}


def test_the_users_of_an_absorbed_skill_are_listed_with_their_lines(desk, folder) -> None:
    desk.add("alpha")
    desk.write("user-text", folder("user-text", "Use the alpha skill. The alpha release and alphabet differ.\n"))
    desk.write("user-tick", folder("user-tick", "First.\n\nRun `alpha` first.\n"))
    desk.write("user-code", folder("user-code", '```\nload_skill("alpha")\n```\n'))
    desk.write("user-link", folder("user-link", "See [its part](../alpha/references/x.md).\n"))
    desk.write("bystander", folder("bystander", "The alpha release and the alphabet.\n"))
    assert places(desk, "alpha") == {
        "alpha": [
            ("user-code", 7, 'load_skill("alpha")'),
            ("user-link", 6, "See [its part](../alpha/references/x.md)."),
            ("user-text", 6, "Use the alpha skill. The alpha release and alphabet differ."),
            ("user-tick", 8, "Run `alpha` first."),
        ]
    }


def test_related_skills_count_in_both_list_forms(desk) -> None:
    desk.add("alpha")
    flow = b"---\nname: flow\ndescription: d\nmetadata:\n  related_skills: [alpha, b]\n---\nalpha\n"
    block = b"---\nname: block\ndescription: d\nmetadata:\n  related_skills:\n  - b\n  - alpha\n  other: alpha\n---\n"
    desk.write("flow", {"SKILL.md": Blob(flow)})
    desk.write("block", {"SKILL.md": Blob(block)})
    assert places(desk, "alpha") == {
        "alpha": [("block", 7, "- alpha"), ("flow", 5, "related_skills: [alpha, b]")],
    }


def test_the_umbrella_and_the_other_absorbed_skills_are_left_out(desk, folder) -> None:
    desk.write("a", folder("a", "Run `b` first.\n"))
    desk.write("u", folder("u", "Took over `a` and `b`.\n"))
    assert places(desk, "a", "b", apart=("u",)) == {"a": [], "b": []}


def test_nothing_absorbed_reads_nothing(desk) -> None:
    assert mentions_of([], (), desk.library()) == {}
