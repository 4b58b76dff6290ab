"""What an umbrella keeps of an absorbed skill: a bar, and the list of pieces that were dropped or reworded."""

from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.text.values import Fate, Loss, UnitFate, UnitKind
from widgets.common.meter import Meter
from widgets.common.parts import column, label
from widgets.common.reveal import revealed
from widgets.common.theme import Theme

_ORDER = (Fate.DROPPED, Fate.REWORDED, Fate.KEPT)
_LONGEST = 400


class LossView(QWidget):
    """Shows one Loss."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._told = label(role="heading", wrap=True)
        self._meter = Meter(theme)
        self._meter.setFixedHeight(8)
        self._tree = QTreeWidget()
        self._tree.setColumnCount(3)
        self._tree.setHeaderLabels([self.tr("Piece"), self.tr("Kind"), self.tr("Now")])
        self._tree.setAccessibleName(self.tr("Pieces of the absorbed skill"))
        self._tree.setUniformRowHeights(True)
        head = self._tree.header()
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        head.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        head.resizeSection(1, 84)
        top = column(self._told, self._meter, margins=(16, 12, 16, 8), spacing=8)
        self.setLayout(column(top, self._tree, spacing=0))

    def set_loss(self, loss: Loss) -> None:
        """Show how much is kept, and what is not."""
        counts = {fate: loss.count(fate) for fate in _ORDER}
        total = max(len(loss.units), 1)
        told = self.tr("Of {total} pieces {kept} are kept, {reworded} reworded, {dropped} dropped.").format(
            total=len(loss.units),
            kept=counts[Fate.KEPT],
            reworded=counts[Fate.REWORDED],
            dropped=counts[Fate.DROPPED],
        )
        self._told.setText(told)
        parts = ((Fate.KEPT, "active"), (Fate.REWORDED, "warn"), (Fate.DROPPED, "danger"))
        self._meter.set_parts([(counts[fate] / total, token) for fate, token in parts], told)
        self._tree.clear()
        words = {
            Fate.DROPPED: self.tr("Dropped"),
            Fate.REWORDED: self.tr("Reworded"),
            Fate.KEPT: self.tr("Kept"),
        }
        for fate in _ORDER:
            found = [unit for unit in loss.units if unit.fate is fate]
            if found:
                self._add(f"{words[fate]}  {len(found)}", found, opened=fate is not Fate.KEPT)

    def _add(self, title: str, units: list[UnitFate], *, opened: bool) -> None:
        head = QTreeWidgetItem([title])
        font = head.font(0)
        font.setBold(True)
        head.setFont(0, font)
        self._tree.addTopLevelItem(head)
        kinds = {
            UnitKind.HEADING: self.tr("heading"),
            UnitKind.ITEM: self.tr("item"),
            UnitKind.CODE: self.tr("code"),
            UnitKind.SENTENCE: self.tr("sentence"),
            UnitKind.FILE: self.tr("file"),
            UnitKind.TRIGGER: self.tr("trigger"),
        }
        for unit in units:
            item = QTreeWidgetItem([_short(unit.unit.text), kinds[unit.unit.kind], _short(unit.now)])
            item.setToolTip(0, _short(unit.unit.text))
            item.setToolTip(2, _short(unit.now))
            head.addChild(item)
        head.setExpanded(opened)
        head.setFirstColumnSpanned(True)


def _short(text: str) -> str:
    shown = revealed(text.strip())
    return shown if len(shown) <= _LONGEST else shown[:_LONGEST] + "…"
