"""The full form: what would change, what would be lost, who names it, and whether the library has moved on."""

from app.history.values import Blob, BlobKind
from app.memory.values import Target
from app.proposals.decisions import changes_of
from app.proposals.grouping import memory_change
from app.proposals.values import MemoryAction, MemoryStep
from app.text.values import Fate, FileStatus

BASE = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"


def test_a_changed_file_has_its_hunks_and_both_texts(desk) -> None:
    change = changes_of(desk.shown(desk.file(desk.edit("a", BASE.replace("four", "FOUR")))))["c1"]
    (diff,) = change.files
    assert (diff.path, diff.status, diff.added, diff.removed) == ("SKILL.md", FileStatus.MODIFIED, 1, 1)
    assert "\nfour\n" in change.before_text
    assert "\nFOUR\n" in change.after_text
    assert not change.moved_on


def test_added_and_removed_files_and_modes_are_listed(desk, folder) -> None:
    files = {**folder("a"), "run": Blob(b"x", BlobKind.EXECUTABLE), "link": Blob(b"SKILL.md", BlobKind.LINK)}
    desk.write("a", {**folder("a"), "run": Blob(b"x"), "old.txt": Blob(b"old")})
    desk.live.observe_outside(["a"])
    from dataclasses import replace

    change = changes_of(desk.shown(desk.file(replace(desk.edit("a", BASE), result=files))))["c1"]
    assert [(diff.path, diff.status, diff.mode) for diff in change.files] == [
        ("link", FileStatus.ADDED, "link"),
        ("old.txt", FileStatus.REMOVED, ""),
        ("run", FileStatus.MODIFIED, "file → executable"),
    ]


def test_an_archive_shows_what_goes_and_what_the_umbrella_keeps_of_it(desk, folder) -> None:
    desk.write("a", folder("a", "# Head\n\n- keep this item\n- lose this other thing\n"))
    desk.live.observe_outside(["a"])
    proposal = desk.file(desk.edit("u", "# Head\n\n- keep this item\n"), desk.archive("a", "u"))
    archive = changes_of(desk.shown(proposal))["c2"]
    assert [diff.status for diff in archive.files] == [FileStatus.REMOVED]
    fates = {item.unit.text: item.fate for item in archive.loss.units}
    assert fates["keep this item"] is Fate.KEPT
    assert fates["lose this other thing"] is Fate.DROPPED


def test_loss_is_measured_against_the_live_umbrella_when_it_does_not_change(desk) -> None:
    archive = changes_of(desk.shown(desk.file(desk.archive("a", "u"))))["c1"]
    assert archive.loss.count(Fate.KEPT) > 0


def test_a_prune_has_no_loss_to_measure(desk) -> None:
    assert changes_of(desk.shown(desk.file(desk.archive("a"))))["c1"].loss is None


def test_mentions_of_an_absorbed_skill_are_shown(desk, folder) -> None:
    desk.add("alpha")
    desk.write("user", folder("user", "Run `alpha` first.\n"))
    proposal = desk.file(desk.edit("u", BASE + "`alpha`\n"), desk.archive("alpha", "u"))
    archive = changes_of(desk.shown(proposal))["c2"]
    assert archive.mentioned_by == ("user",)
    assert [(place.file, place.line, place.text) for place in archive.mentions] == [
        ("SKILL.md", 6, "Run `alpha` first.")
    ]


def test_a_moved_on_change_says_so_before_it_is_revised(desk, folder) -> None:
    proposal = desk.file(desk.edit("a", BASE + "x\n"), desk.edit("b", BASE + "x\n"))
    desk.write("a", folder("a", "mine\n" + BASE))
    assert [change.moved_on for change in changes_of(desk.shown(proposal)).values()] == [True, False]


def test_conflicts_carry_all_three_sides(desk, folder) -> None:
    proposal = desk.file(desk.edit("a", BASE.replace("four", "FOUR")))
    desk.write("a", folder("a", BASE.replace("four", "vier")))
    (conflict,) = changes_of(desk.approval.show(proposal.id))["c1"].conflicts
    assert conflict.base.decode().endswith(BASE)
    assert conflict.ours.decode().endswith(BASE.replace("four", "vier"))
    assert conflict.theirs.decode().endswith(BASE.replace("four", "FOUR"))


def test_findings_are_those_of_the_result(desk, folder) -> None:
    from dataclasses import replace

    files = {"SKILL.md": Blob(b"---\nname: a\ndescription: d\nodd: 1\n---\n\nx\n")}
    change = changes_of(desk.shown(desk.file(replace(desk.edit("a", ""), result=files))))["c1"]
    assert [finding.rule for finding in change.findings] == ["FIELD.UNKNOWN"]


def test_a_memory_wish_shows_the_store_before_and_after(desk) -> None:
    desk.home.memories.mkdir()
    (desk.home.memories / "USER.md").write_text("Likes tea.\n§\nLives in Lima.")
    steps = [
        MemoryStep(MemoryAction.ADD, Target.USER, "Rides a bike."),
        MemoryStep(MemoryAction.REPLACE, Target.USER, "Lives in Quito.", "Lives in Lima."),
        MemoryStep(MemoryAction.REMOVE, Target.USER, old_text="Likes tea."),
        MemoryStep(MemoryAction.REMOVE, Target.USER, old_text="Never said."),
    ]
    shown = changes_of(desk.shown(desk.file(*(memory_change(step) for step in steps))))
    before = "Likes tea.\n§\nLives in Lima."
    assert {change.before_text for change in shown.values()} == {before}
    assert [change.after_text for change in shown.values()] == [
        before + "\n§\nRides a bike.",
        "Likes tea.\n§\nLives in Quito.",
        "Lives in Lima.",
        before,
    ]
    assert [change.moved_on for change in shown.values()] == [False, False, False, True]


def test_a_light_proposal_builds_no_differences(desk) -> None:
    proposal = desk.file(desk.edit("a", BASE + "x\n"))
    (listed,) = desk.store.list()
    assert listed == proposal
    assert (changes_of(listed)["c1"].files, changes_of(listed)["c1"].before_text) == ((), "")


def test_looking_changes_no_skill_and_is_remembered_by_its_hashes(desk) -> None:
    proposal = desk.file(desk.edit("a", BASE + "x\n"), desk.archive("b", "u"))
    before = {path: path.read_bytes() for path in desk.home.skills.rglob("*") if path.is_file()}
    desk.approval.show(proposal.id)
    assert {path: path.read_bytes() for path in desk.home.skills.rglob("*") if path.is_file()} == before
    shown = changes_of(desk.store.get(proposal.id))
    assert [change.displayed for change in shown.values()] == [change.seen for change in shown.values()]
    assert [change.revision for change in shown.values()] == [0, 0]


def test_the_list_says_what_moved_on_before_anything_was_opened(desk, folder) -> None:
    desk.file(desk.edit("a", BASE + "x\n"), desk.edit("b", BASE + "x\n"), desk.archive("u"))
    desk.write("a", folder("a", "mine\n" + BASE))
    desk.write("u", folder("u", "mine\n" + BASE))
    desk.live.observe_outside(["a", "u"])
    (listed,) = desk.approval.listed()
    assert {change.skill: change.moved_on for change in changes_of(listed).values()} == {
        "a": True,
        "b": False,
        "u": True,
    }


def test_a_revision_made_from_what_moved_on_still_says_so(desk, folder) -> None:
    proposal = desk.file(desk.edit("a", BASE + "x\n"), desk.edit("b", BASE + "x\n"))
    desk.write("a", folder("a", "mine\n" + BASE))
    shown = changes_of(desk.approval.show(proposal.id)).values()
    assert [(change.revision, change.moved_on) for change in shown] == [(1, True), (0, False)]
    (listed,) = desk.approval.listed()
    assert [change.moved_on for change in changes_of(listed).values()] == [True, False]


def test_mentions_in_further_files_are_shown_with_their_place(desk, folder) -> None:
    desk.add("alpha", "user")
    proposal = desk.file(desk.edit("u", BASE + "`alpha`\n"), desk.archive("alpha", "u"))
    assert changes_of(desk.approval.show(proposal.id))["c2"].mentioned_by == ()
    more = {"references/more.md": "# More\n\nRun `alpha` first.\n", "assets/alpha.txt": "Run `alpha` first.\n"}
    desk.write("user", folder("user", BASE, **more))
    archive = changes_of(desk.approval.show(proposal.id))["c2"]
    assert [(place.skill, place.file, place.line) for place in archive.mentions] == [("user", "references/more.md", 3)]
    file = desk.home.skills / "user" / "references" / "more.md"
    file.write_text("# More\n\n\nThe alpha skill comes first, then others.\n")
    archive = changes_of(desk.approval.show(proposal.id))["c2"]
    assert [place.line for place in archive.mentions] == [4]
    file.write_text("# More\n")
    assert changes_of(desk.approval.show(proposal.id))["c2"].mentions == ()
