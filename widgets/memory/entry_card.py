"""One remembered entry: its text, who wrote it and when, the way to the turn, and what can be done with it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QVBoxLayout, QWidget

from app.history.values import Origin
from app.memory.values import MemoryEntry
from widgets.common.ages import age_word, now_utc
from widgets.common.parts import button, column, label, row, tool_button
from widgets.common.reveal import revealed
from widgets.common.theme import Theme
from widgets.common.times import local_time


class EntryEditor(QWidget):
    """A small field with Save and Cancel. Signals: saved(text), cancelled()."""

    saved = Signal(str)
    cancelled = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = QPlainTextEdit()
        self._text.setFixedHeight(84)
        self._text.setTabChangesFocus(True)
        self._text.setAccessibleName(self.tr("Text of the entry"))
        self._save = button(theme, self.tr("Save"), "primary")
        cancel = button(theme, self.tr("Cancel"), "quiet")
        self._save.clicked.connect(self._tell)
        cancel.clicked.connect(self.cancelled)
        self._text.textChanged.connect(self._check)
        self.setLayout(column(self._text, row(None, cancel, self._save), spacing=6))

    def begin(self, text: str) -> None:
        """Start with a text."""
        self._text.setPlainText(text)
        self._text.setFocus()
        self._check()

    def _check(self) -> None:
        self._save.setEnabled(bool(self._text.toPlainText().strip()))

    def _tell(self) -> None:
        self.saved.emit(self._text.toPlainText().strip())


class EntryCard(QFrame):
    """Signals: replaced(old text, new text), removed(text), turn_requested(session, turn)."""

    replaced = Signal(str, str)
    removed = Signal(str)
    turn_requested = Signal(str, str)

    def __init__(self, theme: Theme, entry: MemoryEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entry = entry
        self.setProperty("card", "true")
        self._edit = tool_button(theme, "edit", self.tr("Edit"))
        self._remove = tool_button(theme, "trash", self.tr("Remove"), self.tr("Remove; it goes to the archive file"))
        self._turn = tool_button(theme, "chat", self.tr("Go to the conversation"))
        self._turn.setVisible(bool(entry.session))
        self._editor = EntryEditor(theme)
        text = label(revealed(entry.text), wrap=True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        facts = label(self._facts(), "caption", wrap=True)
        facts.setToolTip(local_time(entry.at, ""))
        shown = QWidget()
        line = row(facts, self._turn, self._edit, self._remove, spacing=4)
        line.setStretch(0, 1)
        inside: list[QWidget] = [text]
        if entry.blocked:
            inside.append(label(self.tr("Not shown to the model: {why}").format(why=entry.blocked), "warn", wrap=True))
        if entry.span and entry.span.strip() != entry.text.strip():
            inside.append(label(self.tr("You said: “{words}”").format(words=revealed(entry.span)), "muted", wrap=True))
        shown.setLayout(column(*inside, line, spacing=4))
        self._shown = shown
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 8, 8, 6)
        box.addWidget(shown)
        box.addWidget(self._editor)
        self._editor.hide()
        self._edit.clicked.connect(self._begin)
        self._remove.clicked.connect(self._tell_removed)
        self._turn.clicked.connect(self._tell_turn)
        self._editor.saved.connect(self._tell_saved)
        self._editor.cancelled.connect(self._end)

    def _facts(self) -> str:
        words = {
            Origin.USER: self.tr("by you"),
            Origin.CHAT: self.tr("in a chat"),
            Origin.REVIEW: self.tr("by a review"),
            Origin.CURATOR: self.tr("by the curator"),
            Origin.IMPORT: self.tr("imported"),
            Origin.OUTSIDE: self.tr("by another program"),
        }
        origin = words[self._entry.origin] if self._entry.origin else self.tr("origin not known")
        age = age_word(self._entry.at, now_utc())
        return f"{origin} · {age}" if age else origin

    def _begin(self) -> None:
        self._shown.hide()
        self._editor.show()
        self._editor.begin(self._entry.text)

    def _end(self) -> None:
        self._editor.hide()
        self._shown.show()

    def _tell_saved(self, text: str) -> None:
        self._end()
        if text != self._entry.text:
            self.replaced.emit(self._entry.text, text)

    def _tell_removed(self) -> None:
        self.removed.emit(self._entry.text)

    def _tell_turn(self) -> None:
        self.turn_requested.emit(self._entry.session or "", self._entry.turn or "")
