"""The skill's page: what it asks for, where links lead, and editing without losing a word."""

from dataclasses import replace

import pytest
import sample_library
import shots
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QToolButton

from app.errors import Failure
from app.skills.values import Finding, Load, Severity, State
from widgets.library.page_values import Checked, UseFacts
from widgets.library.skill_page import SkillPage

SKILL = next(skill for skill in sample_library.skills() if skill.name == "testing-python")
OTHER = next(skill for skill in sample_library.skills() if skill.name == "git-bisect")
TEXT = "---\nname: testing-python\ndescription: d\n---\n\n# Title\n\nSee [one](references/one.md#part).\n"
FILLER = "Filler.\n\n" * 80


@pytest.fixture
def page(theme, qtbot):
    with theme.undressed():  # half the time
        made = SkillPage(theme)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.set_skill(SKILL)
    made.set_text(SKILL.id, TEXT, "h1")
    made.show()
    return made


def spy(signal):
    said = []
    signal.connect(lambda *args: said.append(args))
    return said


def test_nothing_chosen_is_a_state_of_its_own(theme, qtbot):
    with theme.undressed():  # half the time
        made = SkillPage(theme)
    qtbot.addWidget(made)
    assert made._pages.kind == "empty"


def test_a_tab_asks_once_when_it_is_first_seen(page):
    asked = spy(page.history_requested)
    page.show_tab("history")
    page.show_tab("read")
    page.show_tab("history")
    assert asked == [(SKILL.id,)]


def test_a_change_of_the_text_asks_again(page):
    page.show_tab("history")
    asked = spy(page.history_requested)
    page.set_skill(replace(SKILL, body_hash="new"))
    assert asked == [(SKILL.id,)]


def test_values_of_another_skill_are_ignored(page):
    page.set_text(OTHER.id, "# Wrong", "h9")
    assert "Wrong" not in page.read.pane.view.toPlainText()


def test_the_pin_shows_what_is_and_asks_once(page, qtbot):
    page.set_skill(replace(SKILL, pinned=False))
    asked = spy(page.action_requested)
    pin = next(b for b in page.header.findChildren(QToolButton) if b.isCheckable())
    qtbot.mouseClick(pin, Qt.MouseButton.LeftButton)
    assert asked == [("skill.pin", (SKILL.id,))]
    assert not pin.isChecked()
    page.set_skill(replace(SKILL, pinned=True))
    assert pin.isChecked()


def test_an_archived_skill_says_where_it_went(page):
    page.set_skill(replace(SKILL, state=State.ARCHIVED, absorbed_into="testing-all"))
    asked, led = spy(page.action_requested), spy(page.link_activated)
    assert page.header._banner.isVisible()
    page.header._go.click()
    page.header._restore.click()
    assert led == [("skill", "testing-all")]
    assert asked == [("skill.restore", (SKILL.id,))]


def test_a_link_inside_opens_here_and_back_returns(page, qtbot):
    page.set_text(SKILL.id, TEXT + FILLER, "h2")
    view = page.read.pane.view
    qtbot.waitUntil(lambda: not view.busy)
    view.verticalScrollBar().setValue(90)
    asked = spy(page.file_requested)
    view.anchorClicked.emit(QUrl("references/one.md#part"))
    assert asked == [(SKILL.id, "references/one.md")]
    page.set_file(SKILL.id, "references/one.md", ("# One\n\n" + FILLER + "## Part\n\n[up](../SKILL.md)\n").encode())
    qtbot.waitUntil(lambda: not view.busy)
    assert view.toPlainText().startswith("One")
    assert view.verticalScrollBar().value() > 200
    view.back()
    assert asked[-1] == (SKILL.id, "SKILL.md")
    page.set_file(SKILL.id, "SKILL.md", (TEXT + FILLER).encode())
    qtbot.waitUntil(lambda: not view.busy)
    assert view.toPlainText().startswith("Title")
    assert view.verticalScrollBar().value() == 90


def test_a_missing_file_is_said_and_the_text_stays(page):
    before = page.read.pane.view.toPlainText()
    page.read.pane.view.anchorClicked.emit(QUrl("references/gone.md"))
    page.set_file_missing(SKILL.id, "references/gone.md")
    assert "references/gone.md is missing" in page.read.pane.remark
    assert page.read.pane.view.toPlainText() == before


def test_a_script_is_shown_as_text(page):
    page.read.pane.view.anchorClicked.emit(QUrl("scripts/run.sh"))
    page.set_file(SKILL.id, "scripts/run.sh", b"#!/bin/sh\ntouch CANARY\n")
    assert "touch CANARY" in page.read.pane.view.toPlainText()


def test_a_link_to_another_skill_goes_to_the_owner(page):
    led = spy(page.link_activated)
    page.read.pane.view.anchorClicked.emit(QUrl("../../git/git-bisect/SKILL.md"))
    assert led == [("library", "git/git-bisect/SKILL.md")]


@pytest.fixture
def edit(page):
    page.show_tab("edit")
    return page.edit


def typed(edit, text):
    edit.editor.setPlainText(text)


def test_typing_is_checked_after_a_pause_and_findings_stand_at_their_line(edit, qtbot):
    with qtbot.waitSignal(edit.text_changed) as asked:
        typed(edit, TEXT + "more")
    assert asked.args == [SKILL.id, TEXT + "more"]
    finding = Finding("x", Severity.ERROR, 3, "The description is empty.")
    edit.set_checked(Checked(TEXT + "more", {"description": "d"}, (finding,)))
    assert edit.editor._remarks[3][0].text == "The description is empty."
    assert "line 3: The description is empty." in edit.message
    assert edit.form.field("description").text() == "d"


def test_an_answer_for_an_older_text_is_ignored(edit):
    typed(edit, TEXT + "newer")
    edit.set_checked(Checked(TEXT, {"description": "old"}, ()))
    assert edit.form.field("description").text() != "old"


def test_saving_shows_the_difference_first(edit, qtbot):
    saves, differences = spy(edit.save_requested), spy(edit.difference_requested)
    typed(edit, TEXT + "more\n")
    edit.save_step()
    assert differences == [(TEXT, TEXT + "more\n")]
    assert saves == []
    edit.set_difference(shots.diff())
    assert edit.difference.isVisible()
    edit.save_step()
    assert saves == [(SKILL.id, TEXT + "more\n", "h1")]
    edit.set_saved(SKILL.id, TEXT + "more\n", "h2")
    assert edit.unsaved == ()
    assert edit.editor.isVisible()


def test_a_refused_save_keeps_the_text_and_says_why(edit):
    typed(edit, "broken")
    edit.save_step()
    edit.save_step()
    edit.set_save_failed(Failure("This is no skill", "The front matter is missing."))
    assert edit.editor.toPlainText() == "broken"
    assert "The front matter is missing." in edit.message
    assert edit.unsaved == (SKILL.id,)


def test_a_form_field_is_written_by_the_owner(edit, qtbot):
    asked = spy(edit.field_edited)
    field = edit.form.field("license")
    field.setText("MIT")
    field.editingFinished.emit()
    assert asked == [(SKILL.id, TEXT, "license", "MIT")]
    edit.set_edited(TEXT, TEXT.replace("description", "license: MIT\ndescription"))
    assert "license: MIT" in edit.editor.toPlainText()
    edit.editor.undo()
    assert edit.editor.toPlainText() == TEXT


def test_a_change_on_disk_without_typing_is_shown(page, edit):
    page.set_text(SKILL.id, TEXT + "theirs\n", "h2")
    assert edit.editor.toPlainText().endswith("theirs\n")
    assert not edit.conflict.isVisible()


def test_a_change_on_disk_while_typing_asks_and_blocks_the_save(page, edit):
    typed(edit, TEXT + "mine\n")
    page.set_text(SKILL.id, TEXT + "theirs\n", "h2")
    assert edit.conflict.asking
    assert edit.editor.toPlainText() == TEXT + "mine\n"
    saves = spy(edit.save_requested)
    edit.save_step()
    edit.save_step()
    assert saves == []


def test_keeping_mine_replaces_theirs_knowingly(page, edit):
    typed(edit, TEXT + "mine\n")
    page.set_text(SKILL.id, TEXT + "theirs\n", "h2")
    edit.conflict._mine.click()
    saves = spy(edit.save_requested)
    edit.save_step()
    edit.save_step()
    assert saves == [(SKILL.id, TEXT + "mine\n", "h2")]
    edit.conflict.copy_other()
    assert QGuiApplication.clipboard().text() == TEXT + "theirs\n"


def test_taking_theirs_keeps_mine_within_reach(page, edit):
    typed(edit, TEXT + "mine\n")
    page.set_text(SKILL.id, TEXT + "theirs\n", "h2")
    edit.conflict._theirs.click()
    assert edit.editor.toPlainText() == TEXT + "theirs\n"
    assert edit.unsaved == ()
    edit.conflict.copy_other()
    assert QGuiApplication.clipboard().text() == TEXT + "mine\n"
    edit.editor.undo()
    assert edit.editor.toPlainText() == TEXT + "mine\n"


def test_a_skill_deleted_on_disk_can_be_saved_again(page, edit):
    typed(edit, TEXT + "mine\n")
    page.set_gone(SKILL.id)
    assert edit.conflict.isVisible()
    saves, differences = spy(edit.save_requested), spy(edit.difference_requested)
    edit.save_step()
    edit.save_step()
    assert differences == [("", TEXT + "mine\n")]
    assert saves == [(SKILL.id, TEXT + "mine\n", "")]


def test_a_skill_deleted_without_a_draft_is_said_to_be_gone(page):
    asked = spy(page.past_requested)
    page.set_gone(SKILL.id)
    assert page._pages.state.title == "This skill is gone"
    page._pages.action_requested.emit("past")
    assert asked == [(SKILL.id,)]


def test_a_draft_survives_a_visit_to_another_skill(page, edit):
    typed(edit, TEXT + "mine\n")
    page.set_skill(OTHER)
    page.set_text(OTHER.id, "---\nname: git-bisect\n---\n", "o1")
    assert edit.editor.toPlainText() == "---\nname: git-bisect\n---\n"
    assert edit.unsaved == (SKILL.id,)
    page.set_skill(SKILL)
    page.set_text(SKILL.id, TEXT, "h1")
    assert edit.editor.toPlainText() == TEXT + "mine\n"
    assert not edit.conflict.isVisible()


def test_a_conflict_waits_until_its_skill_is_shown_again(page, edit):
    typed(edit, TEXT + "mine\n")
    page.set_skill(OTHER)
    page.set_text(OTHER.id, "other", "o1")
    assert not edit.conflict.isVisible()
    page.set_skill(SKILL)
    page.set_text(SKILL.id, TEXT + "theirs\n", "h2")
    assert edit.conflict.asking


def test_the_history_keeps_its_choice_when_a_step_is_added(page):
    page.show_tab("history")
    rows = shots.entries()
    page.history.set_entries(rows[1:])
    chosen = page.history.current
    page.history.set_entries(rows)
    assert page.history.current == chosen == rows[1].id


def test_a_step_can_be_undone_and_leads_to_its_session(page):
    rows = shots.entries()
    page.show_tab("history")
    page.history.set_entries(rows)
    undone, led = spy(page.history.undo_requested), spy(page.link_activated)
    page.history._undo.click()
    page.history._jump.click()
    assert undone == [(rows[0].id,)]
    assert led == [("session", "s1")]


def test_a_difference_that_comes_late_is_ignored(page):
    page.show_tab("history")
    page.history.set_entries(shots.entries())
    page.history.set_difference("other", shots.diff())
    assert page.history._right.kind == "loading"
    page.history.set_difference(page.history.current, ())
    assert page.history._right.kind == "empty"


def test_files_are_asked_for_and_shown(page):
    page.show_tab("files")
    page.files.set_files(("SKILL.md", "scripts/run.sh", "assets/a.png"))
    asked = spy(page.file_requested)
    assert page.files.current == "SKILL.md"
    page.files.choose("scripts/run.sh")
    assert asked[-1] == (SKILL.id, "scripts/run.sh")
    page.set_file(SKILL.id, "scripts/run.sh", b"echo hi\n")
    assert page.files._text.toPlainText() == "echo hi\n"
    page.set_file(SKILL.id, "scripts/run.sh", b"\x00\x01\xff")
    assert page.files._pages.state.title == "This file is not text"


def test_hidden_characters_are_shown_in_files(page):
    page.files.set_files(("a.txt",))
    page.set_file(SKILL.id, "a.txt", "a\u202eb".encode())
    assert "U+202E" in page.files._text.toPlainText()


def test_a_finding_leads_to_its_line_and_to_its_fix(page):
    finding = Finding("COMPAT.EMPTY", Severity.ERROR, 6, "compatibility is empty.", "Remove the field")
    page.set_findings((finding,))
    page.show_tab("findings")
    fixes = spy(page.fix_requested)
    buttons = {made.text(): made for made in page.findings._buttons}
    buttons["Remove the field"].click()
    assert fixes == [(SKILL.id, finding)]
    buttons["Go to line"].click()
    assert page.tab == "edit"
    assert page.edit.editor.line == 6


def test_a_skill_without_a_record_is_not_called_unused(page):
    from app.skills.values import Usage

    page.show_tab("use")
    page.set_skill(replace(SKILL, usage=Usage()))
    assert page.use._unknown.isVisible()
    page.use.set_use(UseFacts())
    assert page.use._none.isVisible()


def test_all_tabs_are_shown_in_both_themes_without_a_warning(page, theme):
    for choice in ("dark", "light"):
        theme.set_choice(choice)
        for tab in ("read", "files", "edit", "history", "use", "findings"):
            page.show_tab(tab)
            small = page.grab().toImage().scaled(40, 40)
            light = [small.pixelColor(x, y).lightness() for x in range(40) for y in range(40)]
            assert len(set(light)) > 1, f"{tab} is blank"
            assert (sum(light) / len(light) < 128) is (choice == "dark"), tab


def test_the_page_fits_a_small_window(page):
    assert page.minimumSizeHint().width() <= 600


def test_line_ends_and_hard_blanks_survive_an_edit(page, edit):
    base = TEXT.replace("\n", "\r\n") + "a\u00a0b\r\n"
    page.set_text(SKILL.id, base, "h2")
    edit.editor.moveCursor(edit.editor.textCursor().MoveOperation.End)
    edit.editor.insertPlainText("more\n")
    saves = spy(edit.save_requested)
    edit.save_step()
    edit.save_step()
    assert saves == [(SKILL.id, base + "more\r\n", "h2")]


def test_showing_a_file_with_odd_line_ends_is_no_change(page, edit):
    page.set_text(SKILL.id, "---\r\nname: x\n---\r\rtext\r\n", "h2")
    assert edit.unsaved == ()


def test_a_text_too_large_for_the_editor_is_left_to_others(page, edit):
    page.set_text(SKILL.id, TEXT + "x" * 30_000, "h2")
    assert edit._sheet._sizes.kind == "empty"
    asked = spy(page.external_requested)
    edit._sheet._sizes.state._first.click()
    assert asked == [(SKILL.id, "SKILL.md")]
    assert edit.unsaved == ()
    page.set_text(SKILL.id, TEXT, "h1")
    assert edit._sheet._sizes.kind == "content"
    assert edit.editor.toPlainText() == TEXT


def test_the_editor_reads_only_when_it_is_seen(theme, qtbot):
    with theme.undressed():  # half the time
        made = SkillPage(theme)
    qtbot.addWidget(made)
    made.show()
    made.set_skill(SKILL)
    made.set_text(SKILL.id, TEXT, "h1")
    assert made.edit.editor.toPlainText() == ""
    made.show_tab("edit")
    assert made.edit.editor.toPlainText() == TEXT


def test_a_broken_skill_is_shown_as_it_stands(page):
    page.set_skill(replace(SKILL, load=Load.SKIP, body_hash="other"))
    page.set_text(SKILL.id, "---\nname: [\n---\n", "h2")
    assert "name: [" in page.read.pane.view.toPlainText()
