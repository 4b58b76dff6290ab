"""What can be done with the chosen conversation: a strip of buttons, and a line for its new title."""

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QMenu, QToolButton, QWidget

from widgets.common.parts import bar, button, column, label, row, tool_button
from widgets.common.theme import Theme


class ActionStrip(QWidget):
    """Signals: continued(), branched(), exported("markdown" or "sharegpt"), deleted(), renamed(title)."""

    continued = Signal()
    branched = Signal()
    exported = Signal(str)
    deleted = Signal()
    renamed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = ""
        self._build_form()
        go_on = self.tr("Open it in the chat and go on")
        self._continue = button(theme, self.tr("Continue"), "primary", "chat", go_on)
        self._branch = button(theme, self.tr("Branch"), "", "branch")
        self._export = button(theme, self.tr("Export"), "", "download", self.tr("Write it to a file, secrets masked"))
        self._export.setMenu(self._export_menu())
        self._more = tool_button(theme, "more", self.tr("More"))
        self._others = self._other_menu()
        self._more.setMenu(self._others)
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._buttons: tuple[QAbstractButton, ...] = (self._continue, self._branch, self._export, self._more)
        strip = bar(row(*self._buttons, None, margins=(12, 8, 12, 8), spacing=6), "surface", "top")
        self.setLayout(column(self._form, strip, spacing=0))
        self._continue.clicked.connect(self.continued)
        self._branch.clicked.connect(self.branched)
        self.set_target(None)
        self.set_place(marked=False)

    def set_target(self, title: str | None) -> None:
        """The title of the conversation all this acts on; None for none."""
        for made in self._buttons:
            made.setEnabled(title is not None)
        self._title = title or ""
        self._form.hide()

    def set_place(self, *, marked: bool) -> None:
        """Whether a branch begins at a marked message, or at the end."""
        self._branch.setText(self.tr("Branch here") if marked else self.tr("Branch"))
        here = self.tr("Go on from the marked message in a new conversation")
        self._branch.setToolTip(here if marked else self.tr("Go on from its end in a new conversation"))
        self._branch.setAccessibleName(self._branch.text())

    def open_menu(self, place: QPoint) -> None:
        """The same actions as a context menu at a place of the screen."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction(self._continue.icon(), self._continue.text()).triggered.connect(self.continued)
        menu.addAction(self._branch.icon(), self._branch.text()).triggered.connect(self.branched)
        menu.addActions(self._others.actions())
        menu.popup(place)

    def ask_title(self) -> None:
        """Ask for another title."""
        self._name.setText(self._title)
        self._name.selectAll()
        self._form.show()
        self._name.setFocus()

    def _build_form(self) -> None:
        self._name = QLineEdit()
        self._name.setAccessibleName(self.tr("Title"))
        yes = button(self._theme, self.tr("Rename"), "primary")
        no = button(self._theme, self.tr("Cancel"), "quiet")
        line = row(label(self.tr("New title")), self._name, yes, no, margins=(16, 8, 12, 8))
        line.setStretch(1, 1)
        self._form = bar(line, "raised", "top")
        self._form.hide()
        self._name.returnPressed.connect(self._take_title)
        yes.clicked.connect(self._take_title)
        no.clicked.connect(self._form.hide)

    def _export_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction(self.tr("As Markdown")).triggered.connect(self._export_markdown)
        menu.addAction(self.tr("As ShareGPT line")).triggered.connect(self._export_sharegpt)
        return menu

    def _other_menu(self) -> QMenu:
        menu = QMenu(self)
        rename, delete = menu.addAction(self.tr("Rename…")), menu.addAction(self.tr("Delete"))
        self._theme.bind_icon(rename, "edit")
        self._theme.bind_icon(delete, "trash")
        rename.triggered.connect(self.ask_title)
        delete.triggered.connect(self.deleted)
        return menu

    def _export_markdown(self) -> None:
        self.exported.emit("markdown")

    def _export_sharegpt(self) -> None:
        self.exported.emit("sharegpt")

    def _take_title(self) -> None:
        title = self._name.text().strip()
        self._form.hide()
        if title:
            self.renamed.emit(title)
