"""The report of one run: `run.json` for programs, `REPORT.md` for people, both made from the one Report value."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

from app.clock import format_time
from app.curator.values import Consolidated, Pruned, Report, Transition
from app.files import write_atomic
from app.skills.values import State

_MOST = 50
_RENAMES = 10


def write_report(folder: Path, report: Report) -> Path:
    """Write both files into `folder` (made when missing) and return REPORT.md's path. Raises AppError(STORAGE)."""
    write_atomic(folder / "run.json", json.dumps(run_json(report), indent=2, ensure_ascii=False).encode() + b"\n")
    write_atomic(folder / "REPORT.md", render(report).encode())
    return folder / "REPORT.md"


def run_json(report: Report) -> dict[str, Any]:
    """Every fact of the run; the keys of the loop's own format first, Melete's further ones after them."""
    archived = [item.skill for item in report.transitions if item.after is State.ARCHIVED]
    return {
        "started_at": format_time(report.started_at),
        "duration_seconds": round(report.duration_s, 3),
        "model": report.model,
        "provider": report.provider,
        "auto_transitions": dict(Counter(str(item.after) for item in report.transitions)),
        "counts": _counts(report, len(archived)),
        "tool_call_counts": dict(Counter(name for name, _ in report.tool_calls)),
        "archived": archived,
        "consolidated": [asdict(item) for item in report.consolidated],
        "pruned": [asdict(item) for item in report.pruned],
        "pruned_names": [item.name for item in report.pruned],
        "added": list(report.added),
        "state_transitions": [_transition(item) for item in report.transitions],
        "llm_final": report.final,
        "llm_summary": report.summary,
        "llm_error": report.error,
        "tool_calls": [{"name": name, "arguments": arguments} for name, arguments in report.tool_calls],
        **_further(report),
    }


def _further(report: Report) -> dict[str, Any]:
    return {
        "run": report.run,
        "dry_run": report.dry_run,
        "edited": list(report.edited),
        "refused": [asdict(item) for item in report.refused],
        "proposals": list(report.proposals),
        "unasked": list(report.unasked),
        "crowded": list(report.crowded),
        "skipped": list(report.skipped),
        "mentions": {name: list(users) for name, users in report.mentions.items()},
        "references": {name: list(lean) for name, lean in report.references.items()},
        "notes": list(report.notes),
        "doubts": list(report.doubts),
        "tokens": {"input": report.tokens_in, "output": report.tokens_out, "cost_usd": report.cost},
        "budget": asdict(report.budget),
        "tree_before": report.tree_before,
        "tree_after": report.tree_after,
        "meanwhile": list(report.meanwhile),
    }


def _counts(report: Report, archived: int) -> dict[str, int]:
    return {
        "before": report.before,
        "after": report.after,
        "delta": report.after - report.before,
        "archived_this_run": archived + len(report.consolidated) + len(report.pruned),
        "leaving": report.leaving,
        "decisions": report.decisions,
        "added_this_run": len(report.added),
        "consolidated_this_run": len(report.consolidated),
        "pruned_this_run": len(report.pruned),
        "state_transitions": len(report.transitions),
        "cron_jobs_rewritten": 0,
        "tool_calls_total": len(report.tool_calls),
    }


def _transition(item: Transition) -> dict[str, Any]:
    return {
        "name": item.skill,
        "from": str(item.before),
        "to": str(item.after),
        "reason": item.reason,
        "applied": item.applied,
    }


def render(report: Report) -> str:
    """The report as Markdown: what would change first, the proof that nothing did, then the details."""
    title = "Curator dry run" if report.dry_run else "Curator run"
    seconds = f"{report.duration_s:.1f} s"
    counts = f"{report.before} → {report.after} skills ({report.after - report.before:+d})"
    lines = [
        f"# {title} {report.started_at:%Y-%m-%d %H:%M} UTC",
        "",
        f"{report.model} · {report.provider} · {seconds} · {counts}",
        "",
    ]
    if report.dry_run:
        lines += ["This was a dry run: no label was applied and no proposal was filed.", ""]
    if report.error:
        lines += [f"> Stopped early. {report.error}", ""]
    lines += _proof(report)
    lines += _section("Look twice", [f"⚠ {item}" for item in report.doubts])
    lines += _section("By age", [_aged(report, item) for item in report.transitions])
    lines += _section("Would be merged", [_merged(report, item) for item in report.consolidated])
    lines += _section("Would be archived without a successor", [_gone(report, item) for item in report.pruned])
    lines += _section("New skills", [_skill(name) for name in report.added])
    lines += _section("Edited skills", [_skill(name) for name in report.edited])
    mentioned = [
        f"{_skill(name)} is named by {', '.join(map(_skill, users))}"
        for name, users in report.mentions.items()
        if users
    ]
    mentioned += [f"{_skill(name)}: {'; '.join(lean)}" for name, lean in report.references.items() if lean]
    lines += _section("Named elsewhere", mentioned)
    refused = [f"{item.tool} {item.action} {_skill(item.skill)}: {item.why}" for item in report.refused]
    lines += _section("Refused", refused)
    lines += _section("Left alone", list(report.skipped))
    lines += _section("Notes", list(report.notes))
    if report.final.strip():
        lines += ["## What the model said", "", report.final.strip(), ""]
    return "\n".join([*lines, *_footer(report)]) + "\n"


def rename_summary(report: Report) -> str:
    """A few lines for the chat: what merged into what, ten at most, and how to keep an umbrella from being touched."""
    stopped = [f"The run stopped early. {report.error}"] if report.error else []
    if not report.leaving:
        return f"Curator: {stopped[0]}" if stopped and not report.dry_run else ""
    lines = [_told(report), *stopped]
    entries = [f"{item.name} → {item.into}" for item in report.consolidated if item.name not in report.unasked]
    entries += [f"{item.name} (no successor)" for item in report.pruned if item.name not in report.unasked]
    entries += [f"{item.skill} ({item.reason})" for item in report.aged if item.skill not in report.unasked]
    lines += entries[:_RENAMES]
    if len(entries) > _RENAMES:
        lines.append(f"and {len(entries) - _RENAMES} more; see the report")
    standing = {item.into for item in report.consolidated} - set(report.added)
    if standing:  # one that is only proposed cannot be pinned yet
        lines.append(f"Keep an umbrella as it is: melete pin {min(standing)}")
    return "\n".join(lines)


def _told(report: Report) -> str:
    """How many skills go, in one sentence: the same numbers as in the list of runs."""
    went = sum(item.applied for item in report.aged)
    waits = report.leaving - went
    parts = []
    if waits:
        verb = "would leave" if report.dry_run else "wait to leave" if waits != 1 else "waits to leave"
        open_now = f" ({_counted(report.decisions, 'decision')})" if report.decisions else ""
        parts.append(f"{_counted(waits, 'skill')} {verb} the library{open_now}.")
    if went:
        parts.append(f"{_counted(went, 'skill')} went to the archive by age.")
    if report.crowded:
        parts.append(f"{len(report.crowded):,} more have no place in the full inbox; a later run asks again.")
    return f"Curator: {' '.join(parts)}"


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'s' if number != 1 else ''}"


def _proof(report: Report) -> list[str]:
    if not report.tree_before:
        return []
    if report.tree_before == report.tree_after:
        text = f"The library was not touched: its tree hash is `{report.tree_before[:16]}` before and after."
        return [text, ""]
    text = f"Tree hash before `{report.tree_before[:16]}`, after `{report.tree_after[:16]}`."
    if not report.meanwhile:
        return [f"{text} What the run applied itself stands below.", ""]
    told = [f"- {step}" for step in report.meanwhile[:_RENAMES]]
    more = len(report.meanwhile) - len(told)
    return [
        f"{text} While it ran, the library was changed by others:",
        "",
        *told,
        *([f"- and {_counted(more, 'more step')}"] if more else []),
        "",
    ]


def _skill(name: str) -> str:
    """A name as a link that selects the skill in the window; elsewhere it reads as the name."""
    shown = name.replace("[", "(").replace("]", ")")
    return f"[{shown}](skill:{quote(name)})" if name else "(no name)"


def _aged(report: Report, item: Transition) -> str:
    what = "applied" if item.applied else "not applied (dry run)" if report.dry_run else "waits for approval"
    if item.skill in report.unasked:
        what = "not applied"
    return f"{_skill(item.skill)}: {item.before} → {item.after}, {item.reason}; {what}{_unasked(report, item.skill)}"


def _merged(report: Report, item: Consolidated) -> str:
    lost = f", {_counted(item.dropped, 'piece')} dropped" if item.dropped else ""
    text = f"{_skill(item.name)} → {_skill(item.into)} ({item.source}{lost})"
    if item.reason:
        text += f": {item.reason}"
    return text + (f" ⚠ {item.contradiction}" if item.contradiction else "") + _unasked(report, item.name)


def _gone(report: Report, item: Pruned) -> str:
    text = f"{_skill(item.name)} ({item.source})" + (f": {item.reason}" if item.reason else "")
    return text + (f" ⚠ {item.contradiction}" if item.contradiction else "") + _unasked(report, item.name)


def _unasked(report: Report, name: str) -> str:
    if name in report.crowded:
        return "; the inbox is full, a later run asks again"
    return "; rejected before, so it is not asked again" if name in report.unasked else ""


def _section(title: str, rows: list[str]) -> list[str]:
    if not rows:
        return []
    lines = [f"## {title}", "", *(f"- {row}" for row in rows[:_MOST])]
    if len(rows) > _MOST:
        lines.append(f"- and {len(rows) - _MOST} more; `run.json` has them all")
    return [*lines, ""]


def _footer(report: Report) -> list[str]:
    lines = ["---", ""]
    if report.proposals:
        lines += [
            f"Waiting for you: {', '.join(f'[proposal {item}](proposal:{item})' for item in report.proposals)}.",
            "",
        ]
    lines.append(
        "Archived skills stay whole in `skills/.archive`; bring one back with `melete restore NAME`. "
        "All facts of this run are in `run.json` beside this file."
    )
    return lines
