import os
import shutil
from pathlib import Path

import pytest

from app.history.values import Origin
from app.skills import moving
from app.skills.heal import forwards_from
from app.skills.moving import move_folder, same_folder
from app.skills.resolve import resolve
from app.skills.values import Action, State, Verdict, Writer

CURATOR = Writer(Origin.CURATOR, approved=True)


def kit(bed, skill_id="cat/tool-kit"):
    """A skill with everything git cannot hold: modes, times, an empty folder, a generated one, links, its own .git."""
    folder = bed.put_on_disk(skill_id)
    for path in ("scripts", "empty", "node_modules/dep", ".git/objects"):
        (folder / path).mkdir(parents=True)
    (folder / "scripts/run.sh").write_bytes(b"#!/bin/sh\n")
    (folder / "scripts/run.sh").chmod(0o755)
    (folder / ".hidden").write_bytes(b"h")
    (folder / ".hidden").chmod(0o600)
    (folder / "node_modules/dep/index.js").write_bytes(b"js")
    (folder / ".git/HEAD").write_bytes(b"ref: refs/heads/main\n")
    (folder / ".gitattributes").write_bytes(b"* eol=crlf\n")
    (folder / "git~1").write_bytes(b"x")
    (folder / "inner").symlink_to("SKILL.md")
    (folder / "outer").symlink_to("/etc/hostname")
    (folder / "dangling").symlink_to("nowhere")
    os.utime(folder / ".hidden", (1_700_000_000, 1_700_000_000))
    return folder


def test_archive_and_restore_give_back_every_byte_mode_time_and_folder(bed):
    kit(bed)
    before = bed.tree()
    archived = bed.do(Action.ARCHIVE, "cat/tool-kit")
    assert archived.skill == ".archive/tool-kit"
    assert not (bed.home.skills / "cat/tool-kit").exists()
    restored = bed.do(Action.RESTORE, archived.skill)
    assert (restored.skill, "byte for byte" in restored.why) == ("cat/tool-kit", True)
    after = bed.tree()
    del after[".archive"]
    assert after == before


def test_what_a_hostile_skill_holds_is_recorded_byte_for_byte(bed):
    kit(bed)
    bed.live.observe_outside()
    files = bed.history.snapshot("skills/cat/tool-kit")
    assert files[".gitattributes"].data == b"* eol=crlf\n"
    assert files["git~1"].data == b"x"
    assert files["outer"].data == b"/etc/hostname"
    assert bed.recorded_is_on_disk()


def test_the_record_keeps_its_counters_and_restore_counts_as_activity(bed):
    bed.create("alpha")
    bed.do(Action.PATCH, "alpha", old="Body", new="Text")
    bed.pass_days(100)
    bed.do(Action.ARCHIVE, "alpha")
    skill = bed.live.library().get(".archive/alpha")
    assert (skill.state, skill.usage.archived_at) == (State.ARCHIVED, bed.now)
    bed.pass_days(1)
    bed.do(Action.RESTORE, ".archive/alpha")
    usage = bed.live.library().get("alpha").usage
    assert (usage.patches, usage.archived_at, usage.last_activity_at) == (1, None, bed.now)
    assert bed.record("alpha")["state"] == "active"


def test_a_second_archive_of_one_name_gets_a_time_stamp(bed):
    bed.put_on_disk("a/alpha")
    bed.put_on_disk("b/alpha", body="Another.\n")
    assert bed.do(Action.ARCHIVE, "a/alpha").skill == ".archive/alpha"
    assert bed.do(Action.ARCHIVE, "b/alpha").skill == ".archive/alpha-20260601120000"
    assert bed.do(Action.RESTORE, ".archive/alpha-20260601120000").skill == "b/alpha"
    assert "Another." in bed.body("b/alpha")


def test_a_skill_archived_by_another_program_is_restored_to_the_library(bed):
    bed.put_on_disk(".archive/git-helpers-20260101000000")
    skill = bed.live.library().skills[0]
    assert bed.do(Action.RESTORE, skill.id).skill == "git-helpers"


def test_names_are_exact_and_never_beginnings(bed):
    bed.create("git-helpers")
    bed.do(Action.ARCHIVE, "git-helpers")
    assert bed.do(Action.RESTORE, "git").verdict is Verdict.REFUSE
    assert bed.do(Action.RESTORE, ".archive/git").verdict is Verdict.REFUSE
    assert bed.ids() == [".archive/git-helpers"]


def test_a_restore_never_overwrites_what_stands_there_by_now(bed):
    bed.create("alpha")
    bed.do(Action.ARCHIVE, "alpha")
    bed.put_on_disk("alpha", body="New one.\n")
    assert bed.do(Action.RESTORE, ".archive/alpha").verdict is Verdict.REFUSE
    assert "New one." in bed.body("alpha")


def test_each_of_two_rows_with_crossed_names_goes_and_comes_back(bed):
    for folder, name in (("alpha", "beta"), ("beta", "beta")):
        (bed.put_on_disk(folder) / "SKILL.md").write_text(bed.text(name))
    before = bed.tree()
    for folder in ("alpha", "beta"):
        assert bed.do(Action.ARCHIVE, folder).ok
        assert bed.do(Action.RESTORE, f".archive/{folder}").skill == folder
    after = bed.tree()
    del after[".archive"]
    assert after == before


def test_an_absorbed_skill_leaves_a_forward_with_the_hash_of_what_was_archived(bed):
    bed.create("narrow", Writer(Origin.REVIEW))
    bed.create("umbrella", Writer(Origin.REVIEW))
    tree = bed.history.tree_id("skills/narrow")
    writer = Writer(Origin.CURATOR, run="r7", approved=True)
    bed.do(Action.ARCHIVE, "narrow", writer, absorbed_into="umbrella", reason="same job")
    forward = bed.live.library().forwards["narrow"]
    assert (forward.into, forward.hash, forward.run, forward.reason) == ("umbrella", tree, "r7", "same job")


@pytest.mark.parametrize("target", ["never-existed", "src", "gone", "../umbrella", ["umbrella"], 3])
def test_a_target_that_is_not_a_live_other_skill_is_refused(bed, target):
    for name in ("src", "umbrella", "gone"):
        bed.create(name, Writer(Origin.REVIEW))
    bed.do(Action.ARCHIVE, "gone")
    receipt = bed.do(Action.ARCHIVE, "src", CURATOR, absorbed_into=target)
    assert (receipt.verdict, bool(receipt.why)) == (Verdict.REFUSE, True)
    assert "src" in bed.ids()
    assert bed.live.library().forwards == {}


def test_a_circle_of_forwards_is_refused(bed):
    bed.create("one", Writer(Origin.REVIEW))
    bed.create("two", Writer(Origin.REVIEW))
    bed.do(Action.ARCHIVE, "one", absorbed_into="two")
    bed.do(Action.RESTORE, ".archive/one")
    assert "circle" in bed.do(Action.ARCHIVE, "two", absorbed_into="one").why


def test_a_young_skill_is_not_absorbed_and_the_rule_is_named(bed):
    for name in ("young", "umbrella"):
        bed.create(name, Writer(Origin.REVIEW))
    bed.pass_days(13)
    refused = bed.do(Action.ARCHIVE, "young", Writer(Origin.REVIEW), absorbed_into="umbrella")
    assert (refused.verdict, "min_age_days" in refused.why) == (Verdict.REFUSE, True)
    bed.pass_days(1)
    assert bed.do(Action.ARCHIVE, "young", Writer(Origin.REVIEW), absorbed_into="umbrella").verdict is Verdict.PROPOSE


def test_between_two_disks_a_verified_copy_is_moved(tmp_path, monkeypatch):
    source, target = tmp_path / "src", tmp_path / "far/dst"
    (source / "empty").mkdir(parents=True)
    (source / "a").write_bytes(b"1")
    (source / "a").chmod(0o600)
    (source / "link").symlink_to("a")
    shutil.copytree(source, tmp_path / "copy", symlinks=True)
    real = moving.Path.rename

    def rename(self, other):
        if self == source and other == target:
            raise OSError(18, "Invalid cross-device link")
        return real(self, other)

    monkeypatch.setattr(moving.Path, "rename", rename)
    move_folder(source, target)
    assert same_folder(target, tmp_path / "copy")
    assert [p.name for p in tmp_path.iterdir() if p.name not in {"user", "copy"}] == ["far"]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="asks the kernel which file was flushed")
def test_a_copy_between_two_disks_is_on_the_disk_before_its_source_goes(tmp_path, monkeypatch):
    source, target = tmp_path / "src", tmp_path / "dst"
    (source / "sub").mkdir(parents=True)
    (source / "sub/a").write_bytes(b"1")
    real, steps = moving.Path.rename, []

    def rename(self, other):
        if self == source and other == target:
            raise OSError(18, "Invalid cross-device link")
        steps.append(f"{self.name} becomes {Path(other).name}")
        return real(self, other)

    monkeypatch.setattr(moving.Path, "rename", rename)
    monkeypatch.setattr(os, "fsync", lambda handle: steps.append(Path(f"/proc/self/fd/{handle}").readlink().name))
    move_folder(source, target, durable=False)
    above = tmp_path.name
    copied = ["a", "sub", ".melete-copy-dst", above, ".melete-copy-dst becomes dst", above]
    assert steps == [*copied, "src becomes .melete-left-src"]


def test_a_copy_that_differs_is_not_trusted_and_nothing_is_removed(tmp_path, monkeypatch):
    source, target = tmp_path / "src", tmp_path / "dst"
    source.mkdir()
    (source / "a").write_bytes(b"1")
    monkeypatch.setattr(moving.Path, "rename", lambda *_: (_ for _ in ()).throw(OSError(18, "cross-device")))
    monkeypatch.setattr(moving.shutil, "copytree", lambda src, dst, **_: dst.mkdir())
    with pytest.raises(moving.AppError):
        move_folder(source, target)
    assert (source / "a").read_bytes() == b"1"
    assert not target.exists()


def test_a_link_is_never_moved_as_a_folder(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with pytest.raises(moving.AppError):
        move_folder(tmp_path / "link", tmp_path / "there")
    assert (tmp_path / "link").is_symlink()


def test_the_text_of_an_archived_skill_is_not_made_anew(bed):
    body = "1. The very same steps, word for word.\n2. And then the second of them.\n"
    bed.create("one", body=body)
    bed.do(Action.ARCHIVE, "one", absorbed_into="")
    text = bed.text("two", body).replace("# two", "# one")
    refused = bed.do(Action.CREATE, "two", content=text)
    assert not refused.ok
    assert "Restore it" in refused.why
    assert bed.do(Action.CREATE, "two", content=text + "3. More.\n").ok


def test_a_forward_is_kept_through_a_rename_and_a_second_merge_whoever_takes_the_name_later(bed):
    for name in ("narrow", "wide", "super"):
        bed.create(name)
    bed.do(Action.ARCHIVE, "narrow", absorbed_into="wide")
    bed.do(Action.RENAME, "wide", to="wider")
    bed.create("wide", body="Another one.\n")
    into = {name: forward.into for name, forward in bed.live.library().forwards.items()}
    assert into == {"narrow": "wider", "wide": "wider"}
    assert resolve(bed.live.library(), "narrow").skill.name == "wider"
    assert resolve(bed.live.library(), "wide").via == ()
    bed.do(Action.ARCHIVE, "wider", absorbed_into="super")
    found = resolve(bed.live.library(), "narrow")
    assert (found.skill.name, found.via) == ("super", ("narrow", "wider"))
    rebuilt = {name: forward.into for name, forward in forwards_from(bed.history.entries()).items()}
    assert rebuilt == {"narrow": "wider", "wide": "wider", "wider": "super"}
