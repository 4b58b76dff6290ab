"""The first screen of a new home: one decision, three ways to begin."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QFrame, QPushButton, QWidget

from widgets.common.parts import button, card, column, label, row
from widgets.common.theme import Theme

_ICON = 20


class Choice(QFrame):
    """One way to begin: a title, what happens, and a button."""

    def __init__(self, theme: Theme, icon: str, title: str, text: str, action: QPushButton) -> None:
        super().__init__()
        picture = label()
        picture.setPixmap(theme.pixmap(icon, "accent", _ICON, self.devicePixelRatioF()))
        picture.setFixedWidth(_ICON + 4)
        words = column(label(title, "strong"), label(text, "muted", wrap=True), spacing=2)
        action.setMinimumWidth(132)
        inside = row(picture, words, action, margins=(16, 12, 16, 12), spacing=12)
        inside.setStretch(1, 1)
        self.setLayout(column(card(inside)))


class FirstStart(QDialog):
    """Asks how to begin. Whatever is chosen, nothing outside the home is changed.

    Signals: sample_requested(); folder_requested(path, empty to be asked for one); hermes_requested(path, likewise).
    """

    sample_requested = Signal()
    folder_requested = Signal(str)
    hermes_requested = Signal(str)

    def __init__(self, theme: Theme, found: Sequence[tuple[str, str]] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Welcome to Melete"))
        sample = button(theme, self.tr("Start with samples"), "primary")
        folder = button(theme, self.tr("Choose a folder…"))
        hermes = button(theme, self.tr("Open a home…"))
        later = button(theme, self.tr("Begin empty"), "link")
        sample.clicked.connect(self._on_sample)
        folder.clicked.connect(self._on_folder)
        hermes.clicked.connect(self._on_hermes)
        later.clicked.connect(self.reject)
        self._found = tuple(found)
        items: list[QWidget | None] = [
            label(self.tr("How do you want to begin?"), "title"),
            label(
                self.tr(
                    "No key is needed: Melete answers in basic mode, from your skills, memory and conversations, until "
                    "you connect a model in the settings. Nothing is archived in the first week."
                ),
                "muted",
                wrap=True,
            ),
            Choice(
                theme,
                "library",
                self.tr("A sample library"),
                self.tr("About sixty skills to look at, merge and throw away."),
                sample,
            ),
            Choice(
                theme,
                "folder-open",
                self.tr("A folder of skills"),
                self.tr("Listed, searched and watched; only read. Copy skills into the library when you want."),
                folder,
            ),
            Choice(
                theme,
                "agent",
                self.tr("A Hermes home"),
                self.tr("Opened as it is: no file of it changes until you act, and the schedule is off."),
                hermes,
            ),
        ]
        if self._found:
            items.append(label(self.tr("Found on this machine, only read:"), "caption"))
            for name, path in self._found:
                pick = button(theme, f"{name}  {path}", "link")
                pick.setProperty("path", path)
                pick.clicked.connect(self._on_found)
                items.append(pick)
        page = column(*items, None, row(None, later), margins=(24, 24, 24, 16), spacing=12)
        self.setLayout(page)
        self.resize(640, max(420, page.totalHeightForWidth(640)))

    @Slot()
    def _on_sample(self) -> None:
        self.sample_requested.emit()
        self.accept()

    @Slot()
    def _on_folder(self) -> None:
        self.folder_requested.emit("")
        self.accept()

    @Slot()
    def _on_hermes(self) -> None:
        self.hermes_requested.emit("")
        self.accept()

    @Slot()
    def _on_found(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.folder_requested.emit(str(sender.property("path")))
            self.accept()
