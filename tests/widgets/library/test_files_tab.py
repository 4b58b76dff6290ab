"""The Files tab: the first file is shown at once, and what may be changed is asked for with the right path."""

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent

from widgets.library.files_tab import FilesTab
from widgets.library.name_dialog import NameDialog

FILES = ("SKILL.md", "references/a.md", "references/deep/b.md", "scripts/run.sh")


@pytest.fixture
def tab(theme, qtbot):
    made = FilesTab(theme)
    qtbot.addWidget(made)
    made.resize(800, 500)
    made.set_writable(on=True)
    made.show()
    return made


def spy(signal):
    said = []
    signal.connect(lambda *args: said.append(args))
    return said


def typed(tab, text):
    """Type into the dialog that is open, and confirm."""
    dialog = tab.findChild(NameDialog)
    dialog.line.setText(text)
    dialog.ok.click()
    return dialog


def enabled(tab):
    return {action.spec.id for action in tab.actions_set.all() if action.isEnabled()}


def test_the_skill_s_own_file_is_shown_first_however_it_is_spelled(tab):
    asked = spy(tab.file_requested)
    tab.set_files(("a.md", "skill.md"))
    assert asked == [("skill.md",)]


def test_without_its_own_file_the_first_there_is_is_shown(tab):
    tab.set_files(("references/a.md",))
    assert tab.current == "references/a.md"


def test_a_chosen_file_stays_chosen_through_an_update_and_the_first_comes_back_when_it_goes(tab):
    tab.set_files(FILES)
    tab.choose("references/a.md")
    tab.set_files((*FILES, "z.md"))
    assert tab.current == "references/a.md"
    tab.set_files(("SKILL.md",))
    assert tab.current == "SKILL.md"


def test_skill_md_cannot_be_renamed_or_removed_and_others_can(tab):
    tab.set_files(FILES)
    assert enabled(tab) == {"file.add", "file.external"}
    tab.choose("scripts/run.sh")
    assert enabled(tab) == {"file.add", "file.rename", "file.remove", "file.external"}
    tab.set_writable(on=False)
    assert enabled(tab) == {"file.external"}


def test_a_new_file_a_new_name_and_a_removal_are_asked_for(tab):
    tab.set_files(FILES)
    tab.choose("references/deep/b.md")
    added, renamed, removed = spy(tab.add_requested), spy(tab.rename_requested), spy(tab.remove_requested)
    tab.actions_set.action("file.add").trigger()
    assert tab.findChild(NameDialog).line.text() == "references/deep/"
    typed(tab, "references/deep/c.md").deleteLater()
    tab.actions_set.action("file.rename").trigger()
    dialog = next(one for one in tab.findChildren(NameDialog) if one.isVisible())
    dialog.line.setText("references/a.md")
    assert not dialog.ok.isEnabled()
    dialog.line.setText("references/d.md")
    dialog.ok.click()
    tab.actions_set.action("file.remove").trigger()
    assert added == [("references/deep/c.md",)]
    assert renamed == [("references/deep/b.md", "references/d.md")]
    assert removed == [("references/deep/b.md",)]


def test_files_dropped_on_a_folder_s_file_go_into_that_folder(tab):
    tab.set_files(FILES)
    dropped = spy(tab.drop_requested)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/somewhere/notes"), QUrl("https://example.org/x")])
    tab.choose("references/a.md")
    place = tab.tree.visualRect(tab.tree.currentIndex()).center()
    event = QDropEvent(
        QPointF(place), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    tab.tree.dropEvent(event)
    assert dropped == [(("/somewhere/notes",), "references")]
    tab.set_writable(on=False)
    tab.tree.dropEvent(event)
    assert len(dropped) == 1
