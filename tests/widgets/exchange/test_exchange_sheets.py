"""The sheets say what was found, write nothing by themselves, and ask for exactly what was chosen."""

from dataclasses import replace

import pytest
import sample_exchange as sample
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QWidget

from app.errors import Failure
from app.exchange.values import Choice, Hidden, Keep, LinkMode, Pick, Progress
from widgets.exchange.import_sheet import ImportSheet
from widgets.exchange.link_sheet import LinkSheet
from widgets.exchange.update_sheet import UpdateSheet
from widgets.library.drops import sources_in


@pytest.fixture
def sheet(theme, qtbot):
    made = ImportSheet(theme)
    qtbot.addWidget(made)
    made.open()
    return made


def texts(widget: QWidget) -> str:
    return "\n".join(found.text() for found in widget.findChildren(QLabel))


def test_a_typed_source_is_looked_at_and_its_progress_is_shown(sheet, qtbot):
    sheet.begin()
    field = sheet.source.findChild(QLineEdit)
    assert not sheet.source.look.isEnabled()
    field.setText(" https://example.org/team/skills ")
    with qtbot.waitSignal(sheet.look_requested) as asked:
        sheet.source.look.click()
    assert asked.args == ["https://example.org/team/skills", False]
    assert sheet.page == "reading"
    sheet.show_progress(Progress("Fetching https://example.org/team/skills", 2_500_000))
    assert "2.5 MB" in texts(sheet)


def test_plain_http_is_offered_to_be_allowed_only_where_it_matters(sheet, qtbot):
    sheet.begin()
    field, box = sheet.source.findChild(QLineEdit), sheet.source.findChild(QCheckBox)
    field.setText("https://h.org/o/r")
    assert not box.isVisible()
    field.setText("http://h.org/o/r")
    assert box.isVisible()
    box.setChecked(True)
    with qtbot.waitSignal(sheet.look_requested) as asked:
        sheet.source.look.click()
    assert asked.args[1] is True


def test_a_failure_asks_again_and_says_why(sheet):
    sheet.begin("/nowhere")
    sheet.show_failure(Failure("No such source", "/nowhere does not exist."))
    assert sheet.page == "source"
    assert "does not exist" in sheet.source.problem


def test_cancel_while_reading_is_asked_for_and_leads_back(sheet, qtbot):
    sheet.begin("/somewhere")
    with qtbot.waitSignal(sheet.cancel_requested):
        sheet.reject()
    sheet.show_stopped()
    assert sheet.page == "source"


def test_every_skill_is_listed_with_its_verdict_and_the_import_is_what_was_picked(sheet, qtbot):
    sheet.show_look(sample.look())
    rows = [sheet.offers.topLevelItem(number) for number in range(sheet.offers.topLevelItemCount())]
    assert [(row.text(0), row.text(1), row.text(2)) for row in rows] == [
        ("git-notes", "nothing found", "import"),
        ("web-release", "dangerous", "leave out"),
        ("meeting-notes", "nothing found", "leave out"),
        ("sql-basics", "nothing found", "update"),
        ("half", "cannot come in", "leave out"),
    ]
    with qtbot.waitSignal(sheet.take_requested) as asked:
        sheet.take.click()
    assert asked.args[1][0] == Pick("skills/git-notes", Choice.IMPORT)
    assert asked.args[1][3].choice is Choice.UPDATE


def test_folders_that_were_not_looked_into_are_named(sheet):
    seen = sample.look()
    sheet.show_look(replace(seen, contents=replace(seen.contents, hidden=(Hidden(".agents", 2),))))
    assert "not looked into: .agents (2)" in texts(sheet)


def test_rules_lines_and_excerpts_are_shown_with_hidden_characters_as_marks(sheet):
    hint = sample.HINTS[0]
    sheet.show_look(sample.look(sample.DANGEROUS))
    shown = texts(sheet.detail)
    assert hint.rule in shown
    assert "SKILL.md:12" in shown
    assert hint.excerpt in shown
    assert "NAME.DIR" in shown
    assert "links are never imported" in shown


def test_a_name_with_a_direction_mark_is_not_turned_around(sheet):
    sheet.show_look(sample.look(replace(sample.PLAIN, name="a\u202eb")))
    assert "\u202e" not in sheet.offers.topLevelItem(0).text(0)
    assert "\u202e" not in texts(sheet.detail)


def test_dangers_are_accepted_by_a_tick_and_only_then_imported(sheet):
    sheet.show_look(sample.look(sample.DANGEROUS))
    assert not sheet.take.isEnabled()
    sheet.detail.findChild(QCheckBox).click()
    assert sheet.take.text() == "Import one skill"
    sheet.detail.findChild(QCheckBox).click()
    assert not sheet.take.isEnabled()


def test_a_new_name_can_be_given_and_must_be(sheet):
    sheet.show_look(sample.look(sample.TAKEN))
    sheet.detail.choose(Choice.RENAME)
    name = sheet.detail.findChild(QLineEdit)
    assert (name.text(), name.isEnabled()) == ("meeting-notes-2", True)
    name.setText("")
    assert not sheet.take.isEnabled()
    name.setText("minutes")
    assert sheet.take.isEnabled()
    assert sheet.offers.topLevelItem(0).text(2) == "as minutes"


def test_an_import_that_fails_keeps_what_was_chosen(sheet):
    sheet.show_look(sample.look(sample.TAKEN))
    sheet.detail.choose(Choice.RENAME)
    sheet.take.click()
    assert sheet.page == "reading"
    sheet.show_take_failure(Failure("The home is busy", "Try again when it has finished."))
    assert sheet.page == "choice"
    assert "busy" in texts(sheet)
    assert sheet.offers.topLevelItem(0).text(2) == "as meeting-notes-2"
    sheet.take.click()
    sheet.show_imported()
    assert not sheet.isVisible()


def test_updates_are_ticked_when_nothing_stands_against_them(theme, qtbot):
    sheet = UpdateSheet(theme)
    qtbot.addWidget(sheet)
    sheet.open()
    sheet.show_renewals(sample.renewals())
    assert sheet.chosen() == ("git-notes", "office/meeting-notes")
    with qtbot.waitSignal(sheet.update_requested) as asked:
        sheet.update_all.click()
    assert asked.args == [("git-notes", "office/meeting-notes"), Keep.NONE, False]


def test_a_conflict_needs_a_side_before_it_can_be_ticked_in(theme, qtbot):
    sheet = UpdateSheet(theme)
    qtbot.addWidget(sheet)
    sheet.open()
    sheet.show_renewals(sample.renewals()[:1])
    sheet.list.topLevelItem(0).setCheckState(0, Qt.CheckState.Checked)
    assert not sheet.update_all.isEnabled()
    sheet.choose_side(Keep.MINE)
    assert sheet.chosen() == ("api-tests",)


def test_no_imported_skills_and_a_failed_look_are_states_of_their_own(theme, qtbot):
    sheet = UpdateSheet(theme)
    qtbot.addWidget(sheet)
    assert sheet.state_kind == "loading"
    sheet.show_renewals(())
    assert sheet.state_kind == "empty"
    sheet.show_failure(Failure("The usage file is busy", "Try again."))
    assert sheet.state_kind == "error"


def test_agents_are_listed_with_who_reads_them_and_why_not(theme, qtbot):
    sheet = LinkSheet(theme)
    qtbot.addWidget(sheet)
    sheet.begin("git-notes", "git-notes")
    sheet.set_views("another", sample.views())
    assert sheet.rows == ()
    sheet.set_views("git-notes", sample.views())
    assert [row.act.text() for row in sheet.rows] == ["Link", "Unlink", "Unlink", "Link"]
    assert not sheet.rows[3].act.isEnabled()
    assert [row.renew.isVisibleTo(row) for row in sheet.rows] == [False, False, True, False]
    assert "Also read by Cursor, GitHub Copilot" in texts(sheet)
    with qtbot.waitSignal(sheet.link_requested) as asked:
        sheet.rows[0].act.click()
    assert asked.args == ["git-notes", "claude", LinkMode.AUTO]
    with qtbot.waitSignal(sheet.unlink_requested) as asked:
        sheet.rows[1].act.click()
    assert asked.args == ["git-notes", "cursor"]


def test_folders_archives_and_addresses_can_be_dropped_and_nothing_else(tmp_path):
    (tmp_path / "a.b").mkdir()
    names = [tmp_path / "a.b", tmp_path / "x.SKILL", tmp_path / "x.zip", tmp_path / "SKILL.md", tmp_path / "photo.png"]
    mime = QMimeData()
    mime.setUrls([*(QUrl.fromLocalFile(str(name)) for name in names), QUrl("https://h.org/o/r"), QUrl("ftp://h.org")])
    assert sources_in(mime) == (*(str(name) for name in names[:4]), "https://h.org/o/r")
    assert sources_in(QMimeData()) == ()
