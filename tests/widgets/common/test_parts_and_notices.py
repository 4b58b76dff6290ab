"""Notices, states, actions, the palette and small parts."""

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.errors import Failure
from widgets.common.actions import ActionSet, ActionSpec
from widgets.common.bug_dialog import BugDialog
from widgets.common.empty_state import StatePages
from widgets.common.meter import Meter
from widgets.common.notices import Notices, Toast, ToastText
from widgets.common.palette import Palette, PaletteItem
from widgets.common.parts import ElidedLabel
from widgets.common.search_field import SearchField


@pytest.fixture
def host(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    return made


@pytest.fixture
def notices(theme, host):
    made = Notices(theme, host)
    yield made
    made.clear()


def test_a_notice_stands_in_the_corner_and_follows_it(notices, host):
    notices.post(ToastText("Archived 3 skills", "success", "undo:1", "Undo"))
    toast = host.findChild(Toast)
    assert toast.geometry().right() == 800 - 17
    host.resize(500, 400)
    assert toast.geometry().right() == 500 - 17


def test_its_button_says_the_action_and_closes_it(notices, host, qtbot):
    notices.post(ToastText("Archived", "success", "undo:1", "Undo"))
    undo = next(made for made in host.findChildren(QPushButton) if made.text() == "Undo")
    with qtbot.waitSignal(notices.action_requested) as asked:
        qtbot.mouseClick(undo, Qt.MouseButton.LeftButton)
    assert asked.args == ["undo:1"]
    assert notices.texts == ()


def test_the_same_trouble_is_one_notice(notices):
    for count in (60, 60, 59):
        notices.post(ToastText(f"{count} skills cannot be used", "warn", key="broken"))
    assert notices.texts == ("59 skills cannot be used",)


def test_what_two_places_found_out_is_told_once(notices):
    notices.post(ToastText("The history cannot be read.", "danger", key="The history", lasting=True))
    notices.post(ToastText("The history cannot be read.", "warn", key="start", lasting=True))
    assert notices.texts == ("The history cannot be read.",)


def test_at_most_three_are_shown(notices):
    for number in range(5):
        notices.post(ToastText(str(number)))
    assert notices.texts == ("2", "3", "4")


def test_a_notice_waits_while_the_pointer_is_over_it(notices, host):

    notices.post(ToastText("x"))
    toast = host.findChild(Toast)
    toast.enterEvent(QEnterEvent(QPointF(), QPointF(), QPointF()))
    assert not toast._timer.isActive()
    toast.leaveEvent(QEvent(QEvent.Type.Leave))
    assert toast._timer.isActive()


def test_a_notice_waits_while_the_keyboard_is_on_its_button(notices, host, qtbot):
    notices.post(ToastText("Archived", "success", "undo:1", "Undo"))
    host.activateWindow()
    qtbot.waitActive(host)
    toast = host.findChild(Toast)
    undo = next(made for made in host.findChildren(QPushButton) if made.text() == "Undo")
    undo.setFocus()
    qtbot.waitUntil(undo.hasFocus)
    assert not toast._timer.isActive()
    undo.clearFocus()
    assert toast._timer.isActive()


def test_a_lasting_notice_is_not_pushed_out_by_passing_ones(notices):
    notices.post(ToastText("The disk is full", "danger", lasting=True))
    for number in range(4):
        notices.post(ToastText(str(number)))
    assert notices.texts == ("The disk is full", "2", "3")


def test_what_is_covered_is_said_so_that_a_page_can_make_room(notices, host):
    said = []
    notices.stood.connect(said.append)
    notices.set_foot(bar=False)
    notices.post(ToastText("Saved", "success"))
    height = host.findChild(Toast).height()
    notices.clear()
    assert said == [8 + height + 8, 0]


def test_an_offer_to_undo_goes_with_any_of_its_steps(notices):
    notices.post(ToastText("Two steps", "success", "undo:a,b", "Undo", about=("a", "b")))
    notices.post(ToastText("Another", "success", "undo:c", "Undo", about=("c",)))
    notices.withdraw_undo({"b"})
    assert notices.texts == ("Another",)


def test_in_a_low_window_two_are_shown(notices, host):
    host.resize(440, 480)
    for number in range(3):
        notices.post(ToastText(str(number)))
    assert notices.texts == ("1", "2")


def test_a_lasting_notice_has_no_end(notices, host):
    notices.post(ToastText("x", "danger", lasting=True))
    assert not host.findChild(Toast)._timer.isActive()


def test_the_bug_dialog_copies_everything(theme, qtbot):
    dialog = BugDialog(theme, Failure("Something went wrong", "KeyError: 1", "Traceback …", is_bug=True), "log line")
    qtbot.addWidget(dialog)
    dialog.open()
    dialog.copy_details()
    assert QGuiApplication.clipboard().text() == "Something went wrong\nKeyError: 1\n\nTraceback …\n\nlog line\n"
    dialog.close()


def test_the_states_differ_and_lead_on(theme, qtbot):
    pages = StatePages(theme, QLabel("content"))
    qtbot.addWidget(pages)
    kinds = [pages.kind]
    pages.show_loading("Reading")
    kinds.append(pages.kind)
    pages.show_filtered("Nothing fits", "3 hidden", ("clear", "Clear"))
    kinds.append(pages.kind)
    pages.show_failure(Failure("Cannot read", "No right"))
    kinds.append(pages.kind)
    with qtbot.waitSignal(pages.action_requested) as asked:
        pages.state._first.click()
    pages.show_empty("skill", "None yet", "Write one", ("new", "New"))
    kinds.append(pages.kind)
    assert kinds == ["content", "loading", "filtered", "error", "empty"]
    assert asked.args == ["retry"]
    assert pages.state.accessibleName() == "None yet. Write one"


def actions(theme, host):
    specs = (
        ActionSpec("a.one", "One", "play", "Ctrl+1", group="x"),
        ActionSpec("a.two", "Two", group="y", checkable=True),
    )
    return ActionSet(theme, specs, host)


def test_an_action_says_its_id_whatever_qt_passes(theme, host):
    made = actions(theme, host)
    said = []
    made.triggered.connect(said.append)
    made.action("a.two").trigger()
    made.action("a.one").trigger()
    assert said == ["a.two", "a.one"]


def test_checking_from_outside_says_nothing(theme, host):
    made = actions(theme, host)
    said = []
    made.triggered.connect(said.append)
    made.check("a.two", on=True)
    assert made.action("a.two").isChecked()
    assert said == []


def test_groups_are_parted_in_a_menu(theme, host):
    menu = actions(theme, host).menu(("a.one", "a.two"), "Menu", host)
    assert [action.isSeparator() for action in menu.actions()] == [False, True, False]


def test_two_actions_with_one_id_are_refused(theme, host):
    with pytest.raises(ValueError, match=r"two actions are called a\.one"):
        ActionSet(theme, (ActionSpec("a.one", "x"), ActionSpec("a.one", "y")), host)


def test_tooltips_name_the_shortcut(theme, host):
    assert actions(theme, host).action("a.one").toolTip() == "One (Ctrl+1)"


@pytest.fixture
def palette(theme, host, qtbot):
    host.activateWindow()
    qtbot.waitUntil(host.isActiveWindow)
    made = Palette(theme, host)
    made.set_items((PaletteItem("skill", "a", "git-bisect"), PaletteItem("action", "b", "Begin a chat", "start")))
    made.open_panel()
    return made


def test_the_palette_finds_walks_and_chooses(palette, qtbot):
    qtbot.keyClicks(palette._field, "bis")
    assert palette.titles == ("git-bisect",)
    with qtbot.waitSignal(palette.chosen) as chosen:
        qtbot.keyClick(palette._field, Qt.Key.Key_Return)
    assert chosen.args == ["skill", "a"]
    assert not palette.isVisible()


def test_arrows_walk_round(palette, qtbot):
    qtbot.keyClick(palette._field, Qt.Key.Key_Up)
    with qtbot.waitSignal(palette.chosen) as chosen:
        qtbot.keyClick(palette._field, Qt.Key.Key_Return)
    assert chosen.args == ["action", "b"]


def test_results_for_an_older_text_are_ignored(palette, qtbot):
    qtbot.keyClicks(palette._field, "ses")
    palette.set_found("se", (PaletteItem("session", "s", "Old"),))
    assert palette.titles == ()
    palette.set_found("ses", (PaletteItem("session", "s", "New"),))
    assert palette.titles == ("New",)


def test_escape_closes_and_gives_the_focus_back(theme, host, qtbot):
    before = QPushButton("x", host)
    before.show()
    host.activateWindow()
    qtbot.waitUntil(host.isActiveWindow)
    before.setFocus()
    palette = Palette(theme, host)
    palette.open_panel()
    qtbot.keyClick(palette._field, Qt.Key.Key_Escape)
    assert before.hasFocus()


def test_a_search_is_said_once_after_typing(theme, qtbot):
    field = SearchField(theme, "Find")
    qtbot.addWidget(field)
    said = []
    field.searched.connect(said.append)
    with qtbot.waitSignal(field.searched):
        qtbot.keyClicks(field, "abc")
    assert said == ["abc"]
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert said == ["abc", ""]


def test_a_cut_label_tells_the_whole_text(theme, qtbot):
    made = ElidedLabel(theme)
    qtbot.addWidget(made)
    made.resize(60, 20)
    made.show()
    made.set_text("a very long line of\ntext that is cut")
    assert made.toolTip() == "a very long line of text that is cut"
    made.resize(600, 20)
    assert made.toolTip() == ""


def test_a_meter_says_its_value(theme, qtbot):
    made = Meter(theme)
    qtbot.addWidget(made)
    made.set_share(1.2, "120 % full")
    assert made.accessibleName() == "120 % full"
    assert made._parts == ((1.0, "danger"),)
