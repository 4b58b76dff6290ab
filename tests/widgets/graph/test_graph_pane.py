"""The graph page: selection, table twin, filter, motion, cached picture."""

from itertools import combinations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QImage, QPainter

from app.errors import Failure
from app.graph.placing import place_all
from app.graph.values import Graph, Layout, Node
from app.skills.values import State
from widgets.graph import names
from widgets.graph import view as view_module
from widgets.graph.camera import Camera
from widgets.graph.grouping import GroupBy, Mark
from widgets.graph.inks import inks_of
from widgets.graph.labels import Labels
from widgets.graph.legend import LegendRow
from widgets.graph.painting import Look
from widgets.graph.pane import GraphPane
from widgets.graph.picture import Filter, build_picture
from widgets.graph.sheet import Sheet


def place(pane, skill):
    return pane._canvas.place_of(pane._canvas.picture.find(skill))


def row(pane, **wanted):
    rows = pane._legend.findChildren(LegendRow)
    return next(item for item in rows if all(getattr(item, name) == value for name, value in wanted.items()))


def test_a_click_selects_and_the_table_follows(qtbot, pane):
    pane._bar.table.setChecked(True)
    with qtbot.waitSignal(pane.skill_selected) as told:
        qtbot.mouseClick(pane._canvas, Qt.MouseButton.LeftButton, pos=place(pane, "left"))
    assert told.args == ["left"]
    assert pane._table.selected() == "left"


def test_the_table_selects_in_the_picture(qtbot, pane):
    pane._bar.table.setChecked(True)
    with qtbot.waitSignal(pane.skill_selected) as told:
        pane._table.selectRow(0)
    assert told.args == [pane._table.selected()]
    assert pane._look().selected == pane._canvas.picture.find(told.args[0])


def test_selecting_from_outside_is_not_told_back(qtbot, pane):
    with qtbot.assertNotEmitted(pane.skill_selected):
        pane.select("right")
    assert pane._look().selected == pane._canvas.picture.find("right")


def test_a_double_click_opens(qtbot, pane):
    with qtbot.waitSignal(pane.skill_opened) as told:
        qtbot.mouseDClick(pane._canvas, Qt.MouseButton.LeftButton, pos=place(pane, "right"))
    assert told.args == ["right"]


def test_arrows_walk_tab_goes_round_and_enter_opens(qtbot, pane):
    pane.select("hub")
    pane._canvas.setFocus()
    qtbot.keyClick(pane._canvas, Qt.Key.Key_Right)
    assert pane._selected == "right"
    pane.select("hub")
    visited = []
    for _ in range(3):
        qtbot.keyClick(pane._canvas, Qt.Key.Key_Tab)
        visited.append(pane._selected)
    assert visited == ["left", "right", "gone"]
    with qtbot.waitSignal(pane.skill_opened) as told:
        qtbot.keyClick(pane._canvas, Qt.Key.Key_Return)
    assert told.args == ["gone"]
    qtbot.keyClick(pane._canvas, Qt.Key.Key_Escape)
    assert pane._selected is None


def test_a_drag_pans_and_selects_nothing(qtbot, pane):
    before = pane._canvas.camera
    with qtbot.assertNotEmitted(pane.skill_selected):
        start = place(pane, "hub")
        qtbot.mousePress(pane._canvas, Qt.MouseButton.LeftButton, pos=start)
        qtbot.mouseMove(pane._canvas, start + QPointF(60, 25).toPoint())
        qtbot.mouseRelease(pane._canvas, Qt.MouseButton.LeftButton, pos=start + QPointF(60, 25).toPoint())
    assert (pane._canvas.camera.dx, pane._canvas.camera.dy) == (before.dx + 60, before.dy + 25)
    qtbot.waitUntil(lambda: not pane._canvas._still.isActive())


def test_moving_the_view_does_not_paint_the_picture_until_it_is_still(qtbot, pane, monkeypatch):
    painted = []
    real = view_module.paint_sheet
    monkeypatch.setattr(view_module, "paint_sheet", lambda *given: (painted.append(1), real(*given)))
    for _ in range(20):
        pane._canvas.move_to(pane._canvas.camera.panned(3, 1))
        pane._canvas.repaint()
    assert painted == []
    qtbot.waitUntil(lambda: painted == [1])


def test_the_legend_filters_and_counts(qtbot, pane):
    assert row(pane, mark=Mark.ARCHIVED)._count == 1
    qtbot.mouseClick(row(pane, mark=Mark.ARCHIVED), Qt.MouseButton.LeftButton)
    assert pane._canvas.picture.find("gone") is None
    assert row(pane, mark=Mark.ARCHIVED)._count == 1
    qtbot.mouseClick(row(pane, mark=Mark.ARCHIVED), Qt.MouseButton.LeftButton)
    assert pane._canvas.picture.find("gone") is not None


def test_filtered_to_nothing_offers_everything_again(qtbot, pane, graph):
    for mark in {Mark.ACTIVE, Mark.STALE, Mark.ARCHIVED, Mark.BROKEN}:
        qtbot.mouseClick(row(pane, mark=mark), Qt.MouseButton.LeftButton)
    assert pane._pages.kind == "filtered"
    pane._pages.action_requested.emit("clear")
    assert pane._pages.kind == "content"
    assert len(pane._canvas.picture.nodes) == len(graph.nodes)


def test_a_new_node_leaves_the_others_and_the_view_where_they_are(qtbot, pane, graph, layout):
    pane._canvas.zoom(1.3)
    qtbot.waitUntil(lambda: not pane._canvas._still.isActive())
    camera = pane._canvas.camera
    before = {skill: place(pane, skill) for skill in ("hub", "left", "right", "gone")}
    new = graph.nodes[0].__class__("new", "new", "testing", graph.nodes[0].state, False)
    pane.set_graph(Graph((*graph.nodes, new), graph.edges))
    pane.set_layout(Layout((*layout.places, ("new", 4.0, 4.0)), layout.isolated))
    qtbot.waitUntil(lambda: pane._canvas._sheet.picture == pane._canvas.picture)
    assert pane._canvas.camera == camera
    assert {skill: place(pane, skill) for skill in before} == before


def test_moved_nodes_glide_and_arrive(qtbot, pane, layout):
    pane._canvas.zoom(1.01)
    moved = tuple((skill, x + 3, y) if skill == "left" else (skill, x, y) for skill, x, y in layout.places)
    pane.set_layout(Layout(moved, layout.isolated))
    goal = pane._canvas.picture
    qtbot.waitUntil(lambda: pane._canvas._sheet.picture == goal, timeout=2000)
    qtbot.waitUntil(lambda: not pane._canvas._still.isActive())


def test_hovering_lifts_and_says_what_it_is(qtbot, pane):
    qtbot.mouseMove(pane._canvas, place(pane, "gone"))
    qtbot.waitUntil(pane._card.isVisible)
    assert "archived" in pane._card._facts.text()
    assert pane._card._joined.text() == "Absorbed into hub"
    pane._canvas.grab()


def test_the_menu_is_asked_for_the_node_under_the_pointer(qtbot, pane):
    found = pane._canvas.picture.find("right")
    with qtbot.waitSignal(pane.menu_requested) as told:
        pane._canvas.menu_asked.emit(found, pane.mapToGlobal(place(pane, "right")))
    assert told.args[0] == "right"


def test_an_empty_library_says_so(qtbot, theme):
    pane = GraphPane(theme)
    qtbot.addWidget(pane)
    assert pane._pages.kind == "loading"
    pane.set_graph(Graph())
    assert pane._pages.kind == "empty"
    pane.show_failure(Failure("No layout", "It took too long."))
    assert pane._pages.kind == "error"
    with qtbot.waitSignal(pane.refresh_requested):
        pane._pages.action_requested.emit("retry")


def test_without_a_layout_related_skills_wait_for_it(qtbot, theme, graph, layout):
    pane = GraphPane(theme)
    qtbot.addWidget(pane)
    pane.set_graph(graph)
    assert pane._pages.kind == "loading"
    pane.set_layout(layout)
    assert pane._pages.kind == "content"


def test_another_grouping_gives_other_rows(qtbot, pane):
    pane._bar.group_chosen.emit(next(iter(type(pane._by)))._member_map_["AUTHOR"])
    assert {item.group_name for item in pane._legend._rows if item.group_name is not None} == {"", "user"}


def test_the_canvas_describes_the_selection_for_screen_readers(pane):
    pane.select("hub")
    assert pane._canvas.accessibleDescription().startswith("hub: active · pinned")


def test_docked_names_stand_beside_their_nodes_and_never_meet(theme, monkeypatch):
    graph = Graph(
        tuple(
            Node(f"s{number}", "a-name-too-long-for-a-column", "testing", State.ACTIVE, False) for number in range(30)
        ),
        (),
    )
    picture = build_picture(graph, place_all(graph, None), 1.0, GroupBy.CATEGORY, Filter())
    sheet, written = Sheet(picture, GroupBy.CATEGORY), []
    look = Look(inks_of(theme, ["testing"]), QFont(), Labels.AUTO, "", "No relations")
    monkeypatch.setattr(names, "_write", lambda painter, area, text, look, ink: written.append(area))
    image = QImage(400, 400, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    names.paint_names(painter, sheet, Camera(0.5), look, sheet.order, [], limit=1)
    painter.end()
    assert len(written) == 30  # all of them, however few names there may be elsewhere
    assert not any(one.intersects(other) for one, other in combinations(written, 2))
    assert len({round(area.left()) for area in written}) == 3
