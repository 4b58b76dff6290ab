"""A light Proposal as bytes and back: the `proposal.json` of its ref.

One ASCII JSON document with a format number. What can be worked out again (differences, loss, mentions) is not in it;
what was decided, and why, is.
"""

import json
from collections.abc import Mapping
from typing import Any

from app.clock import format_time, parse_time, read_time
from app.errors import AppError, Kind
from app.history.values import Conflict, Origin
from app.memory.values import Target
from app.proposals.decisions import with_changes
from app.proposals.values import Change, Decision, Group, MemoryAction, MemoryStep, Proposal, ProposalState, Step
from app.skills.values import Action

#: Grows when an older program could not read what a newer one writes.
FORMAT = 1


def encode(proposal: Proposal) -> bytes:
    """The bytes of a proposal's light form; the same proposal always gives the same bytes."""
    document = {
        "format": FORMAT,
        "id": proposal.id,
        "origin": proposal.origin.value,
        "created_at": format_time(proposal.created_at),
        "title": proposal.title,
        "reason": proposal.reason,
        "base": proposal.base,
        "run": proposal.run,
        "session": proposal.session,
        "turn": proposal.turn,
        "untrusted": proposal.untrusted,
        "replaced_by": proposal.replaced_by,
        "waiting_since": format_time(proposal.waiting_since) if proposal.waiting_since else None,
        "groups": [{"id": group.id, "title": group.title} for group in proposal.groups],
        "changes": [_change(change) for group in proposal.groups for change in group.changes],
    }
    return json.dumps(document, ensure_ascii=True, indent=1).encode("ascii") + b"\n"


def decode(data: bytes) -> Proposal:
    """Read a proposal back. Raises AppError(CORRUPT) for damaged bytes and for a newer format."""
    try:
        document = json.loads(data)
        if document["format"] > FORMAT:
            text = "This proposal was written by a newer Melete. Update the program to decide it."
            raise AppError(Kind.CORRUPT, "Proposal from a newer version", text)
        return _proposal(document)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        text = (
            "A stored proposal cannot be read. The library is untouched; let the curator or the review propose again."
        )
        raise AppError(Kind.CORRUPT, "Damaged proposal", text, detail=repr(error)) from error


def _change(change: Change) -> dict[str, Any]:
    return {
        "id": change.id,
        "skill": change.skill,
        "name": change.name,
        "action": change.action.value,
        "group": change.group,
        "title": change.title,
        "reason": change.reason,
        "base": change.base,
        "result": change.result,
        "absorbed_into": change.absorbed_into,
        "into": change.into,
        "decision": change.decision.value,
        "decision_reason": change.decision_reason,
        "decided_at": format_time(change.decided_at) if change.decided_at else None,
        "revision": change.revision,
        "conflicts": [conflict.path for conflict in change.conflicts],
        "ancestor": change.ancestor,
        "theirs": change.theirs,
        "has_script": change.has_script,
        "steps": [_step(step) for step in change.steps],
        "memory": memory_fields(change.memory) if change.memory else None,
        "displayed": change.displayed,
    }


def memory_fields(step: MemoryStep) -> dict[str, str]:
    """A memory wish as plain fields, in a fixed order: what is stored, and what its hash is taken of."""
    return {
        "action": step.action.value,
        "target": step.target.value,
        "text": step.text,
        "old_text": step.old_text,
        "span": step.span,
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "action": step.action.value,
        "skill": step.skill,
        "file": step.file,
        "reason": step.reason,
        "absorbed_into": step.absorbed_into,
    }


def _proposal(document: Mapping[str, Any]) -> Proposal:
    changes = tuple(_read_change(item) for item in document["changes"])
    groups = tuple(
        Group(item["id"], item["title"], tuple(change for change in changes if change.group == item["id"]))
        for item in document["groups"]
    )
    bare = Proposal(
        id=document["id"],
        origin=Origin(document["origin"]),
        state=ProposalState.PENDING,
        created_at=parse_time(document["created_at"]),
        title=document["title"],
        reason=document["reason"],
        groups=groups,
        base=document["base"],
        run=document["run"],
        session=document["session"],
        turn=document["turn"],
        untrusted=document["untrusted"],
        replaced_by=document["replaced_by"],
        waiting_since=read_time(document["waiting_since"]),
    )
    return with_changes(bare, {})


def _read_change(item: Mapping[str, Any]) -> Change:
    return Change(
        id=item["id"],
        skill=item["skill"],
        action=Action(item["action"]),
        group=item["group"],
        title=item["title"],
        reason=item["reason"],
        base=item["base"],
        result=item["result"],
        files=(),
        absorbed_into=item["absorbed_into"],
        decision=Decision(item["decision"]),
        decision_reason=item["decision_reason"],
        revision=item["revision"],
        conflicts=tuple(Conflict(path, None, None, None) for path in item["conflicts"]),
        has_script=item["has_script"],
        name=item["name"],
        into=item["into"],
        steps=tuple(_read_step(step) for step in item["steps"]),
        ancestor=item["ancestor"],
        theirs=item["theirs"],
        decided_at=read_time(item["decided_at"]),
        memory=None if item["memory"] is None else _read_memory(item["memory"]),
        displayed=item["displayed"],
    )


def _read_step(item: Mapping[str, Any]) -> Step:
    return Step(Action(item["action"]), item["skill"], item["file"], item["reason"], item["absorbed_into"])


def _read_memory(item: Mapping[str, Any]) -> MemoryStep:
    action, target = MemoryAction(item["action"]), Target(item["target"])
    return MemoryStep(action, target, item["text"], item["old_text"], item["span"])
