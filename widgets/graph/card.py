"""The small card about the node under the pointer: what it is, in words, and how it is joined."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from app.graph.values import Node
from widgets.graph.grouping import Mark, mark_of


class NodeCard(QFrame):
    """A tooltip with three lines. It never takes the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._name, self._facts, self._joined = QLabel(), QLabel(), QLabel()
        self._name.setProperty("role", "heading")
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 8, 10, 8)
        column.setSpacing(2)
        for label in (self._name, self._facts, self._joined):
            label.setTextFormat(Qt.TextFormat.PlainText)
            column.addWidget(label)
        for label in (self._facts, self._joined):
            label.setProperty("role", "caption")
        self.hide()

    def show_node(self, node: Node, neighbours: int) -> None:
        """Show the card in the upper left corner, where it hides no neighbour of what is lifted."""
        self._name.setText(node.name)
        self._facts.setText(self._describe(node))
        self._joined.setText(self._relations(node, neighbours))
        self.adjustSize()
        self.move(12, 12)
        self.raise_()
        self.show()

    def words(self, node: Node) -> str:
        """A node in one line, for a screen reader."""
        return f"{node.name}: {self._describe(node)}"

    def _describe(self, node: Node) -> str:
        words = {
            Mark.ACTIVE: self.tr("active"),
            Mark.STALE: self.tr("stale"),
            Mark.ARCHIVED: self.tr("archived"),
            Mark.BROKEN: self.tr("broken"),
            Mark.PROPOSED: self.tr("proposed, waits for your decision"),
        }
        parts = [words[mark_of(node)]]
        if node.pinned:
            parts.append(self.tr("pinned"))
        if node.category:
            parts.append(node.category)
        if not node.proposed:
            parts.append(self.tr("1 use") if node.uses == 1 else self.tr("{n} uses").format(n=node.uses))
        return " · ".join(parts)

    def _relations(self, node: Node, neighbours: int) -> str:
        if node.absorbed_into:
            return self.tr("Absorbed into {name}").format(name=node.absorbed_into)
        if neighbours == 1:
            return self.tr("1 relation")
        return self.tr("{n} relations").format(n=neighbours) if neighbours else self.tr("No relations")
