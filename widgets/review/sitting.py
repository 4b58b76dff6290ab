"""What was decided since the page was last empty, for the summary and its one undo."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.proposals.values import Outcome
from widgets.review.words import Row

#: Decisions named in the summary; the others are counted.
_NAMED = 6


class Sitting:
    """Gathers outcomes."""

    def __init__(self) -> None:
        self._outcomes: list[Outcome] = []
        self._titles: list[str] = []

    def add(self, outcome: Outcome, rows: Sequence[Row] = ()) -> None:
        """One more decision; `rows` are those of the inbox it was made in."""
        self._outcomes.append(outcome)
        for item in rows:
            mine = item.proposal.id == outcome.proposal
            if mine and any(change.id in outcome.applied for change in item.group.changes):
                self._titles.append(item.group.title)

    @property
    def decided(self) -> bool:
        """Whether anything was decided."""
        return bool(self._outcomes)

    @property
    def entries(self) -> tuple[str, ...]:
        """The ledger entries, newest first, as an undo of the lot needs them."""
        return tuple(entry for outcome in reversed(self._outcomes) for entry in reversed(outcome.entries))

    def words(self) -> str:
        """What happened, in a sentence or two, and what was applied by name."""
        applied = sum(len(outcome.applied) for outcome in self._outcomes)
        refused = [why for outcome in self._outcomes for _skill, why in outcome.refused]
        rejected = sum(not outcome.applied and not outcome.refused for outcome in self._outcomes)
        translate = QCoreApplication.translate
        parts = [
            translate("Review", "{n} applied").format(n=applied) if applied else "",
            translate("Review", "{n} rejected").format(n=rejected) if rejected else "",
            translate("Review", "{n} refused: {why}").format(n=len(refused), why=refused[0]) if refused else "",
        ]
        lines = [", ".join(part for part in parts if part) + ".", *self._titles[:_NAMED]]
        rest = len(self._titles) - _NAMED
        if rest > 0:
            lines.append(translate("Review", "and {n} more").format(n=rest))
        return "\n".join(lines)
