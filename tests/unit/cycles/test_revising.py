"""A proposal that is sent back with a note comes again as a revision, or says why not."""

import json
from typing import Any

import pytest

from app.cancel import CancelToken
from app.cycles import approval
from app.cycles.revising import revise
from app.engine.builtin import BuiltinEngine
from app.errors import AppError, Kind
from app.proposals.decisions import changes_of
from app.proposals.values import Decision, ProposalState
from app.providers.scripted import ScriptedProvider, says
from app.skills.values import Action

PARTS = ("ports", "certs", "routes")


@pytest.fixture
def proposed(curated: Any) -> Any:
    """A home with one waiting merge of three siblings by the built-in engine."""
    for part in PARTS:
        about = f"How to check network {part}. Use for network {part} trouble."
        curated.add(f"network-{part}", f"- Look at the {part} first.\n- Write the {part} down.", about)
    home = curated.open()
    report = curated.run(home=home)
    (proposal,) = report.proposals
    return curated, home, home.proposals.get(proposal)


def send_back(home: Any, proposal: Any, note: str, provider: Any) -> Any:
    work = revise(home, provider, proposal.id, proposal.groups[0].id, note, CancelToken())
    while True:
        try:
            next(work)
        except StopIteration as stop:
            return stop.value


def test_the_built_in_engine_leaves_out_what_the_note_names(proposed: Any) -> None:
    _, home, proposal = proposed
    assert {c.name for c in proposal.groups[0].changes if c.into} == {f"network-{part}" for part in PARTS}
    revision = send_back(home, proposal, "Please leave network-routes alone.", BuiltinEngine())
    new = revision.proposal
    assert {c.name for c in new.groups[0].changes if c.into} == {"network-ports", "network-certs"}
    assert (new.run, new.reason) == (proposal.run, "Revised: Please leave network-routes alone.")
    old = home.proposals.get(proposal.id)
    assert (old.state, old.replaced_by) == (ProposalState.REPLACED, new.id)
    assert new.waiting_since == proposal.created_at
    assert approval.approve_named(home, new.id, everything=True).refused == ()


def test_a_model_reads_the_note_and_what_was_proposed(proposed: Any) -> None:
    curated, home, proposal = proposed
    model = ScriptedProvider(
        [
            curated.views("network-ports", "network-certs"),
            curated.manages(curated.creates("net-checks", "- Look at the ports and certs first.")),
            curated.manages(curated.deletes("network-ports", "net-checks")),
            says("It is called net-checks now."),
        ]
    )
    revision = send_back(home, proposal, "Call it net-checks, ports only.", model)
    said = model.requests[0].messages[0].text
    assert said.startswith("The note: Call it net-checks, ports only.")
    umbrella = next(c for c in proposal.groups[0].changes if c.action is Action.CREATE)
    assert f"- {umbrella.name} was to be:" in said
    assert json.dumps("network-routes") in said
    assert revision.said == "It is called net-checks now."
    assert [c.name for c in revision.proposal.groups[0].changes] == ["net-checks", "network-ports"]


def test_a_fork_that_changes_nothing_leaves_the_proposal_and_says_why(proposed: Any) -> None:
    _, home, proposal = proposed
    with pytest.raises(AppError, match="cannot be done") as caught:
        send_back(home, proposal, "Do magic.", ScriptedProvider([says("That cannot be done.")]))
    assert caught.value.kind is Kind.REFUSED
    assert home.proposals.get(proposal.id).groups[0].decision is Decision.WAITING


def test_the_same_again_is_no_revision(proposed: Any) -> None:
    _, home, proposal = proposed
    with pytest.raises(AppError) as caught:
        send_back(home, proposal, "Better, please.", BuiltinEngine())
    assert caught.value.title == "The same again"


def test_a_decided_group_and_an_empty_note_are_refused(proposed: Any) -> None:
    _, home, proposal = proposed
    with pytest.raises(AppError) as caught:
        send_back(home, proposal, "  ", BuiltinEngine())
    assert caught.value.kind is Kind.USAGE
    home.proposals.reject(proposal.id)
    with pytest.raises(AppError) as caught:
        send_back(home, proposal, "Again.", BuiltinEngine())
    assert caught.value.title == "No such group"
    assert changes_of(home.proposals.get(proposal.id))
