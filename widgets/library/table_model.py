"""The library as columns, for comparing skills: one row each, sorted by any column."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.skills.values import Skill
from widgets.common.matching import folded
from widgets.common.theme import Theme
from widgets.common.times import file_size, local_date, number
from widgets.library.skill_model import ENTRY_ROLE
from widgets.library.tree_rows import Entry, Key, glyph_of

Index = QModelIndex | QPersistentModelIndex
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its title, what is shown, what it is sorted by, whether it is a number, and its width."""

    title: str
    shown: Callable[[Skill], str]
    key: Callable[[Skill], Any]
    right: bool = False
    width: int = 80
    tip: str = ""


COST_TIP = "Tokens that its line in the catalogue costs in every conversation; nothing when it is not offered"


def cost(skill: Skill) -> int:
    """What a skill costs an agent in every conversation: its line in the catalogue, if it is in there."""
    return skill.catalogue_tokens if skill.live and skill.enabled and skill.shadowed_by is None else 0


def _uses(skill: Skill) -> str:
    return number(skill.usage.uses) if skill.usage.known else "no data"


def _uses_key(skill: Skill) -> int:
    return skill.usage.uses if skill.usage.known else -1


COLUMNS = (
    Column("Name", lambda skill: skill.name, lambda skill: folded(skill.name), width=170),
    Column("State", glyph_of, glyph_of, width=84),
    Column("Category", lambda skill: skill.category, lambda skill: folded(skill.category), width=110),
    Column("Uses", _uses, _uses_key, right=True, width=64),
    Column(
        "Last activity",
        lambda skill: local_date(skill.usage.last_activity_at, "never" if skill.usage.known else "no data"),
        lambda skill: skill.usage.last_activity_at or _LONG_AGO,
        width=96,
    ),
    Column("Size", lambda skill: file_size(skill.size), lambda skill: skill.size, right=True),
    Column("Cost", lambda skill: number(cost(skill)), cost, right=True, width=56, tip=COST_TIP),
    Column(
        "Tokens",
        lambda skill: number(skill.body_tokens),
        lambda skill: skill.body_tokens,
        right=True,
        width=64,
        tip="Tokens of the whole text, paid when the agent reads it",
    ),
    Column("Source", lambda skill: skill.source.value, lambda skill: skill.source.value, width=72),
    Column("Author", lambda skill: skill.author.value, lambda skill: skill.author.value, width=88),
    Column("Managed", lambda skill: "yes" if skill.managed else "no", lambda skill: skill.managed, width=82),
)


class SkillTableModel(QAbstractTableModel):
    """Rows in the order of the chosen column; persistent indexes follow their skill."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entries: list[Entry] = []
        self._sorted: tuple[int, Qt.SortOrder] = (0, Qt.SortOrder.AscendingOrder)

    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Show these rows; selected ones stay selected as long as they are among them."""
        self._rearrange(list(entries))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column."""
        self._sorted = (column, order)
        self._rearrange(self._entries)

    def row_of_id(self, skill_id: str) -> int:
        """The first row with this id, -1 when there is none."""
        return next((row for row, entry in enumerate(self._entries) if entry.skill.id == skill_id), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """How many skills."""
        return 0 if parent.isValid() else len(self._entries)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        """Titles of the columns."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.tr(COLUMNS[section].title)
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(COLUMNS[section])
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            return self.tr(COLUMNS[section].tip) if COLUMNS[section].tip else None
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        """A cell's text, its side, its ink, and the row's Entry."""
        if not index.isValid():
            return None
        entry, column = self._entries[index.row()], COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.shown(entry.skill)
        if role == ENTRY_ROLE:
            return entry
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(column)
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._theme.colour("text" if index.column() == 0 and entry.skill.live else "muted")
        if role == Qt.ItemDataRole.ToolTipRole:
            return entry.skill.description[:400]
        return None

    @staticmethod
    def _side(column: Column) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def _rearrange(self, entries: list[Entry]) -> None:
        column, order = self._sorted
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        keys: list[Key] = [self._entries[index.row()].key for index in kept]
        by = COLUMNS[column].key
        self._entries = sorted(entries, key=lambda entry: folded(entry.skill.name))
        self._entries.sort(key=lambda entry: by(entry.skill), reverse=order is Qt.SortOrder.DescendingOrder)
        places = {entry.key: row for row, entry in enumerate(self._entries)}
        moved = [
            self.index(places[key], index.column()) if key in places else QModelIndex()
            for key, index in zip(keys, kept, strict=True)
        ]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()
