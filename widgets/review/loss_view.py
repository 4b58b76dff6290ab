"""What an umbrella keeps of an absorbed skill: a bar, the pieces that were dropped or reworded, and "keep it"."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTreeWidget, QTreeWidgetItem, QWidget

from app.text.values import Fate, Loss, UnitFate, UnitKind
from widgets.common.meter import Meter
from widgets.common.parts import button, column, label, restyle, row
from widgets.common.reveal import revealed
from widgets.common.theme import Theme
from widgets.review.words import share_kept

_ORDER = (Fate.DROPPED, Fate.REWORDED, Fate.KEPT)
_LONGEST = 400
#: Narrower than this, what became of a piece is only a word or two.
_ROOM_FOR_BOTH = 560
_UNIT = Qt.ItemDataRole.UserRole


class LossView(QWidget):
    """Shows one Loss. Signals: keep_asked(indices of its units that shall be put back)."""

    keep_asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._may_keep = False
        self._dropped: tuple[int, ...] = ()
        self._told = label(role="heading", wrap=True)
        self._triggers = label(role="muted", wrap=True)
        self._meter = Meter(theme)
        self._meter.setFixedHeight(8)
        self._tree = QTreeWidget()
        self._tree.setColumnCount(3)
        self._tree.setHeaderLabels([self.tr("Piece"), self.tr("Kind"), self.tr("Now")])
        self._tree.setAccessibleName(self.tr("Pieces of the absorbed skill"))
        self._tree.setUniformRowHeights(True)
        self._tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head = self._tree.header()
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        head.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        head.resizeSection(1, 84)
        tip = self.tr("Put the selected pieces back into the umbrella (Enter)")
        self._keep = button(theme, self.tr("Keep the selected"), "", "restore", tip)
        self._keep_all = button(theme, self.tr("Keep all that is dropped"), "quiet")
        self._buttons = QWidget()
        self._buttons.setLayout(row(self._keep, self._keep_all, None, margins=(16, 4, 12, 4)))
        top = column(self._told, self._meter, self._triggers, margins=(16, 8, 16, 6), spacing=6)
        self.setLayout(column(top, self._tree, self._buttons, spacing=0))
        self._tree.itemSelectionChanged.connect(self._refresh)
        self._tree.itemActivated.connect(self._keep_one)
        self._tree.customContextMenuRequested.connect(self._ask_menu)
        self._keep.clicked.connect(self._keep_selected)
        self._keep_all.clicked.connect(self._keep_dropped)

    def set_loss(self, loss: Loss, *, may_keep: bool) -> None:
        """Show how much is kept, and what is not. `may_keep` says that the umbrella can still be changed."""
        self._may_keep = may_keep
        self._dropped = tuple(at for at, unit in enumerate(loss.units) if unit.fate is Fate.DROPPED)
        counts = {fate: loss.count(fate) for fate in _ORDER}
        total = max(len(loss.units), 1)
        told = self.tr("Of {total} pieces {kept} are kept, {reworded} reworded, {dropped} dropped.").format(
            total=len(loss.units),
            kept=counts[Fate.KEPT],
            reworded=counts[Fate.REWORDED],
            dropped=counts[Fate.DROPPED],
        )
        alarm = bool(loss.units) and loss.alarm
        self._told.setText(self.tr("Only {share}: {told}").format(share=share_kept(loss), told=told) if alarm else told)
        restyle(self._told, "role", "danger" if alarm else "heading")
        parts = ((Fate.KEPT, "active"), (Fate.REWORDED, "warn"), (Fate.DROPPED, "danger"))
        self._meter.set_parts([(counts[fate] / total, token) for fate, token in parts], told)
        self._say_triggers(loss)
        self._fill(loss)
        self._buttons.setVisible(may_keep and counts[Fate.DROPPED] > 0)
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow page gives the pieces themselves the room."""
        super().resizeEvent(event)
        wide = event.size().width() >= _ROOM_FOR_BOTH
        modes = QHeaderView.ResizeMode
        self._tree.header().setSectionResizeMode(2, modes.Stretch if wide else modes.Fixed)
        if not wide:
            self._tree.header().resizeSection(2, 88)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter keeps what is selected."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._selected():
            self._keep_selected()
        else:
            super().keyPressEvent(event)

    def _fill(self, loss: Loss) -> None:
        self._tree.clear()
        words = {
            Fate.DROPPED: self.tr("Dropped"),
            Fate.REWORDED: self.tr("Reworded"),
            Fate.KEPT: self.tr("Kept"),
        }
        for fate in _ORDER:
            found = [(at, unit) for at, unit in enumerate(loss.units) if unit.fate is fate]
            if found:
                self._add(f"{words[fate]}  {len(found)}", found, opened=fate is not Fate.KEPT)

    def _say_triggers(self, loss: Loss) -> None:
        """The words that make an agent open the skill matter most: without them nobody finds what was kept."""
        units = [unit for unit in loss.units if unit.unit.kind is UnitKind.TRIGGER]
        gone = [unit.unit.text for unit in units if unit.fate is Fate.DROPPED]
        if not units:
            text = ""
        elif gone:
            text = self.tr("Trigger words no longer there: {words}.").format(words=", ".join(gone[:12]))
        else:
            text = self.tr("All {n} trigger words are still there.").format(n=len(units))
        self._triggers.setText(text)
        self._triggers.setVisible(bool(text))

    def _add(self, title: str, units: Sequence[tuple[int, UnitFate]], *, opened: bool) -> None:
        head = QTreeWidgetItem([title])
        font = head.font(0)
        font.setBold(True)
        head.setFont(0, font)
        head.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self._tree.addTopLevelItem(head)
        kinds = {
            UnitKind.HEADING: self.tr("heading"),
            UnitKind.ITEM: self.tr("item"),
            UnitKind.CODE: self.tr("code"),
            UnitKind.SENTENCE: self.tr("sentence"),
            UnitKind.FILE: self.tr("file"),
            UnitKind.TRIGGER: self.tr("trigger"),
        }
        for at, unit in units:
            dropped = unit.fate is Fate.DROPPED and self._may_keep
            now = self.tr("keep it") if dropped else _short(unit.now)
            item = QTreeWidgetItem([_short(unit.unit.text), kinds[unit.unit.kind], now])
            item.setToolTip(0, _short(unit.unit.text))
            item.setToolTip(2, self.tr("Double click puts it back into the umbrella") if dropped else _short(unit.now))
            item.setData(0, _UNIT, at if dropped else -1)
            head.addChild(item)
        head.setExpanded(opened)
        head.setFirstColumnSpanned(True)

    def _selected(self) -> tuple[int, ...]:
        found = [item.data(0, _UNIT) for item in self._tree.selectedItems()]
        return tuple(sorted(at for at in found if isinstance(at, int) and at >= 0))

    def _refresh(self) -> None:
        self._keep.setEnabled(bool(self._selected()))

    def _keep_selected(self) -> None:
        if self._selected():
            self.keep_asked.emit(self._selected())

    def _keep_one(self, item: QTreeWidgetItem) -> None:
        at = item.data(0, _UNIT)
        if isinstance(at, int) and at >= 0:
            self.keep_asked.emit((at,))

    def _keep_dropped(self) -> None:
        self.keep_asked.emit(self._dropped)

    def _ask_menu(self, place: QPoint) -> None:
        if self._selected():
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction(self._keep.text(), self._keep_selected)
            menu.popup(self._tree.viewport().mapToGlobal(place))


def _short(text: str) -> str:
    shown = revealed(text.strip())
    return shown if len(shown) <= _LONGEST else shown[:_LONGEST] + "…"
