"""What the exchange commands answer, as JSON values and as lines."""

from collections.abc import Iterator
from typing import Any

from app.cli.rows import finding_row
from app.exchange.values import Agent, Hint, ImportReport, Linked, Look, Offer, Placed, Renewal


def import_row(seen: Look, report: ImportReport) -> dict[str, Any]:
    """An import: the source, what was done, and every skill of the source as it was judged."""
    return {
        "source": seen.location.place,
        "kind": str(seen.location.kind),
        "ref": seen.location.ref,
        "commit": seen.contents.commit,
        "scanners": list(seen.scanners),
        "done": [{"name": one.name, "path": one.path, "choice": str(one.choice)} for one in report.done],
        "skipped": [{"name": name, "why": why} for name, why in report.skipped],
        "refused": [{"name": name, "why": why} for name, why in report.refused],
        "entry": report.entry,
        "skills": [offer_row(offer) for offer in seen.offers],
        "hidden": [{"path": one.path, "skills": one.skills} for one in seen.contents.hidden],
    }


def offer_row(offer: Offer) -> dict[str, Any]:
    """One skill of a source, judged."""
    return {
        "name": offer.name,
        "path": offer.key,
        "target": offer.target,
        "description": offer.description,
        "load": str(offer.load),
        "risk": str(offer.risk),
        "findings": [finding_row(finding) for finding in offer.findings],
        "safety": [hint_row(hint) for hint in offer.hints],
        "clash": str(offer.clash),
        "clash_with": offer.clash_with,
        "clash_text": offer.clash_text,
        "choices": [str(choice) for choice in offer.choices],
        "new_name": offer.new_name,
        "problem": offer.problem,
        "files": offer.file_count,
        "size": offer.size,
        "left_out": [{"path": item.path, "why": item.why} for item in offer.left_out],
    }


def hint_row(hint: Hint) -> dict[str, Any]:
    """One remark of the safety read."""
    return {
        "rule": hint.rule,
        "risk": str(hint.risk),
        "file": hint.file,
        "line": hint.line,
        "message": hint.message,
        "excerpt": hint.excerpt,
    }


def look_lines(seen: Look) -> Iterator[str]:
    """A source that was looked at, for people."""
    for offer in seen.offers:
        yield f"{offer.name}: {offer.load}, {offer.risk}, {offer.file_count} files → {offer.target}"
        if offer.problem:
            yield f"  cannot be imported: {offer.problem}"
        if offer.clash_text:
            yield f"  {offer.clash_text} (--on-clash {', '.join(map(str, offer.choices))})"
        for hint in offer.hints:
            line = f":{hint.line}" if hint.line else ""
            yield f"  {hint.risk} {hint.rule} {hint.file}{line}: {hint.message} {hint.excerpt}".rstrip()
        for item in offer.left_out:
            yield f"  left out: {item.path} ({item.why})"


def renewal_row(renewal: Renewal) -> dict[str, Any]:
    """One imported skill against its source."""
    return {
        "name": renewal.name,
        "path": renewal.path,
        "standing": str(renewal.standing),
        "source": renewal.source,
        "why": renewal.why,
        "conflicts": list(renewal.conflicts),
        "changed": list(renewal.changed),
        "safety": [hint_row(hint) for hint in renewal.hints],
    }


def linked_row(skill: str, linked: Linked) -> dict[str, Any]:
    """One link that was made or taken away."""
    return {
        "name": skill,
        "agent": linked.agent,
        "path": linked.path,
        "mode": str(linked.mode),
        "also_read_by": list(linked.also_read_by),
        "created": linked.created,
    }


def placed_row(placed: Placed) -> dict[str, Any]:
    """One link or copy as it stands."""
    return {
        "agent": placed.agent,
        "name": placed.name,
        "path": str(placed.path),
        "mode": str(placed.mode),
        "state": str(placed.state),
        "target": placed.target,
        "skill": placed.skill,
    }


def agent_row(agent: Agent) -> dict[str, Any]:
    """One agent of the table."""
    return {
        "id": agent.id,
        "name": agent.name,
        "folder": str(agent.folder),
        "present": agent.present,
        "reads": [str(folder) for folder in agent.reads],
    }
