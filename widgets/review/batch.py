"""Approving several at once: what was opened already, or one class of proposals that the list itself shows in full."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QDialog, QListWidget, QListWidgetItem, QWidget

from app.proposals.values import Group
from app.skills.values import Action
from widgets.common.chips import FilterChip
from widgets.common.parts import button, column, label, row
from widgets.common.theme import Theme
from widgets.review.choice import open_changes
from widgets.review.words import Row, name_of

_KEY = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class Batch:
    """What is approved of one proposal: change ids, and the hash of each that was displayed."""

    proposal: str
    changes: tuple[str, ...]
    seen: Mapping[str, str]


def opened_rows(rows: Sequence[Row], seen: Mapping[str, Mapping[str, str]]) -> list[Row]:
    """The waiting rows every open change of which was on the screen as it is, without scripts and conflicts."""
    return [item for item in rows if item.waiting and _was_seen(item, seen.get(item.proposal.id, {}))]


def aged_rows(rows: Sequence[Row]) -> list[Row]:
    """The waiting rows that only move one unused skill to the archive: there is no text to look at."""
    return [item for item in rows if item.waiting and _only_archives(item.group)]


def batches(rows: Sequence[Row]) -> list[Batch]:
    """What approving these rows means, proposal by proposal."""
    found: dict[str, dict[str, str]] = {}
    for item in rows:
        changes = {change.id: change.seen for change in open_changes(item.group)}
        found.setdefault(item.proposal.id, {}).update(changes)
    return [Batch(proposal, tuple(seen), seen) for proposal, seen in found.items()]


def _was_seen(item: Row, seen: Mapping[str, str]) -> bool:
    return all(
        seen.get(change.id) == change.seen and not change.has_script and not change.conflicts
        for change in open_changes(item.group)
    )


def _only_archives(group: Group) -> bool:
    changes = open_changes(group)
    return len(group.changes) == 1 and all(
        change.action is Action.ARCHIVE and not change.absorbed_into and not change.conflicts for change in changes
    )


class BatchDialog(QDialog):
    """One class at a time, as a list to uncheck from. Signals: approved(batches)."""

    approved = Signal(object)

    def __init__(self, theme: Theme, opened: Sequence[Row], aged: Sequence[Row], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Approve several"))
        self.setMinimumSize(460, 420)
        self._classes = {"opened": list(opened), "aged": list(aged)}
        words = {"opened": self.tr("Looked at"), "aged": self.tr("Archives by age")}
        self._told = label(role="muted", wrap=True)
        self._list = QListWidget()
        self._list.setAccessibleName(self.tr("What is approved"))
        self._list.itemChanged.connect(self._refresh)
        self._chips = QButtonGroup(self)
        self._chips.setExclusive(True)
        made = []
        for name, word in words.items():
            chip = FilterChip(theme, name, word)
            chip.set_count(len(self._classes[name]))
            chip.clicked.connect(self._choose)
            self._chips.addButton(chip)
            made.append(chip)
        self._yes = button(theme, self.tr("Approve"), "primary", "check")
        no = button(theme, self.tr("Cancel"), "quiet")
        self._yes.clicked.connect(self._approve)
        no.clicked.connect(self.reject)
        page = column(
            row(*made, None, spacing=6),
            self._told,
            self._list,
            row(None, no, self._yes),
            margins=(16, 16, 16, 12),
            spacing=10,
        )
        page.setStretch(2, 1)
        self.setLayout(page)
        first = made[0] if opened or not aged else made[1]
        first.setChecked(True)
        self._show(first.name)

    def _choose(self) -> None:
        chip = self._chips.checkedButton()
        if isinstance(chip, FilterChip):
            self._show(chip.name)

    def _show(self, name: str) -> None:
        self._list.clear()
        told = {
            "opened": self.tr("Every change of these was on the screen. Scripts and conflicts are decided one by one."),
            "aged": self.tr(
                "These skills were not used for long. They move to the archive whole; Restore brings them back."
            ),
        }
        none = {
            "opened": self.tr(
                "Nothing was looked at yet. Go through the inbox with J, then approve what you saw at once."
            ),
            "aged": self.tr("No skill waits to be archived by age."),
        }
        rows = self._classes[name]
        self._told.setText(told[name] if rows else none[name])
        for item in rows:
            line = QListWidgetItem(item.group.title)
            names = ", ".join(dict.fromkeys(name_of(change) for change in item.group.changes))
            line.setToolTip(f"{names}\n{item.group.changes[0].reason}".strip())
            line.setData(_KEY, item.key)
            line.setFlags(line.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            line.setCheckState(Qt.CheckState.Checked)
            self._list.addItem(line)
        self._refresh()

    def _checked(self) -> list[Row]:
        lines = (self._list.item(at) for at in range(self._list.count()))
        keys = {tuple(line.data(_KEY)) for line in lines if line.checkState() is Qt.CheckState.Checked}
        return [item for rows in self._classes.values() for item in rows if item.key in keys]

    def _refresh(self) -> None:
        count = len({item.key for item in self._checked()})
        self._yes.setEnabled(count > 0)
        self._yes.setText(self.tr("Approve {n}").format(n=count) if count else self.tr("Approve"))

    def _approve(self) -> None:
        self.approved.emit(batches(self._checked()))
        self.accept()
