"""Understanding requests that change no content: pin, unpin, adopt, unadopt, label."""

from collections.abc import Mapping

from app.skills.bench import Bench
from app.skills.policy import Subject
from app.skills.values import Action, Request, Skill, Source, State, Writer
from app.skills.wish import Wish, problem


def wish_pin(bench: Bench, request: Request, _writer: Writer, skill: Skill) -> Wish:
    """Keep a skill from being archived, absorbed or renamed, or no longer."""
    want = request.action is Action.PIN
    if skill.state is State.ARCHIVED:
        return problem(request.action, f"{skill.name} is archived. Restore it first.", skill.id, skill)
    word = "pinned" if want else "not pinned"
    same = f"{skill.name} is {word} already." if skill.pinned is want else ""
    done = f"Pinned {skill.id}. {_what_a_pin_does(skill)}" if want else f"Unpinned {skill.id}."
    return _mark(bench, request, skill, {"pinned": want}, skill.pinned, want, same, done)


def _what_a_pin_does(skill: Skill) -> str:
    kept = "It is not archived, merged, renamed or moved until it is unpinned; its text may still be changed."
    if skill.in_home and not skill.linked:
        return kept
    return "It lies elsewhere, where nothing of Melete changes it; the pin takes effect once it is imported."


def wish_adopt(bench: Bench, request: Request, _writer: Writer, skill: Skill) -> Wish:
    """Let automation change a skill, or no longer."""
    want = request.action is Action.ADOPT
    trouble = ""
    if skill.state is State.ARCHIVED:
        trouble = f"{skill.name} is archived. Restore it first."
    elif skill.source is not Source.LOCAL or skill.linked or not skill.in_home:
        trouble = f"{skill.name} came from elsewhere. Create a skill of another name from it, and adopt that copy."
    if trouble:
        return problem(request.action, trouble, skill.id, skill)
    word = "managed" if want else "not managed"
    same = f"{skill.name} is {word} already." if skill.managed is want else ""
    done = f"Adopted {skill.id}." if want else f"{skill.id} is no longer managed."
    fields = {"created_by": "agent" if want else None} | ({} if want else {"agent_created": None})
    return _mark(bench, request, skill, fields, skill.managed, want, same, done)


def wish_label(bench: Bench, request: Request, _writer: Writer, skill: Skill) -> Wish:
    """The label that follows from use: `to` is "stale" or "active"."""
    if request.to not in {State.ACTIVE.value, State.STALE.value} or skill.state is State.ARCHIVED:
        text = f"{skill.name} cannot be labelled {request.to!r}; live skills are active or stale."
        return problem(request.action, text, skill.id, skill)
    same = f"{skill.name} is {request.to} already." if skill.state.value == request.to else ""
    done = f"{skill.id} is {request.to}."
    return _mark(bench, request, skill, {"state": request.to}, skill.state.value, request.to, same, done)


def _mark(
    bench: Bench,
    request: Request,
    skill: Skill,
    fields: Mapping[str, object],
    before: object,
    after: object,
    same: str,
    done: str,
) -> Wish:
    return Wish(
        request.action,
        skill,
        Subject(skill=skill, draft=bench.place.is_draft),
        skill.id,
        skill.name,
        fields=fields,
        detail={"name": skill.name, "before": before, "after": after},
        nothing=same,
        done=done,
    )
