"""Actions as a list of values; menus, context menus, tool bars, shortcuts and the palette are all made from it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from widgets.common.theme import Theme


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One thing the user can do.

    `id` is stable and dotted (`skill.pin`), `text` as in a menu, `keys` a portable shortcut or empty, `group` the menu
    it belongs to (a change of group inside one menu draws a line). `checkable` actions show a state. `scope` says
    where the shortcut works: `window`, or `widget` for the pane that owns the set.
    """

    id: str
    text: str
    icon: str = ""
    keys: str = ""
    tip: str = ""
    group: str = ""
    checkable: bool = False
    danger: bool = False
    scope: str = "window"


class SpecAction(QAction):
    """The QAction of a spec. It says its id when it is triggered, whatever Qt passes along."""

    fired = Signal(str)

    def __init__(self, theme: Theme, spec: ActionSpec, parent: QObject) -> None:
        super().__init__(QCoreApplication.translate("ActionSpec", spec.text), parent)
        self.spec = spec
        self.setCheckable(spec.checkable)
        self.setToolTip(_tip(spec))
        self.setStatusTip(QCoreApplication.translate("ActionSpec", spec.tip))
        if spec.icon:
            theme.bind_icon(self, spec.icon, "danger" if spec.danger else "text")
        if spec.keys:
            self.setShortcut(QKeySequence(spec.keys, QKeySequence.SequenceFormat.PortableText))
            inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
            self.setShortcutContext(inside if spec.scope == "widget" else Qt.ShortcutContext.WindowShortcut)
        self.triggered.connect(self._on_triggered)

    @Slot()
    def _on_triggered(self) -> None:
        self.fired.emit(self.spec.id)


class ActionSet(QObject):
    """All actions of a pane or of the window. Listen to `triggered`; enable and check by id."""

    triggered = Signal(str)

    def __init__(self, theme: Theme, specs: Sequence[ActionSpec], parent: QWidget) -> None:
        super().__init__(parent)
        self._actions: dict[str, SpecAction] = {}
        for spec in specs:
            if spec.id in self._actions:
                raise ValueError(f"two actions are called {spec.id}")
            action = SpecAction(theme, spec, self)
            action.fired.connect(self.triggered)
            self._actions[spec.id] = action
            parent.addAction(action)

    def action(self, name: str) -> SpecAction:
        """The action with this id. Raises KeyError when there is none."""
        return self._actions[name]

    def all(self) -> tuple[SpecAction, ...]:
        """Every action, in the order of the specs."""
        return tuple(self._actions.values())

    def enable(self, names: Iterable[str], *, on: bool = True) -> None:
        """Switch actions on or off."""
        for name in names:
            self._actions[name].setEnabled(on)

    def check(self, name: str, *, on: bool) -> None:
        """Show a checkable action's state without triggering it."""
        self._actions[name].setChecked(on)

    def menu(self, names: Iterable[str], title: str, parent: QWidget) -> QMenu:
        """A menu of these actions; a line between groups. Open it with `popup`."""
        made = QMenu(title, parent)
        group = None
        for name in names:
            action = self._actions[name]
            if group is not None and action.spec.group != group:
                made.addSeparator()
            group = action.spec.group
            made.addAction(action)
        return made

    def tool(self, name: str, parent: QWidget | None = None) -> QToolButton:
        """A flat icon button for an action."""
        made = QToolButton(parent)
        made.setDefaultAction(self._actions[name])
        made.setFixedSize(26, 26)
        made.setAccessibleName(self._actions[name].text())
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return made


def _tip(spec: ActionSpec) -> str:
    keys = QKeySequence(spec.keys, QKeySequence.SequenceFormat.PortableText)
    shown = keys.toString(QKeySequence.SequenceFormat.NativeText)
    text = QCoreApplication.translate("ActionSpec", spec.tip or spec.text.replace("&", ""))
    return f"{text} ({shown})" if shown else text
