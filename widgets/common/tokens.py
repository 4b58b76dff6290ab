"""The colours of a theme as values: read from a TOML file, checked to be complete, never spelled in a widget."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo

#: Families that a bare X server names when no desktop says which font it wants.
_NAMELESS = frozenset({"sans", "sans serif", "sans-serif", "dejavu sans", "helvetica", ""})
_UI_FAMILIES = ("Inter", "Cantarell", "Noto Sans", "Ubuntu", "Open Sans")
_MONO_FAMILIES = ("JetBrains Mono", "Cascadia Mono", "SF Mono", "Noto Sans Mono", "DejaVu Sans Mono", "Liberation Mono")
_MONO_NAMELESS = frozenset({"monospace", "courier", "courier new", "courier 10 pitch", "noto mono", ""})


@dataclass(frozen=True, slots=True)
class Tokens:
    """One theme: its name, whether it is dark, and a colour (`#RRGGBB`) for every token."""

    name: str
    dark: bool
    colours: Mapping[str, str]

    def colour(self, token: str) -> QColor:
        """The colour of a token. Raises KeyError for a name no theme has."""
        return QColor(self.colours[token])


@dataclass(frozen=True, slots=True)
class Fonts:
    """The families and pixel sizes in use. `base` is the size of body text after the user's zoom."""

    family: str
    mono: str
    base: int

    @property
    def small(self) -> int:
        """Captions."""
        return self.base - 1

    @property
    def title(self) -> int:
        """Titles of pages."""
        return self.base + 2

    @property
    def large(self) -> int:
        """Numbers on cards."""
        return self.base + 7

    def ui(self, *, small: bool = False, bold: bool = False) -> QFont:
        """A font for text that is painted by hand."""
        font = QFont(self.family)
        font.setPixelSize(self.small if small else self.base)
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font

    def code(self) -> QFont:
        """The font of code, paths and diffs."""
        font = QFont(self.mono)
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setFixedPitch(True)
        font.setPixelSize(self.small)
        for feature in ("calt", "liga", "clig"):  # code is shown character by character: no ligatures
            font.setFeature(QFont.Tag(feature), 0)
        return font


def load_tokens(path: Path) -> Tokens:
    """Read one theme file. Raises OSError or ValueError: a theme is part of the program, so that is a bug."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return Tokens(str(data["name"]), bool(data["dark"]), {name: str(value) for name, value in data["colours"].items()})


def system_fonts(zoom: int = 100) -> Fonts:
    """The system's own fonts; a good installed family where the system names none. `zoom` is a percentage."""
    general = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    shown = QFontInfo(general).pixelSize()
    base = 13 if shown <= 14 else shown
    return Fonts(
        family=_choose(general.family(), _NAMELESS, _UI_FAMILIES),
        mono=_choose(fixed.family(), _MONO_NAMELESS, _MONO_FAMILIES),
        base=max(9, round(base * zoom / 100)),
    )


def _choose(named: str, nameless: frozenset[str], wanted: tuple[str, ...]) -> str:
    if named.lower() not in nameless:
        return named
    installed = set(QFontDatabase.families())
    return next((family for family in wanted if family in installed), named)
