"""Cycle 3: the curator. Phase A by age, phase B by a fork in a draft, then the report; what changes waits for approval.

A run is claimed by a lock of its own, and the state is written before the model is asked: a crash costs a run, never
repeats one (design: the curator).
"""

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from filelock import FileLock, Timeout

from app.cancel import CancelToken
from app.clock import format_time
from app.curator.ages import clean_thresholds, plan, suspended
from app.curator.candidates import skipped
from app.curator.gate import check_gate
from app.curator.report import rename_summary, write_report
from app.curator.runs import list_runs, new_run_folder, read_run
from app.curator.state import read_state, update_state
from app.curator.values import CuratorStatus, Gate, Report, RunRow, Transition
from app.cycles.consolidation import Consolidation, consolidate
from app.cycles.home import OpenHome
from app.cycles.values import CuratorProgress, Phase, Tick
from app.errors import AppError, Kind
from app.history.values import Origin
from app.providers.base import Provider
from app.providers.values import Message, Role, Text
from app.sessions.values import MessageState
from app.skills.values import Action, Library, Request, State, Writer

Run = Generator[CuratorProgress, None, Report]


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
    )


def runs(open_home: OpenHome) -> tuple[RunRow, ...]:
    """Past runs, newest first."""
    return list_runs(open_home.home.curator_runs)


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
    open_home: OpenHome, provider: Provider | None, token: CancelToken, idle_s: float
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
        return (yield from run_curator(open_home, provider, token, dry_run=False, last_seen=state.run_count))
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
) -> Run:
    """One run. `provider` None leaves the model part out; `last_seen` is the run count a due check was made with.

    Raises AppError(REFUSED) when the curator is switched off, AppError(BUSY) when a run is under way (or has just
    been made by another process since the due check).
    """
    if not open_home.settings.curator.enabled:
        text = "The curator is switched off. Switch it on in the settings, then run it."
        raise AppError(Kind.REFUSED, "The curator is off", text, action="settings.curator")
    with _claimed(open_home):
        count = read_state(open_home.home.curator_state).run_count
        if last_seen is not None and count != last_seen:
            raise AppError(Kind.BUSY, "A run was just made", "Another Melete ran the curator a moment ago.")
        return (yield from _Run(open_home, provider, token, dry_run=dry_run).play(count))


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


class _Run:
    """One run's steps. The report is written whatever happens to the model part."""

    def __init__(self, open_home: OpenHome, provider: Provider | None, token: CancelToken, *, dry_run: bool) -> None:
        self._open = open_home
        self._provider = provider if open_home.settings.curator.consolidate else None
        self._token = token
        self._dry = dry_run
        self._now = open_home.clock()
        self._folder = new_run_folder(open_home.home.curator_runs, self._now)
        self._thresholds = clean_thresholds(open_home.settings.curator)

    def play(self, count: int) -> Run:
        """Phase A, phase B, report."""
        open_home, run = self._open, self._folder.name
        if not self._dry:
            self._save({"last_run_at": format_time(self._now), "run_count": count + 1})
        open_home.live.observe_outside(None)
        library = open_home.library()
        before = open_home.history.tree_hash()
        yield CuratorProgress(Phase.AGES, line=f"{len(library.skills)} skills")
        moves = self._aged(library)
        for move in moves:
            yield CuratorProgress(Phase.AGES, move.skill, line=f"{move.skill}: {move.before} → {move.after}")
        merged = yield from consolidate(
            open_home, self._provider, library, moves, self._thresholds, self._token, run=run, dry_run=self._dry
        )
        yield CuratorProgress(Phase.REPORT, calls=len(merged.calls))
        report = self._report(library, moves, merged, before)
        path = write_report(self._folder, report)
        if self._dry:
            return report
        changes = {
            "last_run_duration_seconds": round(report.duration_s, 3),
            "last_run_summary": report.summary,
            "last_run_summary_shown_at": None,
            "last_report_path": str(path.parent),
        }
        self._save(changes)
        self._say(report)
        return report

    def _aged(self, library: Library) -> tuple[Transition, ...]:
        """Labels apply by themselves, in one step; archives do so only where the user chose that."""
        moves = plan(library.skills, self._now, self._thresholds)
        if self._dry:
            return moves
        labels = [move for move in moves if move.after is not State.ARCHIVED]
        done = self._label(labels)
        automatic = self._open.settings.curator.archive == "automatic"
        return tuple(
            replace(move, applied=automatic and self._archive(move))
            if move.after is State.ARCHIVED
            else replace(move, applied=move.skill in done)
            for move in moves
        )

    def _label(self, moves: list[Transition]) -> set[str]:
        if not moves:
            return set()
        writer = Writer(Origin.CURATOR, run=self._folder.name)
        requests = [Request(Action.LABEL, move.skill, to=str(move.after), reason=move.reason) for move in moves]
        receipts = self._open.door.do_all(requests, writer, action="label", reason="by age")
        return {receipt.skill for receipt in receipts if receipt.ok}

    def _archive(self, move: Transition) -> bool:
        writer = Writer(Origin.CURATOR, run=self._folder.name, approved=True)
        request = Request(Action.ARCHIVE, move.skill, absorbed_into="", reason=move.reason)
        return self._open.door.do(request, writer).ok

    def _report(
        self, library: Library, moves: tuple[Transition, ...], merged: Consolidation, tree_before: str
    ) -> Report:
        live = sum(skill.live and skill.in_home for skill in library.skills)
        aged_away = sum(move.after is State.ARCHIVED for move in moves)
        gone = len(merged.consolidated) + len(merged.pruned)
        seconds = max(0.0, (self._open.clock() - self._now).total_seconds())
        report = Report(
            run=self._folder.name,
            started_at=self._now,
            duration_s=seconds,
            model=self._provider.model if self._provider else "none",
            provider=self._provider.name if self._provider else "none",
            dry_run=self._dry,
            before=live,
            after=live - aged_away - gone + len(merged.added),
            transitions=moves,
            consolidated=merged.consolidated,
            pruned=merged.pruned,
            added=merged.added,
            edited=merged.edited,
            refused=merged.refused,
            proposals=merged.proposals,
            skipped=skipped(library.skills, self._now, self._thresholds),
            mentions=merged.mentions,
            notes=(*_notes(library), *merged.notes),
            tool_calls=tuple(
                (call.name, json.dumps(dict(call.arguments), ensure_ascii=False)) for call in merged.calls
            ),
            tokens_in=merged.usage.input + merged.usage.cache_read + merged.usage.cache_write,
            tokens_out=merged.usage.output,
            cost=merged.usage.cost,
            final=merged.final,
            error=merged.error,
            tree_before=tree_before,
            tree_after=self._open.history.tree_hash(),
        )
        return replace(report, summary=_summary(report, merged))

    def _save(self, changes: dict[str, Any]) -> None:
        update_state(self._open.home.curator_state, self._open.lock, self._now, changes)

    def _say(self, report: Report) -> None:
        """Append the rename summary to the conversation used last."""
        text = rename_summary(report)
        latest = self._open.sessions.list(1)
        if not text or not latest:
            return
        data = json.dumps({"run": report.run, "proposals": list(report.proposals)})
        message = Message(Role.ASSISTANT, (Text(text),))
        self._open.sessions.add_message(latest[0].id, "", message, MessageState.COMPLETE, "curator", data)


def _notes(library: Library) -> tuple[str, ...]:
    quiet = suspended(library.skills)
    if not quiet:
        return ()
    return (f"No usage data: ageing rests for {', '.join(quiet)}.",)


def _summary(report: Report, merged: Consolidation) -> str:
    stale = sum(item.after is State.STALE for item in report.transitions)
    archived = sum(item.after is State.ARCHIVED for item in report.transitions)
    parts = [f"{stale} stale", f"{archived} to archive by age"]
    model = merged.skipped or f"{len(report.consolidated)} to merge, {len(report.pruned)} to prune"
    return f"{'dry run: ' if report.dry_run else ''}{', '.join(parts)}; {model}"
