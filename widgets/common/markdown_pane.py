"""A Markdown view with a way back and a line for short remarks, such as a link to a missing file."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from widgets.common.markdown_view import MarkdownView, Page
from widgets.common.parts import bar, button, column, label, row, tool_button
from widgets.common.theme import Theme


class MarkdownPane(QWidget):
    """Shows pages; the bar is there only when it has something to say."""

    link_activated = Signal(str, str)
    location_requested = Signal(str)
    external_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = MarkdownView(theme)
        self._back = button(theme, self.tr("Back"), "quiet", "arrow-left", self.tr("Back (Alt+Left)"))
        self._back.setShortcut("Alt+Left")
        self._where = label(role="caption")
        self._remark = label(role="warn")
        self._close = tool_button(theme, "close", self.tr("Close this remark"))
        self._bar = bar(row(self._back, self._where, self._remark, None, self._close, margins=(8, 3, 8, 3)), "surface")
        self.setLayout(column(self._bar, self.view, spacing=0))
        self._back.clicked.connect(self.view.back)
        self._close.clicked.connect(self.clear_remark)
        self.view.back_changed.connect(self._on_back)
        self.view.link_activated.connect(self.link_activated)
        self.view.location_requested.connect(self.location_requested)
        self.view.external_requested.connect(self.external_requested)
        self._can_go_back = False
        self._refresh()

    @Slot(object)
    def set_page(self, page: Page, anchor: str = "", *, keep_scroll: bool = False, where: str = "") -> None:
        """Show a page; `where` is its short name in the bar."""
        self._where.setText(where)
        self.clear_remark()
        self.view.set_page(page, anchor, keep_scroll=keep_scroll)

    @Slot(str)
    def say(self, text: str) -> None:
        """Show a remark; the page stays."""
        self._remark.setText(text)
        self._refresh()

    @Slot()
    def clear_remark(self) -> None:
        """Take the remark away."""
        self._remark.clear()
        self._refresh()

    @property
    def remark(self) -> str:
        """The remark shown."""
        return self._remark.text()

    @Slot(bool)
    def _on_back(self, possible: bool) -> None:
        self._can_go_back = possible
        self._refresh()

    def _refresh(self) -> None:
        self._back.setVisible(self._can_go_back)
        self._where.setVisible(self._can_go_back)
        self._close.setVisible(bool(self._remark.text()))
        self._bar.setVisible(self._can_go_back or bool(self._remark.text()))
