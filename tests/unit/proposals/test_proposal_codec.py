"""A proposal survives being written and read, and damage is told apart from a newer version."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.errors import AppError, Kind
from app.history.values import Conflict, Origin
from app.memory.values import Target
from app.proposals.codec import decode, encode
from app.proposals.decisions import with_changes
from app.proposals.values import (
    Change,
    Decision,
    Group,
    MemoryAction,
    MemoryStep,
    Proposal,
    ProposalState,
    Step,
)
from app.skills.values import Action

TEXT = st.text(max_size=8)
TIMES = st.datetimes(min_value=datetime(2000, 1, 1), timezones=st.just(UTC))
WISHES = st.builds(MemoryStep, st.sampled_from(MemoryAction), st.sampled_from(Target), TEXT, TEXT, TEXT)
STEPS = st.builds(Step, st.sampled_from(Action), TEXT, st.none() | TEXT, TEXT, st.none() | TEXT)


def changes(number: int, group: str) -> st.SearchStrategy[Change]:
    return st.builds(
        Change,
        id=st.just(f"c{group}{number}"),
        skill=TEXT,
        action=st.sampled_from(Action),
        group=st.just(group),
        title=TEXT,
        reason=TEXT,
        base=st.none() | TEXT,
        result=st.none() | TEXT,
        files=st.just(()),
        absorbed_into=st.none() | TEXT,
        decision=st.sampled_from(Decision),
        decision_reason=TEXT,
        revision=st.integers(0, 9),
        conflicts=st.lists(st.builds(Conflict, TEXT, st.none(), st.none(), st.none()), max_size=1).map(tuple),
        has_script=st.booleans(),
        name=TEXT,
        into=st.none() | TEXT,
        steps=st.lists(STEPS, max_size=1).map(tuple),
        ancestor=st.none() | TEXT,
        theirs=st.none() | TEXT,
        decided_at=st.none() | TIMES,
        memory=st.none() | WISHES,
        displayed=TEXT,
    )


GROUPS = st.tuples(
    st.builds(Group, st.just("g1"), TEXT, st.tuples(changes(1, "g1"))),
    st.builds(Group, st.just("g2"), TEXT, st.tuples(changes(1, "g2"))),
)
PROPOSALS = st.builds(
    Proposal,
    id=TEXT,
    origin=st.sampled_from(Origin),
    state=st.just(ProposalState.PENDING),
    created_at=TIMES,
    title=TEXT,
    reason=TEXT,
    groups=GROUPS,
    base=TEXT,
    run=st.none() | TEXT,
    session=st.none() | TEXT,
    turn=st.none() | TEXT,
    untrusted=st.booleans(),
    replaced_by=st.none() | TEXT,
    waiting_since=st.none() | TIMES,
).map(lambda proposal: with_changes(proposal, {}))


#: A proposal has some seventy fields to draw; on a busy machine that alone takes longer than the usual patience.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@patient
@given(PROPOSALS)
def test_what_is_written_is_read_back_the_same(proposal: Proposal) -> None:
    assert decode(encode(proposal)) == proposal


@patient
@given(PROPOSALS)
def test_the_stored_form_is_ascii_json(proposal: Proposal) -> None:
    data = encode(proposal)
    assert data.isascii()
    assert json.loads(data)["format"] == 1


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b'{"format": 1}', b'{"format": 1, "groups": 3}', b"\xff"])
def test_damage_is_named(data: bytes) -> None:
    with pytest.raises(AppError) as caught:
        decode(data)
    assert caught.value.kind is Kind.CORRUPT
    assert caught.value.title == "Damaged proposal"


def test_a_newer_format_is_not_called_damage() -> None:
    with pytest.raises(AppError) as caught:
        decode(b'{"format": 2}')
    assert caught.value.title == "Proposal from a newer version"
