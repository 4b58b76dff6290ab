"""Who may do what to which skill: one table, asked before every write. The first row that fits decides.

Pure: everything a row needs is in the request, the writer and the subject. The columns are the user (an import and an
approved proposal are the user's acts too), the chat, the review fork, and the curator, which works in a draft.
"""

from collections.abc import Callable
from dataclasses import dataclass

from app.history.values import Origin
from app.skills.values import Action, Request, Skill, Source, State, Verdict, Writer

USER_ONLY = frozenset({Action.PIN, Action.UNPIN, Action.ADOPT, Action.UNADOPT, Action.RESTORE, Action.PURGE})
CONTENT = frozenset({Action.CREATE, Action.PATCH, Action.EDIT, Action.WRITE_FILE, Action.REMOVE_FILE, Action.PUT})
_KEPT_BY_A_PIN = frozenset({Action.ARCHIVE, Action.RENAME, Action.MOVE, Action.REMOVE_FILE})
_EDITS = CONTENT - {Action.CREATE}


@dataclass(frozen=True, slots=True)
class Subject:
    """What the policy has to know about the skill and the result.

    `problem` is the sentence of the first row (result invalid, name taken, path unsafe), `script` whether an
    executable file changes, `unread` the file a fork has not read, `age_days` None when nobody knows the age,
    `leads_to` where an archived skill's forward ends, `renames` whether the edit changes the skill's name, `hides` the
    name of a character nobody sees that the change brings in.
    """

    skill: Skill | None = None
    problem: str = ""
    script: bool = False
    unread: str = ""
    age_days: float | None = None
    min_age_days: float = 14.0
    draft: bool = False
    leads_to: str = ""
    renames: bool = False
    hides: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The policy's answer: the verdict, and the sentence for whoever asked (empty when there is nothing to say)."""

    verdict: Verdict
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Case:
    request: Request
    writer: Writer
    subject: Subject

    @property
    def column(self) -> Origin:
        mine = self.writer.approved or self.writer.origin in {Origin.USER, Origin.IMPORT}
        return Origin.USER if mine else self.writer.origin

    @property
    def user(self) -> bool:
        return self.column is Origin.USER

    @property
    def name(self) -> str:
        skill = self.subject.skill
        return skill.name if skill is not None else self.request.skill


def decide(request: Request, writer: Writer, subject: Subject) -> Ruling:
    """Ask the table."""
    case = _Case(request, writer, subject)
    for row in _ROWS:
        ruling = row(case)
        if ruling is not None:
            return ruling
    return _ordinary(case)


def _invalid(case: _Case) -> Ruling | None:
    return _refuse(case.subject.problem) if case.subject.problem else None


def _nobody(case: _Case) -> Ruling | None:
    if case.column is Origin.OUTSIDE:
        return _refuse("Changes of other programs are recorded, they are not asked for here.")
    return None


def _users_alone(case: _Case) -> Ruling | None:
    action = case.request.action
    if action not in USER_ONLY:
        return None
    return _ALLOW if case.user else _refuse(f"Only the user may {_spoken(action)} a skill.")


def _labels(case: _Case) -> Ruling | None:
    if case.request.action is not Action.LABEL:
        return None
    if case.writer.origin is Origin.CURATOR or case.user:
        return _ALLOW
    return _refuse("The labels active and stale follow from use; only the curator sets them.")


def _elsewhere(case: _Case) -> Ruling | None:
    skill = case.subject.skill
    if skill is None or (skill.in_home and not skill.linked):
        return None
    if not case.user:
        return _refuse(f"{skill.name} lies outside the library, in {skill.real or skill.root}. It can only be read.")
    if not skill.in_home:
        return _refuse(f"{skill.name} lies in the read-only folder {skill.root}. Import it into the library first.")
    if case.request.action in _EDITS:
        return _ALLOW
    return _refuse(f"{skill.name} is a link to {skill.real}. Its files can be edited; remove or move the link itself.")


def _shipped(case: _Case) -> Ruling | None:
    skill = case.subject.skill
    if skill is None or skill.source is Source.LOCAL or case.user:
        return None
    came = "ships with Melete" if skill.source is Source.BUNDLED else "was installed from a hub"
    return _refuse(f"{skill.name} {came} and is not changed. Adopt a copy: create a skill of another name from it.")


def _archived(case: _Case) -> Ruling | None:
    skill = case.subject.skill
    if skill is None or skill.state is not State.ARCHIVED:
        return None
    if case.user:
        return _refuse(f"{skill.name} is archived. Restore it first.")
    if case.subject.leads_to:
        return _refuse(f"{skill.name} is archived; its content is in {case.subject.leads_to}. Change that skill.")
    return _refuse(f"{skill.name} is archived. Only the user can restore it.")


def _pinned(case: _Case) -> Ruling | None:
    skill = case.subject.skill
    if skill is None or not skill.pinned:
        return None
    if case.request.action in _KEPT_BY_A_PIN or case.subject.renames:
        what = "its name" if case.subject.renames else "it"
        return _refuse(f"{skill.name} is pinned, which keeps {what} as it is. The user has to unpin it first.")
    return None


def _own_renames(case: _Case) -> Ruling | None:
    if case.user or not (case.subject.renames or case.request.action in {Action.RENAME, Action.MOVE}):
        return None
    return _refuse(f"Only the user renames or moves a skill. Keep the name {case.name}.")


def _unread(case: _Case) -> Ruling | None:
    if not case.subject.unread or case.user:
        return None
    return _refuse(f"{case.subject.unread} has not been read in this run. View it first, then change it.")


def _not_in_a_draft(case: _Case) -> Ruling | None:
    if case.column is Origin.CURATOR and not case.subject.draft:
        return _refuse("The curator changes nothing in the live library; it works in a draft.")
    return None


def _scripts(case: _Case) -> Ruling | None:
    if not case.subject.script or case.user:
        return None
    if case.column is Origin.CURATOR:
        return _ALLOW
    return _propose("A script is changed, so the user decides.")


def _hidden(case: _Case) -> Ruling | None:
    if not case.subject.hides or case.user or case.column is Origin.CURATOR:
        return None
    return _propose(f"The text holds a character that cannot be seen ({case.subject.hides}), so the user decides.")


def _untrusted(case: _Case) -> Ruling | None:
    # For the chat the mark alone is added (the door writes it into the record): it never loosens a later row.
    if case.writer.untrusted and case.column is Origin.REVIEW:
        return _propose("Text from elsewhere was part of this conversation, so the user decides.")
    return None


def _undeclared(case: _Case) -> Ruling | None:
    if case.user or case.request.action is not Action.ARCHIVE or case.request.absorbed_into is not None:
        return None
    text = "Say where its content went: absorbed_into names a live skill, an empty text says that nothing is kept."
    return _refuse(text)


def _young(case: _Case) -> Ruling | None:
    age, least = case.subject.age_days, case.subject.min_age_days
    if case.user or case.request.action is not Action.ARCHIVE or age is None or age >= least:
        return None
    text = f"{case.name} is {age:.0f} days old; under {least:g} days (min_age_days) a skill is not archived or absorbed"
    if case.column is Origin.CHAT:
        return _propose(f"{text} without the user.")
    return _refuse(f"{text}.")


def _ordinary(case: _Case) -> Ruling:
    """The last four rows: local skills, managed or not."""
    managed = case.subject.skill is None or case.subject.skill.managed
    if case.user:
        return _ALLOW
    if case.request.action is Action.ARCHIVE:
        return _archive(case, managed)
    if case.request.action not in CONTENT:
        return _refuse(f"Only the user may {_spoken(case.request.action)} a skill.")
    if case.column is Origin.CHAT or (managed and case.column is Origin.CURATOR):
        return _ALLOW
    if case.column is Origin.CURATOR:
        return _refuse(f"{case.name} is not managed and no candidate. The user can adopt it.")
    if not managed:
        return _propose(f"{case.name} is not managed, so the user decides.")
    return _propose("Changes of the review wait for approval.") if case.writer.hold else _ALLOW


def _archive(case: _Case, managed: bool) -> Ruling:
    if case.column is Origin.CHAT:
        return _propose("Archiving waits for the user.")
    if not managed:
        return _refuse(f"{case.name} is not managed. Only the user archives it, or adopts it first.")
    return _ALLOW if case.column is Origin.CURATOR else _propose("Archiving waits for the user.")


def _refuse(why: str) -> Ruling:
    return Ruling(Verdict.REFUSE, why)


def _propose(why: str) -> Ruling:
    return Ruling(Verdict.PROPOSE, why)


def _spoken(action: Action) -> str:
    return "withdraw the adoption of" if action is Action.UNADOPT else action.value.replace("_", " ")


_ALLOW = Ruling(Verdict.ALLOW)
_ROWS: tuple[Callable[[_Case], Ruling | None], ...] = (
    _invalid,
    _nobody,
    _users_alone,
    _labels,
    _elsewhere,
    _shipped,
    _archived,
    _pinned,
    _own_renames,
    _unread,
    _not_in_a_draft,
    _scripts,
    _undeclared,
    _hidden,
    _untrusted,
    _young,
)
