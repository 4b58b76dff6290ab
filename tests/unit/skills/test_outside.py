import shutil

import pytest

from app.history.values import Blob, Origin
from app.skills.likeness import likeness
from app.skills.values import Action, Writer


def newest(bed):
    return bed.history.entries(limit=1)[0].record


def test_skills_found_at_start_are_one_outside_entry(bed):
    bed.put_on_disk("alpha")
    bed.put_on_disk("cat/beta")
    (entry,) = bed.live.observe_outside()
    assert (entry.record.origin, sorted(entry.record.ids)) == (Origin.OUTSIDE, ["alpha", "cat/beta"])
    assert bed.recorded_is_on_disk()
    assert bed.live.observe_outside() == []


def test_a_change_on_disk_is_recorded_before_the_door_writes(bed):
    bed.create("alpha")
    path = bed.home.skills / "alpha/SKILL.md"
    path.write_text(bed.text("alpha", "By hand.\n"))
    bed.do(Action.PATCH, "alpha", old="By hand", new="By door")
    assert [entry.record.origin for entry in bed.history.entries(limit=2)] == [Origin.USER, Origin.OUTSIDE]
    outside = bed.history.entries(limit=2)[1]
    assert b"By hand." in bed.history.snapshot("skills/alpha", outside.id)["SKILL.md"].data


def test_only_the_asked_skill_is_looked_at(bed):
    bed.create("alpha")
    bed.create("beta")
    for name in ("alpha", "beta"):
        (bed.home.skills / name / "SKILL.md").write_text(bed.text(name, "By hand.\n"))
    bed.live.observe_outside(["alpha"])
    assert newest(bed).detail == {"changed": ["alpha"]}


def test_a_deleted_folder_is_recorded_and_its_content_stays_in_the_history(bed):
    bed.create("alpha")
    tip = bed.history.tip()
    shutil.rmtree(bed.home.skills / "alpha")
    bed.live.observe_outside()
    assert newest(bed).detail == {"removed": ["alpha"]}
    assert bed.history.snapshot("skills/alpha", tip)


def test_a_renamed_folder_keeps_its_record_pin_and_history(bed):
    bed.create("pin-rename", Writer(Origin.REVIEW))
    bed.do(Action.PIN, "pin-rename")
    bed.live.observe_outside()
    (bed.home.skills / "pin-rename").rename(bed.home.skills / "pin-renamed")
    path = bed.home.skills / "pin-renamed/SKILL.md"
    path.write_text(path.read_text().replace("name: pin-rename", "name: pin-renamed"))
    bed.live.observe_outside()
    skill = bed.live.library().get("pin-renamed")
    assert (skill.pinned, skill.managed) == (True, True)
    assert bed.record("pin-rename") == {}
    actions = [entry.record.action for entry in bed.history.entries(skill="pin-renamed")]
    assert actions == ["outside", "pin", "create"]
    assert bed.live.library().forwards["pin-rename"].into == "pin-renamed"


def test_a_moved_copy_with_nearly_the_same_content_keeps_its_pin(bed):
    bed.create("alpha", body="a line of text\n" * 30)
    bed.do(Action.PIN, "alpha")
    shutil.copytree(bed.home.skills / "alpha", bed.home.skills / "cat/alpha")
    shutil.rmtree(bed.home.skills / "alpha")
    path = bed.home.skills / "cat/alpha/SKILL.md"
    path.write_text(path.read_text() + "one more\n")
    bed.live.observe_outside()
    assert bed.live.library().get("cat/alpha").pinned
    assert newest(bed).detail["moves"] == [["alpha", "cat/alpha"]]


def test_with_two_candidates_nothing_is_guessed(bed):
    bed.create("alpha", body="a line of text\n" * 30)
    for name in ("beta", "gamma"):
        shutil.copytree(bed.home.skills / "alpha", bed.home.skills / name)
    shutil.rmtree(bed.home.skills / "alpha")
    bed.live.observe_outside()
    assert "moves" not in newest(bed).detail


def test_another_skill_on_a_used_again_inode_is_not_taken_for_the_old_one(bed):
    bed.create("alpha", body="apples and pears\n" * 20)
    bed.do(Action.PIN, "alpha")
    bed.live.observe_outside()
    remembered = bed.home.journal / "folders.json"
    shutil.rmtree(bed.home.skills / "alpha")
    folder = bed.put_on_disk("other", body="nothing alike\n" * 20)
    status = folder.stat()
    remembered.write_text(f'{{"alpha": [{status.st_dev}, {status.st_ino}]}}')
    bed.live.observe_outside()
    assert not bed.live.library().get("other").pinned


def test_files_that_are_not_kept_make_no_entry(bed):
    bed.create("alpha")
    (bed.home.skills / "alpha/node_modules").mkdir()
    (bed.home.skills / "alpha/node_modules/x").write_bytes(b"x")
    (bed.home.skills / "alpha/big.bin").write_bytes(b"\0" * 2_000_001)
    assert bed.live.observe_outside() == []


def test_a_hostile_skill_is_recorded_and_its_neighbours_too(bed, hostile):
    folder = bed.home.skills / "hostile"
    folder.mkdir()
    for name, blob in hostile.items():
        (folder / name).write_bytes(blob.data)
    (folder / "link").symlink_to("/etc/passwd")
    bed.put_on_disk("neighbour")
    bed.live.observe_outside()
    assert set(bed.history.prefixes()) == {"skills/hostile", "skills/neighbour"}
    assert {name: blob.data for name, blob in bed.history.snapshot("skills/hostile").items()} == {
        **{name: blob.data for name, blob in hostile.items()},
        "link": b"/etc/passwd",
    }


def test_a_linked_skill_is_not_recorded_until_the_user_edits_it(bed):
    real = bed.home.root / "real"
    real.mkdir()
    (real / "SKILL.md").write_text(bed.text("linked"))
    (bed.home.skills / "linked").symlink_to(real)
    assert bed.live.observe_outside() == []
    bed.do(Action.PATCH, "linked", old="Step one", new="Step two")
    assert [entry.record.origin for entry in bed.history.entries(skill="linked")] == [Origin.USER, Origin.OUTSIDE]


@pytest.mark.parametrize("data", [b"", b"rubbish", b"[1]", b"\xff"])
def test_a_damaged_memory_of_folders_costs_nothing(bed, data):
    bed.create("alpha")
    bed.home.journal.mkdir(exist_ok=True)
    (bed.home.journal / "folders.json").write_bytes(data)
    (bed.home.skills / "alpha").rename(bed.home.skills / "beta")
    bed.live.observe_outside()
    assert newest(bed).detail["moves"] == [["alpha", "beta"]]


def test_likeness_is_the_share_of_equal_bytes():
    one = {"a": Blob(b"1\n2\n3\n4\n"), "b": Blob(b"same")}
    assert likeness(one, one) == 1.0
    assert likeness(one, {}) == 0.0
    assert likeness({}, {}) == 1.0
    assert likeness({"a": Blob(b"1\n2\n")}, {"a": Blob(b"1\n3\n")}) == 0.5


def test_a_file_that_cannot_be_read_is_not_taken_for_deleted(bed, monkeypatch):
    bed.create("alpha")
    bed.do(Action.WRITE_FILE, "alpha", file="references/a.md", content="a")
    from app.history import walk

    real = walk.os.open

    def refuses(path, flags, *args, **more):
        if path == "a.md":
            raise PermissionError(13, "Permission denied")
        return real(path, flags, *args, **more)

    monkeypatch.setattr(walk.os, "open", refuses)
    assert bed.live.observe_outside() == []
    assert "references/a.md" in bed.history.snapshot("skills/alpha")


@pytest.mark.parametrize("came", ["aaa/review", "review", "zzz/review"])
def test_a_pin_stays_with_its_skill_when_another_of_its_name_comes_and_goes(bed, came):
    bed.put_on_disk("cat/review")
    bed.live.observe_outside()
    bed.do(Action.PIN, "cat/review")
    bed.put_on_disk(came)
    bed.live.observe_outside()
    pinned = [skill.id for skill in bed.live.library().skills if skill.pinned]
    assert pinned == ["cat/review"]
    shutil.rmtree(bed.home.skills / came)
    assert bed.live.library().get("cat/review").pinned
    bed.live.observe_outside()
    assert bed.live.library().get("cat/review").pinned


def test_a_new_skill_has_no_part_in_the_record_of_an_archived_one(bed):
    bed.create("alpha", Writer(Origin.REVIEW))
    bed.do(Action.ARCHIVE, "alpha", absorbed_into="")
    bed.put_on_disk("alpha")
    bed.live.observe_outside()
    assert not bed.live.library().get("alpha").managed
    assert bed.live.library().get(".archive/alpha").managed


@pytest.mark.parametrize(("text", "managed"), [("Wholly other.\n" * 9, False), (None, True)])
def test_only_what_comes_back_as_it_was_is_managed_again(bed, text, managed):
    bed.create("alpha", Writer(Origin.REVIEW))
    bed.live.observe_outside()
    old = (bed.home.skills / "alpha/SKILL.md").read_text()
    shutil.rmtree(bed.home.skills / "alpha")
    bed.live.observe_outside()
    bed.put_on_disk("alpha")
    (bed.home.skills / "alpha/SKILL.md").write_text(bed.text("alpha", text) if text else old)
    bed.live.observe_outside()
    assert bed.live.library().get("alpha").managed is managed


BODIES = {"x": "Top body.\n" * 9, "a/x": "Other body.\n" * 9}


@pytest.fixture
def twins(bed):
    """A skill at the top whose id is the name that one in a category has, too."""
    for skill_id, body in BODIES.items():
        bed.put_on_disk(skill_id, body)
    bed.live.observe_outside()
    return bed


def marks(bed):
    """Which ids are pinned, and which are managed."""
    skills = bed.live.library().skills
    return {skill.id for skill in skills if skill.pinned}, {skill.id for skill in skills if skill.managed}


def test_a_pin_and_a_permission_of_the_one_at_the_top_are_not_its_twins(twins):
    twins.do(Action.PIN, "x")
    twins.do(Action.ADOPT, "x")
    assert marks(twins) == ({"x"}, {"x"})


def test_a_twin_that_is_moved_takes_its_own_record_and_no_other(twins):
    twins.do(Action.PIN, "x")
    twins.do(Action.ADOPT, "a/x")
    (twins.home.skills / "d").mkdir()
    (twins.home.skills / "a/x").rename(twins.home.skills / "d/x")
    twins.live.observe_outside()
    assert marks(twins) == ({"x"}, {"d/x"})
    (twins.home.skills / "d/x").rename(twins.home.skills / "a/x")
    twins.live.observe_outside()
    assert marks(twins) == ({"x"}, {"a/x"})


@pytest.mark.parametrize(("gone", "left"), [("x", "a/x"), ("a/x", "x")])
def test_a_deleted_twin_leaves_its_pin_to_nobody(twins, gone, left):
    twins.do(Action.PIN, gone)
    shutil.rmtree(twins.home.skills / gone)
    twins.live.observe_outside()
    assert marks(twins) == (set(), set())
    assert twins.live.library().get(left) is not None


def test_a_deleted_skill_leaves_its_pin_to_no_archived_one_and_has_it_again_when_it_comes_back(bed):
    bed.put_on_disk("a/x", BODIES["a/x"])
    bed.put_on_disk(".archive/x", BODIES["x"])
    bed.live.observe_outside()
    bed.do(Action.PIN, "a/x")
    old = bed.body("a/x")
    shutil.rmtree(bed.home.skills / "a/x")
    bed.live.observe_outside()
    assert marks(bed) == (set(), set())
    bed.put_on_disk("a/x")
    (bed.home.skills / "a/x/SKILL.md").write_text(old)
    bed.live.observe_outside()
    assert marks(bed) == ({"a/x"}, set())
