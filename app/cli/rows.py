"""Values as the command line's JSON and text: stable keys, times in UTC."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from app.curator.values import CuratorStatus, Report
from app.cycles.values import ReviewOutcome, RunStep, RunUndo
from app.history.values import Entry
from app.proposals.values import Change, Group, Proposal
from app.providers.values import Usage
from app.sessions.values import Hit, SessionInfo
from app.skills.values import Finding, Library, Skill
from app.text.values import Fate, FileDiff, LineKind

_SIGNS = {LineKind.CONTEXT: " ", LineKind.ADDED: "+", LineKind.REMOVED: "-"}
_GLYPHS = {"active": "●", "stale": "◌", "archived": "▢"}


def time_text(moment: datetime | None) -> str | None:
    """A time as ISO 8601 in UTC."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if moment else None


def skill_row(skill: Skill) -> dict[str, Any]:
    """One skill of `list`."""
    return {
        "name": skill.name,
        "path": skill.id,
        "category": skill.category,
        "description": skill.description,
        "state": str(skill.state),
        "pinned": skill.pinned,
        "enabled": skill.enabled,
        "source": str(skill.source),
        "author": str(skill.author),
        "managed": skill.managed,
        "uses": skill.usage.uses,
        "views": skill.usage.views,
        "patches": skill.usage.patches,
        "usage_known": skill.usage.known,
        "last_used_at": time_text(skill.usage.last_used_at),
        "created_at": time_text(skill.usage.created_at),
        "load": str(skill.load),
        "in_home": skill.in_home,
        "folder": str(skill.folder),
        "real": str(skill.real) if skill.real else None,
        "shadowed_by": skill.shadowed_by,
        "absorbed_into": skill.absorbed_into,
        "files": skill.file_count,
        "catalogue_tokens": skill.catalogue_tokens,
        "body_tokens": skill.body_tokens,
        "edited_here": skill.edited_here,
        "allowed_tools": list(skill.allowed_tools),
        "tags": list(skill.tags),
        "related": list(skill.related),
        "problems": [finding_row(finding) for finding in skill.findings],
    }


def finding_row(finding: Finding) -> dict[str, Any]:
    """One remark."""
    return {
        "rule": finding.rule,
        "severity": str(finding.severity),
        "line": finding.line,
        "message": finding.message,
        "fix": finding.fix,
    }


def counts_row(library: Library) -> dict[str, int]:
    """The counts that window and command line share."""
    counts = library.counts
    return {
        "active": counts.active,
        "stale": counts.stale,
        "archived": counts.archived,
        "pinned": counts.pinned,
        "broken": counts.broken,
    }


def catalogue_row(library: Library) -> dict[str, int]:
    """What the skills offered to an agent cost each of its prompts, in estimated tokens (characters / 4)."""
    offered = [skill for skill in library.skills if skill.live and skill.enabled and skill.shadowed_by is None]
    return {"skills": len(offered), "tokens": sum(skill.catalogue_tokens for skill in offered)}


def skill_line(skill: Skill) -> str:
    """One skill as a line of text."""
    glyph = "⚠" if skill.broken else _GLYPHS[str(skill.state)]
    pin = " [pinned]" if skill.pinned else ""
    shadow = f" (hidden by {skill.shadowed_by})" if skill.shadowed_by else ""
    root = "" if skill.in_home else f" (in {skill.root})"
    text = skill.description if not skill.broken else "; ".join(item.message for item in skill.findings)
    return f"{glyph} {skill.id}{pin}{shadow}{root}  {' '.join(text.split())[:100]}"


def entry_row(entry: Entry) -> dict[str, Any]:
    """One entry of the ledger."""
    record = entry.record
    return {
        "id": entry.id,
        "at": time_text(entry.at),
        "origin": str(record.origin),
        "action": record.action,
        "skills": list(record.ids),
        "reason": record.reason,
        "session": record.session,
        "run": record.run,
    }


def hit_row(hit: Hit) -> dict[str, Any]:
    """One search hit."""
    return {
        "kind": str(hit.kind),
        "id": hit.id,
        "title": hit.title,
        "snippet": hit.snippet,
        "text": hit.text,
        "score": round(hit.score, 4),
        "at": time_text(hit.at),
        "message": hit.message,
        "tool": hit.tool,
    }


def usage_row(usage: Usage) -> dict[str, Any]:
    """Tokens and money."""
    return {
        "input": usage.input,
        "output": usage.output,
        "cache_read": usage.cache_read,
        "cache_write": usage.cache_write,
        "cost_usd": usage.cost,
    }


def review_row(outcome: ReviewOutcome | None) -> dict[str, Any] | None:
    """What a review did; None when there was none."""
    if outcome is None:
        return None
    summary = f"💾 {outcome.line}" if outcome.line else ""
    actions = [dict(action) for action in outcome.actions]
    more = {"usage": usage_row(outcome.usage), "proposals": list(outcome.proposals), "error": outcome.error}
    return {"summary": summary, "actions": actions, **more}


def review_line(outcome: ReviewOutcome) -> str:
    """What a review did and used, in one line."""
    return f"💾 {outcome.line or 'Nothing to save.'} ({outcome.usage.tokens:,} tokens)"


def session_row(info: SessionInfo) -> dict[str, Any]:
    """One conversation in the list."""
    return {
        "id": info.id,
        "title": info.title,
        "started_at": time_text(info.started_at),
        "updated_at": time_text(info.updated_at),
        "model": info.model,
        "turns": info.turns,
        "messages": info.messages,
        "outcome": info.outcome,
        "skills": list(info.skills),
        "usage": usage_row(info.usage),
    }


def status_row(status: CuratorStatus) -> dict[str, Any]:
    """The curator's state."""
    rules = status.thresholds
    return {
        "enabled": status.enabled,
        "paused": status.paused,
        "last_run_at": time_text(status.last_run_at),
        "next_run_at": time_text(status.next_run_at),
        "gate": str(status.gate),
        "why": status.why,
        "idle_s": status.idle_s,
        "thresholds": {
            "interval_hours": rules.interval_hours,
            "min_idle_hours": rules.min_idle_hours,
            "stale_after_days": rules.stale_after_days,
            "archive_after_days": rules.archive_after_days,
            "min_age_days": rules.min_age_days,
        },
        "run_count": status.run_count,
        "cut_short": status.cut_short,
        "budget": {
            "steps": status.budget.steps,
            "tokens": status.budget.tokens,
            "cost_usd": status.budget.cost_usd,
        },
        "last_summary": status.last_summary,
    }


def report_row(report: Report, path: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """One curator run; `facts` is its run.json."""
    return {
        "run": report.run,
        "report": path,
        "dry_run": report.dry_run,
        "transitions": facts["state_transitions"],
        "proposals": list(report.proposals),
        "consolidated": facts["consolidated"],
        "pruned": facts["pruned"],
        "refused": facts["refused"],
        "skipped": list(report.skipped),
        "error": report.error,
        "tree_before": report.tree_before,
        "tree_after": report.tree_after,
    }


def run_step_row(step: RunStep) -> dict[str, Any]:
    """One entry of a run on the way back."""
    return {
        "entry": step.entry,
        "at": time_text(step.at),
        "title": step.title,
        "skills": list(step.skills),
        "undone": step.undone,
        "undo": step.by,
        "changes": [{"action": action, "skill": skill} for action, skill in step.changes],
        "conflicts": list(step.conflicts),
        "kept": list(step.kept),
    }


def run_step_lines(found: RunUndo) -> list[str]:
    """The way back as lines of text."""
    lines = []
    for step in found.steps:
        lines.append(f"{step.entry[:10]} {step.title}: {'undone' if step.undone else 'stands'}")
        lines += [f"  {action} {skill}" for action, skill in step.changes if not step.undone]
        lines += [f"  in the way: {why}" for why in step.conflicts]
        lines += [f"  {why}" for why in step.kept]
    return lines or ["This run changed nothing."]


def proposal_row(proposal: Proposal) -> dict[str, Any]:
    """One proposal in the list."""
    return {
        "id": proposal.id,
        "origin": str(proposal.origin),
        "state": str(proposal.state),
        "created_at": time_text(proposal.created_at),
        "title": proposal.title,
        "groups": [_group_row(group) for group in proposal.groups],
        "run": proposal.run,
        "session": proposal.session,
        "untrusted": proposal.untrusted,
        "replaced_by": proposal.replaced_by,
    }


def _group_row(group: Group) -> dict[str, Any]:
    return {
        "id": group.id,
        "title": group.title,
        "changes": len(group.changes),
        "decision": str(group.decision),
        "moved_on": any(change.moved_on for change in group.changes),
        "skills": list(group.skills),
    }


def change_row(change: Change, *, diff: bool) -> dict[str, Any]:
    """One change in full."""
    loss = change.loss
    return {
        "id": change.id,
        "skill": change.skill,
        "action": str(change.action),
        "group": change.group,
        "title": change.title,
        "reason": change.reason,
        "decision": str(change.decision),
        "decision_reason": change.decision_reason,
        "absorbed_into": change.absorbed_into,
        "moved_on": change.moved_on,
        "revision": change.revision,
        "conflicts": [conflict.path for conflict in change.conflicts],
        "has_script": change.has_script,
        "seen": change.seen,
        "findings": [finding_row(finding) for finding in change.findings],
        "mentioned_by": list(change.mentioned_by),
        "mentions": [
            {"skill": item.skill, "file": item.file, "line": item.line, "text": item.text} for item in change.mentions
        ],
        "loss": None
        if loss is None
        else {
            "kept": loss.count(Fate.KEPT),
            "reworded": loss.count(Fate.REWORDED),
            "dropped": loss.count(Fate.DROPPED),
            "kept_share": round(loss.kept_share, 3),
            "alarm": loss.alarm,
            "dropped_units": [item.unit.text for item in loss.units if item.fate is Fate.DROPPED],
            "units": [
                {"unit": number, "kind": str(item.unit.kind), "text": item.unit.text}
                for number, item in enumerate(loss.units)
                if item.fate is Fate.DROPPED
            ],
        },
        "diff": "\n".join(diff_lines(change.files)) if diff else None,
    }


def diff_lines(files: tuple[FileDiff, ...]) -> Iterator[str]:
    """Differences as unified text."""
    for file in files:
        yield f"--- {file.path} ({file.status}{', ' + file.mode if file.mode else ''})"
        if file.binary:
            yield f"binary: {file.old_size} → {file.new_size} bytes"
        for hunk in file.hunks:
            yield f"@@ -{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count} @@"
            yield from (_SIGNS[line.kind] + line.text for line in hunk.lines)
