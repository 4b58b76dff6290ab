"""The menus of single pages: the page's own list of actions, in the menu bar and, where it fits, in the palette."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, Slot

from app.wiring.panes import Panes
from widgets.common.actions import ActionSet
from widgets.common.palette import PaletteItem
from widgets.curator.actions import CURATOR_MENU
from widgets.graph.actions import GRAPH_MENU
from widgets.review.actions import REVIEW_MENU

#: Actions that lead to another page than their own.
_LEAVING = frozenset({"curator.review", "curator.graph", "curator.settings"})


@dataclass(frozen=True, slots=True)
class PageMenu:
    """A page with its actions, and what the menu is called."""

    page: str
    title: str
    actions: ActionSet
    names: tuple[str, ...]


class PageMenus(QObject):
    """Puts the menus before the last one (Help), and brings a page to the front when one of its actions was picked."""

    def __init__(self, panes: Panes, parent: QObject) -> None:
        super().__init__(parent)
        self._frame = panes.frame
        self._menus = (
            PageMenu("graph", self.tr("&Graph"), panes.graph.actions_here, GRAPH_MENU),
            PageMenu("review", self.tr("&Review"), panes.review.actions_here, REVIEW_MENU),
            PageMenu("curator", self.tr("C&urator"), panes.curator.actions_here, CURATOR_MENU),
        )
        bar = self._frame.menuBar()
        for menu in self._menus:
            bar.insertMenu(bar.actions()[-1], menu.actions.menu(menu.names, menu.title, self._frame))
            menu.actions.triggered.connect(self._on_triggered)

    def items(self) -> Iterator[PaletteItem]:
        """What of it can be done now, for the palette."""
        for menu in self._menus:
            word = menu.title.replace("&", "")
            for name in menu.names:
                action = menu.actions.action(name)
                if action.isEnabled():
                    spec = action.spec
                    text = f"{word}: {action.text().rstrip('…')}"
                    yield PaletteItem("page-action", name, text, spec.tip, spec.icon, spec.keys)

    def trigger(self, name: str) -> None:
        """Carry out an action that was picked in the palette."""
        menu = next(menu for menu in self._menus if name in menu.names)
        menu.actions.action(name).trigger()

    @Slot(str)
    def _on_triggered(self, name: str) -> None:
        page = next(menu.page for menu in self._menus if name in menu.names)
        if name not in _LEAVING and self._frame.page != page:
            self._frame.show_page(page)
