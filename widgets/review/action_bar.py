"""What can be done with the shown group: approve, edit, reject with a reason, ask to revise, later, and the rest."""

from enum import StrEnum

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from widgets.common.actions import ActionSet
from widgets.common.parts import ElidedLabel, bar, button, column, label, row, tool_button
from widgets.common.theme import Theme
from widgets.review.actions import REVIEW_MENU
from widgets.review.readiness import Readiness

#: Below this width less used actions are in the menu only.
_ROOM_FOR_ALL = 560


class Asking(StrEnum):
    """What the line of text is asked for."""

    REJECT = "reject"
    REVISE = "revise"


class ActionBar(QWidget):
    """Signals: approved(), edited(), later(), rejected(reason), revised(note), reopened(), cancelled() while a
    fork works on it again.
    """

    approved = Signal()
    edited = Signal()
    later = Signal()
    rejected = Signal(str)
    revised = Signal(str)
    reopened = Signal()
    cancelled = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asking = Asking.REJECT
        self._state = Readiness(waiting=False, may_approve=False, may_edit=False, may_reopen=False)
        self.approve = button(theme, self.tr("Approve"), "primary", "check", self.tr("Approve (A)"))
        self.edit = button(theme, self.tr("Edit"), "", "edit", self.tr("Edit, then approve (E)"))
        self.reject = button(theme, self.tr("Reject…"), "", "close", self.tr("Reject (R)"))
        told = self.tr("Send it back to the fork with a note (V)")
        self.revise = button(theme, self.tr("Ask to revise…"), "", "", told)
        self._later = button(theme, self.tr("Later"), "quiet", "", self.tr("Leave it waiting and go on (J)"))
        self._reopen = button(theme, self.tr("Reopen"), "", "undo", self.tr("Put it back into the inbox (O)"))
        self._more = tool_button(theme, "more", self.tr("More"), self.tr("Everything that can be done here"))
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._place = label(role="caption")
        self._hint = label(role="caption", wrap=True)
        self._told = label(role="warn", wrap=True)
        self._told.hide()
        self._text = QLineEdit()
        self._text.setAccessibleName(self.tr("Reason"))
        self._really = button(theme, "", "danger")
        self._cancel = button(theme, self.tr("Cancel"), "quiet")
        self._ask = QWidget()
        self._ask.setLayout(row(self._text, self._really, self._cancel))
        self._ask.hide()
        self._main = QWidget()
        buttons = (self.approve, self.edit, self.reject, self.revise, self._later, self._reopen)
        self._main.setLayout(row(*buttons, None, self._place, self._more, spacing=6))
        self._step = ElidedLabel(theme, "muted")
        stop = button(theme, self.tr("Cancel"), "", "stop", self.tr("Stop; the proposal stays as it is"))
        stop.clicked.connect(self.cancelled)
        self._work = QWidget()
        self._work.setLayout(row(self._step, stop))
        self._work.hide()
        inside = column(self._told, self._hint, self._main, self._ask, self._work, margins=(16, 6, 12, 7), spacing=4)
        self.setLayout(column(bar(inside, "surface", "top"), spacing=0))
        self.approve.clicked.connect(self.approved)
        self.edit.clicked.connect(self.edited)
        self.reject.clicked.connect(self.ask_reason)
        self.revise.clicked.connect(self.ask_note)
        self._later.clicked.connect(self.later)
        self._reopen.clicked.connect(self.reopened)
        self._really.clicked.connect(self._tell_text)
        self._text.returnPressed.connect(self._tell_text)
        self._text.textChanged.connect(self._refresh_really)
        self._cancel.clicked.connect(self.close_reason)

    def set_actions(self, actions: ActionSet) -> None:
        """Offer every action of the page in the menu at the end."""
        self._more.setMenu(actions.menu(REVIEW_MENU, self.tr("More"), self))

    def set_place(self, number: int, count: int) -> None:
        """Show which of how many this is."""
        self._place.setText(self.tr("{number} of {count}").format(number=number, count=count) if count else "")

    def set_state(self, state: Readiness) -> None:
        """Enable what can be done now, and say why approving cannot be done yet."""
        self._state = state
        self._arrange()
        self.approve.setEnabled(state.may_approve)
        self.edit.setEnabled(state.may_edit)
        self.revise.setEnabled(state.may_revise)
        self._hint.setText(state.hint)
        self._hint.setVisible(bool(state.hint))
        if not state.waiting and not self.revising:
            self.close_reason()

    def tell(self, text: str) -> None:
        """Say what came of the last decision when it was not carried out; an empty text takes it back."""
        self._told.setText(text)
        self._told.setVisible(bool(text))

    def set_busy(self, busy: bool) -> None:
        """Nothing can be pressed while a decision is being carried out."""
        self.setEnabled(not busy)

    def set_revising(self, revising: bool) -> None:
        """While a fork works on it again there is only its progress, and Cancel."""
        self.close_reason()
        self._main.setVisible(not revising)
        self._work.setVisible(revising)
        self._step.set_text(self.tr("A fork works on it again…") if revising else "")

    def show_step(self, text: str) -> None:
        """What the fork does."""
        if text:
            self._step.set_text(text)

    @property
    def revising(self) -> bool:
        """Whether a fork works on it again."""
        return self._work.isVisibleTo(self)

    def ask_reason(self) -> None:
        """Ask for the reason of a rejection, in place."""
        self._ask_for(
            Asking.REJECT,
            self.tr("Why not? Optional, kept with the decision; the same is not proposed again"),
            self.tr("Reason"),
            self.tr("Reject"),
        )

    def ask_note(self) -> None:
        """Ask what the fork shall do differently, in place."""
        self._ask_for(
            Asking.REVISE,
            self.tr("What shall be different? The fork gets this note"),
            self.tr("Note to the fork"),
            self.tr("Send back"),
        )

    def close_reason(self) -> None:
        """Back to the actions."""
        self._ask.hide()
        self._main.show()
        self._text.clear()

    @property
    def asking(self) -> bool:
        """Whether a text is being asked for."""
        return self._ask.isVisibleTo(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow bar keeps the main actions; all are in the menu."""
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """What has no room is in the menu, so the bar never makes the page wide."""
        return QSize(260, super().minimumSizeHint().height())

    def _arrange(self) -> None:
        state, wide = self._state, self.width() >= _ROOM_FOR_ALL
        for part in (self.approve, self.edit, self.reject):
            part.setVisible(state.waiting)
        for part in (self.revise, self._later):
            part.setVisible(state.waiting and wide)
        self._place.setVisible(wide)
        self._reopen.setVisible(state.may_reopen)

    def _ask_for(self, what: Asking, placeholder: str, name: str, yes: str) -> None:
        self._asking = what
        self._text.setPlaceholderText(placeholder)
        self._text.setAccessibleName(name)
        self._really.setText(yes)
        self._really.setAccessibleName(yes)
        self._really.setToolTip(yes)
        self._main.hide()
        self._ask.show()
        self._text.setFocus(Qt.FocusReason.OtherFocusReason)
        self._refresh_really()

    def _refresh_really(self) -> None:
        """A note is needed; a reason is not."""
        self._really.setEnabled(self._asking is Asking.REJECT or bool(self._text.text().strip()))

    def _tell_text(self) -> None:
        text = self._text.text().strip()
        if not self._really.isEnabled():
            return
        told = self.rejected if self._asking is Asking.REJECT else self.revised
        self.close_reason()
        told.emit(text)
