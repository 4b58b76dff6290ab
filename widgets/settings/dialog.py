"""The settings: a list of sections, a page per section built from the fields' own descriptions, and a search."""

from dataclasses import fields

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QListWidget, QListWidgetItem, QScrollArea, QVBoxLayout, QWidget

from app.settings import SECTIONS, Settings
from widgets.common.parts import bar, button, column, label, row, separator
from widgets.common.search_field import SearchField
from widgets.common.theme import Theme
from widgets.settings.field import SettingField
from widgets.settings.key_row import KeyRow

_ICONS = {
    "model": "agent",
    "review": "review",
    "curator": "curator",
    "library": "library",
    "memory": "memory",
    "trajectories": "download",
    "search": "search",
    "appearance": "sun",
}


class SettingsDialog(QDialog):
    """A change is told at once and shown when it was taken.

    Signals: change_requested(section, key, value), key_entered(key), key_forget_requested(), test_requested(),
    file_requested() (show the file that holds them), shown() each time the dialog comes up.
    """

    change_requested = Signal(str, str, object)
    key_entered = Signal(str)
    key_forget_requested = Signal()
    test_requested = Signal()
    file_requested = Signal()
    shown = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._fields: dict[tuple[str, str], SettingField] = {}
        self._blocks: dict[str, QWidget] = {}
        self._hints: dict[tuple[str, str], str] = {}
        self._settings = Settings()
        self._where = ""
        self._built = False
        self._keyed = True
        self._key = KeyRow(theme)
        self.setWindowTitle(self.tr("Settings"))
        self.resize(820, 600)
        self._search = SearchField(theme, self.tr("Search settings"))
        self._list = QListWidget()
        self._list.setProperty("ground", "none")
        self._list.setFixedWidth(190)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setAccessibleName(self.tr("Sections"))
        self._problems = label(role="danger", wrap=True)
        self._problems.hide()
        self._none = label(self.tr("No setting fits the search."), "muted")
        self._none.hide()

    def set_settings(self, settings: Settings) -> None:
        """Show these values and what was wrong with the file."""
        self._settings = settings
        if not self._built:
            return
        for (section, key), shown in self._fields.items():
            shown.set_value(getattr(getattr(settings, section), key))
        self._problems.setText("\n".join(settings.problems))
        self._problems.setVisible(bool(settings.problems))
        self._keyed = settings.model.provider != "builtin"
        self._key.setVisible(self._keyed)

    def set_path(self, path: str) -> None:
        """Name the file that holds the settings."""
        self._where = path
        if self._built:
            self._path.setText(path)

    def set_hint(self, section: str, key: str, text: str) -> None:
        """Say what an empty text stands for."""
        self._hints[section, key] = text
        if self._built:
            self._fields[section, key].set_hint(text)

    def set_key(self, stored: bool, source: str) -> None:
        """Whether a key is kept, and where."""
        self._key.set_key(stored=stored, source=source)

    def show_test(self, ok: bool, text: str) -> None:
        """What the test of the connection found."""
        self._key.show_test(ok, text)

    def show_problem(self, section: str, key: str, sentence: str) -> None:
        """A value was not taken."""
        if self._built:
            self._fields[section, key].show_problem(sentence)

    def open_section(self, section: str) -> None:
        """Show the dialog at a section."""
        self._ensure_built()
        self._search.clear_now()
        self._list.setCurrentRow(SECTIONS.index(section))
        self.show()
        self.raise_()

    def showEvent(self, event: QShowEvent) -> None:
        """Make the form the first time it is needed: it is large, and most starts of the program never show it."""
        self._ensure_built()
        super().showEvent(event)
        self.shown.emit()

    def _ensure_built(self) -> None:
        if not self._built:
            self._built = True
            self._build()
            self._connect()
            self._list.setCurrentRow(0)
            self._path.setText(self._where)
            self.set_settings(self._settings)
            for (section, key), text in self._hints.items():
                self._fields[section, key].set_hint(text)

    def _build(self) -> None:
        words = self._titles()
        inside = QWidget()
        inside.setProperty("ground", "surface")
        page = QVBoxLayout(inside)
        page.setContentsMargins(24, 16, 24, 16)
        page.setSpacing(0)
        page.addWidget(self._problems)
        page.addWidget(self._none)
        for section in SECTIONS:
            entry = QListWidgetItem(
                self._theme.icon(_ICONS.get(section, "settings"), "muted"), words.get(section, section)
            )
            self._list.addItem(entry)
            self._blocks[section] = self._block(section, words.get(section, section))
            page.addWidget(self._blocks[section])
        page.addStretch(1)
        area = QScrollArea()
        area.setWidget(inside)
        area.setAccessibleName(self.tr("Settings of the section"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        side = column(self._search, self._list, margins=(8, 8, 8, 8))
        middle = row(bar(side, "bg", ""), separator(vertical=True), area, spacing=0)
        middle.setStretch(2, 1)
        self._path = label(role="caption")
        self._open = button(self._theme, self.tr("Show the file"), "link")
        close = button(self._theme, self.tr("Close"))
        close.clicked.connect(self.accept)
        foot = bar(row(self._path, self._open, None, close, margins=(16, 8, 12, 8)), "bg", "top")
        outer = column(middle, foot, spacing=0)
        outer.setStretch(0, 1)
        self.setLayout(outer)

    def _block(self, section: str, title: str) -> QWidget:
        """The fields of one section; the model's also holds the key."""
        block = QWidget()
        rows: list[QWidget] = [label(title, "title")]
        for item in fields(getattr(Settings(), section)):
            made = SettingField(self._theme, section, item)
            self._fields[section, item.name] = made
            rows.append(made)
            if (section, item.name) == ("model", "base_url"):
                rows.append(self._key)
        block.setLayout(column(*rows, margins=(0, 0, 0, 16), spacing=0))
        return block

    def _connect(self) -> None:
        self._list.currentRowChanged.connect(self._show_section)
        self._search.searched.connect(self._filter)
        self._open.clicked.connect(self.file_requested)
        self._key.entered.connect(self.key_entered)
        self._key.forget_requested.connect(self.key_forget_requested)
        self._key.test_requested.connect(self.test_requested)
        for shown in self._fields.values():
            shown.changed.connect(self._tell)

    def _titles(self) -> dict[str, str]:
        return {
            "model": self.tr("Model"),
            "review": self.tr("Review"),
            "curator": self.tr("Curator"),
            "library": self.tr("Library"),
            "memory": self.tr("Memory"),
            "trajectories": self.tr("Trajectories"),
            "search": self.tr("Search"),
            "appearance": self.tr("Appearance"),
        }

    def _tell(self, value: object) -> None:
        shown = self.sender()
        if isinstance(shown, SettingField):
            self.change_requested.emit(shown.section, shown.key, value)

    def _show_section(self, place: int) -> None:
        if self._search.text():
            return
        for section, block in self._blocks.items():
            block.setVisible(place >= 0 and section == SECTIONS[place])

    def _filter(self, text: str) -> None:
        """With a search every section shows what fits; without one, the chosen section shows everything."""
        wanted = text.casefold().split()
        found = 0
        for (section, _key), shown in self._fields.items():
            fits = all(word in shown.words for word in wanted)
            shown.setVisible(fits)
            found += fits
            if wanted:
                self._blocks[section].setVisible(any(self._fits(section, wanted)))
        keyed = self._keyed and all(word in self._key.words for word in wanted)
        self._key.setVisible(keyed)
        found += keyed
        if wanted and keyed:
            self._blocks["model"].show()
        self._none.setVisible(bool(wanted) and not found)
        if not wanted:
            self._show_section(self._list.currentRow())

    def _fits(self, section: str, wanted: list[str]) -> list[bool]:
        shown = [item for (name, _key), item in self._fields.items() if name == section]
        return [all(word in item.words for word in wanted) for item in shown]
