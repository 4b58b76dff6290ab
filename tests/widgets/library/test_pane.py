"""The library pane: what is seen, what survives a live change, and what is asked for."""

from dataclasses import replace
from time import thread_time

import pytest
import sample_library
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from app.errors import Failure
from app.skills.values import Library, State
from widgets.library.pane import LibraryPane
from widgets.library.skill_model import ENTRY_ROLE


@pytest.fixture
def pane(theme, qtbot):
    with theme.undressed():  # half the time
        made = LibraryPane(theme)
    qtbot.addWidget(made)
    made.resize(320, 500)
    made.set_library(sample_library.library())
    made.show()
    return made


def many(count):
    skills = tuple(
        sample_library._skill(0, f"group-{n % 10}", f"item-{n:04d}", "Some text about this item") for n in range(count)
    )
    return Library(skills)


def test_a_skill_that_is_chosen_is_said_once(pane, qtbot):
    said = []
    pane.skill_selected.connect(said.append)
    index = pane.tree.model().index_of_id("git/git-bisect")
    pane.tree.scrollTo(index)
    qtbot.mouseClick(pane.tree.viewport(), Qt.MouseButton.LeftButton, pos=pane.tree.visualRect(index).center())
    assert said == ["git/git-bisect"]


def test_following_a_selection_made_elsewhere_is_not_said_again(pane):
    said = []
    pane.skill_selected.connect(said.append)
    pane.select_skill("git/rebase-safely")
    assert [skill.id for skill in pane.tree.selected_skills()] == ["git/rebase-safely"]
    assert said == []


def test_a_skill_that_comes_later_is_selected_when_it_is_there(pane):
    pane.select_skill("python/brand-new")
    fresh = sample_library._skill(3, "python", "brand-new", "")
    pane.set_library(Library((*sample_library.skills(), fresh)))
    assert [skill.id for skill in pane.tree.selected_skills()] == ["python/brand-new"]


def test_an_archived_skill_can_be_revealed(pane):
    pane.select_skill(".archive/svn-import")
    assert pane.tree.isExpanded(pane.tree.currentIndex().parent())


@pytest.mark.slow
@pytest.mark.parametrize("count", [200, 3000])
def test_live_changes_keep_selection_scroll_groups_and_typing(pane, qtbot, count):
    library = many(count)
    pane.set_library(library)
    model = pane.tree.model()
    closed = model.index(7, 0)
    pane.tree.setExpanded(closed, False)
    pane.select_skill("group-0/item-0150")
    pane.tree.verticalScrollBar().setValue(260)
    pane.search.setFocus()
    said = []
    pane.skill_selected.connect(said.append)
    for turn, letter in enumerate("item"):
        qtbot.keyClicks(pane.search, letter)
        changed = tuple(
            replace(skill, description=f"turn {turn}") if number % 7 == turn else skill
            for number, skill in enumerate(library.skills)
        )
        fresh = sample_library._skill(0, "group-9", f"new-{turn}", "")
        pane.set_library(Library((*changed, fresh)))
        assert pane.tree.verticalScrollBar().value() == 260
    assert pane.search.text() == "item"
    assert pane.search.hasFocus()
    assert [skill.id for skill in pane.tree.selected_skills()] == ["group-0/item-0150"]
    assert not pane.tree.isExpanded(model.index(7, 0))
    assert said == []


def test_a_skill_moved_to_another_group_stays_out_of_the_selection_signal(pane):
    pane.select_skill("git/git-bisect")
    skills = tuple(
        replace(skill, state=State.ARCHIVED, id=".archive/git-bisect") if skill.name == "git-bisect" else skill
        for skill in sample_library.skills()
    )
    pane.set_library(Library(skills))
    assert pane.tree.model().index_of_id(".archive/git-bisect").isValid()


def test_rows_are_one_line_high_whatever_the_description(pane):
    long = sample_library._skill(0, "a", "long", "word " * 1000)
    short = sample_library._skill(0, "a", "short", "x")
    pane.set_library(Library((long, short)))
    model = pane.tree.model()
    heights = {pane.tree.visualRect(model.index(row, 0, model.index(0, 0))).height() for row in (0, 1)}
    assert heights == {28}
    assert len(model.index_of_id("a/long").data(Qt.ItemDataRole.ToolTipRole)) < 600
    assert pane.tree.horizontalScrollBar().maximum() == 0


def test_five_thousand_rows_are_shown_and_filtered_quickly(pane):
    library = many(5000)
    began = thread_time()
    pane.set_library(library)
    pane.tree.grab()
    filled = thread_time() - began
    began = thread_time()
    pane.set_filter("item-00")
    pane.tree.grab()
    filtered = thread_time() - began
    began = thread_time()
    pane.set_library(Library((replace(library.skills[0], description="x"), *library.skills[1:])))
    changed = thread_time() - began
    assert len(pane.shown_ids) == 100
    assert max(filled, filtered, changed) < 0.5


def test_four_states_are_told_apart(theme, qtbot):
    with theme.undressed():  # half the time
        pane = LibraryPane(theme)
    qtbot.addWidget(pane)
    assert pane.state_kind == "loading"
    pane.set_library(Library())
    assert pane.state_kind == "empty"
    pane.set_library(sample_library.library())
    assert pane.state_kind == "content"
    pane.set_filter("no-such-thing")
    assert pane.state_kind == "filtered"
    pane.show_failure(Failure("x", "y"))
    assert pane.state_kind == "error"


def test_the_filtered_state_leads_back(pane, qtbot):
    pane.set_filter("no-such-thing")
    pane._pages.action_requested.emit("clear")
    assert pane.search.text() == ""
    assert pane.state_kind == "content"


def test_a_chip_writes_its_term_and_shows_what_is_typed(pane, qtbot):
    qtbot.mouseClick(pane.head.chips["stale"], Qt.MouseButton.LeftButton)
    assert pane.search.text() == "state:stale"
    stale = {skill.id for skill in sample_library.skills() if skill.state is State.STALE and not skill.broken}
    assert set(pane.shown_ids) == stale
    pane.set_filter("pinned:yes")
    assert pane.head.chips["pinned"].isChecked()
    assert not pane.head.chips["stale"].isChecked()


def test_chips_count_as_the_library_does(pane):
    counts = sample_library.library().counts
    assert pane.head.chips["active"].text() == f"active {counts.active}"
    assert pane.head.chips["broken"].text() == f"broken {counts.broken}"


def test_sixty_broken_skills_are_rows_with_a_count(pane):
    broken = next(skill for skill in sample_library.skills() if skill.broken)
    skills = tuple(replace(broken, id=f"bad-{n}", name=f"bad-{n}", category="") for n in range(60))
    pane.set_library(Library(skills))
    assert pane.head.chips["broken"].text() == "broken 60"
    assert len(pane.shown_ids) == 60
    pane.set_library(Library(skills[1:]))
    assert pane.head.chips["broken"].text() == "broken 59"


def test_an_unknown_term_is_explained(pane):
    pane.set_filter("colour:red")
    assert "colour" in pane.head.problem.text()
    assert pane.head.problem.isVisible()


def open_menu(pane, skill_id):
    index = pane.tree.model().index_of_id(skill_id)
    pane.tree.setExpanded(index.parent(), True)
    pane.tree.scrollTo(index)
    pane.tree.customContextMenuRequested.emit(pane.tree.visualRect(index).center())
    menus = [menu for menu in pane.findChildren(QMenu) if menu.isVisible()]
    assert len(menus) == 1
    return menus[0]


def test_each_menu_action_acts_on_its_row_once(pane, qtbot):
    asked = []
    pane.action_requested.connect(lambda *args: asked.append(args))
    for name in ("skill.pin", "skill.archive", "skill.disable", "skill.copy_path"):
        menu = open_menu(pane, "git/git-bisect")
        action = next(item for item in menu.actions() if getattr(item, "spec", None) and item.spec.id == name)
        qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
        action.trigger()
        menu.close()
        assert asked == [(name, ("git/git-bisect",))] * 2
        asked.clear()


def test_the_menu_offers_only_what_fits(pane):
    menu = open_menu(pane, ".archive/svn-import")
    names = {action.spec.id for action in menu.actions() if getattr(action, "spec", None)}
    menu.close()
    assert {"skill.restore", "skill.purge"} <= names
    assert not names & {"skill.pin", "skill.archive", "skill.edit"}


def test_the_bulk_bar_acts_on_those_it_fits(pane):
    pane.set_filter("pytest")
    pane.tree.set_closed_groups(frozenset())
    pane.tree.selectAll()
    assert pane._bulk.isVisible()
    asked = []
    pane.action_requested.connect(lambda *args: asked.append(args))
    pane.actions_set.action("skill.restore").trigger()
    assert asked == [("skill.restore", (".archive/pytest-fixtures", ".archive/pytest-markers"))]
    pane.tree.clearSelection()
    assert not pane._bulk.isVisible()


def test_delete_archives_only_when_the_pane_has_the_keyboard(pane, qtbot):
    pane.activateWindow()
    qtbot.waitUntil(pane.isActiveWindow)
    pane.select_skill("git/git-bisect")
    pane.tree.setFocus()
    with qtbot.waitSignal(pane.action_requested) as asked:
        qtbot.keyClick(pane.tree, Qt.Key.Key_Delete)
    assert asked.args == ["skill.archive", ("git/git-bisect",)]


def test_enter_and_double_click_open(pane, qtbot):
    pane.select_skill("git/git-bisect")
    with qtbot.waitSignal(pane.skill_opened) as opened:
        qtbot.keyClick(pane.tree, Qt.Key.Key_Return)
    assert opened.args == ["git/git-bisect"]


def test_down_goes_from_the_field_to_the_first_row(pane, qtbot):
    pane.activateWindow()
    pane.search.setFocus()
    qtbot.keyClick(pane.search, Qt.Key.Key_Down)
    assert pane.tree.hasFocus()
    assert pane.tree.currentIndex().data(ENTRY_ROLE) is not None


def test_a_click_on_a_group_closes_it(pane, qtbot):
    group = pane.tree.model().index(1, 0)
    pane.tree.scrollTo(group)
    place = pane.tree.visualRect(group).center()
    qtbot.mouseClick(pane.tree.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, place.y()))
    assert not pane.tree.isExpanded(group)
    assert pane.tree.closed_groups >= {"0data"}


def test_every_control_has_a_name(pane):
    from PySide6.QtWidgets import QAbstractButton, QLineEdit

    for kind in (QAbstractButton, QLineEdit):
        for control in pane.findChildren(kind):
            if control.isVisible() and control.parent() is not pane.search:
                assert control.accessibleName() or control.text(), control


@pytest.fixture
def columns(pane):
    pane.select_skill("git/git-bisect")
    pane.head.columns_action.setChecked(True)
    return pane


def names(pane):
    model = pane.table.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_the_columns_view_keeps_the_selection(columns):
    assert columns.table.isVisible()
    assert [skill.id for skill in columns.selected] == ["git/git-bisect"]
    columns.head.columns_action.setChecked(False)
    assert [skill.id for skill in columns.selected] == ["git/git-bisect"]


def test_columns_sort_and_the_selection_follows_its_skill(columns):
    columns.table.sortByColumn(3, Qt.SortOrder.DescendingOrder)
    uses = [columns.table.model().index(row, 3).data(ENTRY_ROLE).skill.usage.uses for row in range(10)]
    assert uses == sorted(uses, reverse=True)
    assert [skill.id for skill in columns.selected] == ["git/git-bisect"]


def test_columns_follow_the_filter_and_live_changes(columns):
    columns.set_filter("git-bisect")
    assert names(columns) == ["git-bisect"]
    columns.set_filter("")
    fresh = sample_library._skill(0, "git", "aaa", "")
    columns.set_library(Library((*sample_library.skills(), fresh)))
    assert names(columns)[0] == "aaa"
    assert [skill.id for skill in columns.selected] == ["git/git-bisect"]


def test_actions_work_from_the_columns(columns):
    asked = []
    columns.action_requested.connect(lambda *args: asked.append(args))
    columns.actions_set.action("skill.archive").trigger()
    assert asked == [("skill.archive", ("git/git-bisect",))]


def test_the_order_of_the_tree_is_chosen_in_the_view_menu(pane):
    by_uses = next(action for action in pane.head._orders.actions() if action.data() == "uses")
    by_uses.trigger()
    group = pane.tree.model().index(1, 0)
    uses = [pane.tree.model().index(row, 0, group).data(ENTRY_ROLE).skill.usage.uses for row in range(6)]
    assert uses == sorted(uses, reverse=True)
