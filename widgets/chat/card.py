"""The parts cards are made of: what the user wrote, an answer, and a fold with a one-line head."""

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QEnterEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.sessions.values import MessageState
from widgets.chat.growing import GrowingText
from widgets.chat.items import AnswerItem, YouItem
from widgets.chat.plain_text import PlainText
from widgets.chat.words import cut, size_word
from widgets.common.markdown_render import Renderer
from widgets.common.parts import label, tool_button
from widgets.common.theme import Theme


class Card(QFrame):
    """One entry of the transcript, for the stored `message` (-1: none yet).

    `link_activated` carries kind and target of a link in its text.
    """

    link_activated = Signal(str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.message = -1
        self._marked = False
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(4)
        # Not Fixed: that would cap the height at the hint, which knows nothing of lines wrapped at this width.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def stands_for(self, message: int) -> bool:
        """Whether this card shows a stored message, or a part of it."""
        return self.message == message

    def set_marked(self, marked: bool) -> None:
        """The card is the one that is meant: what can be done with it is offered without a pointer, too."""
        self._marked = marked

    def copy(self) -> None:
        """Put the card's text on the clipboard; a card without a text of its own has nothing to give."""

    def lift_out(self, words: tuple[str, ...]) -> None:
        """Put a ground under these words."""
        for view in self.findChildren(PlainText):
            view.lift_out(words)

    def lifted_at(self) -> int:
        """Where the first of those words stands, in pixels from the card's top; 0 when none is in sight."""
        for view in self.findChildren(PlainText):
            place = view.lifted_at()
            if place is not None:
                return view.mapTo(self, QPoint(0, place)).y()
        return 0

    def restyle(self) -> None:
        """Render again in the colours of a new theme."""


class YouCard(Card):
    """The user's own words on a raised ground, with a copy button while the pointer is over it."""

    def __init__(self, theme: Theme, item: YouItem) -> None:
        super().__init__(theme)
        self._item = item
        self.setProperty("card", "raised")
        self.setAccessibleName(self.tr("You"))
        self.column.setContentsMargins(12, 8, 8, 8)
        row = QHBoxLayout()
        row.setSpacing(4)
        self._text = PlainText(theme)
        self._text.setAccessibleName(self.tr("Your message"))
        row.addWidget(self._text, 1)
        self._copy = tool_button(theme, "copy", self.tr("Copy"))
        kept = self._copy.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._copy.setSizePolicy(kept)
        self._copy.setFixedSize(22, 20)
        self._copy.hide()
        self._copy.clicked.connect(self.copy)
        row.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(row)
        self.restyle()

    def restyle(self) -> None:
        """Show the text again."""
        shown, shortened = cut(self._item.text)
        note = self.tr("… {size}, Copy gives all").format(size=size_word(len(self._item.text)))
        self._text.show_plain(f"{shown}\n{note}" if shortened else shown)

    def set_marked(self, marked: bool) -> None:
        """Offer to copy as long as this card is meant."""
        super().set_marked(marked)
        self._copy.setVisible(marked)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Offer to copy."""
        self._copy.show()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Back to rest."""
        self._copy.setVisible(self._marked)
        super().leaveEvent(event)

    def copy(self) -> None:
        """Put the whole text on the clipboard."""
        QGuiApplication.clipboard().setText(self._item.text)


class AnswerCard(Card):
    """An answer in Markdown. It can grow while it streams in; a state other than complete is said below it."""

    def __init__(self, theme: Theme, item: AnswerItem, renderer: Renderer) -> None:
        super().__init__(theme)
        self._parts: list[str] = [item.text] if item.text else []
        self._body = GrowingText(theme, renderer)
        self._body.setAccessibleName(self.tr("Answer"))
        self._body.link_activated.connect(self.link_activated)
        self._state = label(role="caption")
        self._state.hide()
        self._copy = tool_button(theme, "copy", self.tr("Copy the whole answer"))
        self._copy.setParent(self)
        self._copy.hide()
        self._copy.clicked.connect(self.copy)
        self.column.addWidget(self._body)
        self.column.addWidget(self._state)
        if item.text:
            self._body.show_markdown(item.text)
        self.set_state(item.state)

    @property
    def text(self) -> str:
        """The whole Markdown text."""
        return "".join(self._parts)

    @property
    def shown(self) -> str:
        """What is drawn, without markup."""
        return self._body.plain()

    @property
    def busy(self) -> bool:
        """Whether text is still to be drawn."""
        return self._body.busy

    def append(self, text: str) -> None:
        """Show more of the answer."""
        self._parts.append(text)
        self._body.feed(text)

    def finish(self, state: MessageState = MessageState.COMPLETE) -> None:
        """Nothing more comes."""
        self._body.finish()
        self.set_state(state)

    def set_state(self, state: MessageState) -> None:
        """Say when the answer is not whole."""
        words = {
            MessageState.STOPPED: self.tr("Stopped here."),
            MessageState.INTERRUPTED: self.tr("The program ended while this was being written."),
            MessageState.FAILED: self.tr("The answer broke off here."),
        }
        self._state.setText(words.get(state, ""))
        self._state.setVisible(state in words)

    def copy(self) -> None:
        """Put the whole Markdown text on the clipboard."""
        QGuiApplication.clipboard().setText(self.text)

    def restyle(self) -> None:
        """Render again."""
        self._body.show_markdown(self.text)

    def lift_out(self, words: tuple[str, ...]) -> None:
        """Also in what is drawn a little later."""
        self._body.lift_out(words)

    def set_marked(self, marked: bool) -> None:
        """Offer to copy as long as this card is meant."""
        super().set_marked(marked)
        self._offer_copy(shown=marked)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The button stays in its corner."""
        super().resizeEvent(event)
        self._copy.move(self.width() - self._copy.width(), 0)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Offer to copy."""
        self._offer_copy(shown=True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Back to rest."""
        self._copy.setVisible(self._marked)
        super().leaveEvent(event)

    def _offer_copy(self, *, shown: bool) -> None:
        self._copy.setVisible(shown)
        self._copy.raise_()


class Fold(Card):
    """A one-line head that opens and closes a body, which is built when it is first opened."""

    def __init__(self, theme: Theme, icon: str, title: str) -> None:
        super().__init__(theme)
        self.column.setSpacing(2)
        self.head = QToolButton()
        self.head.setCheckable(True)
        self.head.setProperty("labelled", True)
        self.head.setProperty("quiet", True)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.head.setText(title)
        self.head.setAccessibleName(title)
        self.facts = label(role="caption")
        self.facts.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.row = QHBoxLayout()
        self.row.setSpacing(4)
        self.row.addWidget(self.head)
        self.row.addWidget(self.facts, 1)
        self.column.addLayout(self.row)
        self.body: QWidget | None = None
        theme.bind_icon(self.head, icon, "muted")
        self.head.toggled.connect(self._toggle)

    def build_body(self) -> QWidget:
        """Make what the fold hides; an empty body unless a kind of fold says otherwise."""
        return QWidget()

    def restyle(self) -> None:
        """A body that was built is built again when it is next opened."""
        if self.body is not None:
            self.column.removeWidget(self.body)
            self.body.deleteLater()
            self.body = None
            self._toggle(self.head.isChecked())

    def _toggle(self, opened: bool) -> None:
        if opened and self.body is None:
            self.body = self.build_body()
            self.column.addWidget(self.body)
        if self.body is not None:
            self.body.setVisible(opened)
