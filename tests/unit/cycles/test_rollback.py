"""The library as it was: previewed, brought back as one step, and that step undone again."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.cycles.home import OpenHome, home_key
from app.cycles.library import change, undo_entry, undo_many
from app.cycles.rollback import days, preview_rollback, rollback
from app.errors import AppError
from app.skills.values import Action, Request


class Bed:
    """A home whose clock the test moves, with short ways to change it."""

    def __init__(self, root: Path) -> None:
        self.now = datetime(2026, 6, 1, 12, tzinfo=UTC)
        self.home = OpenHome(home_key(root, lambda: self.now))

    def create(self, name: str) -> None:
        text = f"---\nname: {name}\ndescription: Does {name}.\n---\n\nBody of {name}.\n"
        change(self.home, Request(Action.CREATE, name, content=text))

    def do(self, action: Action, skill: str, **more: object) -> None:
        self.now += timedelta(hours=1)
        change(self.home, Request(action, skill, **more))  # type: ignore[arg-type]

    @property
    def tip(self) -> str:
        return self.home.history.tip() or ""

    def picture(self) -> dict[str, tuple[object, ...]]:
        return {
            row.id: (row.name, row.state, row.pinned, row.managed, self.home.live.files(row.id))
            for row in self.home.library().skills
        }


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    return Bed(tmp_path / "home")


CHANGES: dict[str, Callable[[Bed], None]] = {
    "nothing but a pin": lambda bed: bed.do(Action.PIN, "one"),
    "a change": lambda bed: bed.do(Action.PATCH, "one", old="Body", new="Text"),
    "an archive": lambda bed: bed.do(Action.ARCHIVE, "one"),
    "a merge": lambda bed: bed.do(Action.ARCHIVE, "one", absorbed_into="two"),
    "a rename": lambda bed: bed.do(Action.RENAME, "one", to="other"),
    "a move": lambda bed: bed.do(Action.MOVE, "one", to="category"),
    "a deletion": lambda bed: bed.do(Action.PURGE, "one", to="delete"),
    "an adoption": lambda bed: bed.do(Action.ADOPT, "two"),
    "an edit and an archive": lambda bed: [
        bed.do(Action.PATCH, "one", old="Body", new="Text"), bed.do(Action.ARCHIVE, "one")
    ],
    "a pin after a rename": lambda bed: [bed.do(Action.RENAME, "one", to="other"), bed.do(Action.PIN, "other")],
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_every_change_is_brought_back_and_the_way_back_is_undone(bed: Bed, what: str) -> None:
    for name in ("one", "two"):
        bed.create(name)
    before, entry = bed.picture(), bed.tip
    CHANGES[what](bed)
    after = bed.picture()
    assert not preview_rollback(bed.home, entry).conflicts
    assert bed.picture() == after
    done = rollback(bed.home, entry)
    assert done.entry
    assert bed.picture() == before
    assert preview_rollback(bed.home, entry).steps == ()
    with pytest.raises(AppError, match="exactly like that"):
        rollback(bed.home, entry)
    back = undo_entry(bed.home, done.entry)
    assert back.entry, back.conflicts
    if what != "a deletion":  # the undo of a deletion's way back archives: nothing is deleted by an undo
        assert bed.picture() == after


def test_what_came_later_goes_to_the_archive_pinned_or_not(bed: Bed) -> None:
    bed.create("one")
    entry = bed.tip
    bed.create("later")
    bed.do(Action.PIN, "later")
    assert [(step.what, step.skill) for step in preview_rollback(bed.home, entry).steps] == [
        ("unpin", "later"), ("archive", "later"),
    ]  # fmt: skip
    assert rollback(bed.home, entry).entry
    assert set(bed.picture()) == {"one", ".archive/later"}


def test_a_moment_means_the_last_step_before_it(bed: Bed) -> None:
    bed.create("one")
    moment = bed.now + timedelta(minutes=30)
    bed.do(Action.PATCH, "one", old="Body", new="Text")
    assert [step.what for step in preview_rollback(bed.home, moment).steps] == ["change"]
    with pytest.raises(AppError, match="later than that"):
        preview_rollback(bed.home, moment - timedelta(days=1))


def test_a_change_from_outside_is_recorded_before_it_is_taken_back(bed: Bed) -> None:
    bed.create("one")
    entry = bed.tip
    file = bed.home.home.skills / "one/SKILL.md"
    text = file.read_text()
    file.write_text(text + "More from outside.\n")
    assert rollback(bed.home, entry).entry
    assert file.read_text() == text
    assert [item.record.action for item in bed.home.history.entries(2)] == ["rollback", "outside"]


def test_days_count_the_steps_of_each_day(bed: Bed) -> None:
    bed.create("one")
    bed.now += timedelta(days=2)
    bed.do(Action.PIN, "one")
    bed.do(Action.UNPIN, "one")
    assert [count for _, count in days(bed.home)] == [1, 2]


def test_several_steps_are_undone_newest_first_whatever_order_they_are_named_in(bed: Bed) -> None:
    bed.create("one")
    before = bed.picture()
    made = []
    for old, new in (("Body", "Text"), ("Text", "Word"), ("Does", "Makes")):
        bed.do(Action.PATCH, "one", old=old, new=new)
        made.append(bed.tip)
    assert all(done.entry for done in undo_many(bed.home, made))
    assert bed.picture() == before
    again = undo_many(bed.home, made[:1])
    assert [(done.entry, len(done.conflicts)) for done in again] == [(None, 1)]
    with pytest.raises(AppError):
        undo_many(bed.home, [made[0], "0" * 40])
