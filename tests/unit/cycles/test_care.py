"""Looking after a library: doubles, shipped skills, what a deletion takes away, and what the archive has already."""

from pathlib import Path

import pytest

from app.cancel import CancelToken
from app.clock import system_clock
from app.cycles.care import copy_as, near_duplicates, purge_preview, reset_to_shipped
from app.cycles.editing import create, merge_text
from app.cycles.home import OpenHome, home_key
from app.cycles.library import act, change
from app.errors import AppError
from app.skills.bundled import seed
from app.skills.values import Action, Author, Request

TEXT = "---\nname: {name}\ndescription: {description}\n---\n\n{body}\n"


@pytest.fixture
def home(tmp_path: Path):
    opened = OpenHome(home_key(tmp_path / "home", system_clock))
    yield opened
    opened.close()


def put(home: OpenHome, name: str, description: str, body: str) -> None:
    change(home, Request(Action.CREATE, name, content=TEXT.format(name=name, description=description, body=body)))


def pairs(home: OpenHome):
    steps = near_duplicates(home, CancelToken())
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_two_skills_with_mostly_equal_lines_are_a_pair_and_a_stranger_is_in_none(home: OpenHome) -> None:
    lines = "\n".join(f"{number}. Pour the water slowly, part {number}." for number in range(10))
    put(home, "brew-tea", "Brew green tea.", lines)
    put(home, "make-tea", "Make tea in a pot.", f"{lines}\n11. Wait.")
    put(home, "fix-bike", "Mend a flat bicycle tyre.", "Take the wheel off.")
    (pair,) = pairs(home)
    assert {pair.one, pair.other} == {"brew-tea", "make-tea"}
    assert (pair.equal_lines, pair.lines) == (10, 10)


def test_a_shipped_skill_goes_back_to_what_is_shipped_and_is_no_longer_edited(home: OpenHome, tmp_path: Path) -> None:
    shipped = tmp_path / "shipped"
    (shipped / "tea").mkdir(parents=True)
    original = TEXT.format(name="tea", description="Brew tea.", body="As shipped.")
    (shipped / "tea" / "SKILL.md").write_text(original, encoding="utf-8")
    seed(home.live, home.door, shipped)
    change(home, Request(Action.EDIT, "tea", content=original.replace("As shipped.", "Mine.")))
    row = home.library().get("tea")
    assert row is not None
    assert row.edited_here
    reset_to_shipped(home, "tea", shipped)
    row = home.library().get("tea")
    assert row is not None
    assert not row.edited_here
    assert (row.folder / "SKILL.md").read_text(encoding="utf-8") == original


def test_a_skill_of_ones_own_has_nothing_shipped_to_go_back_to(home: OpenHome) -> None:
    put(home, "tea", "Brew tea.", "Mine.")
    with pytest.raises(AppError, match="nothing to go back to"):
        reset_to_shipped(home, "tea")


def test_the_list_before_a_deletion_names_files_date_and_what_the_history_lacks(home: OpenHome) -> None:
    put(home, "tea", "Brew tea.", "Mine.")
    (home.home.skills / "tea" / "film.bin").write_bytes(b"x" * 2_000_001)
    act(home, Action.ARCHIVE, ["tea"])
    (item,) = purge_preview(home, [".archive/tea", "unknown"])
    assert (item.name, item.files) == ("tea", ("SKILL.md",))
    assert item.archived_at is not None
    assert item.not_kept == ("film.bin (too large)",)
    assert item.size > 2_000_000


def test_creating_what_is_in_the_archive_offers_to_restore_it(home: OpenHome) -> None:
    put(home, "tea", "Brew tea.", "Mine.")
    act(home, Action.ARCHIVE, ["tea"])
    for name, description in (("tea", "Something else."), ("other", "Brew  Tea.")):
        with pytest.raises(AppError) as refused:
            create(home, name, description, "")
        assert refused.value.action == "restore:.archive/tea"


def test_texts_changed_in_different_places_merge_and_the_same_place_is_marked_with_both(home: OpenHome) -> None:
    base = "one\n\ntwo\n\nthree\n"
    assert merge_text(home, base, base.replace("one", "ONE"), base.replace("three", "THREE")) == (
        "ONE\n\ntwo\n\nTHREE\n",
        0,
    )
    text, places = merge_text(home, "one\n", "mine\n", "theirs\n")
    assert places == 1
    assert text.splitlines() == ["<<<<<<< my text", "mine", "=======", "theirs", ">>>>>>> text on disk"]


def test_a_copy_of_one_s_own_has_all_files_a_new_name_and_is_nobody_else_s(home: OpenHome) -> None:
    put(home, "tea", "Brew tea.", "Mine.")
    (home.home.skills / "tea" / "scripts").mkdir()
    script = home.home.skills / "tea" / "scripts" / "pour.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    receipt = copy_as(home, "tea", "my-tea")
    row = home.library().get("my-tea")
    assert row is not None
    assert (receipt.skill, row.name, row.author, row.managed) == ("my-tea", "my-tea", Author.USER, False)
    assert (row.folder / "scripts" / "pour.sh").stat().st_mode & 0o100
    assert len(home.history.entries(skill="my-tea")) == 1
    with pytest.raises(AppError, match="tea"):
        copy_as(home, "my-tea", "tea")
    assert home.library().get("tea") is not None
