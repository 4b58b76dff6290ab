"""The head of the library pane: search field, view menu, and chips that write the filter's terms."""

from collections.abc import Mapping

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFrame, QMenu, QToolButton

from app.skills.filter.values import EXAMPLES, Filter, has_term, parse_filter, with_term
from widgets.common.chips import FilterChip
from widgets.common.flow import FlowLayout
from widgets.common.matching import folded
from widgets.common.parts import column, label, row, tool_button
from widgets.common.search_field import SearchField
from widgets.common.theme import Theme
from widgets.library.facets import FacetPanel
from widgets.library.tree_rows import Order

#: name, term key, term value
CHIPS = (
    ("active", "state", "active"),
    ("stale", "state", "stale"),
    ("archived", "state", "archived"),
    ("pinned", "pinned", "yes"),
    ("waiting", "is", "waiting"),
    ("broken", "is", "broken"),
)
_ALWAYS = ("active", "stale", "archived")


class LibraryHead(QFrame):
    """Text and chips are two ways to write one filter."""

    filter_changed = Signal(object)
    order_changed = Signal(str)
    columns_toggled = Signal(bool)
    #: The facets are about to be shown: answer with `facets.set_facets`.
    facets_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.search = SearchField(theme, self.tr("Filter skills"))
        self.search.setToolTip(self.tr("Words, and these terms:") + "\n" + "\n".join(shown for _key, shown in EXAMPLES))
        self.chips = {name: FilterChip(theme, name, self.tr(name)) for name, _key, _value in CHIPS}
        self.problem = label(role="caption", wrap=True)
        self.problem.hide()
        self.facets = FacetPanel(theme, self)
        self.facets.term_toggled.connect(self.set_term)
        self._facets = tool_button(theme, "filter", self.tr("Facets"), self.tr("Filter by source, category, tag …"))
        self._facets.clicked.connect(self._on_facets)
        self._orders = QActionGroup(self)
        self._view = tool_button(theme, "settings", self.tr("View"), self.tr("Order and columns"))
        self._view.setMenu(self._menu())
        self._view.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        flow = FlowLayout(spacing=4)
        for chip in self.chips.values():
            flow.addWidget(chip)
            chip.clicked.connect(self._on_chip)
        first = row(self.search, self._facets, self._view, spacing=2)
        self.setProperty("ground", "surface")
        self.setProperty("edge", "bottom")
        self.setLayout(column(first, flow, self.problem, margins=(12, 10, 8, 8)))
        self.search.searched.connect(self._on_search)

    def set_counts(self, numbers: Mapping[str, int]) -> None:
        """Show how many skills each chip stands for; chips of rare things hide at zero."""
        for name, number in numbers.items():
            self.chips[name].set_count(number)
            self.chips[name].setVisible(number > 0 or name in _ALWAYS)

    @Slot(str, str, bool)
    def set_term(self, key: str, value: str, on: bool) -> None:
        """Write a term into the filter, or take it out."""
        self.search.set_text_now(with_term(self.search.text(), key, folded(value), on=on))

    @property
    def columns_action(self) -> QAction:
        """The switch of the columns view."""
        return self._columns

    def _menu(self) -> QMenu:
        menu = QMenu(self.tr("View"), self)
        titles = {
            Order.NAME: self.tr("By name"),
            Order.RECENT: self.tr("By last activity"),
            Order.USES: self.tr("By uses"),
        }
        for order, title in titles.items():
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(order is Order.NAME)
            action.setData(order.value)
            self._orders.addAction(action)
        menu.addSeparator()
        self._columns = menu.addAction(self.tr("Columns"))
        self._columns.setCheckable(True)
        self._columns.toggled.connect(self.columns_toggled)
        self._orders.triggered.connect(self._on_order)
        return menu

    @Slot(QAction)
    def _on_order(self, action: QAction) -> None:
        self.order_changed.emit(action.data())

    @Slot()
    def _on_facets(self) -> None:
        self.facets_requested.emit()
        button, screen = self._facets, self.screen()
        self.facets.open_at(button.mapToGlobal(button.rect().bottomLeft()), screen.availableGeometry())

    @Slot(str)
    def _on_search(self, text: str) -> None:
        parsed: Filter = parse_filter(text)
        self.problem.setText(" ".join(parsed.problems))
        self.problem.setVisible(bool(parsed.problems))
        for name, key, value in CHIPS:
            self.chips[name].setChecked(has_term(parsed, key, value))
        self.filter_changed.emit(parsed)

    @Slot()
    def _on_chip(self) -> None:
        text = self.search.text()
        for name, key, value in CHIPS:
            text = with_term(text, key, value, on=self.chips[name].isChecked())
        self.search.set_text_now(text)
