"""The History page and tab: filters, conflicts of an undo, the library of a day, and what is not kept."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
import shots
from PySide6.QtCore import QDate

from app.cycles.values import LibraryThen, LostFile, SkillThen
from app.errors import Failure
from app.history.values import Entry, Origin, Record
from widgets.library.history_pane import HistoryPane
from widgets.library.history_tab import HistoryTab
from widgets.library.step_words import evidence, facts, headline
from widgets.library.then_view import end_of

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def step(number, origin, action, skill, reason="", **detail):
    record = Record(origin, action, (skill,), reason, detail=detail)
    return Entry(f"{number:040x}", NOON, record, f"{number - 1:040x}", "t")


STEPS = (
    step(3, Origin.CURATOR, "archive", "git/git-undo", "folded into git"),
    step(2, Origin.OUTSIDE, "outside", "git/git-undo"),
    step(1, Origin.USER, "create", "tea"),
)


def spy(signal):
    said = []
    signal.connect(lambda *args: said.append(args))
    return said


@pytest.fixture
def pane(theme, qtbot):
    made = HistoryPane(theme)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    return made


def test_the_steps_are_asked_for_each_time_the_page_is_turned_to(theme, qtbot):
    made = HistoryPane(theme)
    qtbot.addWidget(made)
    asked = spy(made.entries_requested)
    made.show()
    made.hide()
    made.show()
    assert asked == [(), ()]


def test_steps_are_filtered_by_origin_and_by_words(pane):
    pane.set_entries(STEPS)
    assert pane.steps.count == 3
    assert not pane.chips[Origin.CHAT].isVisible()
    pane.chips[Origin.OUTSIDE].click()
    assert pane.steps.count == 1
    pane.chips[Origin.CURATOR].click()
    assert pane.steps.count == 2
    pane.search.set_text_now("folded undo")
    assert pane.steps.count == 1
    pane.search.set_text_now("nothing like it")
    assert pane.steps._pages.state.title == "Nothing fits"


def test_a_step_says_who_approved_it_and_where_a_skill_went():
    given = step(1, Origin.CURATOR, "apply", "a", approved_by="user", steps=[{"name": "a", "absorbed_into": "b"}])
    assert evidence(given) == ["you approved it", "a went into b"]
    assert "step 1234567890" in evidence(step(2, Origin.USER, "undo", "a", undoes="1234567890abcdef"))[0]
    assert evidence(replace(given, record=replace(given.record, detail={}, run="r1"))) == ["run r1"]


def test_a_conflict_of_an_undo_is_shown_with_a_way_back_and_goes_with_the_next_step(theme, qtbot):
    tab = HistoryTab(theme)
    qtbot.addWidget(tab)
    tab.show()
    tab.set_entries(STEPS)
    wanted = spy(tab.version_requested)
    tab.show_conflict(STEPS[1].id, ("another step",), shots.diff())
    assert tab.told == ""
    tab.show_conflict(STEPS[0].id, ("git-undo was changed since.",), shots.diff())
    assert tab.told.startswith("git-undo was changed since.")
    tab._before_it.click()
    assert wanted == [(STEPS[0].parent,)]
    tab.choose(STEPS[1].id)
    assert tab.told == ""


def test_a_version_is_compared_with_now_and_brought_back(theme, qtbot):
    tab = HistoryTab(theme)
    qtbot.addWidget(tab)
    tab.show()
    compared, wanted = spy(tab.comparison_requested), spy(tab.version_requested)
    tab.set_entries(STEPS)
    tab._against.click()
    assert compared == [(STEPS[0].id,)]
    tab.set_difference(STEPS[0].id, ())
    assert tab._right.state.title == "As it stands now"
    tab._bring.click()
    assert wanted == [(STEPS[0].id,)]


def test_the_library_of_a_day_lists_fates_and_offers_what_fits(pane):
    then = pane.then
    asked, versions, restores = spy(then.day_requested), spy(then.version_requested), spy(then.restore_requested)
    pane.show_view("then")
    then.set_day(QDate(2026, 6, 1))
    assert asked[-1][0] == end_of(QDate(2026, 6, 1))
    rows = (
        SkillThen("tea", "tea", False, "changed", "kitchen/tea"),
        SkillThen("old", "old", False, "archived", ".archive/old"),
        SkillThen("same", "same", False, "same", "same"),
    )
    then.set_then(LibraryThen(STEPS[0], rows, ("new",)))
    assert then.rows == (("tea", "changed"), ("old", "in the archive"), ("same", "unchanged"))
    then.choose("tea")
    then.bring_button.click()
    then.choose("old")
    then.bring_button.click()
    assert (versions, restores) == ([("kitchen/tea", STEPS[0].id)], [(".archive/old",)])
    then.choose("same")
    assert not then.bring_button.isVisible()
    then._fate.setCurrentIndex(1)
    assert then.rows == (("tea", "changed"),)
    then.set_failure(Failure("No history of that day", "The first step is later."))
    assert then._pages.state.title == "No history of that day"


def test_what_is_not_kept_is_listed_and_leads_to_its_skill(pane):
    asked, opened = spy(pane.lost_requested), spy(pane.lost.skill_requested)
    pane.show_view("lost")
    assert len(asked) == 1
    pane.lost.set_lost((LostFile("tea", "film.bin", "too large", 3_000_000),))
    assert pane.lost.count == 1
    pane.lost._on_activated(pane.lost._list.topLevelItem(0))
    assert opened == [("tea",)]
    pane.lost.set_lost(())
    assert pane.lost._pages.state.title == "Everything is kept"


def test_a_step_without_a_text_says_what_it_changed():
    told = {"name": "tea", "before": "active", "after": "stale"}, {"name": "git", "before": False, "after": True}
    labelled = step(4, Origin.CURATOR, "label", "tea", steps=list(told))
    assert facts(labelled, 12) == ["tea: active → stale", "git: no → yes"]
    moved = step(5, Origin.USER, "archive", "tea", moves=[["tea", ".archive/tea"]])
    assert facts(moved, 12) == ["tea → .archive/tea"]
    assert facts(STEPS[1], 12) == []
    assert facts(step(6, Origin.CURATOR, "label", "tea", steps=[told[0]] * 15), 12)[-1] == "and 3 more"


def test_a_row_begins_with_what_happened():
    assert headline(STEPS[0]) == "Archived by the curator: git-undo"


def test_the_facts_stand_where_the_difference_would(pane):
    one = step(4, Origin.CURATOR, "label", "tea", steps=[{"name": "tea", "before": "active", "after": "stale"}])
    pane.set_entries((one,))
    pane.steps.set_difference(one.id, ())
    shown = pane.steps.findChildren(type(pane.steps._why))
    assert any(made.text() == "tea: active → stale" for made in shown)


def test_as_many_facts_are_listed_as_fit_and_more_when_there_is_room(pane, qtbot):
    steps = [{"name": f"skill-{number}", "before": "active", "after": "stale"} for number in range(14)]
    one = step(4, Origin.CURATOR, "label", "tea", steps=steps)
    pane.set_entries((one,))
    pane.steps.set_difference(one.id, ())
    shown = pane.steps._right.state._text
    for height, all_told in ((420, False), (1000, True), (420, False)):
        pane.resize(500, height)
        qtbot.waitUntil(lambda told=all_told: ("skill-13: active" in shown.text()) is told)
        assert ("and " in shown.text()) is not all_told
        qtbot.waitUntil(lambda: shown.heightForWidth(shown.width()) <= shown.height() <= pane.steps._right.height())
