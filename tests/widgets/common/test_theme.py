"""The theme in use."""

from contextlib import suppress

from PySide6.QtGui import QAction, QPalette
from PySide6.QtWidgets import QApplication, QPushButton


def test_a_choice_changes_palette_and_style_sheet(theme, qtbot):
    with qtbot.waitSignal(theme.changed):
        theme.set_choice("dark")
    assert theme.dark
    assert QApplication.palette().color(QPalette.ColorRole.Base).name().upper() == theme.hex("surface")
    assert theme.hex("surface") in QApplication.instance().styleSheet()


def test_every_icon_draws_something(theme):
    from pathlib import Path

    names = [path.stem for path in (Path(__file__).parents[3] / "resources" / "icons").glob("*.svg")]
    assert len(names) >= 60
    for name in names:
        image = theme.pixmap(name, "text", 20).toImage()
        assert any(image.pixelColor(x, y).alpha() > 128 for x in range(20) for y in range(20)), name


def test_bound_icons_follow_the_theme(theme, qtbot):
    made = QPushButton("x")
    qtbot.addWidget(made)
    theme.bind_icon(made, "stop", "text")
    before = made.icon().pixmap(16, 16).toImage()
    theme.set_choice("dark")
    assert made.icon().pixmap(16, 16).toImage() != before


def test_the_last_binding_of_a_button_wins(theme, qtbot):
    made = QPushButton("x")
    qtbot.addWidget(made)
    theme.bind_icon(made, "play")
    theme.bind_icon(made, "stop")
    theme.apply()
    assert made.icon().pixmap(16, 16).toImage() == theme.icon("stop").pixmap(16, 16).toImage()


def test_a_deleted_target_is_forgotten(theme, qapp):
    action = QAction("x", qapp)
    theme.bind_icon(action, "play")
    key = id(action)
    assert key in theme._bound
    action.setParent(None)
    del action
    theme.apply()
    assert key not in theme._bound


def test_zoom_scales_the_fonts(theme):
    theme.set_zoom(200)
    assert theme.fonts.base == 26
    assert QApplication.font().pixelSize() == 26
    theme.set_zoom(9999)
    assert theme.zoom == 250


def test_what_is_built_undressed_is_dressed_at_the_end(theme, qtbot):
    sheet = QApplication.instance().styleSheet()
    with theme.undressed():
        made = QPushButton("x")
        qtbot.addWidget(made)
        plain = made.sizeHint().height()
    assert QApplication.instance().styleSheet() == sheet
    assert made.sizeHint().height() == 28 != plain  # 26 px and a border, as the sheet says


def test_the_sheet_comes_back_when_building_fails(theme):
    sheet = QApplication.instance().styleSheet()
    with suppress(ZeroDivisionError), theme.undressed():
        1 / 0  # noqa: B018 - fails on purpose
    assert QApplication.instance().styleSheet() == sheet
