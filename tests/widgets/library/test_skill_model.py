"""The tree model: only what differs is told."""

from dataclasses import replace

import pytest
import sample_library
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtTest import QAbstractItemModelTester

from app.skills.filter.values import Filter
from app.skills.values import State
from widgets.library.skill_model import ENTRY_ROLE, SkillModel
from widgets.library.tree_rows import Order, group_rows


def groups_of(skills, waiting=None, order=Order.NAME):
    return group_rows(skills, Filter(), waiting or {}, order)


@pytest.fixture
def model(qapp):
    made = SkillModel()
    QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal, made)
    return made


def content(model):
    return [
        (
            model.index(row, 0).data(),
            [model.index(place, 0, model.index(row, 0)).data() for place in range(model.rowCount(model.index(row, 0)))],
        )
        for row in range(model.rowCount())
    ]


def named(*pairs):
    return tuple(sample_library._skill(0, category, name, "") for category, name in pairs)


def test_categories_in_order_and_the_archive_last(model):
    archived = replace(named(("", "old"))[0], state=State.ARCHIVED, id=".archive/old")
    model.set_groups(groups_of((archived, *named(("b", "x"), ("a", "z"), ("a", "y"), ("", "q")))))
    assert content(model) == [("No category", ["q"]), ("a", ["y", "z"]), ("b", ["x"]), ("Archived", ["old"])]


def test_a_change_keeps_persistent_indexes_and_tells_one_row(model, qtbot):
    skills = sample_library.skills()
    model.set_groups(groups_of(skills))
    kept = QPersistentModelIndex(model.index_of_id("git/rebase-safely"))
    changed = tuple(replace(s, description="new") if s.id == "git/rebase-safely" else s for s in skills)
    told, resets = [], []
    model.dataChanged.connect(lambda top, _bottom: told.append(top.data()))
    model.modelReset.connect(lambda: resets.append(1))
    model.set_groups(groups_of(changed))
    assert kept.data(ENTRY_ROLE).skill.description == "new"
    assert "rebase-safely" in told
    assert "git-bisect" not in told
    assert not resets


def test_the_same_library_again_tells_nothing(model):
    model.set_groups(groups_of(sample_library.skills()))
    told = []
    for signal in (model.dataChanged, model.rowsInserted, model.rowsRemoved, model.rowsMoved, model.modelReset):
        signal.connect(lambda *_args: told.append(1))
    model.set_groups(groups_of(sample_library.skills()))
    assert told == []


def test_very_many_changes_are_one_reset(model):
    many = named(*((f"c{n % 20}", f"skill-{n}") for n in range(900)))
    resets = []
    model.modelReset.connect(lambda: resets.append(1))
    model.set_groups(groups_of(many))
    assert resets == [1]
    assert model.rowCount() == 20


names = st.lists(st.tuples(st.sampled_from(["", "a", "b", "c"]), st.sampled_from("pqrstu")), unique=True, max_size=12)


@settings(deadline=None)
@given(names, names, st.sampled_from(Order))
def test_any_change_ends_with_the_wanted_rows(qapp, before, after, order):
    model = SkillModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.set_groups(groups_of(named(*before)))
    wanted = groups_of(named(*after), order=order)
    model.set_groups(wanted)
    assert [names for _title, names in content(model)] == [[e.skill.name for e in g.entries] for g in wanted]


def test_a_skill_of_a_further_folder_has_its_own_group(model):
    from pathlib import Path

    here = named(("a", "x"))[0]
    there = replace(here, root=Path("/srv/shared"), in_home=False)
    model.set_groups(groups_of((here, there)))
    assert [title for title, _names in content(model)] == ["a", "shared / a"]
    assert model.index_of_id("a/x").data(ENTRY_ROLE).skill is here


def test_the_reason_of_a_broken_skill_is_in_tooltip_and_speech(model):
    model.set_groups(groups_of(sample_library.skills()))
    from PySide6.QtCore import Qt

    index = model.index_of_id("ops/terraform-plan")
    assert "line 1: The front matter is opened" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert "broken" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert model.index_of_id("none") == QModelIndex()
