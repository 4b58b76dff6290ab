"""Text in the editor and a file that changes on disk meanwhile: both stay, and the user chooses."""

import shutil

import pytest
from PySide6.QtWidgets import QMessageBox

from app.clock import system_clock
from app.history.store import History

TEXT = "---\nname: shared\ndescription: Sample.\n---\n\nLine one.\n\nLine two.\n\nLine three.\n"


@pytest.fixture
def editing(shop):
    """The window with a typed, unsaved text in the editor of `shared`."""
    shop.put("shared", text=TEXT)
    window = shop.open()
    window.steering.open_skill("shared")
    page = window.panes.skill
    page.show_tab("edit")
    edit = page.edit
    shop.wait(lambda: "Line one." in edit.editor.toPlainText())
    edit.editor.setPlainText(TEXT.replace("Line one.", "Line one. EDITED INSIDE"))
    shop.wait(lambda: edit.unsaved == ("shared",))
    return window, edit


@pytest.fixture(autouse=True)
def leave(shop):
    """Windows of these flows may be closed with typed text in them."""
    yield
    for window in shop.windows:
        window._leaves_text = True


def save(shop, window, edit) -> None:
    """Ctrl+S twice: the difference, then the save."""
    with shop.qtbot.waitSignal(window.services.skills.difference_ready, timeout=5000):
        edit.save_step()
    edit.save_step()


def change_outside(shop) -> str:
    text = TEXT.replace("Line three.", "Line three, changed outside.")
    fresh = shop.skills / "shared" / "SKILL.md.tmp"
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(shop.skills / "shared" / "SKILL.md")
    return text


def on_disk(shop) -> str:
    return (shop.skills / "shared" / "SKILL.md").read_text(encoding="utf-8")


def test_a_file_changed_outside_asks_before_a_save_and_neither_text_is_lost(shop, editing):
    window, edit = editing
    theirs = change_outside(shop)
    shop.wait(lambda: edit.conflict.asking)
    edit.save_step()
    edit.save_step()
    assert on_disk(shop) == theirs
    assert "EDITED INSIDE" in edit.editor.toPlainText()
    edit.conflict.mine_chosen.emit()
    save(shop, window, edit)
    shop.wait(lambda: "EDITED INSIDE" in on_disk(shop))
    assert any("changed outside" in blob for blob in contents(shop, "shared"))


def contents(shop, skill_id: str) -> list[str]:
    history = History(shop.root / "history.git", system_clock)
    try:
        found = [history.snapshot(f"skills/{skill_id}", entry.id) for entry in history.entries()]
        return [snapshot["SKILL.md"].data.decode() for snapshot in found if snapshot]
    finally:
        history.close()


def test_a_save_that_was_asked_for_with_an_old_base_is_refused_with_the_choice(shop, editing):
    window, edit = editing
    draft = edit._drafts.get("shared")
    base = draft.base_hash
    theirs = change_outside(shop)
    failures = []
    window.services.skills.save_failed.connect(failures.append)
    window.services.skills.save("shared", draft.text, base)
    shop.wait(lambda: bool(failures))
    assert failures[0].action == "editor.conflict"
    assert on_disk(shop) == theirs
    assert "EDITED INSIDE" in edit.editor.toPlainText()


def test_a_folder_deleted_outside_keeps_the_typed_text_and_can_be_saved_again(shop, editing):
    window, edit = editing
    shutil.rmtree(shop.skills / "shared")
    shop.wait(lambda: "shared" not in shop.rows(window))
    assert "EDITED INSIDE" in edit.editor.toPlainText()
    save(shop, window, edit)
    shop.wait(lambda: (shop.skills / "shared" / "SKILL.md").exists())
    assert "EDITED INSIDE" in on_disk(shop)


def test_closing_with_a_typed_text_asks_or_keeps_it(shop, editing):
    window, edit = editing
    window.panes.frame.close()
    question = window.panes.frame.findChild(QMessageBox)
    assert "shared" in question.text()
    texts = {made.text().replace("&", ""): made for made in question.buttons()}
    texts["Go back"].click()
    assert window.panes.frame.isVisible()
    assert "EDITED INSIDE" in edit.editor.toPlainText()
    shop.wait(lambda: window.panes.frame.findChild(QMessageBox) is None)
    window.panes.frame.close()
    with shop.qtbot.waitSignal(window.ended, timeout=5000):
        next(b for b in window.panes.frame.findChild(QMessageBox).buttons() if "Leave" in b.text()).click()
    shop.windows.remove(window)
    window.panes.frame.deleteLater()
    window.deleteLater()
