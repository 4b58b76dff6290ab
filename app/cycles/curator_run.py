"""One run of the curator: phase A by age, phase B by a fork in a draft, then the report.

A report stands in the run's folder from the first phase on, so a run that is killed has one too.
"""

import json
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

from app.cancel import CancelToken
from app.clock import format_time
from app.curator.ages import budget_from, clean_thresholds, plan, suspended
from app.curator.candidates import skipped
from app.curator.report import rename_summary, write_report
from app.curator.runs import new_run_folder
from app.curator.state import ATTEMPTS, UNFINISHED, CuratorState, update_state
from app.curator.values import Report, Transition
from app.cycles.consolidation import Consolidation, consolidate
from app.cycles.home import OpenHome
from app.cycles.values import CuratorProgress, Phase
from app.errors import AppError
from app.history.values import Origin
from app.providers.base import Provider
from app.providers.values import Message, Role, Text
from app.sessions.values import MessageState
from app.skills.values import Action, Library, Request, State, Writer

Run = Generator[CuratorProgress, None, Report]

#: How far back the ledger is read for what others did during a run.
_MOST_STEPS = 500
_UNDER_WAY = "The run was cut short before it was finished."
_CLOSED = (
    "Melete was closed during this run. What was done until then waits for you; the rest is made up for within a day."
)


class CuratorRun:
    """One run's steps. The report is written whatever happens to the model part."""

    def __init__(
        self,
        open_home: OpenHome,
        provider: Provider | None,
        token: CancelToken,
        closing: Callable[[], bool],
        *,
        dry_run: bool,
    ) -> None:
        self._open = open_home
        self._provider = provider if open_home.settings.curator.consolidate else None
        self._token = token
        self._closing = closing
        self._dry = dry_run
        self._tip: str | None = None
        self._now = open_home.clock()
        self._folder = new_run_folder(open_home.home.curator_runs, self._now)
        self._thresholds = clean_thresholds(open_home.settings.curator)

    def play(self, state: CuratorState) -> Run:
        """Phase A, phase B, report. `state` is the bookkeeping as the run found it."""
        open_home = self._open
        self._begin(state)
        open_home.live.observe_outside(None)
        library = open_home.file_mentions.completed(open_home.library())
        before, self._tip = open_home.history.tree_hash(), open_home.history.tip()
        yield CuratorProgress(Phase.AGES, line=f"{len(library.skills)} skills")
        moves = self._aged(library)
        write_report(self._folder, self._report(library, moves, Consolidation(error=_UNDER_WAY), before))
        for move in moves:
            yield CuratorProgress(Phase.AGES, move.skill, line=f"{move.skill}: {move.before} → {move.after}")
        merged = yield from self._merged(library, moves)
        yield CuratorProgress(Phase.REPORT, calls=len(merged.calls))
        report = self._report(library, moves, merged, before)
        write_report(self._folder, report)
        if not self._dry:
            self._end(report)
        return report

    def _begin(self, state: CuratorState) -> None:
        """The state first: whoever looks from now on sees that a run was made."""
        if self._dry:
            return
        began = {
            "last_run_at": format_time(self._now),
            "run_count": state.run_count + 1,
            UNFINISHED: self._folder.name,
            ATTEMPTS: state.attempts + 1 if state.unfinished else 1,
        }
        self._save(began)

    def _end(self, report: Report) -> None:
        ended: dict[str, Any] = {
            "last_run_duration_seconds": round(report.duration_s, 3),
            "last_run_summary": report.summary,
            "last_run_summary_shown_at": None,
            "last_report_path": str(self._folder),
        }
        if report.error != _CLOSED:
            ended |= {UNFINISHED: None, ATTEMPTS: 0}
        self._save(ended)
        self._say(report)

    def _merged(
        self, library: Library, moves: tuple[Transition, ...]
    ) -> Generator[CuratorProgress, None, Consolidation]:
        """Phase B. A disk that is full, or anything else the user can mend, ends it with the reason in the report."""
        try:
            merged = yield from consolidate(
                self._open,
                self._provider,
                library,
                moves,
                self._thresholds,
                self._token,
                run=self._folder.name,
                dry_run=self._dry,
                hurry=self._must_end,
            )
        except AppError as error:
            return Consolidation(error=f"{error.title}. {error.text}")
        return replace(merged, error=_CLOSED) if self._must_end() else merged

    def _must_end(self) -> bool:
        """Whether the program is being closed and waits for this run."""
        return self._token.cancelled and self._closing()

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
        seconds = max(0.0, (self._open.clock() - self._now).total_seconds())
        report = Report(
            run=self._folder.name,
            started_at=self._now,
            duration_s=seconds,
            model=self._provider.model if self._provider else "none",
            provider=self._provider.name if self._provider else "none",
            dry_run=self._dry,
            before=live,
            after=live,
            transitions=moves,
            consolidated=merged.consolidated,
            pruned=merged.pruned,
            added=merged.added,
            edited=merged.edited,
            refused=merged.refused,
            proposals=merged.proposals,
            skipped=skipped(library.skills, self._now, self._thresholds),
            mentions=merged.mentions,
            references=merged.references,
            notes=(*_notes(library), *merged.notes),
            doubts=merged.doubts,
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
            unasked=merged.unasked,
            crowded=merged.crowded,
            decisions=merged.decisions,
            budget=budget_from(self._open.settings.curator),
            meanwhile=self._meanwhile(),
        )
        new = sum(name not in merged.unasked for name in merged.added)
        return replace(report, after=live - report.leaving + new, summary=_summary(report, merged))

    def _meanwhile(self) -> tuple[str, ...]:
        """The steps of the ledger since the run began that are not its own, oldest first, in words."""
        steps = []
        for entry in self._open.history.entries(_MOST_STEPS):
            if entry.id == self._tip:
                break
            record = entry.record
            if record.run != self._folder.name:
                steps.append(f"{record.origin}: {record.action} {', '.join(record.ids)}".rstrip())
        return tuple(reversed(steps))

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
