"""The library as a tree model that changes row by row, so that selection, scroll place and open groups survive."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from widgets.library.tree_rows import ARCHIVED, Entry, Group, Key, glyph_of, reason_of

Index = QModelIndex | QPersistentModelIndex
#: The Entry of a row, the Group of a group row, and the group's key.
ENTRY_ROLE = Qt.ItemDataRole.UserRole + 1
GROUP_ROLE = Qt.ItemDataRole.UserRole + 2
#: With more row changes than this, one reset is cheaper; the view then restores what was selected and open.
RESET_FROM = 400


class _Node:
    """A group as the model holds it; `serial` never changes while it lives."""

    def __init__(self, serial: int, group: Group) -> None:
        self.serial = serial
        self.group = group
        self.entries = list(group.entries)


class SkillModel(QAbstractItemModel):
    """Two levels: groups, and skills below them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._nodes: list[_Node] = []
        self._rows: dict[int, int] = {}
        self._next = 1

    def set_groups(self, groups: Sequence[Group]) -> None:
        """Show these groups, telling views only what differs."""
        if self._changes(groups) > RESET_FROM:
            self.beginResetModel()
            self._nodes = [self._node(group) for group in groups]
            self._number()
            self.endResetModel()
            return
        wanted = {group.key for group in groups}
        for row in reversed(range(len(self._nodes))):
            if self._nodes[row].group.key not in wanted:
                self.beginRemoveRows(QModelIndex(), row, row)
                del self._nodes[row]
                self._number()
                self.endRemoveRows()
        for row, group in enumerate(groups):
            if row >= len(self._nodes) or self._nodes[row].group.key != group.key:
                self.beginInsertRows(QModelIndex(), row, row)
                self._nodes.insert(row, self._node(group))
                self._number()
                self.endInsertRows()
            else:
                self._update(row, group)

    def index_of(self, key: Key) -> QModelIndex:
        """The row with this key; an invalid index when it is not shown."""
        for row, node in enumerate(self._nodes):
            for place, entry in enumerate(node.entries):
                if entry.key == key:
                    return self.index(place, 0, self.index(row, 0))
        return QModelIndex()

    def index_of_id(self, skill_id: str) -> QModelIndex:
        """The first row with this id; the home's own comes first."""
        for row, node in enumerate(self._nodes):
            for place, entry in enumerate(node.entries):
                if entry.skill.id == skill_id:
                    return self.index(place, 0, self.index(row, 0))
        return QModelIndex()

    def group_keys(self) -> tuple[str, ...]:
        """The keys of all groups, in order."""
        return tuple(node.group.key for node in self._nodes)

    def entries(self) -> tuple[Entry, ...]:
        """Every skill row, in order."""
        return tuple(entry for node in self._nodes for entry in node.entries)

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's own
        """The index of a group, or of a skill inside one."""
        # Asked thousands of times by one layout: the bounds are looked up here, not through rowCount and columnCount.
        if row < 0 or column != 0:
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, 0, 0) if row < len(self._nodes) else QModelIndex()
        if parent.internalId() != 0:
            return QModelIndex()
        node = self._nodes[parent.row()]
        return self.createIndex(row, 0, node.serial) if row < len(node.entries) else QModelIndex()

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override] # noqa: B008
        """A skill's group."""
        if not index.isValid() or index.internalId() == 0:
            return QModelIndex()
        return self.createIndex(self._rows[index.internalId()], 0, 0)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Groups at the top, skills in a group, nothing below a skill."""
        if not parent.isValid():
            return len(self._nodes)
        if parent.internalId() == 0 and parent.column() == 0:
            return len(self._nodes[parent.row()].entries)
        return 0

    def columnCount(self, _parent: Index = QModelIndex()) -> int:  # noqa: B008
        """One: the delegate paints the rest."""
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        """Text for screen readers and type-ahead, tooltips, and the values themselves."""
        if not index.isValid():
            return None
        if index.internalId() == 0:
            return self._group_data(self._nodes[index.row()], role)
        entry = self._nodes[self._rows[index.internalId()]].entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.skill.name
        if role == ENTRY_ROLE:
            return entry
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(entry)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(entry)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Skills can be selected, groups only opened."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if index.internalId() == 0:
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def _changes(self, groups: Sequence[Group]) -> int:
        old = {node.group.key: node.group for node in self._nodes}
        new = {group.key: group for group in groups}
        differing = [key for key in old.keys() | new.keys() if old.get(key) != new.get(key)]
        before = {entry.key for key in differing if key in old for entry in old[key].entries}
        after = {entry.key for key in differing if key in new for entry in new[key].entries}
        return len(before ^ after)

    def _update(self, row: int, group: Group) -> None:
        node = self._nodes[row]
        if node.group == group:
            return
        node.group = group
        parent = self.index(row, 0)
        wanted = {entry.key for entry in group.entries}
        for place in reversed(range(len(node.entries))):
            if node.entries[place].key not in wanted:
                self.beginRemoveRows(parent, place, place)
                del node.entries[place]
                self.endRemoveRows()
        for place, entry in enumerate(group.entries):
            self._put(node, parent, place, entry)
        self.dataChanged.emit(parent, parent)

    def _put(self, node: _Node, parent: QModelIndex, place: int, entry: Entry) -> None:
        if place < len(node.entries) and node.entries[place].key == entry.key:
            if node.entries[place] != entry:
                node.entries[place] = entry
                changed = self.index(place, 0, parent)
                self.dataChanged.emit(changed, changed)
            return
        old = next((at for at in range(place + 1, len(node.entries)) if node.entries[at].key == entry.key), None)
        if old is None:
            self.beginInsertRows(parent, place, place)
            node.entries.insert(place, entry)
            self.endInsertRows()
            return
        self.beginMoveRows(parent, old, old, parent, place)
        del node.entries[old]
        node.entries.insert(place, entry)
        self.endMoveRows()
        changed = self.index(place, 0, parent)
        self.dataChanged.emit(changed, changed)

    def _node(self, group: Group) -> _Node:
        self._next += 1
        return _Node(self._next, group)

    def _number(self) -> None:
        self._rows = {node.serial: row for row, node in enumerate(self._nodes)}

    def _group_data(self, node: _Node, role: int) -> Any:  # noqa: ANN401
        if role == GROUP_ROLE:
            return node.group
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return self.group_title(node.group)
        return None

    def group_title(self, group: Group) -> str:
        """The words of a group's row."""
        if group.key == ARCHIVED:
            return self.tr("Archived")
        return group.title or self.tr("No category")

    def _tip(self, entry: Entry) -> str:
        skill = entry.skill
        told = reason_of(skill) or skill.description
        more = f"\n\n{_cut(told)}" if told else ""
        return f"{skill.name}  ·  {self._state(entry)}\n{skill.id}{more}"

    def _spoken(self, entry: Entry) -> str:
        return f"{entry.skill.name}, {self._state(entry)}. {reason_of(entry.skill) or entry.skill.description[:200]}"

    def _state(self, entry: Entry) -> str:
        skill = entry.skill
        parts = [self.tr(glyph_of(skill))]
        if skill.pinned:
            parts.append(self.tr("pinned"))
        if not skill.enabled:
            parts.append(self.tr("not offered to the agent"))
        if skill.linked:
            parts.append(self.tr("linked"))
        if entry.waiting:
            parts.append(self.tr("{count} waiting").format(count=entry.waiting))
        return ", ".join(parts)


def _cut(text: str) -> str:
    return text if len(text) <= 400 else f"{text[:400].rstrip()}…"
