"""What one request would do, worked out before anybody allowed it: the policy judges it, the bench carries it out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.history.values import Snapshot
from app.skills.policy import Subject
from app.skills.values import Action, Finding, Forward, Skill


@dataclass(frozen=True, slots=True)
class Wish:
    """One request, understood.

    `id` and `name` are the skill's after the action. `files` is its whole content after the action (None: unchanged),
    `before` the content now (None: not there). `to` is the new id of a move, `fields` what the usage record gets,
    `forward` the forward that is added, `purge` None or whether to delete for good. `detail` is what an undo needs.
    `nothing` says why there is nothing to do.
    """

    action: Action
    skill: Skill | None
    subject: Subject
    id: str
    name: str
    before: Snapshot | None = None
    files: Snapshot | None = None
    to: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    counts: bool = False
    forward: Forward | None = None
    purge: bool | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)
    nothing: str = ""
    done: str = ""
    old_preview: str = ""
    new_preview: str = ""
    findings: tuple[Finding, ...] = ()


def problem(action: Action, text: str, name: str, skill: Skill | None = None, subject: Subject | None = None) -> Wish:
    """A wish that the first row of the policy refuses with this sentence."""
    base = subject or Subject(skill=skill)
    judged = Subject(skill=base.skill, problem=text, draft=base.draft)
    return Wish(action, skill, judged, skill.id if skill else name, skill.name if skill else name)
