"""Fixes by a click: what the finding is about changes, and nothing else."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.history.values import Blob
from app.skills.fixes import all_fixed, fix_request, fixed
from app.skills.front_moves import into_metadata
from app.skills.kept_bytes import kept_bytes
from app.skills.parse import parse_skill
from app.skills.values import Action, Finding, Severity


def text(*lines, body="\n# Body\n"):
    return ("---\n" + "".join(f"{line}\n" for line in lines) + "---\n" + body).encode()


def finding_of(data, rule, folder="the-skill"):
    return next(one for one in parse_skill(data, folder).findings if one.rule == rule)


#: Rule, SKILL.md before, SKILL.md after.
CASES = [
    ("ENC.BOM", codecs.BOM_UTF8 + text("name: the-skill", "description: d"), text("name: the-skill", "description: d")),
    ("ENC.EOL", text("name: the-skill", "description: d", body="a\rb\r\nc\n"),
     text("name: the-skill", "description: d", body="a\nb\r\nc\n")),
    ("FM.YAML", text("# kept", "name: the-skill", "description: Use when: always  # said"),
     text("# kept", "name: the-skill", "description: 'Use when: always  # said'")),
    ("NAME.REQUIRED", text("description: d"), text("description: d", "name: the-skill")),
    ("NAME.CASE", text('name: "The-Skill"', "description: d"), text('name: "the-skill"', "description: d")),
    ("NAME.CHARSET", text("name: the skill", "description: d"), text("name: the-skill", "description: d")),
    ("NAME.TYPE", text("name: 1234", "description: d"), text("name: '1234'", "description: d")),
    ("DESC.TYPE", text("name: the-skill", "description: 2024"), text("name: the-skill", "description: '2024'")),
    ("COMPAT.EMPTY", text("name: the-skill", "compatibility: ''", "description: d"),
     text("name: the-skill", "description: d")),
    ("TOOLS.COMMA", text("name: the-skill", "description: d", "allowed-tools: Read, Bash(git add:*, ls)"),
     text("name: the-skill", "description: d", "allowed-tools: Read Bash(git add:*, ls)")),
    ("TXT.BIDI", text("name: the-skill", "description: a\u202eb"), text("name: the-skill", "description: ab")),
    ("FIELD.UNKNOWN", text("name: the-skill", "risk: high # why", "description: d"),
     text("name: the-skill", "description: d", "metadata:", "  risk: high # why")),
    ("FIELD.UNKNOWN", text("name: the-skill", "metadata:", "    owner: me", "# note", "risk: high", "description: d"),
     text("name: the-skill", "metadata:", "    owner: me", "    risk: high", "# note", "description: d")),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "before", "after"), CASES, ids=[f"{case[0]}-{n}" for n, case in enumerate(CASES)])
def test_a_click_mends_exactly_what_the_finding_says(rule, before, after):
    finding = finding_of(before, rule)
    assert finding.one_click
    assert fixed(before, "the-skill", finding) == after
    assert rule not in {one.rule for one in parse_skill(after, "the-skill").findings}


@pytest.mark.parametrize(
    ("rule", "data"),
    [
        ("FM.YAML", text("name: the-skill", 'description: "never closed')),
        ("FIELD.UNKNOWN", text("name: the-skill", "description: d", "argument-hint: '[file]'")),
        ("DESC.LEN", text("name: the-skill", f"description: {'d' * 1100}")),
    ],
)
def test_what_only_a_person_can_mend_is_not_offered(rule, data):
    assert not finding_of(data, rule).one_click


def test_a_field_of_another_program_is_named_by_the_program():
    data = text("name: the-skill", "description: d", "platforms: [linux]")
    assert "Hermes" in finding_of(data, "FIELD.UNKNOWN").message


@pytest.mark.parametrize(
    "data",
    [
        text("name: the-skill", "description: d", "metadata: {a: b}", "risk: high"),
        text("name: the-skill", "description: d", "metadata:", "  risk: low", "risk: high"),
        text("name: the-skill", "risk: low", "description: d", "risk: high"),
    ],
)
def test_a_field_stays_where_moving_its_lines_would_not_do(data):
    assert into_metadata(data, "risk") is None


def test_names_are_mended_by_a_rename_and_folders_by_a_move(bed):
    folder = bed.home.skills / "cat/My Skill"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_bytes(text("name: My Skill", "description: d"))
    other = bed.home.skills / "elsewhere"
    other.mkdir()
    (other / "SKILL.md").write_bytes(text("name: right-name", "description: d"))
    for skill_id, rule, action in (
        ("cat/My Skill", "NAME.CASE", Action.RENAME),
        ("elsewhere", "NAME.DIR", Action.MOVE),
    ):
        skill = bed.live.library().get(skill_id)
        finding = next(one for one in skill.findings if one.rule == rule)
        request = fix_request(skill, bed.live.files(skill_id), finding)
        assert request.action is action
        assert bed.do(action, skill_id, to=request.to, exact=request.exact).ok
    assert bed.ids() == ["cat/my-skill", "right-name"]
    assert all(not skill.findings for skill in bed.live.library().skills)


def test_a_file_spelled_otherwise_gets_its_name(bed):
    folder = bed.home.skills / "one"
    folder.mkdir()
    (folder / "skill.md").write_bytes(text("name: one", "description: d"))
    (skill,) = bed.live.library().skills
    request = fix_request(skill, bed.live.files("one"), Finding("DIR.SKILL_MD.CASE", Severity.ERROR, None, "m", "f"))
    assert request is None or set(request.files) == {"SKILL.md"}


def test_all_at_once_leaves_nothing_that_a_click_could_mend():
    data = codecs.BOM_UTF8 + text("name: 12", "description: Use: it", "risk: x", "kind: y", "allowed-tools: A, B")
    made, rules = all_fixed(data, "12")
    assert set(rules) >= {"ENC.BOM", "FM.YAML", "FIELD.UNKNOWN", "TOOLS.COMMA"}
    assert not [one for one in parse_skill(made, "12").findings if one.one_click]
    assert parse_skill(made, "12").description == "Use: it"
    assert parse_skill(made, "12").front.metadata == {"risk": "x", "kind": "y"}


KEPT = [
    (b"\xef\xbb\xbfa\r\nb\r\n", "a\nB\n", b"\xef\xbb\xbfa\r\nB\r\n"),
    (b"caf\xe9\nold\n", "caf\ufffd\nnew\n", b"caf\xe9\nnew\n"),
    (b"a\r\nb\nc", "a\nb\nc\nd", b"a\r\nb\nc\r\nd"),
    (b"one\ntwo", "one\ntwo\n", b"one\ntwo\n"),
    (b"one\n", "one\r\ntwo\r\n", b"one\ntwo\r\n"),
    (b"", "new\n", b"new\n"),
]


@pytest.mark.parametrize(("before", "edited", "after"), KEPT)
def test_an_edit_keeps_the_bytes_of_lines_it_did_not_touch(before, edited, after):
    assert kept_bytes(before, edited) == after


@given(st.binary(max_size=60))
def test_a_text_that_was_not_edited_keeps_every_byte(data):
    shown = data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    assert kept_bytes(data, shown) == data
    if "\r" in shown:
        assert kept_bytes(data, shown.replace("\r\n", "\n").replace("\r", "\n")) == data


@given(st.text(alphabet="ab:\n'\" #-{}[]", max_size=40))
def test_no_fix_raises_or_loses_the_description(value):
    data = f"---\nname: x\ndescription: {value}\nother: {value}\n---\nB\n".encode()
    before = parse_skill(data, "x")
    made, _ = all_fixed(data, "x")
    assert parse_skill(made, "x").description == before.description
    assert Blob(made)
