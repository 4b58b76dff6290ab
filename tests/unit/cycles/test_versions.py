"""Any state that ever stood in the library can be looked at and brought back."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.cancel import CancelToken
from app.cycles.home import OpenHome, home_key
from app.cycles.library import USER, act, change, entry_detail, undo_entry
from app.cycles.versions import compare_version, library_on, not_kept, restore_version
from app.errors import AppError
from app.skills.values import Action, Request

TEXT = "---\nname: {name}\ndescription: Sample.\n---\n\n{body}\n"
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


class Days:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def days() -> Days:
    return Days()


@pytest.fixture
def home(tmp_path: Path, days: Days):
    opened = OpenHome(home_key(tmp_path / "home", days))
    yield opened
    opened.close()


def write(home: OpenHome, name: str, body: str, action: Action = Action.EDIT) -> str:
    receipt = change(home, Request(action, name, content=TEXT.format(name=name, body=body)))
    assert receipt.entry is not None
    return receipt.entry


def body(home: OpenHome, skill: str) -> str:
    return (home.home.skills / skill / "SKILL.md").read_text(encoding="utf-8").splitlines()[-1]


def result(steps):
    """Play a job with steps to its end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_any_version_comes_back_as_a_new_step_and_that_can_be_undone(home: OpenHome) -> None:
    first = write(home, "tea", "One.", Action.CREATE)
    write(home, "tea", "Two.")
    write(home, "tea", "Three.")
    assert [file.path for file in compare_version(home, "tea", first)] == ["SKILL.md"]
    receipt = restore_version(home, "tea", first)
    assert body(home, "tea") == "One."
    assert undo_entry(home, receipt.entry or "").entry
    assert body(home, "tea") == "Three."


def test_a_version_is_found_where_the_skill_stood_before_it_moved(home: OpenHome) -> None:
    first = write(home, "tea", "One.", Action.CREATE)
    write(home, "tea", "Two.")
    change(home, Request(Action.MOVE, "tea", to="kitchen"))
    restore_version(home, "kitchen/tea", first)
    assert body(home, "kitchen/tea") == "One."


def test_a_version_that_stands_already_an_archived_and_an_unborn_skill_are_refused(home: OpenHome) -> None:
    early = write(home, "milk", "Early.", Action.CREATE)
    first = write(home, "tea", "One.", Action.CREATE)
    with pytest.raises(AppError, match="exactly like this"):
        restore_version(home, "tea", first)
    with pytest.raises(AppError, match="did not stand"):
        restore_version(home, "tea", early)
    write(home, "tea", "Two.")
    act(home, Action.ARCHIVE, ["tea"])
    with pytest.raises(AppError, match="archived"):
        restore_version(home, ".archive/tea", first)


def test_the_library_of_a_day_says_what_became_of_each_skill(home: OpenHome, days: Days) -> None:
    for name in ("same", "edited", "moved", "put-away"):
        write(home, name, "One.", Action.CREATE)
    days.now += timedelta(days=2)
    write(home, "edited", "Two.")
    change(home, Request(Action.MOVE, "moved", to="kitchen"))
    act(home, Action.ARCHIVE, ["put-away"])
    write(home, "late", "One.", Action.CREATE)
    then = library_on(home, NOON + timedelta(days=1))
    fates = {row.id: (row.fate, row.now) for row in then.skills}
    assert fates == {
        "same": ("same", "same"),
        "edited": ("changed", "edited"),
        "moved": ("moved", "kitchen/moved"),
        "put-away": ("archived", ".archive/put-away"),
    }
    assert then.since == ("late",)
    with pytest.raises(AppError, match="2026-06-01"):
        library_on(home, NOON - timedelta(days=1))


def test_a_conflict_of_an_undo_shows_what_stands_there_and_what_stood_before(home: OpenHome) -> None:
    write(home, "tea", "One.", Action.CREATE)
    second = write(home, "tea", "Two.")
    write(home, "tea", "Three.")
    undone = undo_entry(home, second)
    assert undone.entry is None
    (file,) = undone.files
    assert file.path == "tea/SKILL.md"
    texts = {line.text for hunk in file.hunks for line in hunk.lines}
    assert {"Three.", "One."} <= texts
    assert "Two." not in texts


def test_what_the_history_cannot_hold_is_listed_with_the_reason(home: OpenHome) -> None:
    write(home, "tea", "One.", Action.CREATE)
    folder = home.home.skills / "tea"
    (folder / "film.bin").write_bytes(b"x" * 2_000_001)
    (folder / "node_modules").mkdir()
    found = result(not_kept(home, CancelToken()))
    assert [(lost.skill, lost.path, lost.why) for lost in found] == [
        ("tea", "film.bin", "too large"),
        ("tea", "node_modules", "generated folder"),
    ]


def test_a_step_about_many_skills_shows_the_wanted_one_first_and_says_how_many_are_left_out(home: OpenHome) -> None:
    names = [f"skill-{number:02}" for number in range(45)]
    requests = [Request(Action.CREATE, name, content=TEXT.format(name=name, body="One.")) for name in names]
    receipts = home.door.do_all(requests, USER)
    detail = entry_detail(home, receipts[0].entry or "", "skill-44")
    assert detail.files[0][0] == "skills/skill-44"
    assert (len(detail.files), detail.more) == (40, 5)


def test_an_archived_folder_is_one_step_in_which_no_text_changed(home: OpenHome) -> None:
    write(home, "tea", "One.", Action.CREATE)
    report = act(home, Action.ARCHIVE, ["tea"])
    assert entry_detail(home, report.entries[0]).files == (("skills/.archive/tea", ()),)
