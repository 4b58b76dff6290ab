"""A group's decision follows from its changes, a proposal's state from its groups."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.history.values import Origin
from app.proposals.decisions import changes_of, decide, waiting_changes, with_changes
from app.proposals.values import Change, Decision, Group, Proposal, ProposalState
from app.skills.values import Action

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


def change(name: str, group: str) -> Change:
    return Change(name, f"skill-{name}", Action.PATCH, group, name, "", "old", "new", ())


def proposal() -> Proposal:
    groups = (
        Group("g1", "one", (change("c1", "g1"), change("c2", "g1"))),
        Group("g2", "two", (change("c3", "g2"),)),
    )
    return Proposal("p", Origin.CURATOR, ProposalState.PENDING, NOW, "title", "", groups, "base")


def test_it_stays_pending_while_one_change_waits() -> None:
    done = decide(proposal(), ["c1", "c3"], Decision.APPROVED, at=NOW)
    assert done.state is ProposalState.PENDING
    assert [group.decision for group in done.groups] == [Decision.WAITING, Decision.APPROVED]
    assert [item.id for item in waiting_changes(done)] == ["c2"]


@pytest.mark.parametrize(
    ("first", "second", "third", "state"),
    [
        (Decision.APPROVED, Decision.REJECTED, Decision.REJECTED, ProposalState.APPLIED),
        (Decision.REJECTED, Decision.REJECTED, Decision.CLOSED, ProposalState.REJECTED),
        (Decision.REPLACED, Decision.REPLACED, Decision.CLOSED, ProposalState.REPLACED),
        (Decision.CLOSED, Decision.CLOSED, Decision.CLOSED, ProposalState.CLOSED),
    ],
)
def test_the_strongest_decision_names_the_state(
    first: Decision, second: Decision, third: Decision, state: ProposalState
) -> None:
    done = decide(decide(decide(proposal(), ["c1"], first), ["c2"], second), ["c3"], third)
    assert done.state is state


def test_a_decision_keeps_its_reason_and_time() -> None:
    done = changes_of(decide(proposal(), ["c1"], Decision.REJECTED, "not now", NOW))["c1"]
    assert (done.decision, done.decision_reason, done.decided_at) == (Decision.REJECTED, "not now", NOW)


def test_opening_again_forgets_reason_and_time() -> None:
    rejected = decide(proposal(), ["c1"], Decision.REJECTED, "not now", NOW)
    assert decide(rejected, ["c1"], Decision.WAITING) == with_changes(proposal(), {})


def test_a_changed_change_is_put_in_its_group() -> None:
    edited = replace(changes_of(proposal())["c3"], result="other", revision=1)
    assert with_changes(proposal(), {"c3": edited}).groups[1].changes == (edited,)
