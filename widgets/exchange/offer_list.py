"""The left side of the import sheet: every skill of the source with its verdict and what will be done with it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from app.exchange.values import Choice, Offer
from widgets.common.reveal import revealed
from widgets.common.theme import Theme
from widgets.exchange.choices import Choices
from widgets.exchange.words import choice_words, short_words, verdict

_KEY = Qt.ItemDataRole.UserRole + 1


class OfferList(QTreeWidget):
    """Signals: current_changed(key)."""

    current_changed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: dict[str, QTreeWidgetItem] = {}
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setAccessibleName(self.tr("Skills of the source"))
        self.setHeaderLabels([self.tr("Skill"), self.tr("Verdict"), self.tr("What is done")])
        header = self.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.setColumnWidth(0, 170)
        self.setColumnWidth(1, 150)
        self.currentItemChanged.connect(self._on_current)
        theme.changed.connect(self._on_theme)
        self._offers: Sequence[Offer] = ()

    def set_offers(self, offers: Sequence[Offer], choices: Choices) -> None:
        """Show these, those that need a decision first as they came; the first is current."""
        self.clear()
        self._rows.clear()
        self._offers = offers
        for offer in offers:
            item = QTreeWidgetItem()
            item.setData(0, _KEY, offer.key)
            item.setToolTip(0, offer.key or offer.name)
            self._rows[offer.key] = item
            self.addTopLevelItem(item)
            self.refresh(offer, choices)
        first = self.topLevelItem(0)
        if first is not None:
            self.setCurrentItem(first)

    def refresh(self, offer: Offer, choices: Choices) -> None:
        """Show what is done with one skill now."""
        item = self._rows[offer.key]
        words, token, icon = verdict(offer)
        choice = choices.choice(offer.key)
        item.setText(0, revealed(offer.name))
        item.setText(1, words)
        item.setIcon(1, self._theme.icon(icon, token))
        item.setForeground(1, self._theme.colour(token))
        item.setText(2, short_words(choice, choices.name(offer.key)))
        item.setForeground(2, self._theme.colour("muted" if choice is Choice.SKIP else "text"))
        item.setToolTip(2, choice_words(choice, choices.name(offer.key)))

    def select(self, key: str) -> None:
        """Make a skill current."""
        if key in self._rows:
            self.setCurrentItem(self._rows[key])

    @Slot()
    def _on_current(self) -> None:
        item = self.currentItem()
        if item is not None:
            self.current_changed.emit(str(item.data(0, _KEY)))

    @Slot()
    def _on_theme(self) -> None:
        for offer in self._offers:
            _, token, icon = verdict(offer)
            self._rows[offer.key].setIcon(1, self._theme.icon(icon, token))
            self._rows[offer.key].setForeground(1, self._theme.colour(token))
