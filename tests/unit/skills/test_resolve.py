"""What names and ids lead to: live skills, forwards, archived skills, and near names when nothing fits."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import AppError, Kind
from app.skills.forwards import chain, is_readable, makes_loop, read_forwards, with_forward, without_forward
from app.skills.resolve import find, resolve
from app.skills.values import Forward, Library, Load, Skill, State


def skill(skill_id: str, name: str = "", *, load: Load = Load.LOAD, shadowed_by: str | None = None) -> Skill:
    state = State.ARCHIVED if skill_id.startswith(".archive/") else State.ACTIVE
    folder = Path("/library") / skill_id
    name = name or folder.name
    return Skill(skill_id, name, "", "d", folder, Path("/library"), state=state, load=load, shadowed_by=shadowed_by)


def forward(name: str, into: str) -> Forward:
    return Forward(name, into, "", None, None)


def library(*skills: Skill, **forwards: str) -> Library:
    return Library(skills, {name: forward(name, into) for name, into in forwards.items()})


def leads_to(found: Library, name: str) -> tuple[str, tuple[str, ...]] | None:
    result = resolve(found, name)
    return (result.skill.id, result.via) if result is not None else None


def test_an_id_leads_to_its_skill_and_a_name_to_the_unshadowed_one() -> None:
    found = library(skill("mine/review"), skill("team/review", shadowed_by="mine/review"))
    assert leads_to(found, "team/review") == ("team/review", ())
    assert leads_to(found, "review") == ("mine/review", ())


def test_names_are_compared_composed_and_without_case() -> None:
    found = library(skill("caf\u00e9"))
    assert leads_to(found, "Cafe\u0301") == ("caf\u00e9", ())


def test_an_absorbed_name_leads_to_the_end_of_its_chain() -> None:
    found = library(skill("umbrella"), skill(".archive/a"), skill(".archive/b"), a="b", b="umbrella")
    assert leads_to(found, "a") == ("umbrella", ("a", "b"))
    assert leads_to(found, ".archive/a") == ("umbrella", ("a", "b"))


def test_a_forward_rests_while_its_name_is_live_again() -> None:
    assert leads_to(library(skill("a"), skill("umbrella"), a="umbrella"), "a") == ("a", ())


def test_a_chain_stops_at_a_name_that_is_live_again() -> None:
    found = library(skill("b"), skill("umbrella"), a="b", b="umbrella")
    assert leads_to(found, "a") == ("b", ("a",))


def test_a_circle_leads_nowhere() -> None:
    assert leads_to(library(skill("x"), a="b", b="a"), "a") is None


def test_an_archived_name_without_forward_leads_to_the_archived_skill() -> None:
    assert leads_to(library(skill(".archive/old")), "old") == (".archive/old", ())


def test_an_old_name_leads_to_its_skill_in_the_archive_too() -> None:
    found = library(skill(".archive/new"), old="new")
    assert leads_to(found, "old") == (".archive/new", ("old",))


def test_a_broken_skill_is_not_what_a_name_leads_to_but_its_row_is_found() -> None:
    found = library(skill("a", load=Load.SKIP))
    assert leads_to(found, "a") is None
    assert find(found, "a").id == "a"


def test_a_live_row_is_found_before_an_archived_one_of_the_same_name() -> None:
    found = library(skill("cat/a"), skill(".archive/a"))
    assert find(found, "a").id == "cat/a"
    assert find(found, ".archive/a").id == ".archive/a"


def test_nothing_found_offers_near_names() -> None:
    with pytest.raises(AppError, match="Did you mean deploy-web") as caught:
        find(library(skill("deploy-web")), "deploy-wbe")
    assert caught.value.kind is Kind.NOT_FOUND


def test_the_beginning_of_a_name_is_not_the_name() -> None:
    with pytest.raises(AppError):
        find(library(skill("deploy-web")), "deploy")


def test_several_archived_skills_of_one_name_have_to_be_told_apart_by_id() -> None:
    with pytest.raises(AppError, match=r"\.archive/a-2026") as caught:
        find(library(skill(".archive/a-2026", "a"), skill(".archive/a-2027", "a")), "a")
    assert caught.value.kind is Kind.INVALID


def test_a_new_forward_that_closes_a_circle_is_seen() -> None:
    known = {"a": forward("a", "b"), "b": forward("b", "c")}
    assert makes_loop(known, "c", "a") is True
    assert makes_loop(known, "a", "a") is True
    assert makes_loop(known, "d", "a") is False


def test_writing_a_forward_keeps_what_others_wrote(tmp_path: Path) -> None:
    before = b'{"x": 1, "forwards": {"a": {"into": "old", "theirs": 2}, "b": {"into": "c"}}}'
    path = tmp_path / ".forwards.json"
    path.write_bytes(with_forward(before, forward("a", "new")))
    rows, notice = read_forwards(path)
    assert ({name: row.into for name, row in rows.items()}, notice) == ({"a": "new", "b": "c"}, None)
    assert b'"theirs": 2' in path.read_bytes()
    assert b'"x": 1' in path.read_bytes()


def test_a_removed_forward_is_gone_and_a_missing_one_is_no_error() -> None:
    data = with_forward(None, forward("a", "b"))
    assert without_forward(without_forward(data, "a"), "a") == without_forward(None, "x")


def test_damaged_forwards_are_a_notice(tmp_path: Path) -> None:
    (tmp_path / ".forwards.json").write_bytes(b"[1")
    rows, notice = read_forwards(tmp_path / ".forwards.json")
    assert (rows, notice is not None, is_readable(b"[1")) == ({}, True, False)


NAMES = st.sampled_from("abcde")


@given(st.dictionaries(NAMES, NAMES), NAMES, st.sets(NAMES))
def test_following_forwards_always_ends(pairs: dict[str, str], start: str, live: set[str]) -> None:
    passed = chain({name: forward(name, into) for name, into in pairs.items()}, start, live.__contains__)
    assert len(passed) <= len(pairs)
    assert all(step not in live for step in passed[:-1])


@given(st.lists(st.tuples(NAMES, NAMES), max_size=12))
def test_forwards_that_are_checked_before_they_are_added_never_make_a_circle(pairs: list[tuple[str, str]]) -> None:
    known: dict[str, Forward] = {}
    for name, into in pairs:
        if not makes_loop(known, name, into):
            known[name] = forward(name, into)
    assert all(chain(known, name, lambda _: False) for name in known)
