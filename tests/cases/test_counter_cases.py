"""What is counted of a skill: a use when it enters a turn's prompt, a view each time it is read, nothing by looking."""

from tests.cases.runner import Melete, scenario_of


def put(melete: Melete, name: str) -> None:
    (melete.skills / name).mkdir()
    (melete.skills / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Does {name}.\n---\n\nBody\n")
    (melete.skills / name / "notes.md").write_text("Notes.\n")


def test_a_chat_counts_one_use_a_turn_and_each_view(melete: Melete, service) -> None:
    melete.settings('[review]\nmode = "off"\n')
    put(melete, "one")
    calls = [{"tool": "skill_view", "input": {"name": "one", "file_path": file}} for file in ("SKILL.md", "notes.md")]
    service(scenario_of(calls))
    assert not melete.rows()["one"]["usage_known"]
    session = melete.done("chat", "-m", "Do one.")["session"]
    row = melete.rows()["one"]
    assert (row["uses"], row["views"], row["usage_known"]) == (1, 2, True)
    assert row["last_used_at"] is not None
    melete.done("chat", "--session", session, "-m", "Nothing to read.")
    assert melete.rows()["one"]["uses"] == 1


def test_looking_at_a_skill_by_hand_counts_nothing(melete: Melete) -> None:
    put(melete, "one")
    for words in (("list",), ("show", "one"), ("search", "body"), ("graph",), ("catalogue",)):
        melete.done(*words)
    row = melete.rows()["one"]
    assert (row["uses"], row["views"], row["usage_known"]) == (0, 0, False)
