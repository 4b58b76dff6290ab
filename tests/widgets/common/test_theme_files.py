"""Both themes are complete and readable."""

import re
import tomllib
from pathlib import Path

import pytest

RESOURCES = Path(__file__).parents[3] / "resources"
WIDGETS = Path(__file__).parents[3] / "widgets"
THEMES = {name: tomllib.loads((RESOURCES / "themes" / f"{name}.toml").read_text()) for name in ("light", "dark")}
PAIRS = [
    (name, text, ground)
    for name, theme in THEMES.items()
    for text, grounds in theme["contrast"].items()
    for ground in grounds
]


def luminance(colour):
    """WCAG 2 relative luminance of #RRGGBB."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, two):
    """WCAG 2 contrast ratio, 1 to 21."""
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_is_21():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


@pytest.mark.parametrize(("name", "text", "ground"), PAIRS)
def test_text_reaches_four_and_a_half_to_one(name, text, ground):
    colours = THEMES[name]["colours"]
    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_edges_of_controls_reach_three_to_one(name):
    colours = THEMES[name]["colours"]
    assert contrast(colours["edge"], colours["surface"]) >= 3
    assert contrast(colours["accent"], colours["surface"]) >= 3


def test_both_themes_have_the_same_names():
    assert THEMES["light"]["colours"].keys() == THEMES["dark"]["colours"].keys()
    assert THEMES["light"]["contrast"] == THEMES["dark"]["contrast"]


@pytest.mark.parametrize("name", THEMES)
def test_marks_of_a_theme_use_its_own_colours(name):
    colours = set(THEMES[name]["colours"].values())
    for path in (RESOURCES / "themes" / name).glob("*.svg"):
        assert set(re.findall(r"#[0-9A-Fa-f]{6}", path.read_text())) <= colours


def test_no_widget_spells_a_colour():
    literal = re.compile(
        r"[\"'(:\s]#(?:[0-9a-fA-F]{3}){1,2}\b|QColor\(\s*\d|rgba?\(|Qt\.(?:GlobalColor\.)?(?!transparent)(?:white|black|red|green|blue|gray)\b"
    )
    found = [
        f"{path.relative_to(WIDGETS)}:{number}"
        for path in WIDGETS.rglob("*.py")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if literal.search(line)
    ]
    assert found == []


def test_the_style_sheet_spells_no_colour():
    assert re.findall(r"#[0-9a-fA-F]{3,6}\b|rgba?\(", (RESOURCES / "style.qss").read_text()) == []


def test_icons_are_one_set():
    for path in (RESOURCES / "icons").glob("*.svg"):
        text = path.read_text()
        assert 'viewBox="0 0 20 20"' in text
        assert "currentColor" in text
        assert 'stroke-width="1.5"' in text
