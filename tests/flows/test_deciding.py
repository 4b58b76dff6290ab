"""Deciding in the real window: a run's merges as ghosts, parts of a change, an undone run, a day rolled back."""

import pytest

from app.graph.values import EdgeKind
from app.skills.values import Action

SIBLING = """---
name: {name}
description: {what} CSV files with care. Use when a table comes from outside.
---

# {title}

## Steps

1. {step}

## Pitfalls

- Leading zeros vanish when numbers are guessed in {name}.
"""


@pytest.fixture
def decided(shop):
    """A window after a curator's run over three siblings; nothing is decided yet."""
    for name, what, step in (
        ("csv-cleaning", "Clean", "Read everything as text first."),
        ("csv-dedupe", "Remove duplicates from", "Count rows before and after."),
        ("csv-encodings", "Mend wrong characters in", "Look at the first bytes."),
    ):
        shop.put(f"data/{name}", text=SIBLING.format(name=name, what=what, title=name.replace("-", " "), step=step))
    window = shop.open()
    acted, reports = [], []
    window.services.skills.acted.connect(acted.append)
    window.services.curator.run_ended.connect(reports.append)
    window.services.skills.act(Action.ADOPT, ("data/csv-cleaning", "data/csv-dedupe", "data/csv-encodings"))
    shop.wait(lambda: bool(acted))
    window.panes.curator.carry_out("curator.run")
    shop.wait(lambda: bool(reports), 30)
    shop.wait(lambda: any(row.waiting for row in window.panes.curator._table.rows))
    return window


def approve_everything(shop, window):
    """Look at every change with A, and approve with the last one."""
    outcomes = []
    window.services.proposals.decided.connect(outcomes.append)
    window.panes.curator.carry_out("curator.review")
    review = window.panes.review
    shop.wait(lambda: review._page.change is not None and bool(review._page.change.files))

    def press() -> bool:
        if not outcomes:
            review.carry_out("review.approve")
        return bool(outcomes)

    shop.wait(press, 20)
    assert outcomes[0].refused == ()
    return outcomes[0]


def test_a_proposed_merge_is_a_ghost_that_leads_to_its_proposal_and_vanishes_when_it_is_decided(shop, decided):
    window = decided
    pane = window.panes.graph
    shop.wait(lambda: any(node.proposed for node in pane._graph.nodes))
    ghost = next(node for node in pane._graph.nodes if node.proposed)
    assert {edge.end for edge in pane._graph.edges if edge.kind is EdgeKind.PROPOSED} == {ghost.id}
    pane.proposal_asked.emit(ghost.id)
    assert window.panes.frame.page == "review"
    window.panes.curator.carry_out("curator.graph")
    shop.wait(lambda: ghost.id in pane._lit)
    assert window.panes.frame.page == "graph"
    approve_everything(shop, window)
    shop.wait(lambda: any(node.id == ghost.id and not node.proposed for node in pane._graph.nodes))


def test_an_approved_run_is_undone_from_its_page_and_the_past_is_in_the_slider(shop, decided):
    window = decided
    outcome = approve_everything(shop, window)
    library = window.services.library
    shop.wait(lambda: library.library.get(".archive/csv-dedupe") is not None)
    previews, undone, moments, past = [], [], [], []
    window.services.graph.moments_ready.connect(moments.append)
    window.services.graph.then_ready.connect(lambda entry, graph: past.append((entry, graph)))
    window.panes.graph.carry_out("graph.time")
    shop.wait(lambda: bool(moments))
    assert outcome.entries[0] in {entry.id for entry in moments[0]}
    before = moments[0][[entry.id for entry in moments[0]].index(outcome.entries[0]) - 1].id
    window.panes.graph.moment_requested.emit(before)
    shop.wait(lambda: bool(past))
    assert "data/csv-dedupe" in {node.id for node in past[0][1].nodes}
    window.services.curator.undo_previewed.connect(previews.append)
    window.services.curator.run_undone.connect(undone.append)
    run = window.panes.curator._wanted
    window.services.curator.preview_undo(run)
    shop.wait(lambda: bool(previews))
    window.services.curator.undo_run(run, tuple(step.entry for step in previews[0].steps))
    shop.wait(lambda: bool(undone))
    assert undone[0].conflicts == ()
    shop.wait(lambda: library.library.get("data/csv-dedupe") is not None)


def test_a_rollback_shows_what_it_changes_and_is_one_step_that_can_be_undone(shop):
    shop.put("git/git-rebase")
    window = shop.open()
    entries, plans, back = [], [], []
    window.services.skills.history_ready.connect(lambda _skill, found: entries.append(found))
    window.services.rollback.planned.connect(plans.append)
    window.services.rollback.rolled_back.connect(back.append)
    window.panes.library.action_requested.emit("skill.pin", ("git/git-rebase",))
    shop.wait(lambda: window.services.library.library.get("git/git-rebase").pinned)
    shop.wait(lambda: any(found and found[0].record.action == "pin" for found in entries[-1:]))
    before = entries[-1][1].id
    window.services.rollback.plan(before)
    shop.wait(lambda: bool(plans))
    assert [(step.what, step.skill) for step in plans[0].steps] == [("unpin", "git/git-rebase")]
    window.services.rollback.go_back(before)
    shop.wait(lambda: bool(back))
    shop.wait(lambda: not window.services.library.library.get("git/git-rebase").pinned)
    window.services.skills.undo(back[0].entry)
    shop.wait(lambda: window.services.library.library.get("git/git-rebase").pinned)
