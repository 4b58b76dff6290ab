"""The settings dialog: every field of every section, changes one by one, a key that is never shown."""

from dataclasses import fields

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QLineEdit, QPlainTextEdit

from app.settings import SECTIONS, Settings, with_value
from widgets.settings.dialog import SettingsDialog


@pytest.fixture
def dialog(qtbot, theme):
    made = SettingsDialog(theme)
    qtbot.addWidget(made)
    made.set_settings(Settings())
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close()


def field(dialog, section, key):
    return dialog._fields[section, key]


def test_every_setting_has_a_field_with_its_words(dialog):
    for section in SECTIONS:
        for item in fields(getattr(Settings(), section)):
            shown = field(dialog, section, item.name)
            assert item.metadata["label"] in [label.text() for label in shown.findChildren(QLabel)]


def test_showing_settings_tells_nothing(qtbot, dialog):
    with qtbot.assertNotEmitted(dialog.change_requested):
        dialog.set_settings(with_value(Settings(), "curator", "stale_after_days", 12.5))
    assert field(dialog, "curator", "stale_after_days")._control.value() == 12.5


def test_a_number_a_choice_and_a_switch_are_told_at_once(qtbot, dialog):
    cases = (
        ("curator", "stale_after_days", lambda control: control.setValue(45), 45.0),
        ("review", "mode", lambda control: control.setCurrentText("hold"), "hold"),
        ("trajectories", "record", QCheckBox.click, False),
        ("model", "max_iterations", lambda control: control.setValue(7), 7),
    )
    for section, key, act, value in cases:
        with qtbot.waitSignal(dialog.change_requested) as told:
            act(field(dialog, section, key)._control)
        assert told.args == [section, key, value]
        assert with_value(Settings(), section, key, told.args[2])


def test_text_is_told_when_it_is_finished(qtbot, dialog):
    control = field(dialog, "model", "base_url")._control
    assert isinstance(control, QLineEdit)
    with qtbot.assertNotEmitted(dialog.change_requested):
        qtbot.keyClicks(control, "http://localhost:9 ")
    with qtbot.waitSignal(dialog.change_requested) as told:
        qtbot.keyClick(control, Qt.Key.Key_Return)
    assert told.args == ["model", "base_url", "http://localhost:9"]


def test_a_list_is_one_line_each_and_told_when_it_is_left(qtbot, dialog):
    dialog.open_section("library")
    control = field(dialog, "library", "folders")._control
    assert isinstance(control, QPlainTextEdit)
    control.setFocus()
    qtbot.waitUntil(control.hasFocus)
    qtbot.keyClicks(control, "/a")
    qtbot.keyClick(control, Qt.Key.Key_Return)
    qtbot.keyClicks(control, " /b ")
    with qtbot.waitSignal(dialog.change_requested) as told:
        dialog._search.setFocus()
    assert told.args == ["library", "folders", ("/a", "/b")]


def test_whole_numbers_have_no_fraction(dialog):
    assert field(dialog, "curator", "interval_hours")._control.text() == "168"


def test_a_changed_value_can_go_back_to_its_default(qtbot, dialog):
    dialog.open_section("curator")
    shown = field(dialog, "curator", "stale_after_days")
    assert not shown._reset.isVisible()
    dialog.set_settings(with_value(Settings(), "curator", "stale_after_days", 12.0))
    assert shown._reset.isVisible()
    with qtbot.waitSignal(dialog.change_requested) as told:
        qtbot.mouseClick(shown._reset, Qt.MouseButton.LeftButton)
    assert told.args == ["curator", "stale_after_days", 30.0]


def test_a_value_that_was_not_taken_says_why(dialog):
    dialog.open_section("curator")
    dialog.show_problem("curator", "interval_hours", "A number from 1 to 8760 is expected.")
    assert field(dialog, "curator", "interval_hours")._problem.isVisible()


def test_problems_of_the_file_are_told(dialog):
    dialog.set_settings(Settings(problems=("melete.toml is not valid TOML.",)))
    assert dialog._problems.isVisible()


def test_a_section_shows_only_its_own_fields(dialog):
    dialog.open_section("curator")
    assert field(dialog, "curator", "archive").isVisible()
    assert not field(dialog, "model", "provider").isVisible()


def test_the_search_finds_across_sections_and_says_when_it_finds_nothing(qtbot, dialog):
    dialog._search.set_text_now("archive")
    assert field(dialog, "curator", "archive_after_days").isVisible()
    assert not field(dialog, "curator", "interval_hours").isVisible()
    dialog._search.set_text_now("zzz")
    assert dialog._none.isVisible()
    dialog._search.clear_now()
    assert not dialog._none.isVisible()
    assert field(dialog, "model", "provider").isVisible()


def test_a_key_is_told_once_and_never_kept_or_shown(qtbot, dialog):
    dialog.set_settings(with_value(Settings(), "model", "provider", "anthropic"))
    key = dialog._key
    assert key.isVisible()
    assert key._key.echoMode() is QLineEdit.EchoMode.Password
    qtbot.keyClicks(key._key, "sk-ant-secret")
    with qtbot.waitSignal(dialog.key_entered) as told:
        qtbot.mouseClick(key._save, Qt.MouseButton.LeftButton)
    assert told.args == ["sk-ant-secret"]
    assert key._key.text() == ""
    dialog.set_key(True, "the key store of the system")
    assert "secret" not in key._state.text()
    with qtbot.waitSignal(dialog.key_forget_requested):
        qtbot.mouseClick(key._forget, Qt.MouseButton.LeftButton)


def test_the_built_in_engine_needs_no_key(dialog):
    dialog.set_settings(with_value(Settings(), "model", "provider", "builtin"))
    assert not dialog._key.isVisible()


def test_the_connection_test_waits_for_its_answer(qtbot, dialog):
    dialog.set_settings(with_value(Settings(), "model", "provider", "anthropic"))
    with qtbot.waitSignal(dialog.test_requested):
        qtbot.mouseClick(dialog._key._test, Qt.MouseButton.LeftButton)
    assert not dialog._key._test.isEnabled()
    dialog.show_test(False, "The key was refused.")
    assert dialog._key._test.isEnabled()
    assert dialog._key._result.text() == "The key was refused."


def test_a_wheel_over_a_control_without_the_keyboard_changes_nothing(qtbot, dialog):
    control = field(dialog, "model", "provider")._control
    assert isinstance(control, QComboBox)
    dialog._search.setFocus()
    qtbot.waitUntil(dialog._search.hasFocus)
    before = control.currentIndex()
    with qtbot.assertNotEmitted(dialog.change_requested):
        QApplication.sendEvent(control, _wheel(control))
    assert control.currentIndex() == before


def _wheel(control):
    place = QPointF(control.rect().center())
    return QWheelEvent(
        place,
        control.mapToGlobal(place),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )


def test_a_search_finds_the_key_and_the_test_of_the_connection(dialog):
    for words in ("api key", "connection"):
        dialog._search.set_text_now(words)
        assert dialog._key.isVisible()
        assert not dialog._none.isVisible()
    dialog._search.set_text_now("stale")
    assert not dialog._key.isVisible()
    dialog._search.clear_now()
    dialog.set_settings(with_value(Settings(), "model", "provider", "builtin"))
    dialog._search.set_text_now("api key")
    assert not dialog._key.isVisible()


def test_a_number_keeps_a_gap_to_its_border(dialog):
    control = field(dialog, "model", "max_iterations")._control
    assert control.lineEdit().textMargins().left() >= 4


def test_an_empty_text_says_what_it_stands_for(qtbot, theme):
    made = SettingsDialog(theme)
    qtbot.addWidget(made)
    made.set_hint("trajectories", "folder", "/home/ada/trajectories")
    made.show()
    assert field(made, "trajectories", "folder")._control.placeholderText() == "/home/ada/trajectories"
    made.close()
