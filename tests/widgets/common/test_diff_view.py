"""The difference view."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication

from app.text.values import FileDiff, FileStatus, Hunk, Line, LineKind
from widgets.common.cells import width_of, wrap
from widgets.common.diff_panel import DiffPanel
from widgets.common.diff_rows import RowKind, rows_of
from widgets.common.diff_view import DiffView


def line(sign, text, old, new, *spans):
    kind = {" ": LineKind.CONTEXT, "+": LineKind.ADDED, "-": LineKind.REMOVED}[sign]
    return Line(kind, text + "\n", old, new, spans)


FIRST = Hunk("h1", 1, 2, 1, 2, (line(" ", "same", 1, 1), line("-", "old", 2, None), line("+", "new", None, 2)))
SECOND = Hunk("h2", 40, 1, 40, 2, (line(" ", "ctx", 40, 40), line("+", "added", None, 41)))
FILES = (
    FileDiff("a.md", FileStatus.MODIFIED, (FIRST, SECOND)),
    FileDiff("b.png", FileStatus.ADDED, (), True, 0, 2048, "", "abcdef0123456789"),
)


def lines_of(rows):
    return [
        (row.left.text if row.left else None, row.right.text if row.right else None)
        for row in rows
        if row.kind is RowKind.LINE
    ]


def test_unified_rows_come_one_after_the_other():
    assert lines_of(rows_of(FILES, side_by_side=False)) == [
        ("same", "same"),
        ("old", None),
        (None, "new"),
        ("ctx", "ctx"),
        (None, "added"),
    ]


def test_side_by_side_pairs_removed_with_added():
    assert lines_of(rows_of(FILES, side_by_side=True)) == [
        ("same", "same"),
        ("old", "new"),
        ("ctx", "ctx"),
        (None, "added"),
    ]


def test_lines_between_hunks_are_counted():
    heads = [row.text for row in rows_of(FILES, side_by_side=False) if row.kind is RowKind.HUNK]
    assert heads == ["from line 1", "⋯  37 unchanged lines"]


WHOLE = FileDiff("a.md", FileStatus.MODIFIED, (SECOND,), between=(("one\n", "two\n"), ("last\n",)))


def test_unchanged_lines_are_shown_where_their_fold_is_opened():
    rows = rows_of((WHOLE,), side_by_side=False, opened={(0, 0)})
    assert [row.text for row in rows if row.fold >= 0] == ["⋯  2 unchanged lines", "⋯  1 unchanged line"]
    assert lines_of(rows)[:2] == [("one", "one"), ("two", "two")]
    assert [row.left.number for row in rows if row.kind is RowKind.LINE and not row.hunk] == [1, 2]


def test_a_file_with_one_side_takes_the_whole_width():
    added = FileDiff("new.md", FileStatus.ADDED, (Hunk("h", 0, 0, 1, 1, (line("+", "text", None, 1),)),))
    assert [row.alone for row in rows_of((added,), side_by_side=True) if row.kind is RowKind.LINE] == [True]
    assert not any(row.alone for row in rows_of(FILES, side_by_side=True))


def test_binary_files_show_sizes_and_hashes():
    note = next(row.text for row in rows_of(FILES, side_by_side=False) if row.kind is RowKind.NOTE)
    assert note == "binary: 0 → 2,048 bytes · – → abcdef012345"


def test_a_folded_file_has_only_its_head():
    rows = rows_of(FILES, side_by_side=False, folded=frozenset({0, 1}))
    assert [row.kind for row in rows] == [RowKind.FILE, RowKind.FILE]


def test_hidden_characters_are_shown():
    hidden = Hunk("h", 1, 0, 1, 1, (line("+", "a\u202eb", None, 1, (2, 3)),))
    row = rows_of((FileDiff("x", FileStatus.ADDED, (hidden,)),), side_by_side=False)[-2]
    assert row.right.text == "a⟨U+202E⟩b"
    assert row.right.spans == ((9, 10),)


def test_wide_characters_take_two_columns():
    assert width_of("日本a") == 5
    assert width_of("e\u0301") == 1


@pytest.mark.parametrize("text", ["", "word " * 30, "x" * 95, "日本語" * 20, "a日" * 31])
def test_wrapping_keeps_all_text_within_the_columns(text):
    parts = wrap(text, 20)
    assert "".join(text[start:end] for start, end in parts) == text
    assert all(width_of(text[start:end]) <= 20 for start, end in parts)


@pytest.fixture
def view(theme, qtbot):
    made = DiffView(theme)
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.set_checkable(True)
    made.set_files(FILES)
    made.show()
    return made


def test_every_hunk_starts_chosen(view):
    assert view.chosen() == {"a.md": frozenset({"h1", "h2"}), "b.png": frozenset()}
    assert view.all_chosen


def test_the_keyboard_walks_and_chooses(view, qtbot):
    toggled = []
    view.hunk_toggled.connect(lambda *args: toggled.append(args))
    qtbot.keyClick(view, Qt.Key.Key_N)
    qtbot.keyClick(view, Qt.Key.Key_N)
    assert view.current_hunk == ("a.md", "h2")
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert toggled == [("a.md", "h2", False)]
    assert view.chosen()["a.md"] == {"h1"}
    qtbot.keyClick(view, Qt.Key.Key_P)
    assert view.current_hunk == ("a.md", "h1")


def test_a_click_on_the_head_of_a_hunk_toggles_it(view, qtbot):
    tops = view._flow.placement.tops
    row = next(index for index, item in enumerate(view._flow.rows) if item.hunk == "h1" and item.kind is RowKind.HUNK)
    place = QPoint(100, tops[row] + 5)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert view.chosen()["a.md"] == {"h2"}


def test_a_click_on_a_fold_opens_it_and_a_second_one_closes_it(view, qtbot):
    view.set_files((WHOLE,))
    closed = len(view._flow.rows)

    def click():
        row = next(index for index, item in enumerate(view._flow.rows) if item.fold == 0)
        place = QPoint(100, view._flow.placement.tops[row] + 5)
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    click()
    assert len(view._flow.rows) == closed + 3
    assert view.all_chosen
    click()
    assert len(view._flow.rows) == closed


def test_enter_opens_the_fold_above_the_current_hunk(view, qtbot):
    view.set_files((WHOLE,))
    qtbot.keyClick(view, Qt.Key.Key_N)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert "one" in [row.left.text for row in view._flow.rows if row.left]
    assert not view.all_opened
    view.set_all_opened(True)
    assert view.all_opened


def test_a_click_on_the_head_of_a_file_folds_it(view, qtbot):
    before = len(view._flow.rows)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(80, 10))
    assert len(view._flow.rows) < before


def test_the_same_files_again_keep_what_was_chosen(view):
    view.set_chosen({"a.md": frozenset({"h2"})})
    view.set_files(tuple(FILES))
    assert view.chosen()["a.md"] == {"h2"}


def test_the_current_hunk_is_copied_as_a_patch(view, qtbot):
    view.next_hunk()
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "--- a.md\n+++ a.md\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n"


def test_a_large_difference_paints_only_what_is_in_sight(theme, qtbot):
    from time import thread_time

    lines = tuple(line("+", f"line {n} " + "word " * 30, None, n) for n in range(1, 8_001))
    files = (FileDiff("big", FileStatus.ADDED, (Hunk("h", 0, 0, 1, 8_000, lines),)),)
    view = DiffView(theme)
    qtbot.addWidget(view)
    view.resize(800, 600)
    view.show()
    began = thread_time()
    view.set_files(files)
    laid_out = thread_time() - began
    qtbot.waitUntil(lambda: view.complete)
    view.verticalScrollBar().setValue(100_000)
    began = thread_time()
    view.grab()
    painted = thread_time() - began
    assert laid_out < 0.15
    assert painted < 0.2


def test_the_panel_chooses_two_columns_where_there_is_room(theme, qtbot):
    panel = DiffPanel(theme)
    qtbot.addWidget(panel)
    panel.set_files(FILES)
    panel.resize(1000, 400)
    panel.show()
    assert panel.view.side_by_side
    panel.resize(600, 400)
    assert not panel.view.side_by_side
    panel.set_side_by_side(True)
    panel.resize(590, 400)
    assert panel.view.side_by_side
