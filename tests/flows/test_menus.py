"""Actions from menus act on the row they were asked for, once, however they are triggered."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QMenu

from app.skills.values import State
from widgets.library.skill_actions import SKILL_ACTIONS


@pytest.fixture
def window(shop):
    shop.put("first-one")
    shop.put("second-one")
    opened = shop.open()
    opened.panes.library.select_skill("second-one")
    shop.wait(lambda: [skill.id for skill in opened.panes.library.selected] == ["second-one"])
    return opened


def menu_of(window) -> QMenu:
    window.panes.library.popup_menu(QPoint(10, 10))
    return next(menu for menu in window.panes.library.findChildren(QMenu) if menu.isVisible())


def skill(window, name="second-one"):
    return window.services.library.library.get(name)


def test_a_click_in_the_menu_of_a_row_pins_that_row_once(shop, window):
    for how in ("click", "trigger"):
        before = skill(window).pinned
        menu = menu_of(window)
        wanted = "skill.unpin" if before else "skill.pin"
        action = window.panes.library.actions_set.action(wanted)
        if how == "click":
            shop.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
        else:
            action.trigger()
            menu.close()
        shop.wait(lambda b=before: skill(window).pinned is not b)
        assert not skill(window, "first-one").pinned
    entries = [one.record.action for one in shop.ledger() if one.record.ids == ("second-one",)]
    assert entries.count("pin") == entries.count("unpin") == 1


def test_archive_and_copy_act_on_the_row_and_not_on_the_first(shop, window, qapp):
    window.panes.library.actions_set.action("skill.copy_name").trigger()
    assert qapp.clipboard().text() == "second-one"
    window.panes.library.actions_set.action("skill.archive").trigger()
    shop.wait(lambda: skill(window, ".archive/second-one") is not None)
    assert skill(window, "first-one").state is State.ACTIVE


def test_a_checkable_action_shows_the_real_state(shop, window):
    window.steering.open_skill("second-one")
    page = window.panes.skill
    pin = page.header._pin
    shop.wait(pin.isVisible)
    assert not pin.isChecked()
    window.panes.library.actions_set.action("skill.pin").trigger()
    shop.wait(lambda: skill(window).pinned)
    shop.wait(pin.isChecked)
    shop.qtbot.mouseClick(pin, Qt.MouseButton.LeftButton)
    shop.wait(lambda: not skill(window).pinned)
    shop.wait(lambda: not pin.isChecked())


def test_no_two_actions_of_the_window_share_a_shortcut(shop, window):
    frame = window.panes.frame
    everywhere = [
        action
        for action in frame.findChildren(QAction)
        if not action.shortcut().isEmpty() and action.shortcutContext() is Qt.ShortcutContext.WindowShortcut
    ]
    names: dict[str, set[str]] = {}
    for action in everywhere:
        names.setdefault(action.shortcut().toString(), set()).add(action.text())
    for button in frame.findChildren(QAbstractButton):
        if button.shortcut().toString().startswith("Ctrl"):
            names.setdefault(button.shortcut().toString(), set()).add(button.accessibleName())
    assert {keys: texts for keys, texts in names.items() if len(texts) > 1} == {}


def test_every_action_for_a_skill_stands_in_the_menu_bar_and_in_the_palette(shop, window):
    bar = window.panes.frame.menuBar()
    menus = [entry.menu() for entry in bar.actions()]
    texts = {action.text() for menu in menus for action in menu.actions()}
    assert {spec.text for spec in SKILL_ACTIONS} <= texts
    window.menus.carry_out("palette.open")
    window.panes.palette._field.set_text_now("archive second-one")
    assert "Archive: second-one" in window.panes.palette.titles
    window.panes.palette.close_panel()
