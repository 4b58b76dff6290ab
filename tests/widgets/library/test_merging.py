"""Merging in the editor, the preview beside it, and the Return key that saves what was looked at."""

import pytest
import sample_library
from PySide6.QtCore import Qt

from widgets.library.bulk_bar import BulkBar
from widgets.library.editor import EditTab
from widgets.library.pane import LibraryPane

SKILL = sample_library.skills()[0].id
TEXT = "---\nname: tea\ndescription: d\n---\n\nOne.\n"


@pytest.fixture
def edit(theme, qtbot):
    with theme.undressed():  # half the time
        made = EditTab(theme)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    made.set_text(SKILL, TEXT, "h1")
    return made


def spy(signal):
    said = []
    signal.connect(lambda *args: said.append(args))
    return said


def in_conflict(edit):
    """Typed here, changed there."""
    edit.editor.setPlainText(TEXT.replace("One.", "Mine."))
    edit.set_text(SKILL, TEXT.replace("One.", "Theirs."), "h2")
    assert edit.conflict.asking


def test_a_merge_asks_with_the_three_texts_and_replaces_the_one_on_disk(edit):
    in_conflict(edit)
    asked, saves = spy(edit.merge_requested), spy(edit.save_requested)
    edit.conflict.merge_requested.emit()
    assert asked == [(SKILL, TEXT, TEXT.replace("One.", "Mine."), TEXT.replace("One.", "Theirs."))]
    edit.set_merged(SKILL, TEXT.replace("One.", "Both."), 0)
    assert edit.conflict.other == TEXT.replace("One.", "Mine.")
    edit.save_step()
    edit.save_step()
    assert saves == [(SKILL, TEXT.replace("One.", "Both."), "h2")]


def test_a_place_that_both_changed_is_led_to_and_must_be_chosen_before_a_save(edit):
    in_conflict(edit)
    marked = TEXT.replace("One.", "<<<<<<< my text\nMine.\n=======\nTheirs.\n>>>>>>> text on disk")
    edit.set_merged(SKILL, marked, 1)
    assert edit.editor.line == 6
    edit.save_step()
    assert "Choose there first" in edit.message
    assert edit._stack.currentIndex() == 0
    edit.editor.setPlainText(TEXT.replace("One.", "Chosen."))
    edit.save_step()
    assert edit._stack.currentIndex() == 1


def test_an_answer_that_comes_after_the_choice_is_ignored(edit):
    in_conflict(edit)
    edit.conflict.theirs_chosen.emit()
    edit.set_merged(SKILL, "late", 0)
    assert "late" not in edit.editor.text


def test_return_saves_what_was_reviewed(edit, qtbot):
    saves = spy(edit.save_requested)
    edit.activateWindow()
    qtbot.waitUntil(edit.isActiveWindow)
    edit.editor.setPlainText(TEXT.replace("One.", "Two."))
    edit.save_step()
    qtbot.waitUntil(edit.bar._save.hasFocus)
    qtbot.keyClick(edit.bar._save, Qt.Key.Key_Return)
    assert len(saves) == 1


def test_the_preview_stands_beside_the_text_or_takes_its_place_where_it_is_narrow(edit, qtbot):
    edit.bar._preview.click()
    assert edit.editor.isVisible()
    qtbot.waitUntil(lambda: "One." in edit._sheet.preview.view.toPlainText())
    edit.resize(480, 600)
    qtbot.waitUntil(lambda: not edit.editor.isVisible())
    edit.bar._preview.click()
    assert edit.editor.isVisible()
    assert not edit._sheet.preview.isVisible()


def test_in_a_narrow_pane_the_bar_for_many_shows_icons(theme, qtbot):
    pane = LibraryPane(theme)
    qtbot.addWidget(pane)
    bar = BulkBar(pane.actions_set, theme)
    qtbot.addWidget(bar)
    bar.show_for(2, {"skill.pin", "skill.archive"})
    bar.resize(200, 120)
    styles = {made.toolButtonStyle() for made in bar._buttons.values()}
    assert styles == {Qt.ToolButtonStyle.ToolButtonIconOnly}
    bar.resize(400, 120)
    styles = {made.toolButtonStyle() for made in bar._buttons.values()}
    assert styles == {Qt.ToolButtonStyle.ToolButtonTextBesideIcon}
