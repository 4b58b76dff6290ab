"""The bar above the graph: fit, zoom, names, kinds of edges, grouping, legend and table."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from app.graph.values import EdgeKind
from widgets.common.theme import Theme
from widgets.graph.grouping import GroupBy
from widgets.graph.labels import Labels


class GraphBar(QFrame):
    """Buttons and menus; each choice is a signal, and the bar keeps what is chosen."""

    fit_asked = Signal()
    zoom_asked = Signal(float)
    labels_chosen = Signal(object)
    kinds_chosen = Signal(object)
    group_chosen = Signal(object)
    legend_toggled = Signal(bool)
    time_toggled = Signal(bool)
    table_toggled = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("ground", "surface")
        self.setProperty("edge", "bottom")
        self._theme = theme
        self._with_words, self._needed = True, 0
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 4, 8, 4)
        self._row.setSpacing(2)
        self._button("fit", self.tr("Fit"), self.tr("Show everything (0)")).clicked.connect(self._fit)
        self._button("zoom-out", "", self.tr("Zoom out (−)")).clicked.connect(self._zoom_out)
        self._percent = QLabel("100 %")
        self._percent.setProperty("role", "caption")
        self._row.addWidget(self._percent)
        self._button("zoom-in", "", self.tr("Zoom in (+)")).clicked.connect(self._zoom_in)
        self._row.addSpacing(8)
        self._label_actions: list[QAction] = []
        self._group_actions: list[QAction] = []
        self._menu_button("tag", self.tr("Names"), self._labels_menu())
        self._kind_actions: list[QAction] = []
        self._menu_button("branch", self.tr("Relations"), self._kinds_menu())
        self._menu_button("rows", self.tr("Group by"), self._group_menu())
        self._row.addStretch(1)
        self.legend = self._button("eye", self.tr("Legend"), self.tr("Legend and filter (G)"))
        self.legend.setCheckable(True)
        self.legend.setChecked(True)
        self.legend.toggled.connect(self.legend_toggled)
        self.time = self._button("clock", self.tr("Time"), self.tr("The library as it was (H)"))
        self.time.setCheckable(True)
        self.time.toggled.connect(self.time_toggled)
        self.table = self._button("table", self.tr("Table"), self.tr("The same skills as a table (T)"))
        self.table.setCheckable(True)
        self.table.toggled.connect(self.table_toggled)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the words do not fit, icons alone say it, and the tooltips."""
        super().resizeEvent(event)
        worded = [button for button in self.findChildren(QToolButton) if button.text()]
        if self._with_words:
            self._needed = self._row.sizeHint().width()
        if (event.size().width() >= self._needed) is not self._with_words:
            self._with_words = not self._with_words
            beside, alone = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly
            for button in worded:
                button.setToolButtonStyle(beside if self._with_words else alone)

    def minimumSizeHint(self) -> QSize:
        """Words go before the page gets wide."""
        return QSize(260, super().minimumSizeHint().height())

    def cycle_labels(self) -> None:
        """As many names as fit, all that do not overlap, none, and round again."""
        _cycle(self._label_actions)

    def cycle_group(self) -> None:
        """By category, by state, by author, and round again."""
        _cycle(self._group_actions)

    def toggle_kind(self, kind: EdgeKind) -> None:
        """Show or hide one kind of relation."""
        action = next(action for action in self._kind_actions if EdgeKind(action.data()) is kind)
        action.trigger()

    @property
    def kinds(self) -> frozenset[EdgeKind]:
        """The kinds of relations that are shown."""
        return frozenset(EdgeKind(action.data()) for action in self._kind_actions if action.isChecked())

    def set_scale(self, scale: float) -> None:
        """Show the zoom."""
        self._percent.setText(f"{round(scale * 100)} %")

    def _button(self, icon: str, text: str, hint: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(hint)
        button.setAccessibleName(hint)
        button.setProperty("labelled", bool(text))
        beside = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        button.setToolButtonStyle(beside if text else Qt.ToolButtonStyle.ToolButtonIconOnly)
        self._theme.bind_icon(button, icon, "muted")
        self._row.addWidget(button)
        return button

    def _menu_button(self, icon: str, text: str, menu: QMenu) -> None:
        button = self._button(icon, text, text)
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def _labels_menu(self) -> QMenu:
        words = {
            Labels.AUTO: self.tr("As many as fit"),
            Labels.ALL: self.tr("All that do not overlap"),
            Labels.NONE: self.tr("None"),
        }
        menu, group = QMenu(self), QActionGroup(self)
        for labels, word in words.items():
            action = _choice(menu, group, word, labels)
            action.setChecked(labels is Labels.AUTO)
            self._label_actions.append(action)
        group.triggered.connect(self._choose_labels)
        return menu

    def _kinds_menu(self) -> QMenu:
        words = {
            EdgeKind.ABSORBED: self.tr("Absorbed into"),
            EdgeKind.RELATED: self.tr("Related"),
            EdgeKind.MENTION: self.tr("Mentions"),
            EdgeKind.PROPOSED: self.tr("Proposed"),
        }
        menu = QMenu(self)
        for kind, word in words.items():
            action = menu.addAction(word)
            action.setData(kind)
            action.setCheckable(True)
            action.setChecked(True)
            self._kind_actions.append(action)
        menu.triggered.connect(self._choose_kinds)
        return menu

    def _group_menu(self) -> QMenu:
        words = {
            GroupBy.CATEGORY: self.tr("Category"),
            GroupBy.STATE: self.tr("State"),
            GroupBy.AUTHOR: self.tr("Author"),
        }
        menu, group = QMenu(self), QActionGroup(self)
        for by, word in words.items():
            action = _choice(menu, group, word, by)
            action.setChecked(by is GroupBy.CATEGORY)
            self._group_actions.append(action)
        group.triggered.connect(self._choose_group)
        return menu

    def _fit(self, _checked: bool) -> None:
        self.fit_asked.emit()

    def _zoom_in(self, _checked: bool) -> None:
        self.zoom_asked.emit(1.25)

    def _zoom_out(self, _checked: bool) -> None:
        self.zoom_asked.emit(0.8)

    def _choose_labels(self, action: QAction) -> None:
        self.labels_chosen.emit(Labels(action.data()))

    def _choose_kinds(self, _action: QAction) -> None:
        self.kinds_chosen.emit(frozenset(EdgeKind) - self.kinds)

    def _choose_group(self, action: QAction) -> None:
        self.group_chosen.emit(GroupBy(action.data()))


def _choice(menu: QMenu, group: QActionGroup, word: str, value: object) -> QAction:
    action = menu.addAction(word)
    action.setCheckable(True)
    action.setData(value)
    group.addAction(action)
    return action


def _cycle(actions: list[QAction]) -> None:
    at = next((at for at, action in enumerate(actions) if action.isChecked()), 0)
    actions[(at + 1) % len(actions)].trigger()
