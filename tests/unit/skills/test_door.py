import os
import stat

import pytest

from app.errors import AppError, Kind
from app.history.values import Blob, BlobKind, Origin
from app.skills.values import Action, Author, Request, Source, State, Verdict, Writer

USER, CHAT, REVIEW = Writer(Origin.USER), Writer(Origin.CHAT), Writer(Origin.REVIEW)


def test_a_created_skill_is_on_disk_in_the_library_and_in_the_ledger(bed):
    receipt = bed.do(Action.CREATE, "alpha", REVIEW, content=bed.text("alpha"), category="cat", reason="learned")
    assert (receipt.verdict, receipt.skill) == (Verdict.ALLOW, "cat/alpha")
    assert bed.body("cat/alpha") == bed.text("alpha")
    entry = bed.history.entry(receipt.entry)
    assert (entry.record.origin, entry.record.action, entry.record.ids) == (Origin.REVIEW, "create", ("cat/alpha",))
    assert entry.record.reason == "learned"
    assert bed.recorded_is_on_disk()


@pytest.mark.parametrize(
    ("origin", "managed", "author"),
    [
        (Origin.USER, False, Author.USER),
        (Origin.CHAT, False, Author.AGENT),
        (Origin.REVIEW, True, Author.AGENT),
    ],
)
def test_who_created_a_skill_decides_whether_it_is_managed(bed, origin, managed, author):
    bed.create("alpha", Writer(origin))
    skill = bed.live.library().get("alpha")
    assert (skill.managed, skill.author, skill.usage.created_at) == (managed, author, bed.now)


def test_an_approved_skill_of_the_curator_stays_managed_and_its_origin_true(bed):
    receipt = bed.do(Action.CREATE, "umbrella", Writer(Origin.CURATOR, approved=True), content=bed.text("umbrella"))
    assert bed.live.library().get("umbrella").managed
    record = bed.history.entry(receipt.entry).record
    assert (record.origin, record.detail["approved"]) == (Origin.CURATOR, True)


@pytest.mark.parametrize(
    "name", ["Alpha", "a b", "../x", "a/b", "", ".hidden", "a--b", "-a", "x" * 65, "con", "a\\b", "a\0b"]
)
def test_an_unsafe_name_is_refused_and_nothing_appears(bed, name):
    receipt = bed.do(Action.CREATE, name, content=bed.text("alpha"))
    assert (receipt.verdict, receipt.entry) == (Verdict.REFUSE, None)
    assert bed.tree() == {}


@pytest.mark.parametrize("category", ["../up", "a/b", "Cat x", ".archive", ".git"])
def test_an_unsafe_category_is_refused(bed, category):
    assert bed.do(Action.CREATE, "alpha", content=bed.text("alpha"), category=category).verdict is Verdict.REFUSE
    assert bed.tree() == {}


def test_a_skill_is_no_category(bed):
    bed.create("alpha")
    assert "cannot hold others" in bed.do(Action.CREATE, "beta", content=bed.text("beta"), category="alpha").why


def test_a_name_that_is_live_anywhere_is_refused(bed):
    bed.create("alpha", category="cat")
    receipt = bed.do(Action.CREATE, "alpha", REVIEW, content=bed.text("alpha"), category="other")
    assert (receipt.verdict, "cat/alpha" in receipt.why) == (Verdict.REFUSE, True)


def test_a_name_that_is_archived_is_refused_with_the_restore(bed):
    bed.create("alpha")
    bed.do(Action.ARCHIVE, "alpha")
    receipt = bed.do(Action.CREATE, "alpha", content=bed.text("alpha"))
    assert (receipt.verdict, "Restore" in receipt.why) == (Verdict.REFUSE, True)


@pytest.mark.parametrize(
    "content",
    [None, "", "no front matter", "---\nname: alpha\n---\nbody\n", "---\nname: other\ndescription: d\n---\n\nbody\n"],
)
def test_a_result_that_is_no_valid_skill_is_refused_before_writing(bed, content):
    receipt = bed.do(Action.CREATE, "alpha", content=content)
    assert receipt.verdict is Verdict.REFUSE
    assert receipt.why
    assert bed.tree() == {}


def test_a_patch_changes_only_its_words_counts_and_says_so(bed):
    bed.create("alpha", body="Step one: read.\n")
    receipt = bed.do(Action.PATCH, "alpha", REVIEW, old="read", new="write")
    assert receipt.verdict is Verdict.PROPOSE  # created by the user, so not managed
    assert bed.do(Action.PATCH, "alpha", CHAT, old="read", new="write").ok
    assert bed.body("alpha") == bed.text("alpha", "Step one: write.\n")
    usage = bed.live.library().get("alpha").usage
    assert (usage.patches, usage.last_patched_at) == (1, bed.now)


def test_a_refused_patch_leaves_the_file_alone(bed):
    bed.create("alpha", body="two\ntwo\n")
    before = bed.tree()
    for old, new in (("two", "x"), ("absent", "x"), ("", "x"), (None, "x"), ("two\ntwo", None)):
        receipt = bed.do(Action.PATCH, "alpha", old=old, new=new)
        assert (receipt.verdict, receipt.entry) == (Verdict.REFUSE, None)
    assert bed.tree() == before


def test_a_patch_that_breaks_the_front_matter_is_refused(bed):
    bed.create("alpha")
    receipt = bed.do(Action.PATCH, "alpha", old="description:", new="other:")
    assert (receipt.verdict, "description" in receipt.why) == (Verdict.REFUSE, True)


def test_a_file_keeps_its_mode_when_it_is_written(bed):
    folder = bed.put_on_disk("alpha")
    (folder / "SKILL.md").chmod(0o640)
    bed.do(Action.PATCH, "alpha", old="Step one", new="Step two")
    assert stat.S_IMODE((folder / "SKILL.md").stat().st_mode) == 0o640


def test_a_skill_with_a_wrong_name_can_still_be_edited(bed):
    folder = bed.put_on_disk("folder-name")
    (folder / "SKILL.md").write_text(bed.text("other-name"))
    assert bed.do(Action.PATCH, "folder-name", old="Step one.", new="Step two.").ok
    assert bed.do(Action.PIN, "folder-name").ok
    assert bed.live.library().get("folder-name").pinned


def test_an_action_on_a_row_changes_that_folder_when_names_are_crossed(bed):
    for folder, name in (("alpha", "beta"), ("beta", "alpha")):
        (bed.put_on_disk(folder) / "SKILL.md").write_text(bed.text(name))
    assert bed.do(Action.ARCHIVE, "alpha").ok
    assert bed.ids() == [".archive/alpha", "beta"]
    assert bed.body(".archive/alpha") == bed.text("beta")


def test_a_support_file_is_written_and_removed(bed):
    bed.create("alpha")
    assert bed.do(Action.WRITE_FILE, "alpha", CHAT, file="references/a.md", content="text").ok
    assert (bed.home.skills / "alpha/references/a.md").read_text() == "text"
    assert bed.do(Action.REMOVE_FILE, "alpha", CHAT, file="references/a.md").ok
    assert not (bed.home.skills / "alpha/references").exists()
    assert bed.recorded_is_on_disk()


@pytest.mark.parametrize(
    "file", ["../x", "/etc/x", "notes.md", "references", "references/../../x", ".git/config", "references/a\\b", "a\0"]
)
def test_a_model_writes_only_below_the_support_folders(bed, file):
    bed.create("alpha")
    before = bed.tree()
    assert bed.do(Action.WRITE_FILE, "alpha", CHAT, file=file, content="x").verdict is Verdict.REFUSE
    assert bed.tree() == before


def test_writing_through_a_link_is_refused(bed):
    folder = bed.put_on_disk("alpha")
    outside = bed.home.root / "outside"
    outside.mkdir()
    (folder / "references").symlink_to(outside)
    (folder / "assets").mkdir()
    (folder / "assets/file").symlink_to(outside / "target")
    for file in ("references/a.md", "assets/file"):
        assert bed.do(Action.WRITE_FILE, "alpha", file=file, content="x").verdict is Verdict.REFUSE
    assert list(outside.iterdir()) == []
    assert (folder / "references").is_symlink()


def test_nothing_new_is_put_behind_a_link(bed, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    bed.home.skills.mkdir(exist_ok=True)
    (bed.home.skills / "web").symlink_to(outside)
    text = "---\nname: demo\ndescription: A sample. Use in tests.\n---\n"
    receipt = bed.do(Action.CREATE, "demo", content=text, category="web")
    assert receipt.verdict is Verdict.REFUSE
    assert list(outside.iterdir()) == []


def test_a_script_of_a_model_is_proposed_whatever_way_it_comes(bed):
    bed.create("alpha", REVIEW)
    for request in (
        Request(Action.WRITE_FILE, "alpha", file="scripts/a.txt", content="x"),
        Request(Action.WRITE_FILE, "alpha", file="assets/run", content="#!/bin/sh\n"),
    ):
        assert bed.door.do(request, REVIEW).verdict is Verdict.PROPOSE
        assert bed.door.do(request, USER).verdict is Verdict.ALLOW


def test_skill_md_is_never_removed_and_an_empty_one_never_written(bed):
    bed.create("alpha")
    assert "Archive the skill" in bed.do(Action.REMOVE_FILE, "alpha", file="SKILL.md").why
    assert bed.do(Action.WRITE_FILE, "alpha", CHAT, file="SKILL.md", content="").verdict is Verdict.REFUSE
    assert bed.body("alpha")


def test_a_fork_changes_only_files_it_has_read(bed):
    bed.create("alpha", REVIEW)
    blind = Writer(Origin.REVIEW, read=frozenset())
    seeing = Writer(Origin.REVIEW, read=frozenset({"alpha/SKILL.md"}))
    text = bed.body("alpha") + "More.\n"
    assert "has not been read" in bed.do(Action.EDIT, "alpha", blind, content=text).why
    assert bed.do(Action.EDIT, "alpha", seeing, content=text).ok
    assert bed.do(Action.WRITE_FILE, "alpha", blind, file="references/new.md", content="x").ok


def test_a_patch_of_one_exact_place_shows_by_itself_that_the_file_was_read(bed):
    bed.create("alpha", REVIEW)
    blind = Writer(Origin.REVIEW, read=frozenset())
    assert "has not been read" in bed.do(Action.PATCH, "alpha", blind, old="Body", new="Text", replace_all=True).why
    assert bed.do(Action.PATCH, "alpha", blind, old="Body", new="Text").ok


def test_an_untrusted_chat_write_is_marked_and_a_reviews_proposed(bed):
    bed.create("alpha", REVIEW)
    receipt = bed.do(Action.PATCH, "alpha", Writer(Origin.CHAT, untrusted=True), old="Body", new="Text")
    assert bed.history.entry(receipt.entry).record.detail["untrusted"] is True
    untrusted = Writer(Origin.REVIEW, untrusted=True)
    assert bed.do(Action.PATCH, "alpha", untrusted, old="Text", new="Body").verdict is Verdict.PROPOSE


def test_pins_are_the_users_and_a_second_one_changes_nothing(bed):
    bed.create("alpha")
    assert bed.do(Action.PIN, "alpha", REVIEW).verdict is Verdict.REFUSE
    first, second = bed.do(Action.PIN, "alpha"), bed.do(Action.PIN, "alpha")
    assert (first.ok, second.ok, second.entry) == (True, True, None)
    assert bed.history.entry(first.entry).tree == bed.history.tree_hash()
    assert bed.do(Action.ARCHIVE, "alpha").verdict is Verdict.REFUSE
    assert bed.do(Action.UNPIN, "alpha").ok
    assert bed.do(Action.ARCHIVE, "alpha").ok


@pytest.mark.parametrize("name", ["alph", "cat", "", ".archive/gone", "Nope"])
def test_pinning_what_does_not_exist_is_refused_and_leaves_no_record(bed, name):
    bed.create("alpha", category="cat")
    bed.create("gone")
    bed.do(Action.ARCHIVE, "gone")
    before = bed.home.usage.read_bytes()
    assert bed.do(Action.PIN, name).verdict is Verdict.REFUSE
    assert bed.home.usage.read_bytes() == before


def test_an_adopted_skill_is_managed_and_its_clock_stays(bed):
    bed.create("alpha")
    created = bed.record("alpha")["created_at"]
    bed.pass_days(40)
    assert bed.do(Action.ADOPT, "alpha").ok
    assert bed.live.library().get("alpha").managed
    assert bed.record("alpha")["created_at"] == created
    assert bed.do(Action.UNADOPT, "alpha").ok
    assert not bed.live.library().get("alpha").managed


def test_the_curator_labels_the_live_library_and_writes_nothing_else_there(bed):
    bed.create("alpha", REVIEW)
    curator = Writer(Origin.CURATOR)
    assert bed.do(Action.LABEL, "alpha", curator, to="stale").ok
    assert bed.live.library().get("alpha").state is State.STALE
    assert bed.do(Action.PATCH, "alpha", curator, old="Body", new="x").verdict is Verdict.REFUSE
    assert bed.do(Action.LABEL, "alpha", curator, to="archived").verdict is Verdict.REFUSE


def test_a_rename_changes_folder_name_and_record_and_the_old_name_leads_on(bed):
    bed.create("alpha", REVIEW, category="cat")
    assert bed.do(Action.RENAME, "cat/alpha", to="beta").ok
    skill = bed.live.library().get("cat/beta")
    assert (skill.name, skill.managed) == ("beta", True)
    assert bed.record("alpha") == {}
    assert bed.live.library().forwards["alpha"].into == "beta"
    assert bed.do(Action.RENAME, "cat/beta", REVIEW, to="gamma").verdict is Verdict.REFUSE


def test_a_move_changes_the_category_alone(bed):
    bed.create("alpha", category="cat")
    assert bed.do(Action.MOVE, "cat/alpha", to="dog").skill == "dog/alpha"
    assert bed.do(Action.MOVE, "dog/alpha", to="").skill == "alpha"
    assert bed.do(Action.MOVE, "alpha", to="../x").verdict is Verdict.REFUSE
    assert bed.ids() == ["alpha"]


def test_records_follow_when_a_second_skill_takes_the_name(bed):
    bed.create("alpha", REVIEW, category="cat")
    bed.put_on_disk("dog/alpha")
    bed.do(Action.PIN, "dog/alpha")
    rows = bed.live.library()
    assert (rows.get("cat/alpha").managed, rows.get("cat/alpha").pinned) == (True, False)
    assert (rows.get("dog/alpha").managed, rows.get("dog/alpha").pinned) == (False, True)
    bed.do(Action.UNPIN, "dog/alpha")
    bed.do(Action.PURGE, "dog/alpha", to="delete")
    assert bed.live.library().get("cat/alpha").managed


def test_purging_is_the_users_and_forgets_the_record(bed):
    bed.create("alpha")
    assert bed.do(Action.PURGE, "alpha", REVIEW, to="delete").verdict is Verdict.REFUSE
    assert bed.do(Action.PURGE, "alpha", to="delete").ok
    assert (bed.tree(), bed.record("alpha")) == ({}, {})


def test_a_put_replaces_the_recorded_files_and_leaves_generated_ones(bed):
    folder = bed.put_on_disk("alpha", old=b"x")
    (folder / "node_modules").mkdir()
    (folder / "node_modules/dep").write_bytes(b"dep")
    files = {"SKILL.md": Blob(bed.text("alpha", "New.\n").encode()), "run": Blob(b"#!/bin/sh\n", BlobKind.EXECUTABLE)}
    assert bed.do(Action.PUT, "alpha", files=files).ok
    assert sorted(p.name for p in folder.iterdir()) == ["SKILL.md", "node_modules", "run"]
    assert os.access(folder / "run", os.X_OK)
    assert bed.recorded_is_on_disk()


def test_a_batch_is_one_entry_and_later_requests_see_earlier_ones(bed):
    bed.create("narrow", REVIEW)
    requests = [
        Request(Action.CREATE, "umbrella", content=bed.text("umbrella")),
        Request(Action.ARCHIVE, "narrow", absorbed_into="umbrella"),
    ]
    receipts = bed.door.do_all(requests, Writer(Origin.CURATOR, run="r1", approved=True))
    assert [receipt.ok for receipt in receipts] == [True, True]
    assert len({receipt.entry for receipt in receipts}) == 1
    record = bed.history.entry(receipts[0].entry).record
    assert (record.action, record.run) == ("apply", "r1")
    assert bed.live.library().forwards["narrow"].into == "umbrella"


def test_a_batch_with_one_refusal_writes_nothing_and_nothing_says_allow(bed):
    bed.create("alpha")
    before, tip = bed.tree(), bed.history.tip()
    requests = [
        Request(Action.CREATE, "beta", content=bed.text("beta")),
        Request(Action.ARCHIVE, "alpha", absorbed_into="nowhere"),
        Request(Action.PIN, "alpha"),
    ]
    receipts = bed.door.do_all(requests, USER)
    assert [receipt.verdict for receipt in receipts] == [Verdict.REFUSE] * 3
    assert (bed.tree(), bed.history.tip()) == (before, tip)


def test_a_preview_shows_the_result_and_writes_nothing(bed):
    bed.create("alpha")
    before, tip = bed.tree(), bed.history.tip()
    preview = bed.door.preview(Request(Action.PATCH, "alpha", old="Body", new="Text"), REVIEW)
    assert preview.verdict is Verdict.PROPOSE
    assert preview.before["SKILL.md"].data.decode() == bed.text("alpha", "Body.\n")
    assert preview.after["SKILL.md"].data.decode() == bed.text("alpha", "Text.\n")
    assert bed.door.preview(Request(Action.ARCHIVE, "alpha"), USER).after is None
    assert (bed.tree(), bed.history.tip()) == (before, tip)


def test_a_users_edit_of_a_linked_skill_goes_to_the_real_file_and_keeps_the_link(bed):
    real = bed.home.root / "real"
    real.mkdir()
    (real / "SKILL.md").write_text(bed.text("linked"))
    (bed.home.skills / "linked").symlink_to(real)
    assert bed.do(Action.PATCH, "linked", REVIEW, old="Step", new="x").verdict is Verdict.REFUSE
    assert bed.do(Action.ARCHIVE, "linked").verdict is Verdict.REFUSE
    receipt = bed.do(Action.PATCH, "linked", old="Step one", new="Step two")
    assert receipt.ok, receipt.why
    assert "Step two" in (real / "SKILL.md").read_text()
    assert (bed.home.skills / "linked").is_symlink()


def test_a_users_edit_of_a_linked_skill_file_goes_to_the_real_file(bed):
    folder = bed.put_on_disk("alpha")
    real = bed.home.root / "shared.md"
    (folder / "SKILL.md").rename(real)
    (folder / "SKILL.md").symlink_to(real)
    receipt = bed.do(Action.PATCH, "alpha", old="Step one", new="Step two")
    assert receipt.ok, receipt.why
    assert "Step two" in real.read_text()
    assert (folder / "SKILL.md").is_symlink()


def test_the_users_edit_of_a_shipped_skill_is_marked(bed):
    bed.put_on_disk("alpha")
    bed.home.bundled_manifest.write_text("alpha:x\n")
    assert bed.live.library().get("alpha").source is Source.BUNDLED
    assert bed.do(Action.PATCH, "alpha", REVIEW, old="Step one", new="x").verdict is Verdict.REFUSE
    assert bed.do(Action.PATCH, "alpha", old="Step one", new="Step two").ok
    assert bed.live.library().get("alpha").edited_here


def test_a_writer_that_holds_the_home_is_named(bed):
    other = type(bed.live._lock)(bed.home.lock, timeout=0.05)
    bed.live._lock._timeout = 0.05
    with other.hold("a long job"), pytest.raises(AppError) as caught:
        bed.do(Action.CREATE, "alpha", content=bed.text("alpha"))
    assert caught.value.kind is Kind.BUSY
    assert "a long job" in caught.value.text


@pytest.mark.parametrize(
    ("file", "content", "verdict"),
    [
        ("references/a\u202eb.md", "Plain.", Verdict.PROPOSE),
        ("references/seen.md", "One \u200b and \u200b more.", Verdict.PROPOSE),
        ("references/seen.md", "The one \u200b that was there.", Verdict.ALLOW),
    ],
)
def test_a_review_hides_nothing_in_a_files_name_and_no_more_than_was_there(bed, file, content, verdict):
    bed.create("alpha", REVIEW)
    assert bed.do(Action.WRITE_FILE, "alpha", file="references/seen.md", content="One \u200b here.").ok
    assert bed.do(Action.WRITE_FILE, "alpha", REVIEW, file=file, content=content).verdict is verdict
