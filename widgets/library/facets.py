"""Facets: how many skills of the list have which source, author, category or tag; a click writes it into the filter."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.skills.filter.values import Facet
from widgets.common.chips import FilterChip
from widgets.common.flow import FlowLayout
from widgets.common.parts import column, label, scroll_area
from widgets.common.theme import Theme

_WIDTH = 420


class FacetPanel(QFrame):
    """A panel under the search field; it stays while several values are clicked, and closes on a click beside it."""

    #: key, value, whether it is wanted
    term_toggled = Signal(str, str, bool)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._theme = theme
        self._terms: dict[FilterChip, tuple[str, str]] = {}
        self._groups = QVBoxLayout()
        self._groups.setContentsMargins(12, 10, 12, 12)
        self._groups.setSpacing(6)
        inside = QWidget()
        inside.setProperty("ground", "surface")
        inside.setLayout(self._groups)
        self.setProperty("card", "true")
        self.setLayout(column(scroll_area(inside, self.tr("Facets")), margins=(1, 1, 1, 1)))

    def set_facets(self, facets: Sequence[Facet]) -> None:
        """Show these facets."""
        self._terms.clear()
        while (item := self._groups.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for facet in facets:
            self._groups.addWidget(self._group(facet))
        if not facets:
            self._groups.addWidget(label(self.tr("All skills are alike here."), "muted"))
        self._groups.addStretch(1)
        self._groups.activate()

    def open_at(self, place: QPoint, room: QRect) -> None:
        """Show the panel below a place of the screen, inside `room`."""
        high = self._groups.heightForWidth(_WIDTH - 24) + 8
        wanted = QRect(place.x(), place.y(), _WIDTH, min(high, max(160, room.bottom() - place.y() - 8)))
        wanted.moveRight(min(wanted.right(), room.right() - 4))
        self.setGeometry(wanted)
        self.show()

    @property
    def chips(self) -> tuple[FilterChip, ...]:
        """The chips from top to bottom."""
        return tuple(self._terms)

    def _group(self, facet: Facet) -> QWidget:
        titles = {
            "source": self.tr("Source"),
            "author": self.tr("Author"),
            "managed": self.tr("Managed by automation"),
            "enabled": self.tr("Offered to the agent"),
            "category": self.tr("Category"),
            "tag": self.tr("Tag"),
            "is": self.tr("Kind"),
        }
        flow = FlowLayout(spacing=4)
        for value, count, chosen in facet.values:
            chip = FilterChip(self._theme, f"{facet.key}-{value}", value)
            chip.set_count(count)
            chip.setChecked(chosen)
            chip.clicked.connect(self._on_chip)
            self._terms[chip] = (facet.key, value)
            flow.addWidget(chip)
        group = QWidget()
        group.setLayout(column(label(titles[facet.key], "section"), flow, spacing=4))
        return group

    @Slot()
    def _on_chip(self) -> None:
        chip = self.sender()
        if isinstance(chip, FilterChip) and chip in self._terms:
            self.term_toggled.emit(*self._terms[chip], chip.isChecked())
