"""A change whose skill has moved on is made anew, or closed with the reason."""

from dataclasses import replace
from datetime import UTC, datetime

from app.history.values import Blob
from app.proposals.decisions import changes_of
from app.proposals.values import Decision
from app.skills.values import Action

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
BASE = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"


def test_an_untouched_library_needs_no_revision(desk) -> None:
    revised = desk.revise(desk.file(desk.edit("a", BASE + "eight\n"), desk.archive("b", "u"), desk.edit("new", "x\n")))
    assert not revised.differs
    assert revised.folders == {}


def test_an_edit_elsewhere_in_the_file_merges_cleanly(desk, folder) -> None:
    proposal = desk.file(desk.edit("a", BASE + "eight\n"))
    desk.write("a", folder("a", "zero\n" + BASE))
    change = desk.only(proposal)
    assert desk.body(change) == "zero\n" + BASE + "eight\n"
    assert (change.revision, change.conflicts) == (1, ())
    assert change.base == desk.history.hash_files(folder("a", "zero\n" + BASE))
    assert change.result != changes_of(proposal)["c1"].result


def test_an_edit_of_the_same_line_is_a_conflict_with_marks(desk, folder) -> None:
    proposal = desk.file(desk.edit("a", BASE.replace("four", "FOUR")))
    desk.write("a", folder("a", BASE.replace("four", "vier")))
    change = desk.only(proposal)
    assert [item.path for item in change.conflicts] == ["SKILL.md"]
    assert "<<<<<<<" in desk.body(change)


def test_a_revision_after_a_conflict_starts_from_the_clean_sides(desk, folder) -> None:
    proposal = desk.file(desk.edit("a", BASE.replace("four", "FOUR")))
    desk.write("a", folder("a", BASE.replace("four", "vier")))
    revised = desk.revise(proposal)
    desk.store.save(revised.proposal, revised.folders)
    desk.write("a", folder("a", "zero\n" + BASE))
    change = desk.only(desk.store.get(proposal.id))
    assert desk.body(change) == "zero\n" + BASE.replace("four", "FOUR")
    assert (change.revision, change.conflicts) == (2, ())


def test_a_second_clean_revision_starts_from_the_first(desk, folder) -> None:
    proposal = desk.file(desk.edit("a", BASE + "eight\n"))
    desk.write("a", folder("a", "zero\n" + BASE))
    revised = desk.revise(proposal)
    desk.store.save(revised.proposal, revised.folders)
    desk.write("a", folder("a", "null\n" + BASE))
    assert desk.body(desk.only(desk.store.get(proposal.id))) == "null\n" + BASE + "eight\n"


def test_what_the_user_did_by_hand_already_closes_the_change(desk, folder) -> None:
    proposal = desk.file(desk.edit("a", BASE + "eight\n"))
    desk.write("a", folder("a", BASE + "eight\n"))
    change = desk.only(proposal)
    assert change.decision is Decision.CLOSED
    assert change.decision_reason == "The library already holds what this would change."
    assert change.decided_at == NOW


def test_a_skill_deleted_by_hand_is_gone_from_the_proposal(desk) -> None:
    proposal = desk.file(desk.edit("u", BASE + "a\n"), desk.archive("a", "u"), desk.archive("b", "u"))
    desk.remove("b")
    revised = desk.revise(proposal)
    assert revised.closed == ["c3"]
    assert [change.waiting for change in changes_of(revised.proposal).values()] == [True, True, False]


def test_an_edit_of_a_skill_to_be_archived_is_always_a_conflict(desk, folder) -> None:
    proposal = desk.file(desk.archive("a", "u"))
    desk.write("a", folder("a", BASE + "mine\n"))
    change = desk.only(proposal)
    (conflict,) = change.conflicts
    assert conflict.path == "SKILL.md"
    assert (conflict.ours or b"").endswith(b"mine\n")
    assert conflict.theirs is None
    assert change.result is None


def test_taking_the_edit_back_solves_that_conflict(desk, folder) -> None:
    proposal = desk.file(desk.archive("a", "u"))
    desk.write("a", folder("a", BASE + "mine\n"))
    revised = desk.revise(proposal)
    desk.store.save(revised.proposal, revised.folders)
    desk.write("a", folder("a"))
    assert desk.only(desk.store.get(proposal.id)).conflicts == ()


def test_a_skill_archived_meanwhile_is_revised_against_the_end_of_its_forward(desk, folder) -> None:
    proposal = desk.file(desk.edit("a", BASE + "eight\n"))
    (desk.home.skills / ".archive").mkdir()
    (desk.home.skills / "a").rename(desk.home.skills / ".archive" / "a")
    desk.forward(a="u")
    change = desk.only(proposal)
    assert (change.skill, change.name) == ("u", "u")
    assert desk.history.load(change.result or "") == folder("u", BASE + "eight\n")


def test_a_skill_archived_meanwhile_without_a_forward_closes_the_change(desk) -> None:
    proposal = desk.file(desk.edit("a", BASE + "eight\n"))
    (desk.home.skills / ".archive").mkdir()
    (desk.home.skills / "a").rename(desk.home.skills / ".archive" / "a")
    assert desk.only(proposal).decision is Decision.CLOSED


def test_a_skill_moved_to_another_category_is_followed(desk) -> None:
    proposal = desk.file(desk.edit("a", BASE + "eight\n"), desk.archive("b"))
    for skill in ("a", "b"):
        (desk.home.skills / "tools").mkdir(exist_ok=True)
        (desk.home.skills / skill).rename(desk.home.skills / "tools" / skill)
    edited, archived = changes_of(desk.revise(proposal).proposal).values()
    assert (edited.skill, edited.revision, edited.waiting) == ("tools/a", 1, True)
    assert (archived.skill, archived.waiting) == ("tools/b", True)


def test_an_absorbed_skill_whose_umbrella_is_gone_is_not_archived(desk) -> None:
    proposal = desk.file(desk.edit("u", BASE + "a\n"), desk.archive("a", "u"))
    desk.remove("u")
    revised = desk.revise(proposal)
    assert [change.decision for change in changes_of(revised.proposal).values()] == [Decision.CLOSED] * 2
    assert "should absorb it" in changes_of(revised.proposal)["c2"].decision_reason


def test_an_absorbed_skill_follows_its_umbrellas_forward(desk) -> None:
    proposal = desk.file(desk.archive("a", "u"))
    desk.remove("u")
    desk.forward(u="b")
    change = desk.only(proposal)
    assert (change.into, change.absorbed_into, change.revision) == ("b", "b", 1)


def test_a_skill_whose_umbrella_was_merged_into_it_meanwhile_is_not_archived(desk) -> None:
    proposal = desk.file(desk.archive("a", "u"))
    desk.remove("u")
    desk.forward(u="a")
    (change,) = changes_of(desk.revise(proposal).proposal).values()
    assert change.decision is Decision.CLOSED
    assert change.decision_reason == "u, which should absorb it, was merged into a."


def test_a_name_taken_meanwhile_makes_a_new_skill_a_conflict(desk, folder) -> None:
    proposal = desk.file(desk.edit("new", "theirs\n"))
    desk.write("new", folder("new", "mine\n"))
    change = desk.only(proposal)
    assert (change.action, change.title) == (Action.EDIT, "Change new")
    assert [item.path for item in change.conflicts] == ["SKILL.md"]


def test_decided_changes_are_left_alone(desk, folder) -> None:
    proposal = desk.store.reject(desk.file(desk.edit("a", "x\n")).id)
    desk.write("a", folder("a", "other\n"))
    assert not desk.revise(proposal).differs


def test_a_file_added_by_hand_is_kept_beside_the_drafts_files(desk, folder) -> None:
    files = {**folder("a"), "references/new.md": Blob(b"draft")}
    base = desk.history.tree_id("skills/a")
    proposal = desk.file(replace(desk.edit("a", BASE), result=files, base=base))
    desk.write("a", {**folder("a"), "references/mine.md": Blob(b"mine")})
    merged = desk.history.load(desk.only(proposal).result or "")
    assert sorted(merged) == ["SKILL.md", "references/mine.md", "references/new.md"]


def test_titles_say_what_is_left_and_where_it_goes_now(desk) -> None:
    fold = desk.file(desk.edit("net", BASE), desk.archive("a", "net"), desk.archive("b", "net"))
    desk.remove("b")
    assert [group.title for group in desk.revise(fold).proposal.groups] == ["Fold a into net"]
    edit = desk.file(desk.edit("u", BASE + "eight\n"))
    desk.remove("u")
    desk.forward(u="a")
    assert [group.title for group in desk.revise(edit).proposal.groups] == ["Change a"]
