"""Every control of the window can be reached by keyboard, and a screen reader has a name for it."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QMenu,
    QMenuBar,
    QScrollBar,
    QSplitterHandle,
    QTabBar,
    QWidget,
)

from app.errors import Failure
from tests.flows.test_reading import talk
from widgets.common.bug_dialog import BugDialog
from widgets.library.first_start import FirstStart
from widgets.library.new_skill import NewSkillDialog

#: Parts of other controls, which carry the name, and what names its own entries.
_PARTS = (QMenu, QMenuBar, QScrollBar, QSplitterHandle, QTabBar)


def controls(root: QWidget) -> Iterator[QWidget]:
    """Whatever can have the keyboard, without the insides of other controls."""
    for widget in root.findChildren(QWidget):
        part = isinstance(widget, _PARTS) or widget.objectName().startswith("qt_") or _inside(widget)
        form = widget.parentWidget()  # a hidden button, or one of a hidden form, gets its words when it is shown
        later = isinstance(widget, QAbstractButton) and (widget.isHidden() or (form is not None and form.isHidden()))
        if widget.focusPolicy() is not Qt.FocusPolicy.NoFocus and not part and not later:
            yield widget


def _inside(widget: QWidget) -> bool:
    """The field of a number, or the list a box of choices opens."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QAbstractSpinBox | QComboBox):
        above = above.parentWidget()
    return above is not None


def name_of(widget: QWidget, buddies: dict[QWidget, str]) -> str:
    """What a screen reader would say."""
    said = widget.accessibleName() or widget.windowTitle() or buddies.get(widget, "")
    if not said and isinstance(widget, QAbstractButton | QLabel):
        said = widget.text()
    return said.strip()


def nameless(root: QWidget) -> list[str]:
    """Controls without a name, each with the way to it."""
    labels = root.findChildren(QLabel)
    buddies = {found.buddy(): found.text() for found in labels if found.buddy() is not None}
    return [way(widget) for widget in controls(root) if not name_of(widget, buddies)]


def way(widget: QWidget) -> str:
    """The classes from the window down to a widget."""
    parts = []
    step: QWidget | None = widget
    while step is not None and len(parts) < 5:
        parts.append(f"{type(step).__name__}({step.objectName()})")
        step = step.parentWidget()
    return " < ".join(parts)


def chain(root: QWidget) -> Iterator[QWidget]:
    """What Tab walks through, once round."""
    step = root.nextInFocusChain()
    while step is not root:
        if step.focusPolicy() & Qt.FocusPolicy.TabFocus:
            yield step
        step = step.nextInFocusChain()


@pytest.fixture
def full(shop):
    """A window with something on every page."""
    shop.put("plain-one")
    session = talk(shop, "Talk", 2)
    window = shop.open()
    shop.say(window, "I prefer short answers without flattery.")
    shop.wait(lambda: not window.services.review.busy)
    with shop.qtbot.waitSignal(window.services.curator.run_ended, timeout=20_000):
        window.services.curator.run(dry_run=True)
    with shop.qtbot.waitSignal(window.services.sessions.was_read, timeout=5000):
        window.services.sessions.read(session)
    window.steering.open_skill("plain-one")
    shop.wait(lambda: "Read the request" in window.panes.skill.read.pane.view.toPlainText())
    window.panes.settings.open_section("model")
    window.menus.carry_out("palette.open")
    return window


def test_every_control_of_the_window_and_its_dialogs_has_a_name(full):
    theme, frame = full.panes.theme, full.panes.frame
    dialogs = [
        FirstStart(theme, (("An agent", "/somewhere/skills"),), frame),
        NewSkillDialog(theme, frame),
        BugDialog(theme, Failure("A bug", "It failed.", "Traceback", is_bug=True), "log", frame),
    ]
    missing = [line for root in (frame, full.panes.settings, *dialogs) for line in nameless(root)]
    full.panes.settings.close()
    assert not missing, "\n".join(sorted(set(missing)))


def test_a_walk_with_tab_reaches_every_part_of_the_window(full):
    full.panes.settings.close()
    full.panes.palette.close_panel()
    panes = full.panes
    for page in ("graph", "skill", "review", "curator", "sessions", "memory"):
        panes.frame.show_page(page)
        reached = [widget for widget in chain(panes.frame) if widget.isVisible() and widget.isEnabled()]
        for part in (panes.library, getattr(panes, page), panes.chat):
            assert any(part.isAncestorOf(widget) for widget in reached), (page, type(part))


def test_the_copy_button_a_pointer_gets_is_a_key_in_the_transcript(full, qtbot):
    full.panes.settings.close()
    view = full.panes.chat._transcript
    assert view.focusPolicy() & Qt.FocusPolicy.TabFocus
    QApplication.clipboard().clear()
    qtbot.keyClick(view, Qt.Key.Key_J)
    qtbot.keyClick(view, Qt.Key.Key_C)
    assert QApplication.clipboard().text() == "I prefer short answers without flattery."
