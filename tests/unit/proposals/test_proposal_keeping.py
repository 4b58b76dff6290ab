"""What a merge would drop can be put back, and conflicts can be settled with one side's words."""

import pytest

from app.errors import AppError, Kind
from app.history.values import Blob, Side
from app.proposals.decisions import changes_of
from app.text.values import Fate, UnitKind

RICH = (
    "# A\n\nUse the blue door first. Never open the red one.\n\n"
    "- Check the seal twice.\n- Note the number.\n\n```sh\nseal --check --all\n```\n"
)


@pytest.fixture
def merge(desk, folder):
    """The skill a with rich text and a file, folded into a new umbrella that holds next to nothing of it."""
    desk.write("a", folder("a", RICH, **{"references/list.md": "# List\n\none two three\n"}))
    desk.live.observe_outside(["a"])
    return desk.file(desk.edit("net", "# Net\n\nNote the number.\n"), desk.archive("a", "net"))


def dropped(desk, proposal) -> dict[int, str]:
    loss = changes_of(desk.shown(proposal))["c2"].loss
    return {number: item.unit.text for number, item in enumerate(loss.units) if item.fate is Fate.DROPPED}


def test_everything_that_is_dropped_can_be_kept(desk, merge) -> None:
    before = dropped(desk, merge)
    assert "Never open the red one." in before.values()
    assert "references/list.md" in before.values()
    made = desk.approval.keep(merge.id, "c2", before)
    assert changes_of(made)["c1"].revision == 1
    loss = changes_of(desk.shown(made))["c2"].loss
    assert loss.count(Fate.DROPPED) == 0
    text = desk.body(changes_of(made)["c1"])
    assert "## Kept from a\n" in text
    assert "```sh\nseal --check --all\n```" in text


def test_keeping_twice_makes_one_heading(desk, merge) -> None:
    texts = [n for n, text in dropped(desk, merge).items() if text.startswith(("Never", "Check"))]
    desk.approval.keep(merge.id, "c2", texts[:1])
    again = dropped(desk, merge)
    made = desk.approval.keep(merge.id, "c2", [n for n, text in again.items() if text.startswith(("Never", "Check"))])
    assert desk.body(changes_of(made)["c1"]).count("## Kept from a") == 1


def test_what_was_displayed_before_is_no_approval_of_what_is_kept_now(desk, merge) -> None:
    old = desk.seen(merge)
    desk.approval.keep(merge.id, "c2", list(dropped(desk, merge)))
    assert desk.approval.approve(merge.id, seen=old, groups=["g1"]).applied == ()
    assert set(desk.approval.approve(merge.id, seen=desk.seen(merge), groups=["g1"]).applied) == {"c1", "c2"}
    assert "Never open the red one." in desk.text("net")
    assert desk.text("net", "references/list.md") == "# List\n\none two three\n"


def test_a_trigger_word_joins_the_description(desk, folder) -> None:
    desk.write("a", {"SKILL.md": Blob(b"---\nname: a\ndescription: Handles zebra parades.\n---\n\n# A\n\nGo.\n")})
    desk.live.observe_outside(["a"])
    proposal = desk.file(desk.edit("net", "# Net\n\nGo.\n"), desk.archive("a", "net"))
    loss = changes_of(desk.shown(proposal))["c2"].loss
    number = next(n for n, item in enumerate(loss.units) if item.unit.text == "zebra")
    assert loss.units[number].unit.kind is UnitKind.TRIGGER
    made = desk.approval.keep(proposal.id, "c2", [number])
    text = desk.history.load(changes_of(made)["c1"].result)["SKILL.md"].data.decode()
    assert "description: Does net things. Use for net. Also for zebra." in text


def test_an_umbrella_that_stands_already_gets_a_change_of_its_own(desk, folder) -> None:
    desk.write("a", folder("a", RICH))
    desk.live.observe_outside(["a"])
    proposal = desk.file(desk.archive("a", "u"))
    loss = changes_of(desk.shown(proposal))["c1"].loss
    numbers = [n for n, item in enumerate(loss.units) if item.fate is Fate.DROPPED]
    made = desk.approval.keep(proposal.id, "c1", numbers)
    assert [change.id for change in made.groups[0].changes] == ["c2", "c1"]
    outcome = desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"])
    assert set(outcome.applied) == {"c1", "c2"}
    assert "Never open the red one." in desk.text("u")


def test_what_is_not_dropped_cannot_be_kept(desk, merge) -> None:
    with pytest.raises(AppError) as caught:
        desk.approval.keep(merge.id, "c2", [999])
    assert caught.value.kind is Kind.USAGE


LINES = [f"line {number}\n" for number in range(1, 31)]


@pytest.fixture
def conflict(desk, folder):
    """Both sides changed line 2; the user also line 15, the proposal also line 28."""
    base = "".join(LINES)
    desk.write("a", folder("a", base))
    desk.live.observe_outside(["a"])
    theirs = base.replace("line 2\n", "line 2 theirs\n").replace("line 28\n", "line 28 theirs\n")
    proposal = desk.file(desk.edit("a", theirs))
    desk.write("a", folder("a", base.replace("line 2\n", "line 2 mine\n").replace("line 15\n", "line 15 mine\n")))
    assert changes_of(desk.approval.show(proposal.id))["c1"].conflicts
    return proposal


@pytest.mark.parametrize(("side", "wins"), [(Side.OURS, "line 2 mine\n"), (Side.THEIRS, "line 2 theirs\n")])
def test_one_side_wins_where_both_meet_and_everything_else_of_both_stays(desk, conflict, side, wins) -> None:
    made = desk.approval.settle(conflict.id, "c1", side, {})
    assert changes_of(made)["c1"].conflicts == ()
    assert desk.approval.approve(conflict.id, seen=desk.seen(conflict), groups=["g1"]).applied == ("c1",)
    text = desk.text("a")
    assert wins in text
    assert "line 15 mine\n" in text
    assert "line 28 theirs\n" in text
    assert "<<<<" not in text


def test_a_whole_file_settles_a_conflict(desk, conflict, folder) -> None:
    data = folder("a", "both\n")["SKILL.md"].data
    desk.approval.settle(conflict.id, "c1", None, {"SKILL.md": data})
    assert desk.approval.approve(conflict.id, seen=desk.seen(conflict), groups=["g1"]).applied == ("c1",)
    assert desk.text("a").endswith("both\n")


@pytest.mark.parametrize(("take", "given"), [(None, {}), (Side.OURS, {"no/such.md": b""})])
def test_what_settles_nothing_is_refused(desk, conflict, take, given) -> None:
    with pytest.raises(AppError) as caught:
        desk.approval.settle(conflict.id, "c1", take, given)
    assert caught.value.kind is Kind.USAGE


def test_a_skill_that_was_edited_since_is_archived_as_it_is_with_their_side(desk, folder) -> None:
    proposal = desk.file(desk.archive("a", ""))
    desk.write("a", folder("a", "edited since\n"))
    assert changes_of(desk.approval.show(proposal.id))["c1"].conflicts
    with pytest.raises(AppError):
        desk.approval.settle(proposal.id, "c1", Side.OURS, {})
    desk.approval.settle(proposal.id, "c1", Side.THEIRS, {})
    assert desk.approval.approve(proposal.id, seen=desk.seen(proposal), groups=["g1"]).applied == ("c1",)
    assert (desk.home.skills / ".archive/a/SKILL.md").read_text().endswith("edited since\n")
