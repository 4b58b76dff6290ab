"""In a draft the same door runs, with the live library's facts, and nothing of it reaches the live library."""

import json
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from app.clock import fixed_clock
from app.history.values import Blob, BlobKind, Origin, Record
from app.history.walk import write_folder
from app.proposals.draft import Draft, DraftRules, open_draft
from app.proposals.draft_door import DraftDoor
from app.proposals.filing import About
from app.settings import LibrarySettings
from app.skills.values import Action, Receipt, Request, Writer

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
CURATOR = Writer(Origin.CURATOR, run="r")


@dataclass
class Fork:
    draft: Draft
    door: DraftDoor

    def do(self, action: Action, skill: str, **fields: object) -> Receipt:
        return self.door.do(Request(action, skill, **fields), CURATOR)

    def net(self) -> list[tuple[str, Action]]:
        return [(item.skill, item.action) for item in self.draft.drafted()]


@pytest.fixture
def fork(desk):
    @contextmanager
    def opened(**settings: tuple[str, ...]):
        clock, base = fixed_clock(NOW), desk.history.tip()
        rules = DraftRules(14, 2_000_000)
        chosen = LibrarySettings(**settings)
        with open_draft(desk.history, desk.library(), desk.home, base, chosen, rules, clock) as draft:
            yield Fork(draft, DraftDoor(draft.place, clock))

    return opened


def main(name: str, body: str = "Do it.\n") -> str:
    return f"---\nname: {name}\ndescription: Does {name} things. Use for {name}.\n---\n\n{body}"


def test_the_draft_is_the_history_written_out(desk, fork, folder) -> None:
    files = {
        **folder("odd"),
        "scripts/run": Blob(b"#!/bin/sh\n", BlobKind.EXECUTABLE),
        ".gitattributes": Blob(b"* -text\n"),
        "link": Blob(b"SKILL.md", BlobKind.LINK),
    }
    desk.history.record({"skills/tools/odd": files}, Record(Origin.USER, "import", ("tools/odd",)))
    desk.write("unrecorded", folder("unrecorded"))
    with fork() as opened:
        skills = opened.draft.place.home.skills
        ids = [skill.id for skill in opened.draft.place.library().skills]
        assert ids == ["a", "b", "tools/odd", "u"]
        assert (skills / "tools/odd/scripts/run").stat().st_mode & 0o100
        assert (skills / "tools/odd/link").readlink().as_posix() == "SKILL.md"
        assert (skills / "tools/odd/.gitattributes").read_bytes() == b"* -text\n"


def test_nothing_of_a_draft_reaches_the_live_library_and_it_is_gone_at_the_end(desk, fork) -> None:
    before = {path: path.read_bytes() for path in desk.home.root.rglob("*") if path.is_file()}
    with fork() as opened:
        root = opened.draft.place.home.root
        assert opened.do(Action.CREATE, "net", content=main("net")).ok
        assert opened.do(Action.ARCHIVE, "a", absorbed_into="net").ok
        assert opened.do(Action.EDIT, "u", content=main("u", "Other.\n")).ok
    assert {path: path.read_bytes() for path in desk.home.root.rglob("*") if path.is_file()} == before
    assert not root.exists()


def test_the_draft_goes_when_the_fork_fails(fork) -> None:
    roots = []

    def fail() -> None:
        with fork() as opened:
            roots.append(opened.draft.place.home.root)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert not roots[0].exists()


def test_an_umbrella_created_in_the_draft_counts_as_live(fork) -> None:
    with fork() as opened:
        opened.do(Action.CREATE, "net", content=main("net"), reason="siblings")
        assert opened.do(Action.ARCHIVE, "a", absorbed_into="net", reason="in net now").ok
        created, archived = opened.draft.drafted()
    assert (created.skill, created.action, created.base) == ("net", Action.CREATE, None)
    assert created.reason == "siblings"
    assert (archived.skill, archived.action, archived.result) == ("a", Action.ARCHIVE, None)
    assert (archived.absorbed_into, archived.into, archived.reason) == ("net", "net", "in net now")


@pytest.mark.parametrize("target", ["never-existed", "a", "gone", "../u", ["u"]])
def test_a_target_that_is_not_live_is_refused(desk, fork, folder, target: object) -> None:
    desk.history.record({"skills/.archive/gone": folder("gone")}, Record(Origin.USER, "archive", ("gone",)))
    with fork() as opened:
        assert not opened.do(Action.ARCHIVE, "a", absorbed_into=target).ok
        assert opened.net() == []


def test_a_skill_absorbed_a_moment_ago_is_no_target(fork) -> None:
    with fork() as opened:
        assert opened.do(Action.ARCHIVE, "a", absorbed_into="u").ok
        assert not opened.do(Action.ARCHIVE, "b", absorbed_into="a").ok


def test_an_undeclared_archive_is_refused_and_a_prune_is_not(fork) -> None:
    with fork() as opened:
        assert not opened.do(Action.ARCHIVE, "a").ok
        assert opened.do(Action.ARCHIVE, "a", absorbed_into="").ok
        (pruned,) = opened.draft.drafted()
        assert (pruned.absorbed_into, pruned.into) == ("", None)


def test_pins_ages_and_adoption_of_the_live_library_count_in_the_draft(desk, fork) -> None:
    desk.add("kept", pinned=True)
    desk.add("young", age_days=1)
    desk.add("yours", managed=False)
    with fork() as opened:
        refused = [opened.do(Action.ARCHIVE, name, absorbed_into="u") for name in ("kept", "young", "yours")]
        assert [receipt.ok for receipt in refused] == [False] * 3
        assert "pinned" in refused[0].why
        assert "min_age_days" in refused[1].why
        assert "not managed" in refused[2].why
        assert opened.do(Action.PATCH, "kept", old="four", new="FOUR").ok


def test_an_archived_name_cannot_be_created_again_in_the_draft(desk, fork, folder) -> None:
    desk.history.record({"skills/.archive/gone": folder("gone")}, Record(Origin.USER, "archive", ("gone",)))
    with fork() as opened:
        receipt = opened.do(Action.CREATE, "gone", content=main("gone"))
        assert not receipt.ok
        assert "archived" in receipt.why


def test_several_actions_on_a_skill_are_one_net_change(fork) -> None:
    with fork() as opened:
        opened.do(Action.PATCH, "a", old="four", new="FOUR", reason="loud")
        opened.do(Action.WRITE_FILE, "a", file="references/x.md", content="x", reason="more")
        (item,) = opened.draft.drafted()
    assert item.action is Action.EDIT
    assert sorted(item.result) == ["SKILL.md", "references/x.md"]
    assert [(step.action, step.file) for step in item.steps] == [
        (Action.PATCH, None),
        (Action.WRITE_FILE, "references/x.md"),
    ]
    assert item.reason == "loud more"


def test_what_the_fork_took_back_itself_is_no_change(fork) -> None:
    with fork() as opened:
        opened.do(Action.PATCH, "a", old="four", new="FOUR")
        opened.do(Action.PATCH, "a", old="FOUR", new="four")
        assert opened.net() == []


def test_a_script_in_the_draft_is_marked(fork) -> None:
    with fork() as opened:
        opened.do(Action.WRITE_FILE, "a", file="scripts/x.sh", content="#!/bin/sh\n")
        (item,) = opened.draft.drafted()
        assert item.has_script


def test_switched_off_skills_and_further_folders_look_the_same_in_the_draft(desk, fork, folder) -> None:
    write_folder(desk.home.root / "more" / "far", folder("far"))
    with fork(folders=("more",), disabled=("a",)) as opened:
        library = opened.draft.place.library()
        assert not library.get("a").enabled
        assert library.get("far").in_home is False
        assert library.notices == ()


def test_a_linked_skill_can_be_read_in_the_draft_and_not_written(desk, fork, folder, tmp_path) -> None:
    write_folder(tmp_path / "real", folder("linked"))
    (desk.home.skills / "linked").symlink_to(tmp_path / "real")
    with fork() as opened:
        assert opened.draft.place.library().get("linked").linked
        assert not opened.do(Action.PATCH, "linked", old="four", new="FOUR").ok
    assert b"four" in (tmp_path / "real" / "SKILL.md").read_bytes()


def test_usage_is_copied_so_that_the_draft_can_count_without_touching_the_original(desk, fork) -> None:
    desk.add("a", use_count=5)
    with fork() as opened:
        assert opened.draft.place.library().get("a").usage.uses == 5
        opened.do(Action.PATCH, "a", old="four", new="FOUR")
    assert "patch_count" not in json.loads(desk.home.usage.read_text())["a"]


def test_a_draft_of_an_empty_history_is_an_empty_library(desk) -> None:
    rules = DraftRules(14, 2_000_000)
    clock = fixed_clock(NOW)
    with open_draft(desk.history, desk.library(), desk.home, None, LibrarySettings(), rules, clock) as draft:
        assert draft.place.library().skills == ()


def test_a_drafts_changes_are_filed_and_approved(desk, fork) -> None:
    with fork() as opened:
        opened.do(Action.CREATE, "net", content=main("net", "one\ntwo\n"))
        opened.do(Action.ARCHIVE, "a", absorbed_into="net")
        opened.do(Action.ARCHIVE, "b", absorbed_into="net")
        about = About(Origin.CURATOR, opened.draft.base, run="r")
        proposal = desk.store.file(opened.draft.drafted(), about)
    assert [group.title for group in proposal.groups] == ["Fold a and b into net"]
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), everything=True)
    assert outcome.refused == ()
    assert desk.text("net") == main("net", "one\ntwo\n")


@pytest.mark.parametrize("writer", [Writer(Origin.REVIEW, hold=True), Writer(Origin.REVIEW, untrusted=True)])
def test_what_would_wait_for_the_user_is_done_in_the_draft_and_refusals_stay(desk, fork, writer: Writer) -> None:
    desk.add("kept", pinned=True)
    desk.add("yours", managed=False)
    with fork() as opened:
        door = opened.door
        assert door.do(Request(Action.PATCH, "a", old="four", new="FOUR"), writer).ok
        assert door.do(Request(Action.PATCH, "a", old="FOUR", new="FIVE"), writer).ok
        assert door.do(Request(Action.PATCH, "yours", old="four", new="FOUR"), writer).ok
        assert door.do(Request(Action.ARCHIVE, "b", absorbed_into="a"), writer).ok
        assert not door.do(Request(Action.ARCHIVE, "kept", absorbed_into="a"), writer).ok
        assert not door.do(Request(Action.PIN, "u"), writer).ok
        assert not door.do(Request(Action.ARCHIVE, "u"), writer).ok
        assert [item.skill for item in opened.draft.drafted()] == ["a", "yours", "b"]


def test_a_folder_is_written_out_when_it_is_first_used(fork) -> None:
    with fork() as opened:
        place = opened.draft.place
        skills = place.home.skills
        assert [skill.id for skill in place.library().skills] == ["a", "b", "u"]
        assert not (skills / "a").exists()
        place.fetch(place.library().get("a"))
        assert opened.do(Action.PATCH, "b", old="four", new="FOUR").ok
        assert (skills / "a" / "SKILL.md").is_file()
        assert (skills / "b" / "SKILL.md").is_file()
        assert not (skills / "u").exists()
        assert opened.net() == [("b", Action.PATCH)]


def test_a_draft_shows_the_base_also_when_the_live_skill_changes_before_it_is_read(desk, fork, folder) -> None:
    with fork() as opened:
        desk.write("a", folder("a", "changed meanwhile\n"))
        opened.draft.place.fetch(opened.draft.place.library().get("a"))
        assert b"changed meanwhile" not in (opened.draft.place.home.skills / "a" / "SKILL.md").read_bytes()


def test_a_new_skill_in_a_draft_leaves_the_rows_that_are_not_written_out(fork) -> None:
    with fork() as opened:
        assert opened.do(Action.CREATE, "net", content=main("net")).ok
        assert [skill.id for skill in opened.draft.place.library().skills] == ["a", "b", "net", "u"]


def test_after_archives_the_rows_are_what_a_fresh_look_finds(fork) -> None:
    with fork() as opened:
        place = opened.draft.place
        assert opened.do(Action.ARCHIVE, "a", absorbed_into="u").ok
        assert opened.do(Action.ARCHIVE, "b", absorbed_into="").ok
        worked_out = place.library()
        looked = place.changed([])
        assert {skill.id: (skill.state, skill.absorbed_into) for skill in worked_out.skills} == {
            skill.id: (skill.state, skill.absorbed_into) for skill in looked.skills
        }
        assert {name: forward.into for name, forward in worked_out.forwards.items()} == {"a": "u"}
        assert looked.forwards == worked_out.forwards


def test_siblings_of_a_linked_skill_are_in_the_draft(desk, fork, folder, tmp_path) -> None:
    desk.add("net/near", "net/deep/far")
    write_folder(tmp_path / "real", folder("linked"))
    (desk.home.skills / "net" / "linked").symlink_to(tmp_path / "real")
    desk.history.record({"skills/net/unlisted": folder("unlisted")}, Record(Origin.USER, "import", ("net/unlisted",)))
    with fork() as opened:
        rows = {skill.id: skill for skill in opened.draft.place.library().skills}
        assert rows.keys() == {"a", "b", "u", "net/near", "net/deep/far", "net/linked", "net/unlisted"}
        assert rows["net/linked"].linked
        assert opened.do(Action.PATCH, "net/near", old="four", new="FOUR").ok
        assert opened.net() == [("net/near", Action.PATCH)]
