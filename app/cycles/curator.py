"""Cycle 3: the curator. Phase A by age, phase B by a fork in a draft, then the report; what changes waits for approval.

A run is claimed by a lock of its own, and the state is written before the model is asked, so that a crash never repeats
a run at once; one that was cut short is made up for a day later, so that it does not cost a week either.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from filelock import FileLock, Timeout

from app.cancel import CancelToken
from app.clock import format_time
from app.curator.ages import budget_from, clean_thresholds
from app.curator.gate import check_gate
from app.curator.runs import list_runs, read_run
from app.curator.state import read_state, update_state
from app.curator.values import CuratorStatus, Gate, Report, RunRow
from app.cycles.curator_run import CuratorRun, Run
from app.cycles.home import OpenHome
from app.cycles.values import CuratorProgress, Tick
from app.errors import AppError, Kind
from app.proposals.values import ProposalState
from app.providers.base import Provider


def never_closing() -> bool:
    """Nobody closes the program while this run works (a command line)."""
    return False


def status(open_home: OpenHome, idle_s: float, *, running: bool = False) -> CuratorStatus:
    """What holds the next run back, and what is known of the last one."""
    settings = open_home.settings.curator
    state = read_state(open_home.home.curator_state)
    thresholds = clean_thresholds(settings)
    gate, why, due = check_gate(
        state, thresholds, open_home.clock(), enabled=settings.enabled, idle_s=idle_s, running=running
    )
    if state.damaged:
        why = f"{state.damaged} is damaged: past runs and a pause are unknown; a copy is kept. {why}"
    return CuratorStatus(
        enabled=settings.enabled,
        paused=state.paused,
        gate=gate,
        why=why,
        last_run_at=state.last_run_at,
        next_run_at=due,
        idle_s=idle_s,
        run_count=state.run_count,
        thresholds=thresholds,
        last_summary=state.last_summary,
        last_report=state.last_report,
        running=running,
        budget=budget_from(settings),
        cut_short="" if running else state.unfinished,
    )


def runs(open_home: OpenHome) -> tuple[RunRow, ...]:
    """Past runs, newest first, each with the decisions of it that are still open."""
    pending = open_home.proposals.list(ProposalState.PENDING)
    open_now = Counter(proposal.run for proposal in pending for _ in proposal.waiting)
    return tuple(replace(row, waiting=open_now[row.run]) for row in list_runs(open_home.home.curator_runs))


def report_text(open_home: OpenHome, run: str) -> str:
    """One run's REPORT.md."""
    return read_run(open_home.home.curator_runs, run)[0]


def set_paused(open_home: OpenHome, *, paused: bool) -> None:
    """Pause or resume the schedule; the rest of the state stays as it is, also while a run is under way."""
    update_state(open_home.home.curator_state, open_home.lock, open_home.clock(), {"paused": paused})


def tick(open_home: OpenHome, provider: Provider | None, token: CancelToken, idle_s: float) -> Tick:
    """The due check, and the run if it is due; what a scheduler calls."""
    work = run_if_due(open_home, provider, token, idle_s)
    while True:
        try:
            next(work)
        except StopIteration as stop:
            report, now = stop.value, open_home.clock()
            if report is not None:
                return Tick(ran=True, gate=str(Gate.OPEN), run=report.run, at=now)
            return Tick(ran=False, gate=str(status(open_home, idle_s).gate), run=None, at=now)


def run_if_due(
    open_home: OpenHome,
    provider: Provider | None,
    token: CancelToken,
    idle_s: float,
    closing: Callable[[], bool] = never_closing,
) -> Generator[CuratorProgress, None, Report | None]:
    """Run if every gate is open. The very first look only starts the clock: nothing runs for one whole interval."""
    now = open_home.clock()
    state = read_state(open_home.home.curator_state)
    enabled = open_home.settings.curator.enabled
    if enabled and not state.paused and (state.last_run_at is None or state.last_run_at > now):
        first: dict[str, Any] = {
            "last_run_at": format_time(now),
            "last_run_summary": "The first run waits one whole interval.",
        }
        if state.last_run_at is None:
            first |= {"run_count": state.run_count, "paused": False}
        update_state(open_home.home.curator_state, open_home.lock, now, first)
        return None
    if status(open_home, idle_s).gate is not Gate.OPEN:
        return None
    try:
        last_seen = state.run_count
        return (yield from run_curator(open_home, provider, token, dry_run=False, last_seen=last_seen, closing=closing))
    except AppError as error:
        if error.kind is Kind.BUSY:
            return None
        raise


def run_curator(
    open_home: OpenHome,
    provider: Provider | None,
    token: CancelToken,
    *,
    dry_run: bool,
    last_seen: int | None = None,
    closing: Callable[[], bool] = never_closing,
) -> Run:
    """One run. `provider` None leaves the model part out; `last_seen` is the run count a due check was made with.

    A stop (the token) keeps what is done and ends the run; while `closing` it was the program's end that stopped it,
    and the rest is made up for later.

    Raises AppError(REFUSED) when the curator is switched off, AppError(BUSY) when a run is under way (or has just
    been made by another process since the due check).
    """
    if not open_home.settings.curator.enabled:
        text = "The curator is switched off. Switch it on in the settings, then run it."
        raise AppError(Kind.REFUSED, "The curator is off", text, action="settings.curator")
    with _claimed(open_home):
        state = read_state(open_home.home.curator_state)
        if last_seen is not None and state.run_count != last_seen:
            raise AppError(Kind.BUSY, "A run was just made", "Another Melete ran the curator a moment ago.")
        return (yield from CuratorRun(open_home, provider, token, closing, dry_run=dry_run).play(state))


@contextmanager
def _claimed(open_home: OpenHome) -> Iterator[None]:
    folder = open_home.home.journal
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / "curator.lock")
    try:
        with lock.acquire(timeout=0):
            yield
    except Timeout:
        raise AppError(Kind.BUSY, "A run is under way", "Another Melete runs the curator now. Wait for it.") from None
