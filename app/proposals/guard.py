"""The live library with an approval's bases in mind: a plan made from anything else is not carried out.

The approval has compared every folder with the base the user saw; another program may still write in the moment until
the door reads the folder. The door's plan says what it read, so the comparison is made again on the plan itself.
"""

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager

from app.errors import AppError, Kind
from app.history.trees import hash_files
from app.history.values import Snapshot
from app.paths import Home
from app.skills.place import Place
from app.skills.plan import Plan, WriteFile, mark
from app.skills.values import Library

_SKILLS = "skills/"


class GuardedPlace:
    """A place that carries out only plans made from the given bases (folder's content by skill id)."""

    def __init__(self, place: Place, bases: Mapping[str, Snapshot]) -> None:
        self._place = place
        self._bases = bases

    @property
    def home(self) -> Home:
        """As the place underneath."""
        return self._place.home

    @property
    def is_draft(self) -> bool:
        """As the place underneath."""
        return self._place.is_draft

    @property
    def min_age_days(self) -> float:
        """As the place underneath."""
        return self._place.min_age_days

    @property
    def file_limit(self) -> int:
        """As the place underneath."""
        return self._place.file_limit

    def hold(self, purpose: str) -> AbstractContextManager[None]:
        """As the place underneath."""
        return self._place.hold(purpose)

    def observe(self, ids: Collection[str]) -> None:
        """As the place underneath."""
        self._place.observe(ids)

    def library(self) -> Library:
        """As the place underneath."""
        return self._place.library()

    def came_from(self, archived_id: str) -> str | None:
        """As the place underneath."""
        return self._place.came_from(archived_id)

    def commit(self, plan: Plan) -> str | None:
        """Carry the plan out, unless it was made from other content than the bases.

        Raises AppError(BUSY) with nothing written when it was, and what the place raises.
        """
        for skill_id in _changed_since(plan, self._bases):
            text = f"{skill_id} is being changed by another program. Nothing was written; look at it again."
            raise AppError(Kind.BUSY, "Changed in this moment", text)
        return self._place.commit(plan)


def _changed_since(plan: Plan, bases: Mapping[str, Snapshot]) -> list[str]:
    found = []
    for step in plan.steps:
        skill_id = step.folder.removeprefix(_SKILLS) if isinstance(step, WriteFile) else ""
        if isinstance(step, WriteFile) and skill_id in bases and step.before != mark(bases[skill_id].get(step.path)):
            found.append(skill_id)
    for old, new in plan.record.detail.get("moves", ()):
        moved = plan.changes.get(_SKILLS + new)
        if old in bases and moved is not None and hash_files(moved) != hash_files(bases[old]):
            found.append(old)
    return found
