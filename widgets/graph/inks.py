"""The colours the graph paints with, taken from the theme: one hue per group, the tokens for everything else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QColor

from app.graph.values import EdgeKind
from widgets.common.theme import Theme
from widgets.graph.grouping import Mark

#: Steps round the colour wheel that keep neighbours in the legend well apart (golden angle).
_STEP = 137.508


@dataclass(frozen=True, slots=True)
class Inks:
    """Colours by meaning. `groups` gives each group its own hue of the accent's strength."""

    ground: QColor
    text: QColor
    muted: QColor
    line: QColor
    accent: QColor
    pinned: QColor
    danger: QColor
    archived: QColor
    stale: QColor
    groups: Mapping[str, QColor]
    edges: Mapping[EdgeKind, QColor]

    def node(self, mark: Mark, group: str) -> QColor:
        """The colour of a node's shape. Archived, broken and proposed ones have the colour of their state."""
        if mark is Mark.PROPOSED:
            return self.accent
        if mark is Mark.ARCHIVED:
            return self.archived
        if mark is Mark.BROKEN:
            return self.danger
        return self.groups.get(group, self.archived)


def inks_of(theme: Theme, groups: Sequence[str]) -> Inks:
    """Read the theme once for a whole repaint."""
    ground = theme.colour("surface")
    return Inks(
        ground=ground,
        text=theme.colour("text"),
        muted=theme.colour("muted"),
        line=theme.colour("line"),
        accent=theme.colour("accent"),
        pinned=theme.colour("pinned"),
        danger=theme.colour("danger"),
        archived=theme.colour("archived"),
        stale=theme.colour("stale"),
        groups={group: hue(theme.colour("accent"), place) for place, group in enumerate(groups)},
        edges={
            EdgeKind.ABSORBED: faint(theme.colour("muted"), 0.85),
            EdgeKind.RELATED: faint(theme.colour("edge"), 0.55),
            EdgeKind.MENTION: faint(theme.colour("edge"), 0.28),
            EdgeKind.PROPOSED: theme.colour("accent"),
        },
    )


def hue(accent: QColor, place: int) -> QColor:
    """The accent turned round the colour wheel: as light and a little calmer, another hue for each place."""
    start = max(accent.hslHueF(), 0.0) * 360
    turned = QColor()
    turned.setHslF(
        ((start + place * _STEP) % 360) / 360,
        min(accent.hslSaturationF(), 1.0) * 0.68,
        min(max(accent.lightnessF(), 0.42), 0.72),
    )
    return turned


def faint(colour: QColor, share: float) -> QColor:
    """The colour with `share` of its full strength."""
    result = QColor(colour)
    result.setAlphaF(share)
    return result
