"""Commands about the curator and about what waits for a decision."""

from pathlib import Path

import click

from app.cancel import CancelToken
from app.cli.call import Call, command_options
from app.cli.playing import INTERRUPTED, played, stoppable
from app.cli.rows import (
    change_row,
    diff_lines,
    proposal_row,
    report_row,
    run_step_lines,
    run_step_row,
    status_row,
    time_text,
)
from app.curator.report import run_json
from app.cycles import approval
from app.cycles import curator as cycle
from app.cycles.home import OpenHome
from app.cycles.provider import provider_for
from app.cycles.revising import revise
from app.cycles.runs_back import preview_undo, undo_run
from app.errors import AppError
from app.history.values import Side
from app.proposals.values import Outcome, Proposal, ProposalState
from app.providers.base import Provider

#: A command line is never in the way of a person at work: a due check from it counts as idle.
_IDLE_S = float("inf")


@click.group("curator")
def curator() -> None:
    """Look after the library: ageing, merging, reports."""


@curator.command("status")
@command_options
def status(call: Call) -> None:
    """What holds the next run back, and what is known of the last one."""
    with call.open() as home:
        _answer_status(call, home)


def _answer_status(call: Call, home: OpenHome) -> None:
    found = cycle.status(home, 0.0)
    last = time_text(found.last_run_at) or "never"
    lines = [found.why, f"last run: {last}", f"runs: {found.run_count}", f"last: {found.last_summary or 'nothing yet'}"]
    call.answer(status_row(found), lines)


@curator.command("run")
@click.option("--dry-run", is_flag=True, help="Only report: no label, no proposal, no change of state.")
@click.option("--with-model", is_flag=True, help="Let a dry run ask the connected model, too.")
@command_options
def run(call: Call, dry_run: bool, with_model: bool) -> None:
    """Run now, whatever the schedule says."""
    with call.open() as home:
        provider = _provider(call, home, allowed=with_model or not dry_run)
        token = CancelToken()
        work = cycle.run_curator(home, provider, token, dry_run=dry_run)
        report = played(work, token, lambda progress: call.note(progress.line) if progress.line else None)
        path = home.home.curator_runs / report.run / "REPORT.md"
        lines = path.read_text(encoding="utf-8").splitlines()
        call.answer(report_row(report, str(path), run_json(report)), lines)
        if report.error:
            call.note(f"The model part was not finished: {report.error}")
        if token.cancelled or report.error:
            raise SystemExit(INTERRUPTED if token.cancelled else 1)


def _provider(call: Call, home: OpenHome, *, allowed: bool) -> Provider | None:
    """The provider of the model part: none when a model would cost money unasked, or when it cannot be reached."""
    provider = provider_for(home.settings, call.keys)
    if not provider.needs_network:
        return provider
    if not allowed:
        call.note("The model part is left out of a dry run; add --with-model to include it.")
        return None
    try:
        known = call.keys.read(call.keys.address(home.settings.model.base_url))
    except AppError as error:
        call.note(f"The model part is left out, ageing goes on. {error.title}. {error.text}")
        return None
    if not known:
        call.note("No key is known for the model: the model part is left out, ageing goes on.")
        return None
    return provider


@curator.command("pause")
@command_options
def pause(call: Call) -> None:
    """Hold all scheduled runs back."""
    with call.open() as home:
        cycle.set_paused(home, paused=True)
        _answer_status(call, home)


@curator.command("resume")
@command_options
def resume(call: Call) -> None:
    """Let scheduled runs happen again."""
    with call.open() as home:
        cycle.set_paused(home, paused=False)
        _answer_status(call, home)


@curator.command("undo")
@click.argument("run_id", metavar="RUN")
@click.option("--entry", "entries", multiple=True, help="Only this entry of the run.")
@click.option("--preview", is_flag=True, help="Only say what would be done.")
@command_options
def undo(call: Call, run_id: str, entries: tuple[str, ...], preview: bool) -> None:
    """Take back what a run led to, newest first; each entry whole or not at all."""
    with call.open() as home:
        found = preview_undo(home, run_id) if preview else undo_run(home, run_id, entries or None)
        call.answer({"run": found.run, "entries": [run_step_row(step) for step in found.steps]}, run_step_lines(found))
        if found.conflicts:
            raise SystemExit(1)


@curator.command("tick")
@click.option("--idle", "idle_s", type=float, default=_IDLE_S, help="Seconds nobody used the home.")
@command_options
def tick(call: Call, idle_s: float) -> None:
    """The due check, and the run if it is due."""
    with call.open() as home:
        token = CancelToken()
        with stoppable(token):
            found = cycle.tick(home, _provider(call, home, allowed=True), token, idle_s)
        data = {"ran": found.ran, "gate": found.gate, "run": found.run}
        call.answer(data, [f"ran {found.run}" if found.ran else f"not run: {found.gate}"])


@click.group("proposals")
def proposals() -> None:
    """What waits for a decision."""


@proposals.command("list")
@click.option("--state", type=click.Choice([str(state) for state in ProposalState]), help="Only these.")
@command_options
def proposals_list(call: Call, state: str | None) -> None:
    """All proposals, newest first."""
    with call.open() as home:
        found = [item for item in approval.inbox(home) if state is None or item.state == state]
        lines = [f"{item.id} {item.state} {item.title} ({len(item.waiting)} waiting)" for item in found]
        call.answer({"proposals": [proposal_row(item) for item in found]}, lines or ["nothing waits"])


@proposals.command("show")
@click.argument("proposal")
@click.option("--diff", is_flag=True, help="With the differences.")
@command_options
def proposals_show(call: Call, proposal: str, diff: bool) -> None:
    """One proposal against the library as it is now."""
    with call.open() as home:
        found = approval.show(home, proposal)
        changes = [change for group in found.groups for change in group.changes]
        data = proposal_row(found) | {"changes": [change_row(change, diff=diff) for change in changes]}
        lines = [f"{found.title or found.id} ({found.state})", *([found.reason] if found.reason else [])]
        for change in changes:
            lines.append(f"{change.group}/{change.id} {change.title}: {change.decision}")
            lines += diff_lines(change.files) if diff else []
        call.answer(data, lines)


@proposals.command("approve")
@click.argument("proposal")
@click.option("--group", "groups", multiple=True, help="Approve this group.")
@click.option("--change", "changes", multiple=True, help="Approve this change.")
@click.option("--all", "everything", is_flag=True, help="All that waits but scripts; each group is one step.")
@command_options
def proposals_approve(
    call: Call, proposal: str, groups: tuple[str, ...], changes: tuple[str, ...], everything: bool
) -> None:
    """Apply groups or changes to the library."""
    with call.open() as home:
        outcome = approval.approve_named(home, proposal, groups, changes, everything=everything)
        _answer_outcome(call, outcome)


@proposals.command("settle")
@click.argument("proposal")
@click.option("--change", "change", required=True, help="The change whose conflict is settled.")
@click.option("--take", type=click.Choice(["mine", "theirs"]), help="Whose words win where both sides meet.")
@click.option("--file", "files", multiple=True, metavar="[PATH=]FILE", help="A settled file; SKILL.md without PATH.")
@command_options
def proposals_settle(call: Call, proposal: str, change: str, take: str | None, files: tuple[str, ...]) -> None:
    """Settle a conflict: mine keeps what the library holds, theirs takes what the proposal wants.

    Only the places both sides changed are meant; everything else of both stays. Show the result, then approve it.
    """
    given = dict(_settled_file(item) for item in files)
    side = {"mine": Side.OURS, "theirs": Side.THEIRS}.get(take or "")
    with call.open() as home:
        _answer_change(call, approval.settle(home, proposal, change, side, given), change)


def _settled_file(given: str) -> tuple[str, bytes]:
    path, mark, file = given.partition("=")
    try:
        return (path, Path(file).read_bytes()) if mark else ("SKILL.md", Path(path).read_bytes())
    except OSError as error:
        raise click.UsageError(f"{file or path} cannot be read: {error.strerror}.") from error


@proposals.command("keep")
@click.argument("proposal")
@click.option("--change", "change", required=True, help="The archive of the absorbed skill.")
@click.option("--unit", "units", multiple=True, type=int, help="This dropped piece (its number in `show`).")
@click.option("--all", "everything", is_flag=True, help="Everything that would be dropped.")
@command_options
def proposals_keep(call: Call, proposal: str, change: str, units: tuple[int, ...], everything: bool) -> None:
    """Put dropped pieces of an absorbed skill back into its umbrella; a new revision to look at."""
    if bool(units) is everything:
        raise click.UsageError("Name pieces with --unit, or say --all.")
    with call.open() as home:
        chosen = approval.dropped(home, proposal, change) if everything else units
        _answer_change(call, approval.keep(home, proposal, change, chosen), change)


@proposals.command("revise")
@click.argument("proposal")
@click.option("--group", "group", required=True, help="The group to make anew.")
@click.option("--note", required=True, help="What should be different.")
@command_options
def proposals_revise(call: Call, proposal: str, group: str, note: str) -> None:
    """Send a group back with a note; what comes of it takes its place."""
    with call.open() as home:
        token = CancelToken()
        provider = _provider(call, home, allowed=True)
        if provider is None:
            raise SystemExit(1)
        work = revise(home, provider, proposal, group, note, token)
        found = played(work, token, lambda progress: call.note(progress.line) if progress.line else None)
        call.answer(
            proposal_row(found.proposal) | {"said": found.said}, [f"new proposal {found.proposal.id}", found.said]
        )


def _answer_change(call: Call, found: Proposal, change: str) -> None:
    changes = [item for group in found.groups for item in group.changes]
    data = proposal_row(found) | {"changes": [change_row(item, diff=False) for item in changes]}
    call.answer(data, [f"{change} of {found.id} has a new revision; show it before approving it"])


@proposals.command("reject")
@click.argument("proposal")
@click.option("--change", "changes", multiple=True, help="Reject this change.")
@click.option("--all", "everything", is_flag=True, help="Reject everything that waits.")
@click.option("--reason", default="", help="Why; kept with the decision.")
@command_options
def proposals_reject(call: Call, proposal: str, changes: tuple[str, ...], everything: bool, reason: str) -> None:
    """Reject changes; the same idea is not proposed again."""
    if not changes and not everything:
        raise click.UsageError("Name changes with --change, or say --all.")
    with call.open() as home:
        _answer_outcome(call, approval.reject(home, proposal, changes, reason))


@proposals.command("reopen")
@click.argument("proposal")
@click.option("--change", "changes", multiple=True, help="Only this change.")
@command_options
def proposals_reopen(call: Call, proposal: str, changes: tuple[str, ...]) -> None:
    """Put rejected changes back into the inbox."""
    with call.open() as home:
        found = approval.reopen(home, proposal, changes)
        _answer_outcome(call, Outcome(found.id, found.state))


def _answer_outcome(call: Call, outcome: Outcome) -> None:
    data = {
        "id": outcome.proposal,
        "state": str(outcome.state),
        "applied": list(outcome.applied),
        "refused": [{"change": change, "why": why} for change, why in outcome.refused],
        "conflicts": list(outcome.conflicts),
        "entry": outcome.entries[-1] if outcome.entries else None,
        "entries": list(outcome.entries),
    }
    call.answer(data, [f"{outcome.proposal}: {outcome.state}", *(f"applied {item}" for item in outcome.applied)])
    for change, why in outcome.refused:
        call.note(f"refused {change}: {why}")
    for change in outcome.conflicts:
        call.note(f"{change} has moved on; show the proposal again, settle its conflict if it has one, then approve it")
    if outcome.refused or outcome.conflicts:
        raise SystemExit(1)
