import pytest

from app.history.trees import hash_files
from app.history.values import Origin
from app.skills.bundled import read_manifest, seed
from app.skills.values import Action, Source, Verdict, Writer


@pytest.fixture
def shipped(bed, tmp_path):
    def ship(**bodies):
        for name, body in bodies.items():
            folder = tmp_path / "shipped" / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "SKILL.md").write_text(bed.text(name, body))
        return seed(bed.live, bed.door, tmp_path / "shipped")

    return ship


def test_shipped_skills_are_copied_once_as_one_import(bed, shipped):
    assert [receipt.verdict for receipt in shipped(one="A\n", two="B\n")] == [Verdict.ALLOW, Verdict.ALLOW]
    assert bed.ids() == ["one", "two"]
    entry = bed.history.entries(limit=1)[0].record
    assert (entry.origin, entry.action, entry.ids) == (Origin.IMPORT, "import", ("one", "two"))
    assert bed.live.library().get("one").source is Source.BUNDLED
    assert read_manifest(bed.home) == {name: hash_files(bed.live.files(name)) for name in ("one", "two")}
    assert shipped() == ()


def test_an_untouched_skill_is_renewed_and_not_marked_as_edited(bed, shipped):
    shipped(one="A\n")
    assert shipped(one="B\n")[0].ok
    assert bed.body("one") == bed.text("one", "B\n")
    assert not bed.live.library().get("one").edited_here


def test_an_edited_skill_is_never_written_again(bed, shipped):
    shipped(one="A\n")
    bed.do(Action.PATCH, "one", old="A", new="Mine")
    assert shipped(one="B\n") == ()
    assert bed.body("one") == bed.text("one", "Mine\n")


@pytest.mark.parametrize("action", [Action.ARCHIVE, Action.PURGE])
def test_an_archived_or_deleted_skill_does_not_come_back(bed, shipped, action):
    shipped(one="A\n")
    bed.do(action, "one", to="delete" if action is Action.PURGE else None)
    shipped(one="A\n")
    shipped(one="B\n")
    assert "one" not in bed.ids()


def test_the_users_own_skill_of_that_name_stays_the_users(bed, shipped):
    bed.put_on_disk("cat/one", body="Mine.\n")
    assert shipped(one="A\n") == ()
    assert bed.live.library().get("cat/one").source is Source.LOCAL


def test_a_seeding_that_was_killed_before_the_list_is_completed(bed, shipped):
    shipped(one="A\n")
    bed.home.bundled_manifest.unlink()
    assert shipped() == ()
    assert bed.live.library().get("one").source is Source.BUNDLED


def test_a_hermes_home_gets_nothing(bed, shipped):
    (bed.home.root / "config.yaml").write_text("skills: {}\n")
    assert shipped(one="A\n") == ()
    assert bed.ids() == []


def test_the_review_cannot_change_what_was_shipped(bed, shipped):
    shipped(one="A\n")
    assert bed.do(Action.PATCH, "one", Writer(Origin.REVIEW), old="A", new="x").verdict is Verdict.REFUSE
