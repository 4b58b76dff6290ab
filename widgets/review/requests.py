"""What the review page asks for: its signals, and the requests that are only about the shown row."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from widgets.review.words import Row


class ReviewRequests(QWidget):
    """Signals: details_requested(proposal); approve_requested(proposal, change ids, {change id: hash seen}, {change
    id: chosen hunks by file}); narrow_requested(proposal, change, hunks); reject_requested(proposal, change ids,
    reason); revise_requested(proposal, group, note); revise_cancelled(); reopen_requested(proposal, change ids);
    edit_saved(proposal, change, text); check_requested(proposal, change, text); keep_requested(proposal, change,
    units); settle_requested(proposal, change, take, texts); undo_requested(entry ids, newest first);
    report_requested(run); turn_requested(session, turn); skill_selected(id); count_changed(waiting groups);
    refresh_requested().
    """

    details_requested = Signal(str)
    approve_requested = Signal(str, object, object, object)
    narrow_requested = Signal(str, str, object)
    reject_requested = Signal(str, object, str)
    revise_requested = Signal(str, str, str)
    revise_cancelled = Signal()
    reopen_requested = Signal(str, object)
    edit_saved = Signal(str, str, str)
    check_requested = Signal(str, str, str)
    keep_requested = Signal(str, str, object)
    settle_requested = Signal(str, str, str, object)
    undo_requested = Signal(object)
    report_requested = Signal(str)
    turn_requested = Signal(str, str)
    skill_selected = Signal(str)
    count_changed = Signal(int)
    refresh_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: Row | None = None

    def _revise(self, note: str) -> None:
        if self._row is not None:
            self.revise_requested.emit(self._row.proposal.id, self._row.group.id, note)

    def _reopen(self) -> None:
        if self._row is not None:
            ids = tuple(change.id for change in self._row.group.changes)
            self.reopen_requested.emit(self._row.proposal.id, ids)

    def _save_edit(self, change: str, text: str) -> None:
        if self._row is not None:
            self.edit_saved.emit(self._row.proposal.id, change, text)

    def _ask_part(self, change: str, hunks: Mapping[str, object]) -> None:
        if self._row is not None:
            self.narrow_requested.emit(self._row.proposal.id, change, dict(hunks))

    def _ask_check(self, change: str, text: str) -> None:
        if self._row is not None:
            self.check_requested.emit(self._row.proposal.id, change, text)

    def _ask_keep(self, change: str, units: tuple[int, ...]) -> None:
        if self._row is not None:
            self.keep_requested.emit(self._row.proposal.id, change, units)

    def _ask_settle(self, change: str, take: str, texts: Mapping[str, str]) -> None:
        if self._row is not None:
            self.settle_requested.emit(self._row.proposal.id, change, take, dict(texts))
