"""What a person does with skills in the window, through the real services: rename, purge, versions, files, merges."""

import shutil

import pytest
from PySide6.QtWidgets import QDialog

from app.skills.values import Action
from widgets.library.doubles_dialog import DoublesDialog
from widgets.library.name_dialog import NameDialog
from widgets.library.new_skill import NewSkillDialog
from widgets.library.purge_dialog import PurgeDialog
from widgets.library.report_dialog import ReportDialog

TEXT = "---\nname: {name}\ndescription: Sample {name}.\n---\n\n{body}\n"


@pytest.fixture(autouse=True)
def leave(shop):
    """Windows of these flows may be closed with typed text in them."""
    yield
    for window in shop.windows:
        window._leaves_text = True


def put(shop, skill_id: str, body: str = "One.") -> None:
    shop.put(skill_id, text=TEXT.format(name=skill_id.rpartition("/")[2], body=body))


def text(shop, skill_id: str) -> str:
    return (shop.skills / skill_id / "SKILL.md").read_text(encoding="utf-8")


def dialog(shop, window, kind: type[QDialog]) -> QDialog:
    """The dialog of this kind, once it is open."""
    shop.wait(lambda: any(one.isVisible() for one in window.panes.frame.findChildren(kind)))
    return next(one for one in window.panes.frame.findChildren(kind) if one.isVisible())


def saved(shop, window, skill_id: str, body: str) -> str:
    """Save a skill with this body; the id of the step."""
    name = skill_id.rpartition("/")[2]
    with shop.qtbot.waitSignal(window.services.skills.saved, timeout=10_000) as told:
        window.services.skills.save(skill_id, TEXT.format(name=name, body=body), "")
    return told.args[0].entry


def test_a_skill_stays_open_when_it_is_renamed_moved_archived_and_restored(shop):
    put(shop, "tea")
    window = shop.open()
    acts, steering = window.panes.library.action_requested, window.steering
    steering.open_skill("tea")
    shop.wait(lambda: window.panes.skill.skill is not None)
    acts.emit("skill.rename", ("tea",))
    asked = dialog(shop, window, NameDialog)
    asked.line.setText("Green Tea")
    assert not asked.ok.isEnabled()
    asked.line.setText("green-tea")
    asked.ok.click()
    shop.wait(lambda: steering.current == "green-tea")
    acts.emit("skill.move", ("green-tea",))
    asked = dialog(shop, window, NameDialog)
    asked.line.setText("kitchen")
    asked.ok.click()
    shop.wait(lambda: steering.current == "kitchen/green-tea")
    acts.emit("skill.archive", ("kitchen/green-tea",))
    shop.wait(lambda: steering.current == ".archive/green-tea")
    acts.emit("skill.restore", (".archive/green-tea",))
    shop.wait(lambda: steering.current == "kitchen/green-tea")
    assert window.panes.skill.skill.name == "green-tea"


@pytest.mark.slow
def test_many_at_once_say_what_was_not_done_and_the_rest_can_be_taken_back(shop):
    for name in ("one", "two", "three"):
        put(shop, name)
    window = shop.open()
    window.services.skills.act(Action.PIN, ("two",))
    shop.wait(lambda: window.services.library.library.get("two").pinned)
    window.services.skills.act(Action.ARCHIVE, ("one", "two", "three"))
    report = dialog(shop, window, ReportDialog)
    assert len(report.reasons) == 1
    assert "pinned" in report.reasons[0]
    shop.wait(lambda: shop.rows(window) == {".archive/one", ".archive/three", "two"})
    report._on_undo()
    shop.wait(lambda: shop.rows(window) == {"one", "two", "three"})


def test_deleting_for_good_asks_with_a_list_and_an_undo_brings_the_text_back(shop, monkeypatch):
    put(shop, "tea")
    window = shop.open()
    window.services.skills.act(Action.ARCHIVE, ("tea",))
    shop.wait(lambda: shop.rows(window) == {".archive/tea"})
    window.panes.library.action_requested.emit("skill.purge", (".archive/tea",))
    asked = dialog(shop, window, PurgeDialog)
    assert "tea" in asked.lines[0]
    assert (shop.skills / ".archive" / "tea").exists()
    asked._past_trash.setChecked(True)
    asked.sure.click()
    with shop.qtbot.waitSignal(window.services.skills.acted, timeout=10_000) as told:
        asked.delete_button.click()
    shop.wait(lambda: shop.rows(window) == set())
    window.services.skills.undo(told.args[0].entries[0])
    shop.wait(lambda: shop.rows(window) == {".archive/tea"})


def test_creating_what_is_archived_offers_it_and_restores_it(shop):
    put(shop, "tea", "Pour slowly.")
    window = shop.open()
    window.services.skills.act(Action.ARCHIVE, ("tea",))
    shop.wait(lambda: shop.rows(window) == {".archive/tea"})
    window.menus.carry_out("skill.new")
    asked = dialog(shop, window, NewSkillDialog)
    asked._name.setText("tea")
    asked._description.setPlainText("Something about tea.")
    asked._create.click()
    shop.wait(asked.restore_button.isVisible)
    asked.restore_button.click()
    shop.wait(lambda: shop.rows(window) == {"tea"})
    assert "Pour slowly." in text(shop, "tea")


def test_an_undo_in_the_way_of_later_changes_is_shown_and_the_older_text_can_be_brought_back(shop):
    put(shop, "tea")
    window = shop.open()
    second = saved(shop, window, "tea", "Two.")
    saved(shop, window, "tea", "Three.")
    window.steering.open_skill("tea")
    window.panes.skill.show_tab("history")
    tab = window.panes.skill.history
    shop.wait(lambda: tab.count == 3)
    tab.choose(second)
    with shop.qtbot.waitSignal(window.services.skills.undone, timeout=10_000):
        tab.undo_requested.emit(second)
    assert "changed in the same places" in tab.told
    tab._before_it.click()
    shop.wait(lambda: "One." in text(shop, "tea"))
    shop.wait(lambda: tab.count == 4)


@pytest.mark.slow
def test_the_page_of_all_steps_knows_other_programs_a_day_and_what_is_not_kept(shop):
    put(shop, "tea")
    put(shop, "milk")
    window = shop.open()
    (shop.skills / "tea" / "film.bin").write_bytes(b"x" * 2_000_001)
    put(shop, "milk", "Changed outside.")
    shop.wait(lambda: len(shop.outside("milk")) == 2)
    pane = window.panes.history
    window.menus.carry_out("page.history")
    shop.wait(lambda: pane.steps.count >= 2)
    with shop.qtbot.waitSignal(window.services.shelf.then_ready, timeout=10_000):
        window.menus.carry_out("history.then")
    assert {name for name, _ in pane.then.rows} == {"tea", "milk"}
    shutil.rmtree(shop.skills / "milk")
    shop.wait(lambda: shop.rows(window) == {"tea"})
    pane.then.ask()
    window.menus.carry_out("history.not_kept")
    shop.wait(lambda: pane.lost.count == 1)


def test_a_typed_text_and_one_that_came_from_disk_are_merged_and_the_preview_follows(shop):
    body = "Line one.\n\nLine two.\n\nLine three."
    put(shop, "tea", body)
    window = shop.open()
    window.steering.open_skill("tea")
    page, edit = window.panes.skill, window.panes.skill.edit
    page.show_tab("edit")
    shop.wait(lambda: "Line one." in edit.editor.toPlainText())
    edit.bar._preview.click()
    edit.editor.setPlainText(edit.editor.toPlainText().replace("Line one.", "Line one, mine."))
    shop.wait(lambda: "Line one, mine." in edit._sheet.preview.view.toPlainText())
    put(shop, "tea", body.replace("Line three.", "Line three, theirs."))
    shop.wait(lambda: edit.conflict.asking)
    with shop.qtbot.waitSignal(window.services.skills.merged, timeout=10_000) as told:
        edit.conflict.merge_requested.emit()
    assert told.args[2] == 0
    assert "mine" in edit.editor.toPlainText()
    assert "theirs" in edit.editor.toPlainText()
    assert not edit.conflict.asking
    edit.save_step()
    edit.bar._save.click()
    shop.wait(lambda: "mine" in text(shop, "tea") and "theirs" in text(shop, "tea"))


def test_files_are_added_renamed_dropped_and_removed_and_each_is_a_step_with_a_way_back(shop, tmp_path):
    put(shop, "tea")
    window = shop.open()
    window.steering.open_skill("tea")
    page, skills = window.panes.skill, window.services.skills
    page.show_tab("files")
    files = page.files
    shop.wait(lambda: files.current == "SKILL.md")
    (tmp_path / "pot.txt").write_text("hot", encoding="utf-8")
    files.add_requested.emit("references/a.md")
    shop.wait(lambda: "references/a.md" in files._files)
    files.rename_requested.emit("references/a.md", "references/b.md")
    shop.wait(lambda: "references/b.md" in files._files)
    files.drop_requested.emit((str(tmp_path / "pot.txt"),), "references")
    shop.wait(lambda: "references/pot.txt" in files._files)
    with shop.qtbot.waitSignal(skills.file_changed, timeout=10_000) as told:
        files.remove_requested.emit("references/b.md")
    shop.wait(lambda: not (shop.skills / "tea" / "references" / "b.md").exists())
    skills.undo(told.args[1].entry)
    shop.wait(lambda: (shop.skills / "tea" / "references" / "b.md").exists())
    assert (shop.skills / "tea" / "references" / "pot.txt").read_text(encoding="utf-8") == "hot"


def test_near_duplicates_are_found_explained_and_compared(shop):
    body = "\n".join(f"{number}. Pour the water slowly into part {number}." for number in range(12))
    put(shop, "brew-tea", body)
    put(shop, "make-tea", f"{body}\n\nWait.")
    put(shop, "fix-bike", "Take the wheel off.")
    window = shop.open()
    window.menus.carry_out("library.doubles")
    found = dialog(shop, window, DoublesDialog)
    shop.wait(lambda: found.pairs.count() == 1)
    assert "12 of 12 lines are the same" in found.pairs.item(0).text()
    shop.wait(lambda: found._right.kind == "content")
    found.reject()


def test_the_palette_has_a_skill_once_and_what_can_be_done_to_it(shop):
    put(shop, "green-tea")
    window = shop.open()
    window.steering.select("green-tea")
    palette = window.panes.palette
    window.menus.carry_out("palette.open")
    with shop.qtbot.waitSignal(window.services.sessions.found_everywhere, timeout=10_000):
        palette._field.set_text_now("green-tea")
    assert palette.titles.count("green-tea") == 1
    assert "Pin: green-tea" in palette.titles
    palette.chosen.emit("skill-action", "skill.pin")
    shop.wait(lambda: window.services.library.library.get("green-tea").pinned)
    palette.close_panel()


def test_what_was_typed_goes_along_when_the_skill_is_renamed(shop):
    put(shop, "tea")
    window = shop.open()
    window.steering.open_skill("tea")
    edit = window.panes.skill.edit
    window.panes.skill.show_tab("edit")
    shop.wait(lambda: "One." in edit.editor.toPlainText())
    edit.editor.setPlainText(edit.editor.toPlainText().replace("One.", "Typed."))
    window.services.skills.act(Action.RENAME, ("tea",), to="green-tea")
    shop.wait(lambda: window.steering.current == "green-tea")
    shop.wait(lambda: edit.unsaved == ("green-tea",))
    shop.wait(lambda: "Typed." in edit.editor.toPlainText())
    assert "One." in (shop.skills / "green-tea" / "SKILL.md").read_text(encoding="utf-8"), "not saved by the rename"


def test_all_safe_fixes_are_one_step_and_old_names_are_rewritten_only_as_a_proposal(shop):
    shop.put("tea", text="\ufeff---\r\nname: tea\r\ndescription: Brew: slowly.\r\n---\r\n\r\nOne.\r\n")
    put(shop, "pot", "Use with [tea](../tea/SKILL.md) and the skill tea.")
    window = shop.open()
    window.steering.open_skill("tea")
    page = window.panes.skill
    shop.wait(lambda: page.skill is not None and len(page.findings._findings) > 1)
    page.show_tab("findings")
    assert page.findings._head.isVisible()
    with shop.qtbot.waitSignal(window.services.skills.fixed, timeout=10_000) as told:
        page.findings._all.click()
    assert told.args[0].ok
    shop.wait(lambda: not page.findings._head.isVisible())
    assert b"\xef\xbb\xbf" not in (shop.skills / "tea" / "SKILL.md").read_bytes()
    window.services.skills.act(Action.RENAME, ("tea",), to="green-tea")
    shop.wait(lambda: "green-tea" in shop.rows(window))
    before = text(shop, "pot")
    with shop.qtbot.waitSignal(window.services.shelf.healed, timeout=10_000) as told:
        window.menus.carry_out("library.heal")
    assert told.args[0] is not None
    assert window.panes.frame.page == "review"
    assert text(shop, "pot") == before


def test_a_skill_that_went_leads_to_its_steps_and_its_text_comes_back_from_them(shop):
    put(shop, "tea")
    window = shop.open()
    window.steering.open_skill("tea")
    shop.wait(lambda: window.panes.skill.skill is not None and bool(shop.outside("tea")))
    shutil.rmtree(shop.skills / "tea")
    shop.wait(lambda: window.panes.skill._pages.state.title == "This skill is gone")
    shop.wait(lambda: shop.outside("tea")[0].record.detail.get("removed") == ["tea"])
    window.panes.skill._pages.action_requested.emit("past")
    assert window.panes.frame.page == "history"
    steps = window.panes.history.steps
    shop.wait(lambda: steps.count == 2)
    window.services.skills.undo(shop.outside("tea")[0].id)
    shop.wait(lambda: (shop.skills / "tea" / "SKILL.md").exists())
