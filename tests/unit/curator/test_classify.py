"""What became of each vanished skill: one bucket each, with the evidence named."""

from app.curator.classify import Call, classify, read_claims

LIVE = ("net-tools", "git")


def sort(name: str, declared: str | None, calls: tuple[Call, ...] = (), final: str = "") -> tuple[str, str, str]:
    absorbed, pruned, _ = classify([name], LIVE, {name: declared}, calls, final, {})
    if absorbed:
        return absorbed[0].into, absorbed[0].source, absorbed[0].contradiction
    return "", pruned[0].source, pruned[0].contradiction


def block(text: str) -> str:
    return f"Done.\n\n```yaml\n{text}```\n"


def test_the_declaration_decides() -> None:
    assert sort("ping", "net-tools") == ("net-tools", "declared with the delete", "")
    assert sort("ping", "") == ("", "declared with the delete", "")


def test_a_contradicting_final_answer_only_adds_a_mark() -> None:
    into, source, doubt = sort("ping", "net-tools", final=block("consolidations:\n- {from: ping, into: git}\n"))
    assert (into, source) == ("net-tools", "declared with the delete")
    assert "into git" in doubt


def test_a_mention_decides_where_nothing_was_declared() -> None:
    call = Call("skill_manage", {"action": "write_file", "name": "git", "file_path": "references/ping.md"})
    assert sort("ping", None, (call,))[:2] == ("git", "mentioned in a call")


def test_a_mention_matches_whole_words_only() -> None:
    call = Call("skill_manage", {"action": "patch", "name": "git", "new_string": "about pinging and ping-pong"})
    assert sort("ping", None, (call,))[:2] == ("", "no evidence of a successor")


def test_the_final_answer_decides_last_and_only_for_a_live_target() -> None:
    assert sort("ping", None, final=block("consolidations:\n- {from: ping, into: git}\n"))[0] == "git"
    missing = sort("ping", None, final=block("consolidations:\n- {from: ping, into: nowhere}\n"))
    assert missing[:2] == ("", "no evidence of a successor")
    assert "does not exist" in missing[2]


def test_rubbish_yaml_is_a_note_not_a_crash() -> None:
    claims = read_claims(block("consolidations: [{from: a, into: b\n"))
    assert claims.merged == {}
    assert "cannot be read" in claims.problem
    assert read_claims(block("- just a list\n")).problem == "The final answer's YAML block is not a mapping."


def test_every_removed_skill_lands_in_exactly_one_bucket() -> None:
    removed = ["a", "b", "c"]
    absorbed, pruned, _ = classify(removed, LIVE, {"a": "git", "b": "", "c": None}, (), "", {})
    assert sorted([item.name for item in absorbed] + [item.name for item in pruned]) == removed
