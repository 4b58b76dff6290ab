"""The update sheet: every imported skill against its source, and what of the newer versions comes in."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QTreeWidget, QTreeWidgetItem, QWidget

from app.errors import Failure
from app.exchange.values import Keep, Progress, Renewal, Standing
from widgets.common.empty_state import StatePages
from widgets.common.parts import bar, button, column, label, row
from widgets.common.reveal import revealed
from widgets.common.theme import Theme
from widgets.exchange.words import standing_words

_PATH = Qt.ItemDataRole.UserRole + 1
_NEWER = (Standing.UPDATE, Standing.MERGE, Standing.CONFLICT)


class UpdateSheet(QDialog):
    """Signals: update_requested(ids, Keep, whether new dangers are accepted); cancel_requested() while looking;
    retry_requested().
    """

    update_requested = Signal(object, object, bool)
    cancel_requested = Signal()
    retry_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._renewals: dict[str, Renewal] = {}
        self.setWindowTitle(self.tr("Updates of imported skills"))
        self.resize(760, 520)
        self.list = QTreeWidget()
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setHeaderLabels([self.tr("Skill"), self.tr("Standing"), self.tr("Source")])
        self.list.setAccessibleName(self.tr("Imported skills"))
        self.list.setColumnWidth(0, 190)
        self.list.setColumnWidth(1, 250)
        self.list.itemChanged.connect(self._sum_up)
        self.list.currentItemChanged.connect(self._on_current)
        self._about = label(role="muted", wrap=True)
        self._about.setMinimumHeight(54)
        self._about.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._keep = QComboBox()
        self._keep.setAccessibleName(self.tr("Where both sides changed the same places"))
        self._keep.addItem(self.tr("Both changed one place: leave the skill as it is"), Keep.NONE)
        self._keep.addItem(self.tr("Both changed one place: keep mine"), Keep.MINE)
        self._keep.addItem(self.tr("Both changed one place: take theirs"), Keep.THEIRS)
        self._keep.currentIndexChanged.connect(self._sum_up)
        self._accept = QCheckBox(self.tr("I looked at the new dangers and trust the source"))
        self._accept.toggled.connect(self._sum_up)
        self.update_all = button(theme, self.tr("Update"), "primary", "download")
        self.update_all.clicked.connect(self._on_update)
        close = button(theme, self.tr("Close"))
        close.clicked.connect(self.reject)
        below = column(self._about, row(self._keep, self._accept, None), margins=(16, 10, 16, 10), spacing=8)
        inside = QWidget()
        whole = column(self.list, bar(below, "surface", "top"), spacing=0)
        whole.setStretch(0, 1)
        inside.setLayout(whole)
        self._pages = StatePages(theme, inside)
        self._pages.action_requested.connect(self._on_state)
        foot = bar(row(None, close, self.update_all, margins=(16, 10, 16, 10)), "bg", "top")
        page = column(self._pages, foot, spacing=0)
        page.setStretch(0, 1)
        self.setLayout(page)
        self.rejected.connect(self.cancel_requested)
        self.show_looking()

    @property
    def state_kind(self) -> str:
        """`content`, `loading`, `empty` or `error`."""
        return self._pages.kind

    @Slot()
    def show_looking(self) -> None:
        """The sources are being read."""
        self._pages.show_loading(self.tr("Looking at the sources…"))
        self.update_all.setEnabled(False)

    @Slot(object)
    def show_progress(self, progress: Progress) -> None:
        """How far the reading is."""
        if self._pages.kind == "loading":
            self._pages.show_loading(self.tr("Looking at the sources…"), progress.text)

    @Slot(object)
    def show_failure(self, failure: Failure) -> None:
        """The sources could not be looked at."""
        self._pages.show_failure(failure)

    @Slot(object)
    def show_renewals(self, renewals: Sequence[Renewal]) -> None:
        """Show these; what is newer and safe is ticked."""
        self._renewals = {one.path: one for one in renewals}
        self.list.blockSignals(True)
        self.list.clear()
        for one in sorted(renewals, key=lambda renewal: (renewal.standing not in _NEWER, renewal.path)):
            self.list.addTopLevelItem(self._item(one))
        self.list.blockSignals(False)
        self._keep.setVisible(any(one.conflicts for one in renewals))
        self._accept.setVisible(any(one.hints for one in renewals))
        first = self.list.topLevelItem(0)
        if first is not None:
            self._pages.show_content()
            self.list.setCurrentItem(first)
        else:
            told = self.tr("Skills that you import keep the way back to their source, and appear here.")
            self._pages.show_empty("download", self.tr("Nothing was imported yet"), told)
        self._sum_up()

    def _item(self, one: Renewal) -> QTreeWidgetItem:
        words, token, icon = standing_words(one.standing)
        item = QTreeWidgetItem([revealed(one.name), words, one.source])
        item.setData(0, _PATH, one.path)
        item.setIcon(1, self._theme.icon(icon, token))
        item.setForeground(1, self._theme.colour(token))
        item.setToolTip(2, one.source)
        if one.standing in _NEWER:
            ready = not one.conflicts and not one.hints
            item.setCheckState(0, Qt.CheckState.Checked if ready else Qt.CheckState.Unchecked)
        return item

    def choose_side(self, keep: Keep) -> None:
        """Whose side wins where both changed the same places."""
        self._keep.setCurrentIndex(self._keep.findData(keep))

    def chosen(self) -> tuple[str, ...]:
        """The ids that are ticked and can be written as things stand."""
        keep, accept = Keep(self._keep.currentData()), self._accept.isChecked()
        found = []
        rows = (self.list.topLevelItem(number) for number in range(self.list.topLevelItemCount()))
        for item in (one for one in rows if one is not None):
            one = self._renewals[str(item.data(0, _PATH))]
            held = (one.conflicts and keep is Keep.NONE) or (one.hints and not accept)
            if item.checkState(0) is Qt.CheckState.Checked and one.standing in _NEWER and not held:
                found.append(one.path)
        return tuple(found)

    @Slot()
    def _sum_up(self) -> None:
        count = len(self.chosen()) if self._pages.kind == "content" else 0
        words = self.tr("Update one skill") if count == 1 else self.tr("Update {} skills").format(count)
        self.update_all.setText(words if count else self.tr("Update"))
        self.update_all.setEnabled(count > 0)

    @Slot()
    def _on_current(self) -> None:
        item = self.list.currentItem()
        one = self._renewals.get(str(item.data(0, _PATH))) if item is not None else None
        if one is None:
            return
        parts = [one.why] if one.why else []
        if one.changed:
            parts.append(self.tr("Newer at the source: {}.").format(", ".join(one.changed[:8])))
        if one.conflicts:
            parts.append(self.tr("Both sides changed: {}.").format(", ".join(one.conflicts[:8])))
        parts += [f"{hint.rule} {hint.file}:{hint.line or 1}: {hint.message} {hint.excerpt}" for hint in one.hints[:3]]
        self._about.setText(revealed("\n".join(parts)))

    @Slot()
    def _on_update(self) -> None:
        ids = self.chosen()
        if ids:
            self.update_requested.emit(ids, Keep(self._keep.currentData()), self._accept.isChecked())
            self.accept()

    @Slot(str)
    def _on_state(self, action: str) -> None:
        if action == "retry":
            self.show_looking()
            self.retry_requested.emit()
