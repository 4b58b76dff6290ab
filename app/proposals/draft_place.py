"""The door's place inside a draft: plans are carried out at once and remembered, nobody else writes there."""

import contextlib
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path

from app.clock import Clock, read_time
from app.errors import AppError, Kind
from app.paths import Home
from app.proposals.values import Step
from app.settings import LibrarySettings
from app.skills.carry import carry_out, place_of, write_sidecars
from app.skills.names import folded
from app.skills.plan import MoveFolder, Plan, RemoveFolder
from app.skills.resolve import live_by_name, resolve
from app.skills.scan import replanted, rescan
from app.skills.values import Action, Forward, Library, Skill, State

_SKILLS = "skills/"
_ARCHIVE = "skills/.archive/"


@dataclass(slots=True)
class Touched:
    """One skill the fork changed: its actions so far, and where its content went when it was archived."""

    steps: list[Step]
    absorbed_into: str | None = None
    into: str | None = None


class DraftPlace:
    """The door's place inside a draft: no other writers, no ledger, plans carried out at once and remembered.

    The rows are those of the live library; a skill's folder is written out (by `write_out`, given the id) when it is
    first read or changed, so that a draft of thousands of skills costs what is used of it.
    """

    def __init__(
        self,
        home: Home,
        settings: LibrarySettings,
        min_age_days: float,
        file_limit: int,
        clock: Clock,
        live: Library,
        base: Collection[str],
        write_out: Callable[[str], None],
    ) -> None:
        self._home = home
        self._settings = settings
        self._min_age_days = min_age_days
        self._file_limit = file_limit
        self._clock = clock
        self._write_out = write_out
        self._library = replanted(live, home, settings, clock, base)
        known = {skill.id for skill in self._library.skills if skill.in_home}
        self._asleep = {skill_id for skill_id in base if skill_id in known}
        self._unlooked: set[Path] = set()
        self.touched: dict[str, Touched] = {}
        linked = [skill.id for skill in live.skills if skill.in_home and skill.linked]
        self._look_at([skill_id for skill_id in base if skill_id not in known], linked)

    @property
    def home(self) -> Home:
        """The draft's own root."""
        return self._home

    @property
    def is_draft(self) -> bool:
        """Always."""
        return True

    @property
    def min_age_days(self) -> float:
        """As in the live library."""
        return self._min_age_days

    @property
    def file_limit(self) -> int:
        """As in the live library."""
        return self._file_limit

    def hold(self, purpose: str) -> contextlib.AbstractContextManager[None]:  # noqa: ARG002 - nobody is to be told
        """Nobody else writes here."""
        return contextlib.nullcontext()

    def observe(self, ids: Collection[str]) -> None:
        """No other program changes a draft; what is about to be changed is written out."""
        for given in ids:
            found = resolve(self._library, given) if self._library.get(given) is None else None
            self._wake(found.skill.id if found else given)

    def fetch(self, skill: Skill) -> None:
        """Write a skill's folder out, because it is about to be read."""
        if skill.in_home:
            self._wake(skill.id)

    def _wake(self, skill_id: str) -> None:
        if skill_id in self._asleep:
            self._write_out(skill_id)
            self._asleep.discard(skill_id)

    def _look_at(self, unknown: Collection[str], linked: Collection[str]) -> None:
        """What the base holds and the live library does not list as it is, and linked skills, are looked at. Only their
        own folders are: what sleeps beside them is not on the disk and would be taken for gone.
        """
        for skill_id in unknown:
            self._write_out(skill_id)
        if unknown or linked:
            self.changed([self._home.skills / skill_id for skill_id in (*unknown, *linked)])

    def library(self) -> Library:
        """The skills of the draft as they stand now."""
        return self._library

    def changed(self, folders: Collection[Path]) -> Library:
        """The library after a look at only these folders, and at those that were not looked at since they changed."""
        self._unlooked |= set(folders)
        self._library = rescan(self._library, self._home, self._settings, self._clock, self._unlooked, only=True)
        self._unlooked = set()
        return self._library

    def came_from(self, archived_id: str) -> str | None:  # noqa: ARG002
        """Unknown: a fork restores nothing."""
        return None

    def commit(self, plan: Plan) -> str | None:
        """Carry a plan out in the draft and remember it.

        Raises AppError(REFUSED) for a plan that leads out of the draft or deletes, and what app.files raises.
        """
        before = self._library
        folders = self._folders(plan)
        for step in plan.steps:
            carry_out(self._home, step, durable=False)
        write_sidecars(self._home, plan.usage, plan.forwards, durable=False)
        self._remember(plan, before)
        self._unlooked |= folders
        moved = self._archived(plan)
        if moved is None:
            self.changed(())
        else:
            self._library = moved
        return None

    def _archived(self, plan: Plan) -> Library | None:
        """The library after a plan that only archives, worked out without a look: a run does little else, thousands of
        times. None when a look is needed, because the plan does more or the skill hid another one.
        """
        rows = {skill.id: skill for skill in self._library.skills if skill.in_home}
        for step in plan.steps:
            source = step.source.removeprefix(_SKILLS) if isinstance(step, MoveFolder) else ""
            if not isinstance(step, MoveFolder) or not step.target.startswith(_ARCHIVE) or source not in rows:
                return None
            if any(skill.shadowed_by == source for skill in self._library.skills):
                return None
            forward = next((f for f in _forwards(plan) if folded(f.name) == folded(rows[source].name)), None)
            rows[source] = replace(
                rows[source],
                id=step.target.removeprefix(_SKILLS),
                category="",
                folder=place_of(self._home, step.target),
                state=State.ARCHIVED,
                absorbed_into=forward.into if forward else None,
            )
        skills = tuple(rows.get(skill.id, skill) if skill.in_home else skill for skill in self._library.skills)
        forwards = {**self._library.forwards, **{forward.name: forward for forward in _forwards(plan)}}
        return replace(self._library, skills=skills, forwards=forwards)

    def _folders(self, plan: Plan) -> set[Path]:
        """The folders a plan changes. The door refuses a fork all others; this holds even if it did not."""
        names: set[str] = set()
        for step in plan.steps:
            if isinstance(step, RemoveFolder):
                text = "Only the user deletes a skill, and not in a draft."
                raise AppError(Kind.REFUSED, "Not in a draft", text)
            names |= {step.source, step.target} if isinstance(step, MoveFolder) else {step.folder}
        folders = {place_of(self._home, name) for name in names}
        outside = [folder for folder in folders if not folder.is_relative_to(self._home.root)]
        if outside:
            text = f"{outside[0]} lies outside the draft and is not changed."
            raise AppError(Kind.REFUSED, "Outside the draft", text)
        return folders

    def _remember(self, plan: Plan, library: Library) -> None:
        """Note each skill the plan changes, under the id it had in the base."""
        ids = [prefix.removeprefix(_SKILLS) for prefix in plan.changes if not prefix.startswith(_ARCHIVE)]
        for skill_id in ids:
            touched = self.touched.setdefault(skill_id, Touched([]))
            for request in plan.requests:
                into = live_by_name(library, request.absorbed_into) if request.absorbed_into else None
                name = into.name if into else request.absorbed_into
                touched.steps.append(Step(request.action, skill_id, request.file, request.reason, name))
                if request.action is Action.ARCHIVE:
                    touched.absorbed_into, touched.into = name or "", into.id if into else None


def _forwards(plan: Plan) -> list[Forward]:
    """The forwards a plan adds."""
    return [
        Forward(name, row["into"], row["hash"], row["run"], read_time(row["at"]), row["reason"])
        for name, row in plan.forwards.items()
    ]
