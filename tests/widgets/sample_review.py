"""Proposals for tests and pictures of the review page."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from app.history.values import Conflict, Origin
from app.proposals.values import Change, Decision, Group, Proposal, ProposalState
from app.skills.values import Action
from app.text.values import Fate, FileDiff, FileStatus, Hunk, Line, LineKind, Loss, Unit, UnitFate, UnitKind

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
OLD_TEXT = "# Testing\n\nRun the test again.\n"
NEW_TEXT = "# Testing\n\nRun the failing test alone first.\n"


def edited(path="SKILL.md"):
    lines = (
        Line(LineKind.CONTEXT, "# Testing", 1, 1),
        Line(LineKind.REMOVED, "Run the test again.", 3, None),
        Line(LineKind.ADDED, "Run the failing test alone first.", None, 3),
    )
    return FileDiff(path, FileStatus.MODIFIED, (Hunk("h1", 1, 2, 1, 2, lines),), old_size=31, new_size=45)


def removed():
    lines = (Line(LineKind.REMOVED, "quarantine after three failures", 1, None),)
    return FileDiff("SKILL.md", FileStatus.REMOVED, (Hunk("g1", 1, 1, 0, 0, lines),), old_size=32)


def loss():
    fates = ((Fate.KEPT, "flaky"), (Fate.REWORDED, "run alone"), (Fate.DROPPED, "quarantine"))
    return Loss("pytest-flaky", tuple(UnitFate(Unit(UnitKind.SENTENCE, text), fate) for fate, text in fates))


UMBRELLA = Change(
    "c0",
    "testing/testing-python",
    Action.EDIT,
    "g1",
    "Extend testing-python",
    "Three narrow skills about one thing.",
    "base0",
    "result0",
    (edited(),),
    before_text=OLD_TEXT,
    after_text=NEW_TEXT,
    name="testing-python",
)
ABSORBED = Change(
    "c1",
    "testing/pytest-flaky",
    Action.ARCHIVE,
    "g1",
    "Absorb pytest-flaky",
    "Its text is in testing-python now.",
    "base1",
    None,
    (removed(),),
    absorbed_into="testing-python",
    into="testing/testing-python",
    loss=loss(),
    before_text="quarantine after three failures\n",
    name="pytest-flaky",
)
SINGLE = replace(
    UMBRELLA, id="d0", group="h1", skill="writing/release-notes", name="release-notes", reason="You said so."
)


def curator(*changes, number="p1"):
    group = Group("g1", "Fold pytest-flaky into testing-python", changes or (UMBRELLA, ABSORBED))
    at = NOW - timedelta(days=2)
    return Proposal(
        number,
        Origin.CURATOR,
        ProposalState.PENDING,
        at,
        "Curator run",
        "Weekly.",
        (group,),
        "b",
        run="20261128-090000",
    )


def review(change=SINGLE, number="p2"):
    group = Group("h1", "Change release-notes", (change,), change.decision)
    state = ProposalState.PENDING if change.decision is Decision.WAITING else ProposalState.REJECTED
    return Proposal(number, Origin.REVIEW, state, NOW, "Review", "", (group,), "b", session="s1", turn="t1")


def light(proposal):
    """The proposal as a list has it: without contents."""
    groups = tuple(
        replace(
            group,
            changes=tuple(replace(item, files=(), loss=None, before_text="", after_text="") for item in group.changes),
        )
        for group in proposal.groups
    )
    return replace(proposal, groups=groups)


def in_conflict(change=UMBRELLA):
    return replace(change, conflicts=(Conflict("SKILL.md", b"a", b"b", b"c"),), moved_on=True, revision=2)
