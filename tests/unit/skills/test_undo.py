import pytest

from app.errors import AppError, Kind
from app.history.values import Blob, Origin
from app.skills.undo import undo
from app.skills.values import Action, Request, State, Writer

REVIEW = Writer(Origin.REVIEW)


def shape(bed):
    """What an undo has to bring back: folders and their content, names, pins, permissions."""
    rows = bed.live.library().skills
    return {s.id: (s.name, s.pinned, s.managed, bed.history.hash_files(bed.live.files(s.id))) for s in rows}


@pytest.fixture
def two(bed):
    bed.create("alpha", REVIEW, category="cat", body="one\ntwo\nthree\nfour\nfive\n")
    bed.create("beta", REVIEW)
    bed.pass_days(30)
    return bed


REVERSIBLE = [
    Request(Action.PATCH, "cat/alpha", old="three", new="THREE"),
    Request(Action.EDIT, "beta", content="---\nname: beta\ndescription: New text. Use in tests.\n---\n\nNew.\n"),
    Request(Action.WRITE_FILE, "beta", file="references/a.md", content="a"),
    Request(Action.PUT, "beta", files={"SKILL.md": Blob(b"---\nname: beta\ndescription: Put. Use it.\n---\n\nx\n")}),
    Request(Action.ARCHIVE, "cat/alpha", absorbed_into="beta"),
    Request(Action.RENAME, "cat/alpha", to="gamma"),
    Request(Action.MOVE, "cat/alpha", to="dog"),
    Request(Action.PURGE, "beta", to="delete"),
    Request(Action.PIN, "beta"),
    Request(Action.UNADOPT, "beta"),
]


@pytest.mark.parametrize("request_", REVERSIBLE, ids=lambda one: one.action.value)
def test_undo_gives_back_what_was_there_and_undo_of_undo_what_came(two, request_):
    before = shape(two)
    receipt = two.door.do(request_, Writer(Origin.USER))
    assert receipt.ok, receipt.why
    after = shape(two)
    assert after != before
    undone = two.undo(receipt.entry)
    assert shape(two) == before
    assert two.recorded_is_on_disk()
    if request_.action is Action.PURGE:
        return  # what came back is archived by the second undo, not deleted
    two.undo(undone.entry)
    assert shape(two) == after
    assert two.recorded_is_on_disk()


def test_an_undo_is_an_entry_that_names_what_it_undoes(two):
    receipt = two.do(Action.PATCH, "beta", old="Body", new="Text")
    result = two.undo(receipt.entry[:10])
    record = two.history.entry(result.entry).record
    assert (record.origin, record.action, record.detail["undoes"]) == (Origin.USER, "undo", receipt.entry)
    assert record.ids == ("beta",)


def test_the_undo_of_a_create_archives_the_skill_whole(two):
    receipt = two.do(Action.CREATE, "gamma", content=two.text("gamma"))
    two.undo(receipt.entry)
    assert ".archive/gamma" in two.ids()


def test_undo_of_an_archive_brings_modes_and_empty_folders_back(bed):
    folder = bed.put_on_disk("alpha")
    (folder / "empty").mkdir()
    (folder / "SKILL.md").chmod(0o600)
    before = bed.tree()
    receipt = bed.do(Action.ARCHIVE, "alpha")
    bed.undo(receipt.entry)
    after = bed.tree()
    del after[".archive"]
    assert after == before


def test_an_older_entry_is_undone_and_the_later_edit_stays(two):
    first = two.do(Action.PATCH, "cat/alpha", old="one", new="ONE")
    two.do(Action.PATCH, "cat/alpha", old="five", new="FIVE")
    assert two.undo(first.entry).entry
    assert two.body("cat/alpha").endswith("one\ntwo\nthree\nfour\nFIVE\n")


def test_an_older_entry_is_undone_where_the_skill_is_by_now(two):
    first = two.do(Action.PATCH, "cat/alpha", old="one", new="ONE")
    two.do(Action.MOVE, "cat/alpha", to="dog")
    two.do(Action.RENAME, "dog/alpha", to="gamma")
    assert two.undo(first.entry).entry
    assert "one\n" in two.body("dog/gamma")


def test_changes_of_the_same_lines_are_conflicts_and_nothing_is_written(two):
    first = two.do(Action.PATCH, "cat/alpha", old="three", new="THREE")
    two.do(Action.PATCH, "cat/alpha", old="THREE", new="3")
    before, tip = two.tree(), two.history.tip()
    result = two.undo(first.entry)
    assert result.entry is None
    (conflict,) = result.conflicts
    assert [item.path for item in conflict.files] == ["SKILL.md"]
    assert (two.tree(), two.history.tip()) == (before, tip)


def test_an_edit_on_disk_since_then_is_kept_or_a_conflict(two):
    first = two.do(Action.PATCH, "cat/alpha", old="one", new="ONE")
    path = two.home.skills / "cat/alpha/SKILL.md"
    path.write_text(path.read_text() + "by hand\n")
    assert two.undo(first.entry).entry
    assert two.body("cat/alpha").endswith("one\ntwo\nthree\nfour\nfive\nby hand\n")


def test_a_created_skill_that_was_edited_since_is_a_conflict(two):
    receipt = two.do(Action.CREATE, "gamma", content=two.text("gamma"))
    two.do(Action.PATCH, "gamma", old="Step", new="Leap")
    assert two.undo(receipt.entry).conflicts[0].skill == "gamma"


def test_an_archive_that_was_restored_already_leaves_nothing_to_undo(two):
    receipt = two.do(Action.ARCHIVE, "beta")
    two.do(Action.RESTORE, ".archive/beta")
    with pytest.raises(AppError) as caught:
        two.undo(receipt.entry)
    assert (caught.value.kind, caught.value.title) == (Kind.REFUSED, "Nothing to undo")


def test_a_place_that_was_taken_since_is_a_sentence(two):
    receipt = two.do(Action.ARCHIVE, "beta")
    two.put_on_disk("beta", body="Other.\n")
    result = two.undo(receipt.entry)
    assert result.entry is None
    assert result.conflicts[0].why == (
        "Something else stands at beta again. Rename or archive that first, then undo this step."
    )
    assert "Other." in two.body("beta")


def test_a_pinned_skill_is_not_renamed_back(two):
    receipt = two.do(Action.RENAME, "beta", to="gamma")
    two.do(Action.PIN, "gamma")
    with pytest.raises(AppError) as caught:
        two.undo(receipt.entry)
    assert "unpin" in caught.value.text


def test_a_whole_consolidation_is_undone_as_one(two):
    before = shape(two)
    requests = [
        Request(Action.CREATE, "umbrella", content=two.text("umbrella")),
        Request(Action.ARCHIVE, "cat/alpha", absorbed_into="umbrella"),
        Request(Action.ARCHIVE, "beta", absorbed_into="umbrella"),
    ]
    receipts = two.door.do_all(requests, Writer(Origin.CURATOR, approved=True))
    result = two.undo(receipts[0].entry)
    now = shape(two)
    assert {skill_id: now[skill_id] for skill_id in before} == before
    assert set(now) - set(before) == {".archive/umbrella"}
    assert len(two.history.entry(result.entry).record.detail["steps"]) == 3


def test_an_outside_change_a_deletion_and_a_new_folder_are_undone(two):
    two.put_on_disk("new-one")
    (entry,) = two.live.observe_outside()
    two.undo(entry.id)
    assert ".archive/new-one" in two.ids()
    (two.home.skills / "beta/SKILL.md").unlink()
    (two.home.skills / "beta").rmdir()
    (entry,) = two.live.observe_outside()
    two.undo(entry.id)
    assert two.live.library().get("beta").managed


def test_a_folder_moved_outside_is_moved_back(two):
    before = shape(two)
    (two.home.skills / "dog").mkdir()
    (two.home.skills / "cat/alpha").rename(two.home.skills / "dog/alpha")
    (entry,) = two.live.observe_outside()
    two.undo(entry.id)
    assert shape(two) == before


def test_a_label_is_undone(two):
    receipt = two.do(Action.LABEL, "beta", Writer(Origin.CURATOR), to="stale")
    two.undo(receipt.entry)
    assert two.live.library().get("beta").state is State.ACTIVE


def test_an_unknown_entry_is_said(two):
    with pytest.raises(AppError) as caught:
        undo(two.door, two.live, "0123456789", Writer(Origin.USER))
    assert caught.value.kind is Kind.NOT_FOUND
