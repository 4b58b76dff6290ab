"""The theme in use: tokens turned into a palette, one style sheet, fonts and recoloured icons; follows the system."""

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from string import Template
from typing import Any, Protocol

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPalette, QPixmap
from PySide6.QtWidgets import QApplication

from widgets.common.icons import IconSet
from widgets.common.tokens import Fonts, Tokens, load_tokens, system_fonts

_ROLES = {
    QPalette.ColorRole.Window: "bg",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "bg",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.PlaceholderText: "muted",
    QPalette.ColorRole.Button: "surface",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "on_accent",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "on_accent",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.ToolTipBase: "tooltip",
    QPalette.ColorRole.ToolTipText: "tooltip_text",
    QPalette.ColorRole.Light: "surface",
    QPalette.ColorRole.Midlight: "raised",
    QPalette.ColorRole.Mid: "line",
    QPalette.ColorRole.Dark: "edge",
    QPalette.ColorRole.Shadow: "line",
    QPalette.ColorRole.Accent: "accent",
}
_ZOOM_RANGE = (70, 250)


class HasIcon(Protocol):
    """Anything that shows an icon: a button, an action, a label of ours."""

    def setIcon(self, icon: QIcon, /) -> None:  # noqa: N802 - Qt's own name
        """Show this icon."""


class Theme(QObject):
    """What widgets ask for colours, fonts and icons. Built once at the top and handed down as first argument."""

    #: The theme, the fonts or the zoom changed; painted widgets call update(), text views render again.
    changed = Signal()

    def __init__(self, resources: Path, choice: str = "system", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._resources = resources
        self._choice = choice
        self._zoom = 100
        self._themes = {name: load_tokens(resources / "themes" / f"{name}.toml") for name in ("light", "dark")}
        self._template = Template((resources / "style.qss").read_text(encoding="utf-8"))
        self._icons = IconSet(resources / "icons")
        self._bound: dict[int, tuple[weakref.ref[Any], str, str]] = {}
        self.tokens: Tokens = self._themes["light"]
        self.fonts: Fonts = system_fonts()
        self._choose()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    @Slot(str)
    def set_choice(self, choice: str) -> None:
        """Choose `system`, `light` or `dark`, and show it at once."""
        self._choice = choice
        self.apply()

    @Slot(int)
    def set_zoom(self, percent: int) -> None:
        """Scale all text, 70 to 250 per cent."""
        self._zoom = min(max(percent, _ZOOM_RANGE[0]), _ZOOM_RANGE[1])
        self.apply()

    def apply(self) -> None:
        """Give the application its style, palette, fonts and style sheet, then tell everyone."""
        application = QApplication.instance()
        if not isinstance(application, QApplication):
            raise TypeError("a theme needs a QApplication")
        self._choose()
        self.fonts = system_fonts(self._zoom)
        application.setStyle("Fusion")
        application.setPalette(self._palette())
        application.setFont(self.fonts.ui())
        application.setStyleSheet(self.style_sheet())
        self._bound = {key: item for key, item in self._bound.items() if self._dress(*item)}
        self.changed.emit()

    @contextmanager
    def undressed(self) -> Iterator[None]:
        """Build many widgets without the style sheet, and dress them all at the end.

        While there is a sheet, Qt styles a widget again, with everything in it, each time it finds a parent: for a
        window put together from the leaves up that is five times each.
        """
        application = QApplication.instance()
        sheet = application.styleSheet() if isinstance(application, QApplication) else ""
        if not isinstance(application, QApplication) or not sheet:
            yield
            return
        application.setStyleSheet("")
        try:
            yield
        finally:
            application.setStyleSheet(sheet)

    @property
    def choice(self) -> str:
        """`system`, `light` or `dark`."""
        return self._choice

    @property
    def zoom(self) -> int:
        """Text size in per cent."""
        return self._zoom

    @property
    def dark(self) -> bool:
        """Whether the dark theme is shown now."""
        return self.tokens.dark

    def colour(self, token: str, alpha: int = 255) -> QColor:
        """A token's colour, optionally with an alpha of 0 to 255."""
        colour = self.tokens.colour(token)
        colour.setAlpha(alpha)
        return colour

    def hex(self, token: str) -> str:
        """A token's colour as `#RRGGBB`, for rich text."""
        return self.tokens.colours[token]

    def code_font(self) -> QFont:
        """The font of code, paths and diffs."""
        return self.fonts.code()

    def icon(self, name: str, token: str = "text", size: int = 16) -> QIcon:
        """An icon in a token's colour, sharp at any scale. Prefer `bind_icon`, which follows a change of theme."""
        return self._icons.icon(name, self.hex(token), self.hex("faint"), size)

    def pixmap(self, name: str, token: str, size: int, ratio: float = 1.0) -> QPixmap:
        """One picture of an icon, for painting by hand; `ratio` is the device pixel ratio of the painter."""
        return self._icons.pixmap(name, self.hex(token), size, ratio)

    def bind_icon(self, target: HasIcon, name: str, token: str = "text") -> None:
        """Give a button or action this icon now and again whenever the theme changes; the last binding wins."""
        reference = weakref.ref(target)
        self._bound[id(target)] = (reference, name, token)
        self._dress(reference, name, token)

    def style_sheet(self) -> str:
        """The filled style sheet. Raises KeyError when it names a token no theme has."""
        glyphs = (self._resources / "themes" / self.tokens.name).as_posix()
        sizes = {
            "px_base": self.fonts.base,
            "px_small": self.fonts.small,
            "px_title": self.fonts.title,
            "px_large": self.fonts.large,
            "px_mono": self.fonts.small,
        }
        return self._template.substitute(self.tokens.colours, mono=self.fonts.mono, glyphs=glyphs, **sizes)

    @Slot(Qt.ColorScheme)
    def _follow_system(self, _scheme: Qt.ColorScheme) -> None:
        if self._choice == "system" and self.tokens.dark != self._system_is_dark():
            self.apply()

    def _choose(self) -> None:
        dark = self._system_is_dark() if self._choice == "system" else self._choice == "dark"
        self.tokens = self._themes["dark" if dark else "light"]

    @staticmethod
    def _system_is_dark() -> bool:
        return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark

    def _palette(self) -> QPalette:
        palette = QPalette()
        for role, token in _ROLES.items():
            palette.setColor(role, self.colour(token))
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.colour("faint"))
        return palette

    def _dress(self, reference: weakref.ref[Any], name: str, token: str) -> bool:
        target = reference()
        if target is None or not shiboken6.isValid(target):
            return False
        target.setIcon(self.icon(name, token))
        return True


def on_change(theme: Theme, slot: Callable[[], None]) -> None:
    """Connect a method of a QObject to the theme and call it once now."""
    theme.changed.connect(slot)
    slot()
