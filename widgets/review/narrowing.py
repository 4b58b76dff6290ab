"""Parts of changes that were taken out, and what the rest of each change would write."""

from collections.abc import Mapping
from dataclasses import replace

from app.proposals.values import Change, Group

#: Chosen hunk ids by file.
Hunks = Mapping[str, frozenset[str]]


class Narrowing:
    """Knows, for each change of the shown proposal, which parts are chosen, and its result once it was worked out."""

    def __init__(self) -> None:
        self._hunks: dict[str, Hunks] = {}
        self._results: dict[str, Change] = {}
        self._of: dict[str, str] = {}

    def clear(self) -> None:
        """All changes are whole again."""
        self._hunks.clear()
        self._results.clear()
        self._of.clear()

    def choose(self, change: Change, hunks: Hunks | None) -> None:
        """Remember the chosen parts of a change; None for all of it."""
        self._results.pop(change.id, None)
        self._hunks.pop(change.id, None)
        if hunks is not None:
            self._hunks[change.id] = dict(hunks)
            self._of[change.id] = change.seen

    def take(self, narrowed: Change) -> bool:
        """Take the answer for the parts chosen last; False when the choice is whole again."""
        if narrowed.id not in self._hunks:
            return False
        self._results[narrowed.id] = narrowed
        return True

    def hunks(self, change: Change) -> Hunks | None:
        """The chosen parts of a change, None for all of it. A new revision of the change is whole again."""
        return self._hunks.get(change.id) if self._of.get(change.id) == change.seen else None

    def effective(self, change: Change) -> Change:
        """The change as it would be written: narrowed where parts were taken out and the result is known."""
        known = self._results.get(change.id)
        return change if self.hunks(change) is None or known is None else known

    def pending(self, change: Change) -> bool:
        """Whether parts were taken out and nobody knows the result yet."""
        return self.hunks(change) is not None and change.id not in self._results

    def empty(self, change: Change) -> bool:
        """Whether every part was taken out."""
        hunks = self.hunks(change)
        return hunks is not None and not any(hunks.values())

    def group(self, group: Group) -> Group:
        """The group with every change as it would be written."""
        return replace(group, changes=tuple(self.effective(change) for change in group.changes))
