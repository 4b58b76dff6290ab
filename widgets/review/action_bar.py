"""The bar at the foot of the review page: always the same four actions at the same place, and the reason field."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from widgets.common.parts import bar, button, column, label, row
from widgets.common.theme import Theme
from widgets.review.readiness import Readiness


class ActionBar(QWidget):
    """Signals: approved(), edited(), rejected(reason), later(), reopened()."""

    approved = Signal()
    edited = Signal()
    rejected = Signal(str)
    later = Signal()
    reopened = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.approve = button(theme, self.tr("Approve"), "primary", "check", self.tr("Approve (A)"))
        self.edit = button(theme, self.tr("Edit"), "", "edit", self.tr("Edit, then approve (E)"))
        self.reject = button(theme, self.tr("Reject…"), "", "close", self.tr("Reject (R)"))
        self._later = button(theme, self.tr("Later"), "quiet", "", self.tr("Leave it waiting and go on (J)"))
        self._reopen = button(theme, self.tr("Reopen"), "", "undo", self.tr("Put it back into the inbox"))
        self._place = label(role="caption")
        self._hint = label(role="caption", wrap=True)
        self._told = label(role="warn", wrap=True)
        self._told.hide()
        self._reason = QLineEdit()
        self._reason.setPlaceholderText(self.tr("Why not? Optional, kept with the decision"))
        self._reason.setAccessibleName(self.tr("Reason"))
        self._really = button(theme, self.tr("Reject"), "danger")
        self._cancel = button(theme, self.tr("Cancel"), "quiet")
        self._ask = QWidget()
        self._ask.setLayout(row(self._reason, self._really, self._cancel))
        self._ask.hide()
        self._main = QWidget()
        self._main.setLayout(row(self.approve, self.edit, self.reject, self._later, self._reopen, None, spacing=6))
        told = row(self._hint, self._place)
        told.setStretch(0, 1)
        inside = column(self._told, told, self._main, self._ask, margins=(16, 6, 12, 8), spacing=4)
        self.setLayout(column(bar(inside, "surface", "top"), spacing=0))
        self.approve.clicked.connect(self.approved)
        self.edit.clicked.connect(self.edited)
        self.reject.clicked.connect(self.ask_reason)
        self._later.clicked.connect(self.later)
        self._reopen.clicked.connect(self.reopened)
        self._really.clicked.connect(self._tell_rejected)
        self._reason.returnPressed.connect(self._tell_rejected)
        self._cancel.clicked.connect(self.close_reason)

    def set_place(self, number: int, count: int) -> None:
        """Show which of how many this is."""
        self._place.setText(self.tr("{number} of {count}").format(number=number, count=count) if count else "")

    def set_state(self, state: Readiness) -> None:
        """Enable what can be done now, and say why approving cannot be done yet."""
        for part in (self.approve, self.edit, self.reject, self._later):
            part.setVisible(state.waiting)
        self._reopen.setVisible(state.may_reopen)
        self.approve.setEnabled(state.may_approve)
        self.edit.setEnabled(state.may_edit)
        self._hint.setText(state.hint)
        if not state.waiting:
            self.close_reason()

    def tell(self, text: str) -> None:
        """Say what came of the last decision when it was not carried out; an empty text takes it back."""
        self._told.setText(text)
        self._told.setVisible(bool(text))

    def set_busy(self, busy: bool) -> None:
        """Nothing can be pressed while a decision is being carried out."""
        self.setEnabled(not busy)

    def ask_reason(self) -> None:
        """Ask for the reason of a rejection, in place."""
        self._main.hide()
        self._ask.show()
        self._reason.setFocus()

    def close_reason(self) -> None:
        """Back to the four actions."""
        self._ask.hide()
        self._main.show()
        self._reason.clear()

    @property
    def asking(self) -> bool:
        """Whether the reason is being asked for."""
        return self._ask.isVisibleTo(self)

    def _tell_rejected(self) -> None:
        reason = self._reason.text().strip()
        self.close_reason()
        self.rejected.emit(reason)
