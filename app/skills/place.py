"""Where the door writes: the live library of a home, or a fork's draft. The rest of the door is the same for both."""

from collections.abc import Collection
from contextlib import AbstractContextManager
from typing import Protocol

from app.paths import Home
from app.skills.plan import Plan
from app.skills.values import Library


class Place(Protocol):
    """What the door needs of the place it writes to. One object per thread.

    A draft is a home of its own (a folder with `skills/` and copies of the sidecars), so `home` works alike for both.
    """

    @property
    def home(self) -> Home:
        """The root whose `skills` folder is written."""

    @property
    def is_draft(self) -> bool:
        """Whether this is a fork's private copy: the only place where the curator may act."""

    @property
    def min_age_days(self) -> float:
        """Younger skills are neither archived nor absorbed by a model."""

    @property
    def file_limit(self) -> int:
        """Files over this many bytes are not recorded."""

    def hold(self, purpose: str) -> AbstractContextManager[None]:
        """Keep other writers out while the block runs. Raises AppError(BUSY) when that is not possible in time."""

    def observe(self, ids: Collection[str]) -> None:
        """Record what other programs changed in these skills before the door changes them; a draft has no others."""

    def library(self) -> Library:
        """The skills as they stand now."""

    def came_from(self, archived_id: str) -> str | None:
        """The id an archived skill had before it was archived, None when nobody knows."""

    def commit(self, plan: Plan) -> str | None:
        """Carry a plan out, all or nothing; returns the ledger's entry id (None in a draft).

        Raises AppError when a folder changed since the plan was made, or the disk refuses.
        """
