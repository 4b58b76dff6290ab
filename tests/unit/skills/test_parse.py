"""Reading SKILL.md: tolerant, bounded, never raising."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.skills.parse import Parsed, parse_skill
from app.skills.values import Load, Severity


def skill(front: str, body: str = "Body.\n") -> Parsed:
    return parse_skill(f"---\n{front}\n---\n{body}".encode(), "demo")


def rules(parsed: Parsed) -> list[str]:
    return [one.rule for one in parsed.findings]


def test_a_plain_skill_loads_without_a_finding() -> None:
    parsed = skill("name: demo\ndescription: Does it. Use when asked.")
    assert (parsed.load, parsed.findings, parsed.name) == (Load.LOAD, (), "demo")
    assert (parsed.body, parsed.body_line) == ("Body.\n", 5)


def test_scalars_stay_text() -> None:
    parsed = skill("name: demo\ndescription: d\nmetadata:\n  v: 1.10\n  on: yes\n  day: 2026-01-05")
    assert parsed.front.metadata == {"v": "1.10", "on": "yes", "day": "2026-01-05"}


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("Use when: the release is cut. Do not use for: hotfixes", None),
        ("Track hours 09:30 to 17:45: billable ones only", None),
        ("Answer style: \"short\", then 'why': never both", None),
        ("[Beta] Schedules posts", None),
        ("@mention helper", None),
        ("`make` wrapper", None),
        ('"Quick" notes', None),
        ("- does things", None),
    ],
)
def test_text_that_needed_quotes_is_read_as_it_stands_with_a_warning(value: str, read: str | None) -> None:
    parsed = skill(f"name: demo\ndescription: {value}")
    assert (parsed.load, parsed.description) == (Load.WARN, read or value)
    (finding,) = parsed.findings
    assert (finding.rule, finding.line, finding.severity) == ("FM.YAML", 3, Severity.ERROR)


@pytest.mark.parametrize("value", ["[unclosed", '"never closed', "{ a: b", "'open"])
def test_an_opened_and_never_closed_delimiter_is_not_guessed(value: str) -> None:
    parsed = skill(f"name: demo\ndescription: {value}")
    assert parsed.load is Load.SKIP
    assert rules(parsed) == ["FM.YAML"]


def test_a_nested_value_that_needed_quotes_is_mended_too() -> None:
    parsed = skill("name: demo\ndescription: d\nmetadata:\n  note: a: b\n  other: c")
    assert parsed.front.metadata == {"note": "a: b", "other": "c"}
    assert [one.line for one in parsed.findings] == [5]


def test_of_a_repeated_key_the_last_value_counts_and_the_key_is_named() -> None:
    parsed = skill("name: demo\ndescription: first\ndescription: second")
    assert parsed.description == "second"
    (finding,) = parsed.findings
    assert (finding.rule, finding.line) == ("FM.DUPKEY", 4)
    assert "'description'" in finding.message


def test_windows_line_ends_leave_no_carriage_return_in_values() -> None:
    parsed = parse_skill(b"---\r\nname: demo\r\ndescription: d\r\n---\r\nBody\r\n", "demo")
    assert (parsed.name, parsed.description, parsed.load) == ("demo", "d", Load.LOAD)
    assert (parsed.body, parsed.body_line) == ("Body\r\n", 5)


def test_a_byte_order_mark_is_tolerated_with_a_warning() -> None:
    parsed = parse_skill(b"\xef\xbb\xbf---\nname: demo\ndescription: d\n---\n", "demo")
    assert (parsed.load, rules(parsed)) == (Load.WARN, ["ENC.BOM"])


def test_dashes_inside_a_value_do_not_end_the_block() -> None:
    parsed = skill("name: demo\ndescription: Notes --- then actions\nlicense: MIT")
    assert parsed.description == "Notes --- then actions"
    assert parsed.front.text("license") == "MIT"


def test_aliases_that_multiply_are_stopped() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    parsed = skill("name: demo\ndescription: d\n" + "\n".join(lines))
    assert (parsed.load, "YAML.BOMB" in rules(parsed)) == (Load.SKIP, True)


def test_an_anchor_in_a_block_that_had_to_be_mended_is_noted() -> None:
    parsed = skill("name: demo\ndescription: Use when: always\nx: &a 1\ny: *a")
    assert (parsed.load, rules(parsed)[0], "YAML.ALIAS" in rules(parsed)) == (Load.WARN, "FM.YAML", True)


def test_an_alias_to_itself_is_stopped() -> None:
    assert skill("name: demo\ndescription: d\nloop: &l [*l]").load is Load.SKIP


@pytest.mark.parametrize("depth", [60, 400, 5000])
def test_deep_nesting_is_stopped(depth: int) -> None:
    parsed = skill("name: demo\ndescription: d\ndeep: " + "[" * depth + "]" * depth)
    assert (parsed.load, rules(parsed)) == (Load.SKIP, ["YAML.DEPTH"])


def test_a_tag_that_builds_objects_builds_nothing_and_skips_the_skill() -> None:
    parsed = skill("name: demo\ndescription: d\nx: !!python/object/apply:os.system [exit]")
    assert (parsed.load, rules(parsed)[0]) == (Load.SKIP, "YAML.TAG")


def test_a_control_character_is_shown_as_replacement_and_reported_with_its_line() -> None:
    parsed = skill("name: demo\ndescription: a\x1bb")
    assert (parsed.description, parsed.load) == ("a\ufffdb", Load.WARN)
    assert [(one.rule, one.line) for one in parsed.findings] == [("FM.YAML", 3), ("TXT.CONTROL", 3)]


def test_a_missing_description_makes_the_skill_unusable() -> None:
    parsed = skill("name: demo")
    assert (parsed.load, rules(parsed)) == (Load.SKIP, ["DESC.REQUIRED"])


def test_a_missing_name_falls_back_to_the_folder() -> None:
    parsed = skill("description: d")
    assert (parsed.name, parsed.load, rules(parsed)) == ("demo", Load.WARN, ["NAME.REQUIRED"])


def test_the_description_limit_counts_characters_not_bytes() -> None:
    assert skill("name: demo\ndescription: " + "語" * 1024).load is Load.LOAD
    assert rules(skill("name: demo\ndescription: " + "x" * 1025)) == ["DESC.LEN"]


def test_a_decomposed_folder_is_no_mismatch() -> None:
    data = "---\nname: r\u00e9sum\u00e9\ndescription: d\n---\n".encode()
    assert [one.rule for one in parse_skill(data, "re\u0301sume\u0301").findings] == ["NAME.NONASCII"]


def test_links_to_missing_files_are_advice_and_mark_nothing() -> None:
    data = b"---\nname: demo\ndescription: d\n---\nSee [a](references/a.md), [b](references/b.md), [up](../x.md).\n"
    parsed = parse_skill(data, "demo", {"references/a.md"})
    assert parsed.load is Load.LOAD
    assert [(one.rule, one.line) for one in parsed.findings] == [("REF.MISSING", 5), ("REF.ESCAPE", 5)]


def test_links_in_code_blocks_are_not_looked_at() -> None:
    data = b"---\nname: demo\ndescription: d\n---\n```\n[a](nowhere.md)\n```\n"
    assert parse_skill(data, "demo", set()).findings == ()


@given(st.binary(max_size=400))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    parsed = parse_skill(data, "demo", ())
    assert parsed.load is Load.SKIP or parsed.description


@given(
    st.lists(st.sampled_from(["---", "a: b", "name: x", "description: y", "- ", "  z: &a [", "*a", "\x00", "'", "|"]))
)
def test_no_arrangement_of_yaml_pieces_makes_it_raise(lines: list[str]) -> None:
    parsed = parse_skill("\n".join(["---", *lines]).encode(), "demo", ())
    assert parsed.load is Load.SKIP or parsed.description


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_the_body_is_handed_out_unchanged(body: str) -> None:
    parsed = skill("name: demo\ndescription: d", body)
    assert parsed.body == body
